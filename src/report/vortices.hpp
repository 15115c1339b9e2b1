#pragma once
// Vortices that links of a run shed, which are not simulated, in words.
#include <limber/report/report.hpp>

namespace limber {

/// A fact with the links whose cylinders shed the strongest, at their fastest; and a warning for
/// each joint with a spring that vortices of links beyond it may have set swinging: where they were
/// shed near its natural frequency, where the run begins, for five periods of it or longer.
void add_vortices(const Scenario& scenario, const Run& run, RunSummary& summary);

}  // namespace limber
