#pragma once
// The claims, by subject.
#include "study/claims.hpp"
#include "study/evidence.hpp"

namespace limber::app::study {

inline constexpr Measure operations = Measure::operations, weighted = Measure::weighted,
                         time = Measure::time;

std::vector<Claim> claims_about_inverse_dynamics(const Evidence& evidence);
std::vector<Claim> claims_about_mass_matrix(const Evidence& evidence);
std::vector<Claim> claims_about_forward_dynamics(const Evidence& evidence);
std::vector<Claim> claims_about_counting(const Evidence& evidence);

}  // namespace limber::app::study
