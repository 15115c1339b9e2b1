#pragma once
// The robots and scenarios that ship with Limber, and what stands beside generated code, carried by
// the library itself: no installed file is looked for.
#include <span>
#include <string_view>

namespace limber {

struct EmbeddedFile {
  std::string_view name;  ///< "puma560"
  std::string_view file;  ///< "robots/puma560.yaml", for messages and its extension
  std::string_view text;  ///< what the file contains
};

/// In the order of their file names. Defined in files that the build writes from the folders
/// robots/ and scenarios/.
std::span<const EmbeddedFile> embedded_robots();
std::span<const EmbeddedFile> embedded_scenarios();
/// The headers of Pack.
std::span<const EmbeddedFile> embedded_pack();

}  // namespace limber
