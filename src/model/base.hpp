#pragma once
// How a robot's base is held: the counterpart of float_base.
#include <limber/model/spec.hpp>

namespace limber {

/// Welds the base: the free joints between the robot and the world become fixed joints at their
/// place. A robot without such a joint stays as it is. Throws Error where it is not clear which of
/// its parts is the base.
void fix_base(Spec& spec);

}  // namespace limber
