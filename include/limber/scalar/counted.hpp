#pragma once
// Counted: a number that counts the multiplications and additions done with it, so that the books'
// cost tables become tests ([RDA] tables 8-3 to 8-6, [McM] tables 21 to 30).
//
// Two totals are kept. `counted` follows the books: work that needs only constants is done off-line,
// and a product or sum with a constant 0 or a product with a constant 1 or -1 costs nothing.
// `executed` is every operation the interpreted code performs.
#include <cmath>

namespace limber {

struct OperationCount {
  long multiplications = 0;  ///< products and quotients, as the books count them
  long additions = 0;        ///< sums and differences
  long roots = 0;            ///< square roots
  long sincos = 0;           ///< sine-cosine pairs
  long executed = 0;         ///< products, quotients, sums and differences really executed
};

class Counted {
 public:
  Counted() = default;
  /// A constant: known when the robot is known.
  Counted(double constant) : value_(constant) {}  // NOLINT(google-explicit-constructor)
  /// A quantity known only when the algorithm runs: q, v, a, tau.
  static Counted variable(double value) {
    Counted x(value);
    x.constant_ = false;
    return x;
  }
  double value() const { return value_; }
  bool constant() const { return constant_; }

  /// The running totals of this thread; assign {} to start anew.
  static OperationCount& count() {
    static thread_local OperationCount total;
    return total;
  }

  friend Counted operator*(Counted a, Counted b) {
    ++count().executed;
    if (a.constant_ && b.constant_) return Counted(a.value_ * b.value_);
    if (a.is(0) || b.is(0)) return Counted(0);
    if (!a.unit() && !b.unit()) ++count().multiplications;
    return variable(a.value_ * b.value_);
  }
  friend Counted operator/(Counted a, Counted b) {
    ++count().executed;
    if (a.constant_ && b.constant_) return Counted(a.value_ / b.value_);
    if (a.is(0)) return Counted(0);
    if (!b.unit()) ++count().multiplications;
    return variable(a.value_ / b.value_);
  }
  friend Counted operator+(Counted a, Counted b) { return sum(a, b, a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return sum(a, b, a.value_ - b.value_); }
  friend Counted operator-(Counted a) {
    a.value_ = -a.value_;
    return a;
  }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }
  friend bool operator<(Counted a, Counted b) { return a.value_ < b.value_; }
  friend bool operator>(Counted a, Counted b) { return a.value_ > b.value_; }
  friend bool operator==(Counted a, Counted b) { return a.value_ == b.value_; }

  friend void sincos(Counted angle, Counted& sine, Counted& cosine) {
    sine = angle.same_kind(std::sin(angle.value_));
    cosine = angle.same_kind(std::cos(angle.value_));
    if (!angle.constant_) ++count().sincos;
  }
  friend Counted sqrt(Counted x) {
    if (!x.constant_) ++count().roots;
    return x.same_kind(std::sqrt(x.value_));
  }
  friend Counted select(bool condition, Counted a, Counted b) { return condition ? a : b; }

 private:
  bool is(double x) const { return constant_ && value_ == x; }
  bool unit() const { return is(1) || is(-1); }
  Counted same_kind(double value) const {
    Counted x(value);
    x.constant_ = constant_;
    return x;
  }
  static Counted sum(Counted a, Counted b, double value) {
    ++count().executed;
    if (a.constant_ && b.constant_) return Counted(value);
    if (!a.is(0) && !b.is(0)) ++count().additions;
    return variable(value);
  }

  double value_ = 0;
  bool constant_ = true;
};

}  // namespace limber
