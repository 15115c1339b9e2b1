#pragma once
// Dry friction of a shaft or a joint: a level for each direction, a higher one at rest, and how the
// level falls when motion begins (Stribeck). Viscous friction is not part of it.
#include <cmath>
#include <string>

namespace limber {

/// Levels are torques of a turning shaft [N m] or forces of a sliding one [N], all ≥ 0.
struct FrictionSettings {
  double forward = 0;       ///< while moving in the positive direction
  double backward = 0;      ///< while moving in the negative direction
  double static_ratio = 1;  ///< what it takes to break loose, over the level of motion, ≥ 1
  /// The level falls from the static one to that of motion as exp(−(v/stribeck_velocity)²)
  /// [rad/s or m/s]; 0: at once.
  double stribeck_velocity = 0;
};

/// Throws Error for an invalid number; `where` names the owner in the message.
void check(const FrictionSettings& friction, const std::string& where);

/// Level that opposes motion in the given direction (+1 or −1) with the given speed |v|, ≥ 0.
inline double kinetic_friction(const FrictionSettings& friction, int direction, double speed) {
  const double level = direction > 0 ? friction.forward : friction.backward;
  if (friction.stribeck_velocity == 0) return level;
  const double relative = speed / friction.stribeck_velocity;
  return level * (1 + (friction.static_ratio - 1) * std::exp(-relative * relative));
}

/// What must be exceeded to break loose in the given direction (+1 or −1), ≥ 0.
inline double static_friction(const FrictionSettings& friction, int direction) {
  return friction.static_ratio * (direction > 0 ? friction.forward : friction.backward);
}

/// True if there is dry friction in any direction.
inline bool any(const FrictionSettings& friction) {
  return friction.forward > 0 || friction.backward > 0;
}

/// The same friction seen through a gear: levels times |ratio|, speeds over |ratio|, directions
/// exchanged if the ratio is negative.
FrictionSettings through_gear(const FrictionSettings& friction, double ratio);

}  // namespace limber
