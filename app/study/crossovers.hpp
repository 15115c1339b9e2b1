#pragma once
// Where one way of computing overtakes another: composite against articulated bodies, link against
// absolute coordinates.
#include <string>
#include <vector>

#include "study/curves.hpp"

namespace limber::app::study {

struct Crossover {
  std::string contest;                   ///< what is compared
  std::string who;                       ///< whose formulations or formulas
  std::string first, second;             ///< keys of two formulations or of two published counts
  std::vector<std::optional<int>> from;  ///< by measure: n from which on `second` is cheaper
  std::vector<bool> known;               ///< by measure: both costs are known
};

std::vector<Crossover> find_crossovers(const Results& results);

/// The curve of a formulation or, if there is none with this key, of a published count.
Curve curve_of(const Results& results, std::string_view key, Measure measure);

}  // namespace limber::app::study
