#pragma once
// Expr: a number that is not known yet. An algorithm run with Expr leaves behind the graph of its
// operations; with a robot's constants in it this is the raw material of the model compiler.
//
// The graph (expr_graph.hpp) is simplified while it grows: constants are folded, sums with 0 and
// products with 0, 1 and −1 vanish, and an operation that is there already is found again. A sign
// belongs to the reference, not to the node, so that −x costs nothing and a − b and b − a, or x y
// and −y x, are one node (commutative and sign-normalised sharing). The rules take inputs for
// finite and divisors for other than zero: 0 x is 0, x / x is 1.

namespace limber {

class Expr {
 public:
  Expr() = default;
  /// A constant.
  Expr(double constant) : value_(constant) {}  // NOLINT(google-explicit-constructor)

  bool is_constant() const { return node_ < 0; }
  double value() const { return value_; }      ///< of a constant
  int node() const { return node_; }           ///< in the graph; −1: a constant
  bool negative() const { return negative_; }  ///< stands for minus the node; false for constants
  bool is(double x) const { return is_constant() && value_ == x; }

  friend Expr operator+(Expr a, Expr b);
  friend Expr operator-(Expr a, Expr b) { return a + -b; }
  friend Expr operator*(Expr a, Expr b);
  friend Expr operator/(Expr a, Expr b);
  friend Expr operator-(Expr a) {
    if (a.is_constant()) return Expr(-a.value_);
    a.negative_ = !a.negative_;
    return a;
  }
  Expr& operator+=(Expr b) { return *this = *this + b; }
  Expr& operator-=(Expr b) { return *this = *this - b; }
  Expr& operator*=(Expr b) { return *this = *this * b; }
  Expr& operator/=(Expr b) { return *this = *this / b; }

  /// A comparison whose answer is known only when the code runs.
  struct Condition;
  friend Condition operator<(Expr a, Expr b);
  friend Condition operator>(Expr a, Expr b);
  friend Condition operator==(Expr a, Expr b);
  friend Expr select(const Condition& condition, Expr a, Expr b);
  friend Expr select(bool condition, Expr a, Expr b) { return condition ? a : b; }

  friend void sincos(Expr angle, Expr& sine, Expr& cosine);
  friend Expr sqrt(Expr x);

  friend bool known_zero(Expr x) { return x.is(0); }
  friend bool is_regular_pivot(Expr) { return true; }
  friend bool finite(Expr) { return true; }

  /// The same in every respect.
  friend bool same(Expr a, Expr b) {
    return a.node_ == b.node_ && a.negative_ == b.negative_ &&
           (a.node_ >= 0 || a.value_ == b.value_);
  }

 private:
  friend class ExprGraph;
  Expr(int node, bool negative) : node_(node), negative_(negative) {}
  Expr without_sign() const { return negative_ ? -*this : *this; }

  double value_ = 0;
  int node_ = -1;
  bool negative_ = false;
};

struct Expr::Condition {
  Expr expr;  ///< a node less or equal; a constant 1 or 0 where the answer is known
};

}  // namespace limber
