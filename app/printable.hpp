#pragma once
// Text from outside (names, file contents, options) as it may be printed: what a terminal would
// obey instead of show is written out. Control characters, bytes that are no UTF-8 and characters
// that turn the direction of writing become "\x1b" or "\u202e".
#include <string>
#include <string_view>

namespace limber::app {

/// Several lines; line ends and tabs are kept.
std::string printable(std::string_view text);
/// One line: line ends and tabs are written out, too.
std::string printable_line(std::string_view text);
/// Valid JSON; what stands within its texts is written as JSON does, "\u001b".
std::string printable_json(std::string_view json);

}  // namespace limber::app
