#pragma once
// What the study has found: operation counts and times of every formulation for n = 1 … 30 links.
#include <optional>
#include <vector>

#include "study/formulations.hpp"

namespace limber::app::study {

inline constexpr int most_links = 30;

struct Sample {
  OperationCount needed;              ///< products and sums that the result depends on
  OperationCount total;               ///< all that was done: `executed`, `sincos`, `roots`
  std::optional<double> nanoseconds;  ///< per call; none if not timed
};

/// One formulation; entry n − 1 is for n links.
struct Series {
  const Formulation* formulation;
  std::vector<Sample> samples;
};

struct Results {
  bool timed = false;
  int rounds = 0;  ///< of timing
  std::vector<Series> series;

  /// Throws Error if there is none with this key.
  const Series& named(std::string_view key) const;
};

}  // namespace limber::app::study
