#include "study_arms/results.hpp"

#include <array>

namespace limber::app::study_arms {

namespace {
constexpr std::array<WayFacts, way_count> ways{{
    {Way::operational_space, "operational_space", "operational space", true},
    {Way::articulated, "articulated", "articulated bodies, O(mN)", true},
    {Way::augmented, "augmented", "one dense system", true},
    {Way::general, "general", "closed mechanism", false},
}};
// [McM] tables 5 (one processor) and 6
constexpr std::array<ThesisRun, 12> runs{{
    {{1, 1, 1}, 0.117, 1, 1, 1},
    {{1, 1, 2}, 0.152, 1, 0.770, 0.770},
    {{1, 1, 4}, 0.241, 1, 0.485, 0.485},
    {{1, 4, 4}, 0.0637, 3.78, 0.485, 1.83},
    {{2, 2, 4}, 0.0668, 3.61, 0.485, 1.75},
    {{2, 2, 2}, 0.0444, 3.42, 0.770, 2.63},
    {{4, 1, 4}, 0.0731, 3.30, 0.485, 1.60},
    {{4, 1, 2}, 0.0463, 3.28, 0.770, 2.53},
    {{4, 1, 1}, 0.0377, 3.10, 1.000, 3.10},
    {{2, 4, 4}, 0.0390, 6.18, 0.485, 3.00},
    {{4, 2, 4}, 0.0417, 5.78, 0.485, 2.80},
    {{4, 2, 2}, 0.0295, 5.15, 0.770, 3.97},
}};
}  // namespace

std::span<const WayFacts> all_ways() { return ways; }
std::span<const ThesisRun> thesis_runs() { return runs; }

const ThesisRun* thesis_run(const Partition& p) {
  for (const ThesisRun& run : runs)
    if (run.partition.arm_parts == p.arm_parts && run.partition.time_parts == p.time_parts &&
        run.partition.block == p.block)
      return &run;
  return nullptr;
}

}  // namespace limber::app::study_arms
