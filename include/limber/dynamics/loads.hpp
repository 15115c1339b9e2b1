#pragma once
// Loads: what acts on the robot besides its joints and gravity. All empty: nothing.
#include <span>

#include <limber/spatial/vector.hpp>

namespace limber {

template <class T>
struct Loads {
  /// External force on each body (entry 0, the world, is ignored), in the user's body frame: moment
  /// about its origin [N m] and force [N], in its axes. Empty: none. Size: model.bodies().
  std::span<const Force<T>> body_forces;
  /// Velocity of the world frame itself (a moving base), in its own axes. [rad/s, m/s]
  Motion<T> base_velocity;
  /// Spatial acceleration of the world frame, in its own axes. [rad/s², m/s²]
  Motion<T> base_acceleration;
};

}  // namespace limber
