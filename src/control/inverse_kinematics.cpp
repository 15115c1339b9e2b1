#include <limber/control/inverse_kinematics.hpp>

#include "control/frame_solver.hpp"
#include "control/limits.hpp"
#include "control/task_paths.hpp"

namespace limber {

InverseKinematicsResult inverse_kinematics(const Model& m, const std::string& frame,
                                           const Transform<double>& pose,
                                           std::span<const double> start,
                                           const InverseKinematicsSettings& settings) {
  expect_pose("inverse kinematics", pose);
  FrameSolver solver(m, frame, settings);
  const std::vector<double> first = checked_position(m, "inverse kinematics: start", start);
  std::vector<double> q = first;
  solver.solve(pose, q);
  InverseKinematicsResult best = solver.result(pose, q);
  for (int i = 0; i < settings.restarts && !best.reached; ++i) {
    solver.scatter(first, i, q);
    solver.solve(pose, q);
    const InverseKinematicsResult found = solver.result(pose, q);
    if (found.reached ||
        found.distance_left + found.turn_left < best.distance_left + best.turn_left)
      best = found;
  }
  return best;
}

}  // namespace limber
