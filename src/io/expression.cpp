#include <limber/io/expression.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/error.hpp>

namespace limber {

namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// not a number if one of them is none
double smaller_or_nan(double a, double b) {
  if (a <= b) return a;
  return b < a ? b : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

// Recursive descent over  sum = product {(+|-) product},  product = signed {(*|/) signed},
// signed = (+|-) signed | power,  power = primary [^ signed],
// primary = number | name | name ( sum {, sum} ) | ( sum ).
class ExpressionParser {
 public:
  ExpressionParser(Expression& result, std::span<const std::string> variables)
      : result_(result), text_(result.text_), variables_(variables) {}

  void parse() {
    if (text_.size() > Expression::longest)
      throw Error(fmt::format("an expression of {} characters; at most {} are read", text_.size(),
                              Expression::longest));
    sum();
    skip_space();
    if (at_ < text_.size()) fail("an operator or the end is expected");
  }

 private:
  using Operation = Expression::Operation;
  struct Function {
    std::string_view name;
    Operation operation;
    int least, most;  // arguments
  };
  static constexpr int any = 1000;
  static constexpr std::array<Function, 14> functions{{{"sin", Operation::sin, 1, 1},
                                                       {"cos", Operation::cos, 1, 1},
                                                       {"tan", Operation::tan, 1, 1},
                                                       {"asin", Operation::asin, 1, 1},
                                                       {"acos", Operation::acos, 1, 1},
                                                       {"atan", Operation::atan, 1, 1},
                                                       {"exp", Operation::exp, 1, 1},
                                                       {"log", Operation::log, 1, 1},
                                                       {"sqrt", Operation::sqrt, 1, 1},
                                                       {"abs", Operation::abs, 1, 1},
                                                       {"step", Operation::step, 1, 1},
                                                       {"atan2", Operation::atan2, 2, 2},
                                                       {"min", Operation::min, 2, any},
                                                       {"max", Operation::max, 2, any}}};

  // columns are characters, not bytes of UTF-8
  [[noreturn]] void fail_at(std::size_t place, const std::string& why) const {
    const auto column =
        std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(place),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    throw Error(fmt::format("'{}', column {}: {}", text_, column + 1, why));
  }
  [[noreturn]] void fail(const std::string& expected) const {
    if (at_ >= text_.size()) fail_at(at_, "the text ends; " + expected);
    const auto byte = static_cast<unsigned char>(text_[at_]);
    fail_at(at_, byte < 0x80 ? fmt::format("'{}' is found; {}", text_[at_], expected)
                             : "a character that is no part of an expression; " + expected);
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void emit(Operation operation, double number = 0, std::size_t index = 0) {
    result_.code_.push_back({operation, number, index});
  }

  void sum() {
    product();
    for (;;) {
      if (take('+')) product(), emit(Operation::add);
      else if (take('-')) product(), emit(Operation::subtract);
      else return;
    }
  }

  void product() {
    sign();
    for (;;) {
      if (take('*')) {
        if (at_ < text_.size() && text_[at_] == '*') fail("a power is written ^");
        sign(), emit(Operation::multiply);
      } else if (take('/')) {
        sign(), emit(Operation::divide);
      } else {
        return;
      }
    }
  }

  void sign() {
    if (++depth_ > Expression::deepest)
      fail_at(at_, fmt::format("nested more than {} deep", Expression::deepest));
    if (take('-')) sign(), emit(Operation::negate);
    else if (take('+')) sign();
    else power();
    --depth_;
  }

  void power() {
    primary();
    if (take('^')) sign(), emit(Operation::power);
  }

  void primary() {
    skip_space();
    if (take('(')) {
      sum();
      if (!take(')')) fail("a closing parenthesis is expected");
    } else if (at_ < text_.size() && begins_name(text_[at_])) {
      name();
    } else {
      number();
    }
  }

  // one that is too small for a double is zero
  void number() {
    const char *begin = text_.data() + at_, *behind = text_.data() + text_.size();
    if (at_ >= text_.size() || !(is_digit(*begin) || *begin == '.'))
      fail("a number, a name or a parenthesis is expected");
    double value = 0;
    const auto [end, error] = std::from_chars(begin, behind, value);
    if (error == std::errc::result_out_of_range) {
      long double wide = 0;
      if (std::from_chars(begin, behind, wide).ec != std::errc{} || !(std::abs(wide) < 1))
        fail_at(at_, "a number that no double holds");
      value = 0;
    } else if (error != std::errc{}) {
      fail("a number is expected");
    }
    emit(Operation::number, value);
    at_ += static_cast<std::size_t>(end - begin);
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
    const auto variable = std::find(variables_.begin(), variables_.end(), word);
    const auto* function = std::find_if(functions.begin(), functions.end(),
                                        [&](const Function& f) { return f.name == word; });
    if (variable != variables_.end())
      emit(Operation::variable, 0, static_cast<std::size_t>(variable - variables_.begin()));
    else if (word == "pi") emit(Operation::number, std::numbers::pi);
    else if (function != functions.end()) call(*function, begin);
    else fail_at(begin, fmt::format("'{}' is unknown; known are {}", word, known()));
  }

  std::string known() const {
    std::vector<std::string_view> names(variables_.begin(), variables_.end());
    names.emplace_back("pi");
    for (const Function& f : functions) names.push_back(f.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void call(const Function& function, std::size_t begin) {
    if (!take('(')) fail(fmt::format("'(' is expected after '{}'", function.name));
    int arguments = 1;
    sum();
    while (take(',')) {
      sum();
      if (++arguments > 1 && function.most > 1) emit(function.operation);
    }
    if (!take(')')) fail("',' or a closing parenthesis is expected");
    if (arguments < function.least || arguments > function.most)
      fail_at(begin, fmt::format("'{}' has {} arguments, {}{} expected", function.name, arguments,
                                 function.least, function.most == any ? " or more are" : " are"));
    if (function.operation == Operation::step) {
      emit(Operation::step, 0, result_.steps_.size());
      result_.steps_.push_back(result_.code_.size() - 1);
    } else if (function.most == 1) {
      emit(function.operation);
    }
  }

  Expression& result_;
  const std::string& text_;
  std::span<const std::string> variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string_view text, std::span<const std::string> variables)
    : text_(text) {
  ExpressionParser(*this, variables).parse();
}

double Expression::run(std::span<const double> variables, std::span<const double> results,
                       std::size_t end) const {
  std::array<double, most_waiting> stack;  // NOLINT: only what was written is read
  std::size_t n = 0;                       // values on it
  for (std::size_t k = 0; k < end; ++k) {
    const Instruction& next = code_[k];
    switch (next.operation) {
      case Operation::number:
        stack[n++] = next.number;
        continue;
      case Operation::variable:
        stack[n++] = variables[next.index];
        continue;
      case Operation::add:
        stack[n - 2] += stack[n - 1];
        break;
      case Operation::subtract:
        stack[n - 2] -= stack[n - 1];
        break;
      case Operation::multiply:
        stack[n - 2] *= stack[n - 1];
        break;
      case Operation::divide:
        stack[n - 2] /= stack[n - 1];
        break;
      case Operation::power:
        stack[n - 2] = std::pow(stack[n - 2], stack[n - 1]);
        break;
      case Operation::atan2:
        stack[n - 2] = std::atan2(stack[n - 2], stack[n - 1]);
        break;
      case Operation::min:
        stack[n - 2] = smaller_or_nan(stack[n - 2], stack[n - 1]);
        break;
      case Operation::max:
        stack[n - 2] = -smaller_or_nan(-stack[n - 2], -stack[n - 1]);
        break;
      default:
        stack[n - 1] = next.operation == Operation::step && !results.empty()
                           ? results[next.index]
                           : apply(next.operation, stack[n - 1]);
        continue;
    }
    --n;  // two have become one
  }
  return stack[n - 1];
}

double Expression::apply(Operation operation, double x) {
  switch (operation) {
    case Operation::negate:
      return -x;
    case Operation::sin:
      return std::sin(x);
    case Operation::cos:
      return std::cos(x);
    case Operation::tan:
      return std::tan(x);
    case Operation::asin:
      return std::asin(x);
    case Operation::acos:
      return std::acos(x);
    case Operation::atan:
      return std::atan(x);
    case Operation::exp:
      return std::exp(x);
    case Operation::log:
      return std::log(x);
    case Operation::sqrt:
      return std::sqrt(x);
    case Operation::abs:
      return std::abs(x);
    default:
      return x >= 0 ? 1 : 0;  // step
  }
}

}  // namespace limber
