#include "model/names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/utf8.hpp"

namespace limber {

std::string text_defect(std::string_view text, std::string_view allowed) {
  // most names are plain: letters, digits and signs of ASCII
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  text.remove_prefix(static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) -
                                              text.begin()));
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
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
    const Utf8Character next = first_character(text);
    const std::size_t length = next.length == 0 ? 1 : next.length;
    if (next.length != 0 && !is_control(next.code)) result += text.substr(0, length);
    else
      for (const char c : text.substr(0, length))
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    text.remove_prefix(length);
  }
  return result;
}

bool is_name(std::string_view name) {
  return name.size() <= longest_name && text_defect(name).empty();
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

std::string count_of(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string quoted_names(const std::vector<std::string>& names) {
  constexpr std::size_t most_named = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(most_named, names.size()); ++i)
    list += (list.empty() ? "'" : ", '") + names[i] + "'";
  return names.size() > most_named ? list + ", …" : list;
}

}  // namespace limber
