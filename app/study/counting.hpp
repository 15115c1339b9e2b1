#pragma once
// Operation counts of every formulation.
#include <functional>

#include "study/results.hpp"

namespace limber::app::study {

/// Counts all formulations for n = 1 … most_links. `progress` gets the part done, 0 to 1.
Results count_operations(const std::function<void(double)>& progress);

}  // namespace limber::app::study
