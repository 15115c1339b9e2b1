#pragma once
// StepGrid: the instants t0 + k h of a method with fixed steps. Counting them keeps the clock free
// of the rounding that adding up h would gather.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/clock.hpp"

namespace limber {

class StepGrid {
 public:
  explicit StepGrid(double h) : h_(h) {}

  void start(double t0, double count = 0) { t0_ = t0, count_ = count; }
  void advance(int steps) { count_ += steps; }

  double t0() const { return t0_; }
  double count() const { return count_; }  ///< whole steps since t0
  double h() const { return h_; }
  /// The instant `steps` after the present one.
  double at(int steps) const { return t0_ + (count_ + steps) * h_; }
  /// Lengths of time that count as nothing beside a step, and on the clock.
  double resolution() const {
    constexpr double ulp = std::numeric_limits<double>::epsilon();
    return std::max(std::min(1e-9 * h_, finest_instant), 4 * ulp * std::abs(at(0)));
  }
  /// How many whole steps end before or at `limit`, at most `most`.
  int whole_steps(double limit, int most) const {
    int steps = 0;
    while (steps < most && at(steps + 1) <= limit + resolution()) ++steps;
    return steps;
  }
  /// True if a step is long enough to be seen on the clock.
  bool advances() const { return h_ > resolution(); }
  /// The instant after `steps`, or `limit` itself where the two are the same.
  double label(int steps, double limit) const {
    return std::abs(limit - at(steps)) <= resolution() ? limit : at(steps);
  }

 private:
  double h_, t0_ = 0, count_ = 0;
};

}  // namespace limber
