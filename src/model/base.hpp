#pragma once
// How a robot's base is held: the counterpart of float_base, and what floats.
#include <limber/model/spec.hpp>

namespace limber {

/// Welds the base: the free joints between the robot and the world become fixed joints at their
/// place. A robot without such a joint stays as it is. Throws Error where it is not clear which of
/// its parts is the base.
void fix_base(Spec& spec);

/// What floats of a robot, by its file or by float_base.
struct FloatingBase {
  std::vector<std::string> joints;           ///< free joints between the robot and the world
  std::vector<std::string> world_stand_ins;  ///< massless links that stand in for the world
  bool is_all = false;                       ///< nothing else is held by the world
};
FloatingBase floating_base(const Spec& spec);

}  // namespace limber
