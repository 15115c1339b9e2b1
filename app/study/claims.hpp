#pragma once
// What the books say about costs, and whether it is so here. Every verdict is computed from the
// counts and times of this run.
#include <optional>
#include <string>
#include <vector>

#include "study/results.hpp"

namespace limber::app::study {

struct Claim {
  std::string key;     ///< in JSON, unique
  std::string source;  ///< where the book says it
  std::string text;    ///< what it says, in our words, precise enough to be tested
  std::string found;   ///< the numbers that decide
  std::optional<bool> on_counts, in_time;  ///< none: the claim says nothing about it, or not timed

  /// "holds", "fails on counts", "fails in time", "fails on counts and in time", "not measured"
  std::string verdict() const;
};

std::vector<Claim> judge_claims(const Results& results);

}  // namespace limber::app::study
