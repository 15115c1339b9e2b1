#pragma once
// TimeLaw: how far along its path a motion is at each instant: s(t) from 0 to 1, from rest to rest.
#include <cmath>
#include <cstdint>
#include <vector>

namespace limber {

/// How the speed along a path rises and falls.
enum class Law : std::uint8_t {
  trapezoidal,  ///< constant acceleration, constant speed, constant deceleration
  quintic       ///< 10 r³ − 15 r⁴ + 6 r⁵ with r = t/duration: the acceleration has no jumps
};

/// Where a motion is on its path.
struct PathPhase {
  double s = 0;             ///< 0 at the beginning, 1 at the end
  double rate = 0;          ///< ṡ [1/s]
  double acceleration = 0;  ///< s̈ [1/s²]
};

class TimeLaw {
 public:
  /// Takes `duration` [s]. `ramp`: the part of it that a trapezoidal law spends on each of its two
  /// ramps, above 0 and at most 0.5. Throws Error otherwise.
  static TimeLaw with_duration(Law law, double duration, double ramp = 0.25);

  /// The shortest with |ṡ| ≤ rate [1/s] and |s̈| ≤ acceleration [1/s²]. HUGE_VAL: no limit; a
  /// trapezoidal law needs one for the acceleration, a quintic one for either. Throws Error
  /// otherwise. Both without limit is a path without length: duration 0.
  static TimeLaw with_limits(Law law, double rate, double acceleration);

  double duration() const { return duration_; }  ///< [s]
  double peak_rate() const;                      ///< largest ṡ [1/s]
  double peak_acceleration() const;              ///< largest |s̈| [1/s²]
  /// Before 0 at rest at the beginning, after the duration at rest at the end.
  PathPhase at(double t) const;
  /// Times between which s is smooth, both ends included [s].
  std::vector<double> knots() const;

 private:
  TimeLaw(Law law, double duration, double ramp) : law_(law), duration_(duration), ramp_(ramp) {}
  PathPhase trapezoidal_at(double t) const;

  Law law_;
  double duration_, ramp_;  // [s]; trapezoidal: time of one ramp
};

}  // namespace limber
