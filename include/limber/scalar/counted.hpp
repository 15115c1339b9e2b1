#pragma once
// Counted: a number that counts the multiplications and additions done with it, so that the books'
// cost tables become tests ([RDA] tables 8-3 to 8-6, [McM] tables 21 to 30).
//
// Three totals can be had:
//   count()            as the books count: work that needs only constants is done off-line, and a
//   sum
//                      with a constant 0 or a product with a constant 0, 1 or −1 costs nothing
//   count().executed   every operation the interpreted code performs
//   needed_for(…)      as count(), but only what the given results depend on: what is left when a
//                      result is dropped, say the bearing load of a joint of which the torque is
//                      wanted
#include <cmath>
#include <span>

namespace limber {

/// How many operations of each kind were counted.
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

  /// The running totals of this thread.
  static const OperationCount& count();
  /// Starts counting anew on this thread; results of earlier counting must not be used any more.
  static void start();
  /// The products and sums since start() that these results depend on.
  static OperationCount needed_for(std::span<const Counted> results);

  // not inline: counting need not be fast, but algorithms with this scalar must compile quickly
  friend Counted operator*(Counted a, Counted b);
  friend Counted operator/(Counted a, Counted b);
  friend Counted operator+(Counted a, Counted b) { return sum(a, b, a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return sum(a, b, a.value_ - b.value_); }
  friend Counted operator-(Counted a) { return same_node(a, -a.value_); }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }
  friend bool operator<(Counted a, Counted b) { return a.value_ < b.value_; }
  friend bool operator>(Counted a, Counted b) { return a.value_ > b.value_; }
  friend bool operator==(Counted a, Counted b) { return a.value_ == b.value_; }

  friend void sincos(Counted angle, Counted& sine, Counted& cosine);
  friend Counted sqrt(Counted x);
  friend bool known_zero(Counted x) { return x.is(0); }
  friend bool is_regular_pivot(Counted x) { return x.value_ > 0 && x.value_ < HUGE_VAL; }
  friend bool finite(Counted x) { return std::isfinite(x.value_); }
  friend Counted select(bool condition, Counted a, Counted b) { return condition ? a : b; }

 private:
  struct Record;
  static Record& record();

  bool is(double x) const { return constant_ && value_ == x; }
  bool unit() const { return is(1) || is(-1); }
  // a value that costs nothing beyond what made x
  static Counted same_node(Counted x, double value) {
    x.value_ = value;
    return x;
  }
  static Counted operation(bool product, Counted a, Counted b, double value);
  static Counted sum(Counted a, Counted b, double value);

  double value_ = 0;
  bool constant_ = true;
  int node_ = -1;
};

}  // namespace limber
