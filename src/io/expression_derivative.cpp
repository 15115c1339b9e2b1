// The derivative of an expression: its instructions, carried out with a value and its derivative.
#include <array>
#include <cmath>

#include <limber/io/expression.hpp>
#include <limber/scalar/dual.hpp>

namespace limber {

namespace {

Dual power_of(Dual a, Dual b) {
  const double value = std::pow(a.value, b.value);
  double rate = 0;
  if (a.derivative != 0) rate += b.value * std::pow(a.value, b.value - 1) * a.derivative;
  if (b.derivative != 0) rate += value * std::log(a.value) * b.derivative;
  return {value, rate};
}

Dual arc_tangent(Dual y, Dual x) {
  const double square = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), (x.value * y.derivative - y.value * x.derivative) / square};
}

}  // namespace

double Expression::derivative(std::span<const double> variables, std::size_t by) const {
  std::array<Dual, most_waiting> stack;
  std::size_t n = 0;
  // f at the topmost value, and its slope there
  const auto chain = [&](double value, double slope) {
    Dual& x = stack[n - 1];
    x = {value, x.derivative == 0 ? 0 : slope * x.derivative};
  };
  for (const Instruction& next : code_) {
    if (next.operation == Operation::number) {
      stack[n++] = next.number;
      continue;
    }
    if (next.operation == Operation::variable) {
      stack[n++] = {variables[next.index], next.index == by ? 1.0 : 0.0};
      continue;
    }
    const Dual b = stack[n - 1];
    const double x = b.value;
    switch (next.operation) {
      case Operation::negate:
        chain(-x, -1);
        continue;
      case Operation::sin:
        chain(std::sin(x), std::cos(x));
        continue;
      case Operation::cos:
        chain(std::cos(x), -std::sin(x));
        continue;
      case Operation::tan:
        chain(std::tan(x), 1 + std::tan(x) * std::tan(x));
        continue;
      case Operation::asin:
        chain(std::asin(x), 1 / std::sqrt(1 - x * x));
        continue;
      case Operation::acos:
        chain(std::acos(x), -1 / std::sqrt(1 - x * x));
        continue;
      case Operation::atan:
        chain(std::atan(x), 1 / (1 + x * x));
        continue;
      case Operation::exp:
        chain(std::exp(x), std::exp(x));
        continue;
      case Operation::log:
        chain(std::log(x), 1 / x);
        continue;
      case Operation::sqrt:
        chain(std::sqrt(x), 0.5 / std::sqrt(x));
        continue;
      case Operation::abs:
        chain(std::abs(x), x < 0 ? -1 : 1);
        continue;
      case Operation::step:
        chain(x >= 0 ? 1 : 0, 0);
        continue;
      default:
        break;
    }
    Dual& a = stack[n-- - 2];  // two become one
    switch (next.operation) {
      case Operation::add:
        a += b;
        break;
      case Operation::subtract:
        a -= b;
        break;
      case Operation::multiply:
        a *= b;
        break;
      case Operation::divide:
        a /= b;
        break;
      case Operation::power:
        a = power_of(a, b);
        break;
      case Operation::atan2:
        a = arc_tangent(a, b);
        break;
      case Operation::min:
        if (!(a.value <= b.value)) a = b;
        break;
      default:  // max
        if (!(a.value >= b.value)) a = b;
        break;
    }
  }
  return stack[0].derivative;
}

}  // namespace limber
