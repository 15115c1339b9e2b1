#pragma once
// Dual: a value and its derivative along one direction. An algorithm run with Dual returns exact
// directional derivatives: seed `derivative` of the inputs with the direction, read it off the
// outputs.
#include <cmath>

namespace limber {

struct Dual {
  double value = 0;
  double derivative = 0;

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor)
  Dual(double value, double derivative) : value(value), derivative(derivative) {}

  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.derivative + b.derivative}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.derivative - b.derivative}; }
  friend Dual operator-(Dual a) { return {-a.value, -a.derivative}; }
  friend Dual operator*(Dual a, Dual b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  friend Dual operator/(Dual a, Dual b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.derivative - quotient * b.derivative) / b.value};
  }
  Dual& operator+=(Dual b) { return *this = *this + b; }
  Dual& operator-=(Dual b) { return *this = *this - b; }
  Dual& operator*=(Dual b) { return *this = *this * b; }
  Dual& operator/=(Dual b) { return *this = *this / b; }

  // comparisons use the value only: a branch is taken as the undifferentiated code takes it
  friend bool operator<(Dual a, Dual b) { return a.value < b.value; }
  friend bool operator>(Dual a, Dual b) { return a.value > b.value; }
  friend bool operator==(Dual a, Dual b) { return a.value == b.value; }

  friend void sincos(Dual angle, Dual& sine, Dual& cosine) {
    const double s = std::sin(angle.value);
    const double c = std::cos(angle.value);
    sine = {s, c * angle.derivative};
    cosine = {c, -s * angle.derivative};
  }
  friend Dual sqrt(Dual x) {
    const double root = std::sqrt(x.value);
    return {root, x.derivative == 0 ? 0 : x.derivative / (2 * root)};
  }
  friend bool known_zero(Dual x) { return x.value == 0 && x.derivative == 0; }
  friend bool is_regular_pivot(Dual x) { return x.value > 0 && x.value < HUGE_VAL; }
  friend bool finite(Dual x) { return std::isfinite(x.value); }
  friend Dual select(bool condition, Dual a, Dual b) { return condition ? a : b; }
};

}  // namespace limber
