#pragma once
// Long sentences for a terminal.
#include <string>

namespace limber::app {

/// The text broken at blanks so that lines have at most `width` bytes, each line begun with
/// `indent`; never inside "n = 6", "1 : 2" or "5 %".
std::string wrapped(const std::string& text, const std::string& indent, std::size_t width);

}  // namespace limber::app
