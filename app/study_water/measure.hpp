#pragma once
// Counts and times under water, and what it costs to take vehicle and arm apart.
#include <functional>

#include "study_legs/measure.hpp"
#include "study_water/results.hpp"

namespace limber::app::study_water {

using study_legs::Effort;

/// Everything. `progress` gets the part done, 0 to 1.
Study examine(Effort effort, const std::function<void(double)>& progress);

/// The error of the decoupled form for several masses of the vehicle.
std::vector<DecoupledRow> decoupling_errors();

}  // namespace limber::app::study_water
