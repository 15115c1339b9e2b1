#include "compile/identifier.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace limber {

namespace {

constexpr std::size_t longest_identifier = 100, longest_text = 1000;  // [characters]

// not those of <cctype>, which ask the locale
bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
  return text;
}

bool is_listed(const std::string& name) {
  static const std::set<std::string, std::less<>> words = [] {
    std::istringstream text{std::string(taken_words())};
    std::set<std::string, std::less<>> all;
    for (std::string word; text >> word;) all.insert(word);
    return all;
  }();
  return words.contains(name);
}

/// sinf, lgammaf128_r: a listed name with the kind of its numbers.
bool is_listed_for_other_numbers(std::string name) {
  std::string end;
  if (name.ends_with("_r") || name.ends_with("_l")) {
    end = name.substr(name.size() - 2);
    name.resize(name.size() - 2);
  }
  for (const std::string_view kind : {"f", "l", "f16", "f32", "f32x", "f64", "f64x", "f128"})
    if (name.ends_with(kind) && is_listed(name.substr(0, name.size() - kind.size()) + end))
      return true;
  return false;
}

/// Families of names that libraries have to themselves.
bool is_in_family(const std::string& name) {
  static constexpr std::array<std::string_view, 23> beginnings{
      "limber", "cuda",   "M_",     "CU",     "atomic", "make_", "tex1",     "tex2",
      "tex3",   "texC",   "surf1",  "surf2",  "surf3",  "surfC", "pthread_", "stdc_",
      "sched_", "clock_", "timer_", "posix_", "PRI",    "SCN",   "PTHREAD_"};
  return name.ends_with("_t") ||
         std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

/// Macros are in capitals. With digits and without underlines (UR5) it is a robot.
bool looks_like_a_macro(const std::string& name) {
  if (std::any_of(name.begin(), name.end(), is_small)) return false;
  return name.find('_') != std::string::npos || std::none_of(name.begin(), name.end(), is_digit);
}

bool is_taken(const std::string& name) {
  return is_listed(name) || is_listed_for_other_numbers(name) || is_in_family(name);
}

}  // namespace

std::string identifier(std::string_view text) {
  std::string r;
  for (const char c : text) {
    if (r.size() >= longest_identifier) break;
    if (is_small(c) || is_capital(c) || is_digit(c)) r += c;
    else if (!r.empty() && r.back() != '_') r += '_';
  }
  while (!r.empty() && r.back() == '_') r.pop_back();
  if (r.empty()) return "r";
  if (is_digit(r[0])) r.insert(0, "r_");
  return r;
}

std::string robot_identifier(std::string_view text) {
  const std::string plain = identifier(text);
  // names of files may differ from others in more than capitals only
  const bool taken =
      is_taken(plain) || is_taken(in_small_letters(plain)) || looks_like_a_macro(plain);
  return taken ? plain + "_robot" : plain;
}

std::string plain_text(std::string_view text) {
  std::string r;
  for (const char c : text) {
    if (r.size() >= longest_text) break;
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && byte < 0xc0) continue;  // the rest of a letter that is an underline already
    const bool plain = byte >= ' ' && byte <= '~' && c != '\\' && c != '"' && c != '\'' && c != '?';
    r += plain ? c : '_';
  }
  return r;
}

}  // namespace limber
