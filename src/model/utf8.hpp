#pragma once
// One character of UTF-8 after the other, for checking and printing untrusted text.
#include <cstddef>
#include <string_view>

namespace limber {

struct Utf8Character {
  char32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: the text does not begin with UTF-8
};

/// The first character of a text that is not empty: shortest form, no surrogates, up to U+10FFFF.
Utf8Character first_character(std::string_view text);

/// True for what moves a terminal's cursor, ends a line or overrides the direction of writing:
/// C0, DEL, C1, line and paragraph separators, embeddings, overrides and isolates.
bool is_control(char32_t code);

}  // namespace limber
