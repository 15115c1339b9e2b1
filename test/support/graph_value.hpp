#pragma once
// The value of an expression, node by node: what a graph means, without the compiler.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <limber/scalar/expr_graph.hpp>

namespace limber::test {

/// The value of x for given inputs.
inline double value(const ExprGraph& graph, const std::vector<double>& inputs, Expr x) {
  std::vector<double> v(graph.nodes().size());
  const auto of = [&](Expr y) {
    if (y.is_constant()) return y.value();
    const double node = v[static_cast<std::size_t>(y.node())];
    return y.negative() ? -node : node;
  };
  for (std::size_t i = 0; i < v.size(); ++i) {
    const ExprNode& n = graph.nodes()[i];
    const double a = of(n.a), b = of(n.b), c = of(n.c);
    switch (n.op) {
      case Op::input:
        v[i] = inputs[static_cast<std::size_t>(n.place)];
        break;
      case Op::add:
        v[i] = a + b;
        break;
      case Op::subtract:
        v[i] = a - b;
        break;
      case Op::multiply:
        v[i] = a * b;
        break;
      case Op::divide:
        v[i] = a / b;
        break;
      case Op::root:
        v[i] = std::sqrt(a);
        break;
      case Op::sine:
        v[i] = std::sin(a);
        break;
      case Op::cosine:
        v[i] = std::cos(a);
        break;
      case Op::less:
        v[i] = a < b ? 1 : 0;
        break;
      case Op::equal:
        v[i] = a == b ? 1 : 0;
        break;
      case Op::choose:
        v[i] = a != 0 ? b : c;
        break;
      case Op::floor:
        v[i] = std::floor(a);
        break;
      case Op::constant:
        v[i] = a;
        break;
      case Op::element:
        ADD_FAILURE() << "there are no tables here";
        break;
      case Op::fused:
        ADD_FAILURE() << "a graph has no fused operations";
    }
  }
  return of(x);
}

}  // namespace limber::test
