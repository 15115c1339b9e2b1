#include "model/names.hpp"

#include <fmt/format.h>

namespace limber {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t length = 0;  // in bytes; 0: not UTF-8
};

// the first character of a text that is not empty: shortest form, no surrogates, up to U+10FFFF
Character first_character(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length};
}

// what moves a terminal's cursor, ends a line or turns the direction of writing
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string text_defect(std::string_view text, std::string_view allowed) {
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.length == 1 && allowed.find(text[0]) != std::string_view::npos) {
      text.remove_prefix(1);
      continue;
    }
    if (next.length == 0)
      return fmt::format("byte 0x{:02x} is not UTF-8", static_cast<unsigned char>(text[0]));
    if (is_control(next.code))
      return fmt::format("a control character, U+{:04X}", static_cast<unsigned>(next.code));
    text.remove_prefix(next.length);
  }
  return "";
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t length = next.length == 0 ? 1 : next.length;
    if (next.length != 0 && !is_control(next.code)) result += text.substr(0, length);
    else
      for (const char c : text.substr(0, length))
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    text.remove_prefix(length);
  }
  return result;
}

void expect_name(const Source& source, std::string_view what, std::string_view name) {
  if (name.size() > longest_name)
    throw Error(source, fmt::format("the {} has {} bytes, at most {} are allowed; choose a shorter "
                                    "one",
                                    what, name.size(), longest_name));
  const std::string defect = text_defect(name);
  if (!defect.empty())
    throw Error(source, fmt::format("the {}, '{}', holds {}; a name is text in UTF-8 without "
                                    "control characters",
                                    what, printable(name), defect));
}

}  // namespace limber
