#pragma once
// Counts, times and runs of teams of arms.
#include <functional>

#include "study_arms/results.hpp"

namespace limber::app::study_arms {

enum class Effort { full, quick, counts_only };

/// Everything. `progress` gets the part done, 0 to 1.
Study examine(Effort effort, const std::function<void(double)>& progress);

// Its parts, each of which writes its fields of `study`.
void count_operations(Study& study, const std::function<void(double)>& progress);
/// Processor time of one thread, all sizes and ways in turn, in about so many seconds.
void measure_times(Study& study, double seconds, const std::function<void(double)>& progress);
void sweep_to_singularity(Study& study);
/// The lift on threads; `seconds` for each row.
void measure_runs(Study& study, double seconds, const std::function<void(double)>& progress);
void find_crossovers(Study& study);

}  // namespace limber::app::study_arms
