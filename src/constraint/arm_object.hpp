#pragma once
// The object that a team of arms holds: its own equation, about its mass centre in world axes.
#include <fmt/format.h>

#include "constraint/arm_matrix.hpp"
#include <limber/error.hpp>

namespace limber {

/// Throws Error unless there is a state for each arm.
template <class T>
void check_states(const char* function, const BasicArmTeam<T>& team,
                  std::span<const ArmState<T>> states) {
  if (states.size() != team.arms.size())
    throw Error(fmt::format("{}: {} states for a team of {} arms", function, states.size(),
                            team.arms.size()));
}

/// I of the object about its mass centre in world axes, and I a − (0, m g) less what turning
/// takes: g = −(ω × I ω, 0). (2.9)
template <class T>
void start_object(const BasicArmTeam<T>& team, const ObjectState<T>& object, Small6<T>& K,
                  std::array<T, 6>& g) {
  const Sym3<T> I = congruence(object.pose.R, team.central);
  const Vec3<T>& w = object.velocity.angular;
  const Vec3<T> moment = object.pose.R * cross(w, team.central * w);
  K = {};
  K(0, 0) = I.xx, K(1, 0) = I.xy, K(1, 1) = I.yy;
  K(2, 0) = I.xz, K(2, 1) = I.yz, K(2, 2) = I.zz;
  for (int i = 3; i < 6; ++i) K(i, i) = team.mass;
  g = {-moment.x, -moment.y, -moment.z, T(0), T(0), T(0)};
}

/// Derivative of the velocity of the object's frame in its own axes. a: of its mass centre, world.
template <class T>
Motion<T> object_acceleration(const BasicArmTeam<T>& team, const ObjectState<T>& object,
                              const Vec3<T>& g, const std::array<T, 6>& a) {
  const Mat3<T>& R = object.pose.R;
  const Vec3<T>& w = object.velocity.angular;
  const Vec3<T> alpha = transpose_times(R, Vec3<T>{a[0], a[1], a[2]});
  const Vec3<T> linear = transpose_times(R, Vec3<T>{a[3], a[4], a[5]} + g);
  return {alpha,
          linear - cross(alpha, team.com) - cross(w, object.velocity.linear + cross(w, team.com))};
}

}  // namespace limber
