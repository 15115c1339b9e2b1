#pragma once
// Measured times of every formulation.
#include <functional>

#include "study/results.hpp"

namespace limber::app::study {

/// Processor time of this thread [s]: other programs on the machine do not count.
double thread_seconds();

/// Times all formulations for n = 1 … most_links, or as far as each says, in about `seconds`, and
/// writes the times into `results`: processor time of this thread, all formulations and sizes in
/// turn round after round; the result is the 5 % quantile of the rounds. `progress` gets the
/// part done, 0 to 1.
void measure_times(Results& results, double seconds, const std::function<void(double)>& progress);

}  // namespace limber::app::study
