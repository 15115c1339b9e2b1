#pragma once
// Poses, velocities and accelerations of all bodies, as forward_kinematics() leaves them
// (dynamics/kinematics.hpp): named values, so that only what was computed can be asked for. Made
// for a model; a workspace has one of them.
#include <cstdint>

#include <limber/model/model.hpp>

namespace limber {

/// Where the bodies are. Like all of these in the bodies' canonical frames; frame_pose(),
/// frame_velocity(), … give what belongs to the user's frames.
template <class T>
struct BasicPoses {
  BasicPoses() = default;
  /// Throws Error for a Model that build() has not made, or that was moved away.
  explicit BasicPoses(const BasicModel<T>& m);

  ModelIdentity model;  ///< whose bodies these are
  /// What the last forward_kinematics() has written; the rest is older and is refused.
  enum class Holds : std::uint8_t { nothing, poses, velocities, accelerations };
  Holds holds = Holds::nothing;
  List<Transform<T>> X_W;  ///< pose in the world (bodies)
};

/// Where they are and how they move.
template <class T>
struct BasicVelocities : BasicPoses<T> {
  BasicVelocities() = default;
  explicit BasicVelocities(const BasicModel<T>& m);

  List<Motion<T>> v;  ///< spatial velocity (bodies)
};

/// And how that changes.
template <class T>
struct BasicAccelerations : BasicVelocities<T> {
  BasicAccelerations() = default;
  explicit BasicAccelerations(const BasicModel<T>& m);

  List<Motion<T>> a;  ///< spatial acceleration, gravity plays no part (bodies)
};

using Poses = BasicPoses<double>;                  ///< what forward_kinematics(q) returns
using Velocities = BasicVelocities<double>;        ///< of (q, v)
using Accelerations = BasicAccelerations<double>;  ///< of (q, v, a)

}  // namespace limber
