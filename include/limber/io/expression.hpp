#pragma once
// Expression: arithmetic that a user has written as text, e.g. "5*sin(2*pi*t)", compiled
// once and evaluated many times. It has numbers, the given variables and the functions below, and
// nothing else: evaluating a text from an untrusted file is safe and takes bounded time.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber {

/// Numbers, `pi`, variables, + - * / ^ (power, right to left, before a sign: -2^2 is -4),
/// parentheses, and the functions sin cos tan asin acos atan exp log sqrt abs step of one argument,
/// atan2 of two, min and max of two or more. step(x) is 1 where x is 0 or more, else 0.
class Expression {
 public:
  /// The number 0.
  Expression() : Expression("0", {}) {}
  /// Throws Error "column N: what was found, what is expected" for a text that is no expression, is
  /// longer than `longest` bytes or nested deeper than `deepest`.
  Expression(std::string_view text, std::span<const std::string> variables);

  static constexpr std::size_t longest = 4000;
  static constexpr int deepest = 50;

  /// Its value where the variables have these values; may be infinite or not a number. Does not
  /// allocate.
  double value(std::span<const double> variables) const { return run(variables, {}, code_.size()); }

  /// Its derivative by the variable of this index, with the values of all of them; step() counts as
  /// constant, and at a kink of abs, min and max one of both sides is taken. Does not allocate.
  double derivative(std::span<const double> variables, std::size_t by) const;

  // A jump in the middle of an integration step spoils it. So the caller can
  // give the results of step() itself: the calls are numbered in the order of the text, nested ones
  // first.
  int steps() const { return static_cast<int>(steps_.size()); }
  /// The value with the results of step() given, 0 or 1 each.
  double value(std::span<const double> variables, std::span<const double> results) const {
    return run(variables, results, code_.size());
  }
  /// The argument of a step(), with the results of those before it given.
  double step_argument(int step, std::span<const double> variables,
                       std::span<const double> results) const {
    return run(variables, results, steps_[static_cast<std::size_t>(step)]);
  }

  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  enum class Operation : std::uint8_t {
    number,
    variable,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    exp,
    log,
    sqrt,
    abs,
    step,
    atan2,
    min,
    max
  };
  struct Instruction {
    Operation operation;
    double number = 0;      // of `number`
    std::size_t index = 0;  // of `variable` and `step`
  };
  // values on the stack: two for each level of parentheses and signs, and some
  static constexpr std::size_t most_waiting = 4 * deepest;

  static double apply(Operation operation, double x);
  double run(std::span<const double> variables, std::span<const double> results,
             std::size_t end) const;

  std::string text_;
  std::vector<Instruction> code_;   // in postfix order
  std::vector<std::size_t> steps_;  // where each step() stands in it
};

}  // namespace limber
