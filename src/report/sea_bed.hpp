#pragma once
// Links that sank through the sea bed, in words.
#include <limber/report/report.hpp>

namespace limber {

/// A warning where a link ended below the sea bed by more than its size: nothing stands on it
/// unless `contact` has a ground there.
void add_sea_bed(const Scenario& scenario, const Run& run, RunSummary& summary);

}  // namespace limber
