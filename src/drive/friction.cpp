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

FrictionSettings through_gear(const FrictionSettings& friction, double ratio) {
  FrictionSettings seen = friction;
  seen.forward *= std::abs(ratio);
  seen.backward *= std::abs(ratio);
  seen.stribeck_velocity /= std::abs(ratio);
  if (ratio < 0) std::swap(seen.forward, seen.backward);
  return seen;
}

}  // namespace limber
