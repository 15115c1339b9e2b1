#pragma once
// Counts and times of the ways to the motion of a body with legs.
#include <functional>

#include "study_legs/results.hpp"

namespace limber::app::study_legs {

enum class Effort { counts_only, quick, full };

/// Everything. `progress` gets the part done, 0 to 1.
Study examine(Effort effort, const std::function<void(double)>& progress);

}  // namespace limber::app::study_legs
