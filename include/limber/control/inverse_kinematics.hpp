#pragma once
// Inverse kinematics: joint positions that put a frame where it ought to be, and joint trajectories
// that let it follow a task trajectory. Damped least squares (Levenberg and Marquardt) within the
// joints' limits.
#include <limber/control/task_trajectory.hpp>

namespace limber {

struct InverseKinematicsSettings {
  TaskRows rows = TaskRows::pose;
  /// The joints that may move; empty: all but free joints without actuators.
  std::vector<std::string> joints;
  double tolerance = 1e-11;  ///< of the distance [m] and the turn [rad] that are left
  int iterations = 300;      ///< at most, from one start
  int restarts = 20;         ///< other starts, tried if the first does not lead there
};

struct InverseKinematicsResult {
  std::vector<double> q;     ///< the best that was found (nq)
  bool reached = false;      ///< to the tolerance
  double distance_left = 0;  ///< [m]; 0 if positions are no task
  double turn_left = 0;      ///< [rad]; 0 if orientations are no task
};

/// Positions at which `frame` has the pose (in the world), near `start` (nq) if it can. The same
/// start gives the same result. Throws Error for names that do not exist and starts that are not
/// positions of the robot.
InverseKinematicsResult inverse_kinematics(const Model& model, const std::string& frame,
                                           const Transform<double>& pose,
                                           std::span<const double> start,
                                           const InverseKinematicsSettings& settings = {});

struct FollowSettings : InverseKinematicsSettings {
  double step = 0.01;            ///< longest time between exact points [s]; halved where needed
  double path_tolerance = 1e-7;  ///< how far the frame may be from its path between them [m, rad]
  /// Smallest singular value of the Jacobian (of as many as there can be) that the path may come
  /// to.
  double smallest_singular_value = 1e-3;
};

/// The joint trajectory with which `frame` follows `task`, begun near `start`. At points of its
/// path not more than a step apart, positions solve the task to the tolerance and velocities and
/// accelerations are those of the Jacobian: v = J⁺ ẋ, J a = ẍ − J̇ v; redundant robots move with the
/// least v. Between them: polynomials of fifth degree. Throws Error with time and distance left for
/// a path that cannot be followed: out of reach, beyond a limit, or through a singular position.
JointTrajectoryPointer follow(const Model& model, const std::string& frame,
                              const TaskTrajectory& task, std::span<const double> start,
                              const FollowSettings& settings = {});

}  // namespace limber
