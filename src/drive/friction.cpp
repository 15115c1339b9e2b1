#include <limber/drive/friction.hpp>

#include <cmath>
#include <utility>

#include "drive/checks.hpp"

namespace limber {

void check(const FrictionSettings& friction, const std::string& where) {
  check_not_negative(friction.forward, "forward", where);
  check_not_negative(friction.backward, "backward", where);
  check_not_negative(friction.stribeck_velocity, "stribeck_velocity", where);
  check_range(friction.static_ratio, 1, HUGE_VAL, "static_ratio", where);
}

double kinetic_friction(const FrictionSettings& friction, int direction, double speed) {
  const double level = direction > 0 ? friction.forward : friction.backward;
  if (friction.stribeck_velocity == 0) return level;
  const double relative = speed / friction.stribeck_velocity;
  return level * (1 + (friction.static_ratio - 1) * std::exp(-relative * relative));
}

double static_friction(const FrictionSettings& friction, int direction) {
  return friction.static_ratio * (direction > 0 ? friction.forward : friction.backward);
}

FrictionSettings through_gear(const FrictionSettings& friction, double ratio) {
  FrictionSettings seen = friction;
  seen.forward *= std::abs(ratio);
  seen.backward *= std::abs(ratio);
  seen.stribeck_velocity /= std::abs(ratio);
  if (ratio < 0) std::swap(seen.forward, seen.backward);
  return seen;
}

}  // namespace limber
