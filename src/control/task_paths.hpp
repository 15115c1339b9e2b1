#pragma once
// What the makers of task trajectories share.
#include <limber/control/task_trajectory.hpp>

namespace limber {

/// Throws Error unless R is a rotation and all numbers are finite.
void expect_pose(const char* what, const Transform<double>& pose);

}  // namespace limber
