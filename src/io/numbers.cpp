#include "io/numbers.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

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

// Recursive descent over  sum = product {(+|-) product},  product = factor {(*|/) factor},
// factor = [+|-] factor | number | pi | ( sum ).  `failed` once set stays.
class Expression {
 public:
  explicit Expression(std::string_view text) : rest_(text) {}

  std::optional<double> value() {
    const double result = sum();
    skip_space();
    if (failed_ || !rest_.empty() || !std::isfinite(result)) return std::nullopt;
    return result;
  }

 private:
  static constexpr int deepest = 50;

  void skip_space() {
    const std::size_t start = rest_.find_first_not_of(white_space);
    rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
  }

  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  double sum() {
    double result = product();
    while (!failed_) {
      if (take("+")) result += product();
      else if (take("-")) result -= product();
      else break;
    }
    return result;
  }

  double product() {
    double result = factor();
    while (!failed_) {
      if (take("*")) result *= factor();
      else if (take("/")) result /= factor();
      else break;
    }
    return result;
  }

  double factor() {
    if (++depth_ > deepest) failed_ = true;
    double result = 0;
    if (failed_) result = 0;
    else if (take("-")) result = -factor();
    else if (take("+")) result = factor();
    else if (take("pi")) result = std::numbers::pi;
    else if (take("(")) {
      result = sum();
      if (!take(")")) failed_ = true;
    } else result = number();
    --depth_;
    return result;
  }

  double number() {
    const Number found = read_number(rest_);
    if (!found.end) failed_ = true;
    else rest_.remove_prefix(static_cast<std::size_t>(found.end - rest_.data()));
    return found.value;
  }

  std::string_view rest_;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  // from_chars knows no leading plus
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

std::optional<double> parse_expression(std::string_view text) { return Expression(text).value(); }

}  // namespace limber
