#pragma once
// Names of robots and frames in generated text.
#include <string>
#include <string_view>

namespace limber {

/// A name that every language takes for an identifier: other characters become underlines.
std::string identifier(std::string_view text);

}  // namespace limber
