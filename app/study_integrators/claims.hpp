#pragma once
// What the thesis concludes about its block methods, and whether it is so here.
#include "study_integrators/results.hpp"

namespace limber::app::study_integrators {

std::vector<Claim> judge_claims(const Study& study);

}  // namespace limber::app::study_integrators
