#pragma once
// Gaits: which foot stands and which one swings when, and how a swinging foot moves.
#include <string>
#include <vector>

#include <limber/control/task_trajectory.hpp>

namespace limber {

/// One foot in a gait.
struct GaitFoot {
  std::string frame;  ///< its origin is the point that stands
  double phase = 0;   ///< in [0, 1): when its stance begins, in parts of the period
};

/// A periodic schedule. Foot k stands in the first part `duty` of its cycle, and swings in the
/// rest; its cycle begins at (n + phase) · period.
class Gait {
 public:
  /// period [s]; duty in (0, 1], 1: all feet always stand. Throws Error naming the field, and for
  /// no feet, feet that are there twice and phases outside [0, 1).
  Gait(double period, double duty, std::vector<GaitFoot> feet);

  int count() const { return static_cast<int>(feet_.size()); }
  const GaitFoot& foot(int k) const { return feet_[static_cast<std::size_t>(k)]; }
  double period() const { return period_; }
  double duty() const { return duty_; }
  double stance_time() const { return duty_ * period_; }       ///< [s]
  double swing_time() const { return (1 - duty_) * period_; }  ///< [s]

  /// The part of foot k's cycle that has passed at time t [s], in [0, 1).
  double phase(int k, double t) const;
  bool stands(int k, double t) const { return phase(k, t) < duty_; }
  /// Of a foot that swings: the time since its swing began [s].
  double time_in_swing(int k, double t) const { return (phase(k, t) - duty_) * period_; }
  /// Of a foot that stands: the time since its stance began [s].
  double time_in_stance(int k, double t) const { return phase(k, t) * period_; }

 private:
  double period_, duty_;
  std::vector<GaitFoot> feet_;
};

/// A point's motion at one instant, world axes [m, m/s, m/s²].
struct PointMotion {
  Vec3<double> position, velocity, acceleration;
};

/// A foot on its way through the air: from `from` to `to` along the straight line by the quintic
/// law, and up by height · 64 s³(1 − s)³, s = t/duration, which is `height` [m] in the middle.
/// Velocity and acceleration are zero at both ends; before and after it rests there.
PointMotion swing_motion(const Vec3<double>& from, const Vec3<double>& to, double height,
                         double duration, double t);

}  // namespace limber
