#pragma once
// Joint trajectories with which a frame follows a task trajectory.
#include <limber/control/inverse_kinematics.hpp>
#include <limber/control/task_trajectory.hpp>

namespace limber {

/// How closely the joints follow the path of a frame.
struct FollowSettings : InverseKinematicsSettings {
  double interval = 0.01;        ///< longest time between exact points [s]; halved where needed
  double path_tolerance = 1e-7;  ///< how far the frame may be from its path between them [m, rad]
  /// Least value that the smallest singular value of the Jacobian may have along the path.
  double smallest_singular_value = 1e-3;
};

/// The joint trajectory with which `frame` follows `task`, begun near `start`. At points of its
/// path not more than an interval apart, positions solve the task to the tolerance and velocities
/// and accelerations are those of the Jacobian: v = J⁺ ẋ, J a = ẍ − J̇ v; redundant robots move with
/// the least v. Between them: polynomials of fifth degree. Throws Error with time and distance left
/// for a path that cannot be followed: out of reach, beyond a limit, or through a singular
/// position.
JointTrajectoryPointer follow(const Model& model, const std::string& frame,
                              const TaskTrajectory& task, std::span<const double> start,
                              const FollowSettings& settings = {});

}  // namespace limber
