#pragma once
// The facts of a run that the first line of a report's page shows.
#include <limber/report/report.hpp>

namespace limber {

/// Gives those among the facts their brief form: simulated time, times real time, method and step,
/// largest errors.
void add_briefs(const Scenario& scenario, const Run& run, std::vector<Fact>& facts);

}  // namespace limber
