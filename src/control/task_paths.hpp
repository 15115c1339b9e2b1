#pragma once
// Helpers for the motion of frames.
#include <limber/control/task_trajectory.hpp>

namespace limber {

/// Throws Error unless R is a rotation and all numbers are finite.
void expect_pose(const char* what, const Transform<double>& pose);

/// The rows of a frame's velocity (angular, then linear) that are the task.
std::vector<int> rows_of(TaskRows rows);

}  // namespace limber
