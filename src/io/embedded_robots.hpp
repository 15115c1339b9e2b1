#pragma once
// The robots that ship with Limber, carried by the library itself: no installed file is looked for.
#include <span>
#include <string_view>

namespace limber {

struct EmbeddedRobot {
  std::string_view name;  ///< "puma560"
  std::string_view file;  ///< "robots/puma560.yaml", for messages and its extension
  std::string_view text;  ///< what the file contains
};

/// In the order of their file names. Defined in a file that the build writes from the folder
/// robots/.
std::span<const EmbeddedRobot> embedded_robots();

}  // namespace limber
