#pragma once
// Queries of the results, for the claims.
#include <functional>
#include <string>

#include "study/crossovers.hpp"

namespace limber::app::study {

/// A range of chains: n from `first` to `last`.
struct Links {
  int first, last;
};

class Evidence {
 public:
  explicit Evidence(const Results& results) : results_(results) {}

  /// Cost of a formulation or published count for n links, which must be known.
  double cost(std::string_view key, Measure measure, int n) const;
  /// cost of `first` / cost of `second`
  double ratio(std::string_view first, std::string_view second, Measure measure, int n) const;
  /// Smallest and largest ratio over a range.
  double least_ratio(std::string_view first, std::string_view second, Measure measure,
                     Links n) const;
  double greatest_ratio(std::string_view first, std::string_view second, Measure measure,
                        Links n) const;
  std::optional<int> crossover(std::string_view first, std::string_view second,
                               Measure measure) const;

  /// The answer of a question about times, or none if nothing was timed.
  std::optional<bool> if_timed(const std::function<bool()>& question) const;
  /// The sentence, or nothing if nothing was timed.
  std::string said_if_timed(const std::function<std::string()>& sentence) const;

 private:
  const Results& results_;
};

/// "from n = 10" or "nowhere up to n = 30"
std::string from_links(std::optional<int> n);

}  // namespace limber::app::study
