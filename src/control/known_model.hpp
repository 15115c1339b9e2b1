#pragma once
// A controller may know the robot otherwise than it is, but not another robot.
#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/model/model.hpp>

namespace limber {

/// Throws Error unless both models have the same variables of the same joints.
inline void expect_same_joints(const Model& robot, const Model& known) {
  if (known.nq != robot.nq || known.nv != robot.nv)
    throw Error(
        fmt::format("model: it has {} positions and {} velocities, robot '{}' has {} and "
                    "{}; give a model with the same joints",
                    known.nq, known.nv, robot.name, robot.nq, robot.nv));
  std::size_t b = 1, c = 1;
  for (;; ++b, ++c) {  // rotors and joints that follow others have no variables
    while (b < robot.master.size() && robot.master[b] >= 0) ++b;
    while (c < known.master.size() && known.master[c] >= 0) ++c;
    if (b >= robot.master.size() || c >= known.master.size()) return;
    if (robot.joint_name[b] != known.joint_name[c] || robot.kind[b] != known.kind[c])
      throw Error(
          fmt::format("model: joint '{}' found where robot '{}' has '{}'; give a model with "
                      "the same joints in the same order",
                      known.joint_name[c], robot.name, robot.joint_name[b]));
  }
}

}  // namespace limber
