#include "printable.hpp"

#include <fmt/format.h>

namespace limber::app {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// the UTF-8 character at the beginning of the text: the shortest form, no surrogates
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const std::size_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < bytes) return {};
  char32_t code = byte(0) & (0xFFu >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3Fu);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, bytes, true};
}

// what a terminal obeys: control characters (C0, DEL, C1), line and paragraph separators, and the
// embeddings, overrides and isolates of bidirectional writing
bool is_obeyed(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}

template <class Escaped>
std::string replaced(std::string_view text, std::string_view kept, Escaped&& escaped) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_of(text);
    const std::string_view bytes = text.substr(0, c.bytes);
    const bool plain = c.valid && (!is_obeyed(c.code) || kept.find(bytes) != kept.npos);
    if (plain) result += bytes;
    else result += escaped(c, static_cast<unsigned char>(text[0]));
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::string written_out(const Character& c, unsigned char byte) {
  if (!c.valid || c.code < 0x80) return fmt::format("\\x{:02x}", byte);
  return fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
}

}  // namespace

std::string printable(std::string_view text) { return replaced(text, "\n\t", written_out); }

std::string printable_line(std::string_view text) { return replaced(text, "", written_out); }

std::string printable_json(std::string_view json) {
  return replaced(json, "", [](const Character& c, unsigned char) {
    return c.valid ? fmt::format("\\u{:04x}", static_cast<unsigned>(c.code)) : "\\ufffd";
  });
}

}  // namespace limber::app
