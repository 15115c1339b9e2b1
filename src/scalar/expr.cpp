#include <limber/scalar/expr_graph.hpp>

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include <limber/error.hpp>

namespace limber {

namespace {

thread_local ExprGraph* graph_of_thread = nullptr;

ExprGraph& graph() { return ExprGraph::current(); }

/// Order in which the operands of a sum or product stand: constants first, then older nodes.
bool precedes(Expr a, Expr b) { return a.node() < b.node(); }

/// x = factor · node `rest` with a constant factor: a product with a constant, or ±1 times x
/// itself.
struct Scaled {
  double factor;
  int rest;
  explicit Scaled(Expr x) : factor(x.negative() ? -1 : 1), rest(x.node()) {
    const ExprNode& n = graph()[x];
    if (n.op == Op::multiply && n.a.is_constant()) factor *= n.a.value(), rest = n.b.node();
  }
};

/// x = constant ± rest, if x is such a sum (its sign included).
bool is_shifted(Expr x, double& constant, Expr& rest) {
  if (x.is_constant()) return false;
  const ExprNode& n = graph()[x];
  if ((n.op != Op::add && n.op != Op::subtract) || !n.a.is_constant()) return false;
  constant = x.negative() ? -n.a.value() : n.a.value();
  rest = (n.op == Op::subtract) != x.negative() ? -n.b : n.b;
  return true;
}

constexpr double quarter_turn = std::numbers::pi / 2;
/// An angle is meant to be a multiple of a quarter turn if it is one up to rounding. [rad]
bool is_quarter_turns(double angle) {
  return std::fabs(angle) < 10 &&
         std::fabs(angle - quarter_turn * std::round(angle / quarter_turn)) < 1e-15;
}

}  // namespace

Expr operator+(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return a.value_ + b.value_;
  if (precedes(b, a)) std::swap(a, b);
  if (a.is_constant()) {
    if (a.is(0)) return b;
    double constant;
    Expr rest;
    if (is_shifted(b, constant, rest)) return Expr(a.value_ + constant) + rest;
    return graph().node(b.negative_ ? Op::subtract : Op::add, a, b.without_sign());
  }
  const Scaled of_a(a), of_b(b);
  if (of_a.rest == of_b.rest) return Expr(of_a.factor + of_b.factor) * Expr(of_a.rest, false);
  const Expr sum = graph().node(a.negative_ == b.negative_ ? Op::add : Op::subtract,
                                a.without_sign(), b.without_sign());
  return a.negative_ ? -sum : sum;
}

Expr operator*(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return a.value_ * b.value_;
  if (precedes(b, a)) std::swap(a, b);
  if (a.is_constant()) {
    if (a.is(0)) return 0;
    if (a.is(1)) return b;
    if (a.is(-1)) return -b;
    const Scaled scaled(b);
    const double factor = a.value_ * scaled.factor;
    if (std::fabs(factor) == 1 || factor == 0) return Expr(factor) * Expr(scaled.rest, false);
    const Expr product = graph().node(Op::multiply, std::fabs(factor), Expr(scaled.rest, false));
    return factor < 0 ? -product : product;
  }
  const Expr product = graph().node(Op::multiply, a.without_sign(), b.without_sign());
  return a.negative_ != b.negative_ ? -product : product;
}

Expr operator/(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return a.value_ / b.value_;
  if (b.is_constant() && !b.is(0)) return a * Expr(1 / b.value_);
  if (a.is(0)) return 0;
  if (!a.is_constant() && a.node_ == b.node_) return a.negative_ == b.negative_ ? 1 : -1;
  const bool negative =
      (a.is_constant() ? a.value_ < 0 : a.negative_) != (!b.is_constant() && b.negative_);
  const Expr top = a.is_constant() ? Expr(std::fabs(a.value_)) : a.without_sign();
  const Expr quotient = graph().node(Op::divide, top, b.without_sign());
  return negative ? -quotient : quotient;
}

Expr sqrt(Expr x) {
  if (x.is_constant()) return std::sqrt(x.value_);
  return graph().node(Op::root, x);
}

void sincos(Expr angle, Expr& sine, Expr& cosine) {
  if (angle.is_constant()) {
    sine = std::sin(angle.value_), cosine = std::cos(angle.value_);
    return;
  }
  double shift;
  Expr rest;
  if (is_shifted(angle, shift, rest) && is_quarter_turns(shift)) {
    sincos(rest, sine, cosine);
    for (long k = std::lround(shift / quarter_turn) & 3; k > 0; --k)
      sine = std::exchange(cosine, -sine);
    return;
  }
  const Expr positive = angle.without_sign();
  const Expr s = graph().node(Op::sine, positive);
  cosine = graph().node(Op::cosine, positive);
  sine = angle.negative_ ? -s : s;
}

Expr::Condition operator<(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return {a.value_ < b.value_ ? 1 : 0};
  if (same(a, b)) return {0};
  return {graph().node(Op::less, a, b)};
}
Expr::Condition operator>(Expr a, Expr b) { return b < a; }
Expr::Condition operator==(Expr a, Expr b) {
  if (a.is_constant() && b.is_constant()) return {a.value_ == b.value_ ? 1 : 0};
  if (same(a, b)) return {1};
  return {graph().node(Op::equal, a, b)};
}

Expr select(const Expr::Condition& condition, Expr a, Expr b) {
  if (condition.expr.is_constant()) return condition.expr.is(1) ? a : b;
  if (same(a, b)) return a;
  return graph().node(Op::choose, condition.expr, a, b);
}

Expr floor(Expr x) {
  if (x.is_constant()) return std::floor(x.value());
  return graph().node(Op::floor, x);
}

Expr element(int table, Expr index) { return graph().node(Op::element, index, Expr(table)); }

Expr by_precision(double in_double, double in_float) {
  return graph().node(Op::constant, in_double, in_float);
}

ExprGraph::ExprGraph() {
  if (graph_of_thread) throw Error("another graph of expressions is being recorded on this thread");
  graph_of_thread = this;
}

ExprGraph::~ExprGraph() { graph_of_thread = nullptr; }

ExprGraph& ExprGraph::current() {
  if (!graph_of_thread)
    throw Error("an expression was used after its graph had ended; keep the ExprGraph alive");
  return *graph_of_thread;
}

Expr ExprGraph::input() {
  ExprNode n;
  n.place = inputs_++;
  nodes_.push_back(n);
  return {static_cast<int>(nodes_.size()) - 1, false};
}

Expr ExprGraph::node(Op op, Expr a, Expr b, Expr c) {
  const ExprNode n{op, a, b, c, 0};
  const auto [place, is_new] = known_.try_emplace(n, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back(n);
  return {place->second, false};
}

Expr ExprGraph::derivative(Expr x, Expr input) {
  if (input.is_constant() || (*this)[input].op != Op::input || input.negative())
    throw Error("an expression can be differentiated with respect to an input only");
  if (x.is_constant()) return 0;
  // forward through the nodes that x may depend on; those before the input cannot
  std::vector<Expr> d(static_cast<std::size_t>(x.node()) + 1);
  const auto of = [&](Expr y) {
    if (y.is_constant()) return Expr(0);
    const Expr slope = d[static_cast<std::size_t>(y.node())];
    return y.negative() ? -slope : slope;
  };
  if (x.node() < input.node()) return 0;
  d[static_cast<std::size_t>(input.node())] = 1;
  for (int i = input.node() + 1; i <= x.node(); ++i) {
    const ExprNode n = nodes_[static_cast<std::size_t>(i)];  // the vector grows below
    const Expr self(i, false), da = of(n.a), db = of(n.b);
    Expr& slope = d[static_cast<std::size_t>(i)];
    switch (n.op) {
      case Op::add:
        slope = da + db;
        break;
      case Op::subtract:
        slope = da - db;
        break;
      case Op::multiply:
        slope = da * n.b + n.a * db;
        break;
      case Op::divide:
        if (!da.is(0) || !db.is(0)) slope = (da - self * db) / n.b;
        break;
      case Op::root:
        if (!da.is(0)) slope = da / (Expr(2) * self);
        break;
      case Op::sine:
      case Op::cosine:
        if (!da.is(0)) {
          Expr s, c;
          sincos(n.a, s, c);
          slope = n.op == Op::sine ? c * da : -s * da;
        }
        break;
      case Op::choose:
        slope = select(Expr::Condition{n.a}, of(n.b), of(n.c));
        break;
      case Op::input:
      case Op::less:
      case Op::equal:
      case Op::floor:
      case Op::element:
      case Op::fused:
      case Op::constant:
        break;
    }
  }
  return of(x);
}

std::size_t ExprGraph::Hash::operator()(const ExprNode& n) const {
  std::uint64_t h = static_cast<std::uint64_t>(n.op);
  for (const Expr& x : {n.a, n.b, n.c}) {
    const std::uint64_t part =
        x.is_constant() ? std::bit_cast<std::uint64_t>(x.value())
                        : static_cast<std::uint64_t>(x.node()) * 2 + (x.negative() ? 1 : 0) + 1;
    h = (h ^ part) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return static_cast<std::size_t>(h);
}

bool ExprGraph::Equal::operator()(const ExprNode& x, const ExprNode& y) const {
  return x.op == y.op && same(x.a, y.a) && same(x.b, y.b) && same(x.c, y.c);
}

}  // namespace limber
