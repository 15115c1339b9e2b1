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
#include <vector>

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

  /// The running totals of this thread.
  static const OperationCount& count() { return record().total; }
  /// Starts counting anew on this thread; results of earlier counting must not be used any more.
  static void start() { record() = {}; }
  /// The products and sums since start() that these results depend on.
  static OperationCount needed_for(std::span<const Counted> results);

  friend Counted operator*(Counted a, Counted b) {
    const double value = a.value_ * b.value_;
    ++record().total.executed;
    if (a.constant_ && b.constant_) return Counted(value);
    if (a.is(0) || b.is(0)) return Counted(0);
    if (a.unit()) return same_node(b, value);
    if (b.unit()) return same_node(a, value);
    return product(a, b, value);
  }
  friend Counted operator/(Counted a, Counted b) {
    const double value = a.value_ / b.value_;
    ++record().total.executed;
    if (a.constant_ && b.constant_) return Counted(value);
    if (a.is(0)) return Counted(0);
    if (b.unit()) return same_node(a, value);
    return product(a, b, value);
  }
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

  friend void sincos(Counted angle, Counted& sine, Counted& cosine) {
    sine = same_node(angle, std::sin(angle.value_));
    cosine = same_node(angle, std::cos(angle.value_));
    if (!angle.constant_) ++record().total.sincos;
  }
  friend Counted sqrt(Counted x) {
    if (!x.constant_) ++record().total.roots;
    return same_node(x, std::sqrt(x.value_));
  }
  friend bool known_zero(Counted x) { return x.is(0); }
  friend bool is_regular_pivot(Counted x) { return x.value_ > 0 && x.value_ < HUGE_VAL; }
  friend bool finite(Counted x) { return std::isfinite(x.value_); }
  friend Counted select(bool condition, Counted a, Counted b) { return condition ? a : b; }

 private:
  struct Node {  // one counted operation and the operations that made its operands; −1: none
    bool product;
    int a, b;
  };
  struct Record {
    OperationCount total;
    std::vector<Node> nodes;
  };
  static Record& record() {
    static thread_local Record all;
    return all;
  }

  bool is(double x) const { return constant_ && value_ == x; }
  bool unit() const { return is(1) || is(-1); }
  // a value that costs nothing beyond what made x
  static Counted same_node(Counted x, double value) {
    x.value_ = value;
    return x;
  }
  static Counted operation(bool product, Counted a, Counted b, double value) {
    Record& all = record();
    ++(product ? all.total.multiplications : all.total.additions);
    all.nodes.push_back({product, a.node_, b.node_});
    Counted x = variable(value);
    x.node_ = static_cast<int>(all.nodes.size()) - 1;
    return x;
  }
  static Counted product(Counted a, Counted b, double value) {
    return operation(true, a, b, value);
  }
  static Counted sum(Counted a, Counted b, double value) {
    ++record().total.executed;
    if (a.constant_ && b.constant_) return Counted(value);
    if (a.is(0)) return same_node(b, value);
    if (b.is(0)) return same_node(a, value);
    return operation(false, a, b, value);
  }

  double value_ = 0;
  bool constant_ = true;
  int node_ = -1;
};

}  // namespace limber
