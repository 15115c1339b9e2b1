#pragma once
// What the parts of the analysis' report share.
#include <limber/analysis/analysis.hpp>

namespace limber {

/// The figures that any point has.
std::vector<Figure> scanned_figures(const std::vector<ScanPoint>& points);

void add_diagrams(const Scenario& scenario, const Analysis& analysis,
                  const std::vector<ScanPoint>& scan, std::vector<Diagram>& diagrams);

}  // namespace limber
