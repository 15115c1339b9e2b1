#include "io/numbers.hpp"

#include <charconv>
#include <cmath>

#include <limber/error.hpp>
#include <limber/io/expression.hpp>

namespace limber {

namespace {

constexpr std::string_view white_space = " \t\r\n";

struct Number {
  double value = 0;
  const char* end = nullptr;  // null: not a finite number
};

// a number at the beginning of the text; one that is too small for a double is zero
Number read_number(std::string_view text) {
  Number number;
  const char *begin = text.data(), *behind = text.data() + text.size();
  const auto [end, error] = std::from_chars(begin, behind, number.value);
  if (error == std::errc::result_out_of_range) {
    long double wide = 0;
    if (std::from_chars(begin, behind, wide).ec != std::errc{} || !(std::abs(wide) < 1)) return {};
    number.value = 0;
  } else if (error != std::errc{} || !std::isfinite(number.value)) {
    return {};
  }
  number.end = end;
  return number;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  // from_chars does not accept a leading plus
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const Number found = read_number(text);
  if (found.end != text.data() + text.size()) return std::nullopt;
  return found.value;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t start = text.find_first_not_of(white_space);
    if (start == std::string_view::npos) return words;
    text.remove_prefix(start);
    const std::size_t length = std::min(text.find_first_of(white_space), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

std::optional<double> parse_expression(std::string_view text) try {
  if (const std::optional<double> number = parse_number(text)) return number;
  const double value = Expression(text, {}).value({});
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace limber
