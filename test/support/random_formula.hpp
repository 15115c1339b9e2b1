#pragma once
// Random formulas of a few inputs, evaluated with any scalar type: what is computed with numbers
// and what becomes of it in a graph must agree.
#include <array>
#include <cmath>
#include <vector>

#include <limber/scalar/scalar.hpp>

#include "support/random.hpp"

namespace limber::test {

/// A number with what rounding can do to it: `size` is the sum of the sizes of the terms it is made
/// of, as first-order error analysis adds them up, `steepness` bounds the sum of its slopes.
struct Sized {
  double value = 0, size = 0, steepness = 0;
  bool uncertain = false;  ///< near a pole or a branch's edge: another rounding may change it

  Sized() = default;
  Sized(double input) : Sized(input, std::fabs(input), 1) {}  // NOLINT
  Sized(double v, double s, double slope)
      : value(v), size(s), steepness(slope), uncertain(!(s < 1e12)) {}
  static Sized constant(double c) { return {c, std::fabs(c), 0}; }

  static Sized of(double v, double s, double slope, std::initializer_list<bool> uncertain) {
    Sized r(v, s, slope);
    for (const bool u : uncertain) r.uncertain = r.uncertain || u;
    return r;
  }
  friend Sized operator+(Sized a, Sized b) {
    return of(a.value + b.value, a.size + b.size, a.steepness + b.steepness,
              {a.uncertain, b.uncertain});
  }
  friend Sized operator-(Sized a) { return of(-a.value, a.size, a.steepness, {a.uncertain}); }
  friend Sized operator-(Sized a, Sized b) { return a + -b; }
  friend Sized operator*(Sized a, Sized b) {
    return of(a.value * b.value, a.size * b.size, a.size * b.steepness + a.steepness * b.size,
              {a.uncertain, b.uncertain});
  }
  friend Sized operator/(Sized a, Sized b) {
    const double x = a.value / b.value, d = std::fabs(b.value);
    return of(x, (a.size + std::fabs(x) * b.size) / d,
              (a.steepness + std::fabs(x) * b.steepness) / d,
              {a.uncertain, b.uncertain, !(d > 0.05 * b.size && d > 0.05)});
  }
  friend Sized sqrt(Sized a) {
    const double x = std::sqrt(a.value);
    return of(x, x + a.size / (2 * x), a.steepness / (2 * x), {a.uncertain});
  }
  friend void sincos(Sized a, Sized& s, Sized& c) {
    s = of(std::sin(a.value), 1 + a.size, a.steepness, {a.uncertain});
    c = of(std::cos(a.value), 1 + a.size, a.steepness, {a.uncertain});
  }
  struct Condition {
    bool answer, uncertain;
  };
  friend Condition operator<(Sized a, Sized b) {
    return {a.value < b.value,
            a.uncertain || b.uncertain || std::fabs(a.value - b.value) < 1e-9 * (a.size + b.size)};
  }
  friend Sized select(Condition condition, Sized a, Sized b) {
    return of(condition.answer ? a.value : b.value, std::fmax(a.size, b.size),
              std::fmax(a.steepness, b.steepness), {condition.uncertain, a.uncertain, b.uncertain});
  }
};

/// A constant of any scalar type.
template <class T>
T constant_of(double c) {
  if constexpr (std::is_same_v<T, Sized>) return Sized::constant(c);
  else return T(c);
}

/// A list of operations on inputs, constants and earlier results; simple constants and repetitions
/// are frequent.
class RandomFormula {
 public:
  RandomFormula(Random& random, int inputs, int steps) {
    for (int i = 0; i < steps; ++i) {
      const int last = inputs + i - 1;
      Step s;
      s.kind = static_cast<Kind>(random.integer(0, 10));
      s.a = random.integer(0, last), s.b = random.integer(0, last);
      s.c = random.integer(0, last), s.d = random.integer(0, last);
      constexpr std::array<double, 8> simple{0, 1, -1, 2, -0.5, 3, -0.0, 0.25};
      s.constant = random.integer(0, 2) == 0
                       ? random.uniform(-3, 3)
                       : simple[static_cast<std::size_t>(random.integer(0, 7))];
      steps_.push_back(s);
    }
  }

  /// The result of every step.
  template <class T>
  std::vector<T> run(std::vector<T> values) const {
    const std::size_t inputs = values.size();
    for (const Step& s : steps_) {
      const auto at = [&](int i) { return values[static_cast<std::size_t>(i)]; };
      values.push_back(result<T>(s, at(s.a), at(s.b), at(s.c), at(s.d)));
    }
    return {values.begin() + static_cast<std::ptrdiff_t>(inputs), values.end()};
  }

  /// Operations that run() carries out, signs not counted.
  std::size_t operations() const {
    constexpr std::array<std::size_t, 11> cost{1, 1, 1, 1, 1, 1, 0, 1, 3, 2, 2};
    std::size_t n = 0;
    for (const Step& s : steps_) n += cost[static_cast<std::size_t>(s.kind)];
    return n;
  }

 private:
  enum class Kind {
    add,
    subtract,
    product,
    shift,
    scale,
    reversed,
    minus,
    quotient,
    root,
    turn,
    choice
  };
  struct Step {
    Kind kind = Kind::add;
    int a = 0, b = 0, c = 0, d = 0;
    double constant = 0;
  };

  template <class T>
  static T result(const Step& s, T a, T b, T c, T d) {
    const T k = constant_of<T>(s.constant);
    switch (s.kind) {
      case Kind::add:
        return a + b;
      case Kind::subtract:
        return a - b;
      case Kind::product:
        return a * b;
      case Kind::shift:
        return k + a;
      case Kind::scale:
        return a * k;
      case Kind::reversed:
        return k - a;
      case Kind::minus:
        return -a;
      case Kind::quotient:
        return a / b;
      case Kind::root:
        return sqrt(a * a + constant_of<T>(0.25));
      case Kind::turn: {
        T sine, cosine;
        sincos(a, sine, cosine);
        return s.constant < 0 ? sine : cosine;
      }
      case Kind::choice:
        return select(a < b, c, d);
    }
    return a;
  }

  std::vector<Step> steps_;
};

}  // namespace limber::test
