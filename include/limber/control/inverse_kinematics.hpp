#pragma once
// Inverse kinematics: joint positions at which a frame has a given pose. Damped least squares
// (Levenberg and Marquardt) within the joints' limits. Whole paths: control/follow.hpp. Part of a
// library with the simulator (LIMBER_BUILD_SIMULATOR, which is on unless you turn it off).
#include <span>
#include <string>
#include <vector>

#include <limber/control/task_rows.hpp>
#include <limber/model/model.hpp>

namespace limber {

/// Which part of the pose counts, which joints may move, and when to stop.
struct InverseKinematicsSettings {
  TaskRows rows = TaskRows::pose;
  /// The joints that may move; empty: all but free joints without actuators.
  std::vector<std::string> joints;
  double tolerance = 1e-11;  ///< of the distance [m] and the turn [rad] that are left
  int iterations = 300;      ///< at most, from one start
  int restarts = 20;         ///< other starts, tried if the first does not lead there
};

/// Joint positions that bring the frame to its goal, and what is left where they do not.
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

}  // namespace limber
