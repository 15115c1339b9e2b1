#pragma once
// limber::Error: what went wrong while a robot was read, built or asked for, and how to mend it.
#include <stdexcept>
#include <string>

namespace limber {

/// Where something came from, for messages: file, line and element. Empty parts are left out.
struct Source {
  std::string file;     ///< file name as the user gave it
  int line = 0;         ///< 1-based; 0: unknown
  std::string element;  ///< e.g. `joint 'elbow'`
};

/// "file:line: element" with the empty parts left out.
std::string to_string(const Source& source);

/// Thrown by everything that loads, builds, looks up or checks arguments; never inside a recursion.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what_and_remedy) : std::runtime_error(what_and_remedy) {}
  /// Message "file:line: element: what, and what to do".
  Error(const Source& source, const std::string& what_and_remedy);
};

}  // namespace limber
