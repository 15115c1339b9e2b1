#pragma once
// Which part of a frame's motion is a task.
#include <cstdint>

namespace limber {

/// Which part of a frame's motion is a task; the rest is left free.
enum class TaskRows : std::uint8_t { pose, position, orientation };

}  // namespace limber
