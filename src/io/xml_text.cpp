// What tinyxml2 lets pass although XML forbids it: control characters, bytes that are not UTF-8,
// and references to characters or entities that do not exist.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "io/xml.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

struct Span {
  std::string_view open, close;
};
// what may hold anything, also other encodings
constexpr Span unread[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};

// the parser compares each attribute of an element with those before it
constexpr int most_attributes = 1000;

// the text with everything that is not read made blank, line breaks kept
std::string without_comments(std::string_view text, const std::string& file) {
  std::string visible(text);
  char quote = 0;
  bool in_tag = false;
  int attributes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_tag) {
      if (quote) quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'') quote = c, ++attributes;
      else if (c == '>') in_tag = false;
      if (attributes > most_attributes)
        throw Error(
            {file, static_cast<int>(std::count(text.begin(), text.begin() + i, '\n')) + 1, ""},
            fmt::format("an element with more than {} attributes", most_attributes));
      continue;
    }
    if (c != '<') continue;
    const Span* span = std::find_if(std::begin(unread), std::end(unread), [&](const Span& one) {
      return text.substr(i).starts_with(one.open);
    });
    if (span == std::end(unread)) {
      in_tag = true;
      attributes = 0;
      continue;
    }
    const std::size_t end =
        std::min(text.find(span->close, i + span->open.size()), text.size() - span->close.size()) +
        span->close.size();
    std::replace_if(
        visible.begin() + static_cast<std::ptrdiff_t>(i),
        visible.begin() + static_cast<std::ptrdiff_t>(end), [](char x) { return x != '\n'; }, ' ');
    i = end - 1;
  }
  return visible;
}

// the number in &#65; or &#x41;, if it is a character that XML allows
bool is_character_reference(std::string_view digits) {
  const bool hexadecimal = digits.starts_with('x');
  if (hexadecimal) digits.remove_prefix(1);
  unsigned code = 0;
  const auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  if (error != std::errc{} || rest != digits.data() + digits.size()) return false;
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code > 0xDFFF && code < 0xFFFE) || (code > 0xFFFF && code <= 0x10FFFF);
}

void expect_references(std::string_view line, const Source& place) {
  constexpr std::string_view known[] = {"lt", "gt", "amp", "quot", "apos"};
  for (std::size_t at = line.find('&'); at != std::string_view::npos; at = line.find('&', at + 1)) {
    const std::string_view rest = line.substr(at + 1);
    const std::string_view name = rest.substr(0, std::min(rest.find(';'), rest.size()));
    const bool closed = name.size() < rest.size();
    if (closed && std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    if (closed && name.starts_with('#') && is_character_reference(name.substr(1))) continue;
    throw Error(place, fmt::format("'&{}' is no entity that XML defines and no character; write "
                                   "&amp; for the sign & itself",
                                   closed ? rest.substr(0, name.size() + 1) : name.substr(0, 20)));
  }
}

}  // namespace

void expect_xml_text(std::string_view text, const std::string& file) {
  const std::string visible = without_comments(text, file);
  std::string_view rest = visible;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const Source place{file, number, ""};
    // these are white space; names are checked more strictly
    if (const std::string defect = text_defect(line, "\t\r"); !defect.empty())
      throw Error(place, defect + "; write the file in UTF-8, without control characters");
    expect_references(line, place);
  }
}

std::string root_element(std::string_view text, const std::string& file) {
  constexpr std::string_view space = " \t\r\n", byte_order = "\xef\xbb\xbf";
  if (text.starts_with(byte_order)) text.remove_prefix(byte_order.size());
  // what may stand before it: comments, declarations, a document type
  constexpr Span before[] = {{"<!--", "-->"}, {"<?", "?>"}, {"<!", ">"}};
  bool is_xml = false;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    if (!text.starts_with('<')) break;
    is_xml = true;
    const Span* span = std::find_if(std::begin(before), std::end(before),
                                    [&](const Span& one) { return text.starts_with(one.open); });
    if (span == std::end(before)) {
      text.remove_prefix(1);
      return std::string(text.substr(0, std::min(text.find_first_of(" \t\r\n/>"), text.size())));
    }
    const std::size_t end = text.find(span->close, span->open.size());
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + span->close.size());
  }
  if (is_xml) throw Error({file, 0, ""}, "no XML element in this file");
  return "";
}

}  // namespace limber
