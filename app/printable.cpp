#include "printable.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/utf8.hpp"

namespace limber::app {

namespace {

// control characters, and marks that change the direction of writing
bool is_terminal_control(char32_t c) {
  return is_control(c) || c == 0x200E || c == 0x200F || c == 0x061C;
}

template <class Escaped>
std::string replaced(std::string_view text, std::string_view kept, Escaped&& escaped) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character c = first_character(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(c.length, 1));
    const bool plain =
        c.length != 0 && (!is_terminal_control(c.code) || kept.find(bytes) != kept.npos);
    if (plain) result += bytes;
    else result += escaped(c, static_cast<unsigned char>(text[0]));
    text.remove_prefix(bytes.size());
  }
  return result;
}

std::string written_out(const Utf8Character& c, unsigned char byte) {
  if (c.length == 0 || c.code < 0x80) return fmt::format("\\x{:02x}", byte);
  return fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
}

}  // namespace

std::string printable(std::string_view text) { return replaced(text, "\n\t", written_out); }

std::string printable_line(std::string_view text) { return replaced(text, "", written_out); }

std::string printable_json(std::string_view json) {
  return replaced(json, "", [](const Utf8Character& c, unsigned char) {
    return c.length != 0 ? fmt::format("\\u{:04x}", static_cast<unsigned>(c.code)) : "\\ufffd";
  });
}

}  // namespace limber::app
