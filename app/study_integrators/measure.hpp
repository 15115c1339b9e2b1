#pragma once
// Runs the integrators through the benchmarks.
#include <functional>

#include "study_integrators/results.hpp"

namespace limber::app::study_integrators {

enum class Effort { full, quick };

/// Everything. `progress` gets the part done, 0 to 1.
Study examine(Effort effort, const std::function<void(double)>& progress);

}  // namespace limber::app::study_integrators
