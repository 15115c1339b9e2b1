// From a graph of expressions to a list of instructions.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <limber/compile/program.hpp>
#include <limber/error.hpp>

#include "compile/schedule.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// True for constants, those that depend on the precision too.
bool is_constant_of(const std::vector<ExprNode>& graph, const Expr& x) {
  return x.is_constant() || graph[at_index(x.node())].op == Op::constant;
}

Operand operand(const std::vector<ExprNode>& graph, const Expr& x) {
  if (!x.is_constant() && is_constant_of(graph, x)) {
    const ExprNode& n = graph[at_index(x.node())];
    const double sign = x.negative() ? -1 : 1;
    return {-1, false, sign * n.a.value(), sign * n.b.value()};
  }
  if (x.is_constant() && !std::isfinite(x.value()))
    throw Error(
        "a constant of the function is not a finite number: an inertia, a length or a ratio of the "
        "robot is too large, or something is divided by zero whatever the state");
  return {x.node(), x.negative(), x.value(), x.value()};
}

/// −x, or x.
Operand with_sign(Operand x, bool negative) {
  if (negative && x.value < 0) x.constant = -x.constant, x.in_float = -x.in_float;
  else if (negative) x.negative = !x.negative;
  return x;
}

/// The operations that results need, numbered as in the graph, with fused products.
class Needed {
 public:
  Needed(const ExprGraph& graph, std::span<const std::vector<Expr>> outputs)
      : graph_(graph.nodes()),
        uses_(graph_.size()),
        fused_with_(graph_.size(), -1),
        code_(graph_.size()),
        first_(graph_.size(), -1) {
    for (const std::vector<Expr>& array : outputs)
      for (const Expr& x : array) need(x, result);
    for (std::size_t i = graph_.size(); i-- > 0;)
      if (needed(i))
        for (const Expr& x : {graph_[i].a, graph_[i].b, graph_[i].c}) need(x, static_cast<int>(i));
    fuse();
    for (std::size_t i = 0; i < graph_.size(); ++i)
      if (needed(i)) code_[i] = instruction(i);
    for (std::size_t i = 0; i < graph_.size(); ++i)
      if (needed(i)) gather(i);
  }

  bool needed(std::size_t i) const { return !uses_[i].empty(); }
  /// Calls f(number, instruction) for what is needed, operands before operations.
  template <class F>
  void for_instructions(F&& f) const {
    std::vector<char> later(graph_.size(), 0);
    for (const int x : first_)
      if (x >= 0) later[at_index(x)] = 1;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!needed(i) || later[i]) continue;
      if (first_[i] >= 0) f(at_index(first_[i]), code_[at_index(first_[i])]);
      f(i, code_[i]);
    }
  }

 private:
  static constexpr int result = -1;  ///< as a user: the caller

  void need(const Expr& x, int by) {
    if (!is_constant_of(graph_, x)) uses_[at_index(x.node())].push_back(by);
  }
  bool is_sum(int i) const {
    return i >= 0 && (graph_[at_index(i)].op == Op::add || graph_[at_index(i)].op == Op::subtract);
  }

  /// A product vanishes into the sums that use it, if they are all sums and none has a product yet.
  /// Products with one use come first.
  void fuse() {
    for (const bool only_single : {true, false})
      for (std::size_t i = 0; i < graph_.size(); ++i) {
        if (graph_[i].op != Op::multiply || !needed(i)) continue;
        if (only_single && uses_[i].size() > 1) continue;
        const bool all = std::all_of(uses_[i].begin(), uses_[i].end(), [&](int sum) {
          return is_sum(sum) && fused_with_[at_index(sum)] < 0;
        });
        if (!all) continue;
        for (const int sum : uses_[i]) fused_with_[at_index(sum)] = static_cast<int>(i);
        uses_[i].clear();  // its operands are used by the sums instead, as often or oftener
      }
  }

  Instruction instruction(std::size_t i) const {
    const ExprNode& n = graph_[i];
    if (fused_with_[i] < 0)
      return {n.op, operand(graph_, n.a), operand(graph_, n.b), operand(graph_, n.c), n.place, 0};
    // a + b, a − b with one of them a product x y: ±x y ± other
    const bool first = n.a.node() == fused_with_[i];
    const bool minus = n.op == Op::subtract;
    const ExprNode& product = graph_[at_index(fused_with_[i])];
    return {Op::fused,
            with_sign(operand(graph_, product.a), minus && !first),
            operand(graph_, product.b),
            with_sign(operand(graph_, first ? n.b : n.a), minus && first),
            0,
            0};
  }

  /// The number of x if it is used once only, by one operation that does `op`; else −1.
  int single(const Operand& x, Op op) const {
    const bool is =
        x.value >= 0 && code_[at_index(x.value)].op == op && uses_[at_index(x.value)].size() == 1;
    return is ? x.value : -1;
  }

  /// A sum i of something and two products, other ± (x y ± u v), has been three instructions: a
  /// product, a fused one, a sum. As (other ± x y) ± u v it is two.
  void gather(std::size_t i) {
    const Instruction sum = code_[i];
    if (sum.op != Op::add && sum.op != Op::subtract) return;
    for (const bool first : {false, true}) {
      const Operand inner = first ? sum.a : sum.b;
      const int pair = single(inner, Op::fused);
      if (pair < 0) continue;
      const Instruction xy = code_[at_index(pair)];
      const int product = single(xy.c, Op::multiply);
      if (product < 0) continue;
      const Instruction uv = code_[at_index(product)];
      const bool minus = sum.op == Op::subtract;
      const Operand other = with_sign(first ? sum.b : sum.a, minus && first);
      const bool negative = inner.negative != (minus && !first);
      code_[at_index(pair)] = {Op::fused, with_sign(xy.a, negative), xy.b, other, 0, 0};
      code_[i] = {Op::fused, with_sign(uv.a, negative != xy.c.negative), uv.b, {pair}, 0, 0};
      first_[i] = pair;  // `other` may stand behind it in the graph
      uses_[at_index(product)].clear();
      return;
    }
  }

  const std::vector<ExprNode>& graph_;
  std::vector<std::vector<int>> uses_;
  std::vector<int> fused_with_;  ///< of a sum: the product that it contains
  std::vector<Instruction> code_;
  std::vector<int> first_;  ///< an instruction that has to stand just before this one
};

}  // namespace

Program lower_in_order(const ExprGraph& graph, const FunctionShape& shape,
                       std::span<const std::vector<Expr>> outputs) {
  const Needed needed(graph, outputs);
  // inputs are numbered array by array; tables are none
  std::vector<std::pair<int, int>> places;
  std::vector<int> tables;
  for (std::size_t k = 0; k < shape.inputs.size(); ++k)
    if (shape.inputs[k].is_table) tables.push_back(static_cast<int>(k));
    else
      for (int e = 0; e < shape.inputs[k].size; ++e) places.emplace_back(static_cast<int>(k), e);

  Program program;
  program.shape = shape;
  std::vector<int> number(graph.nodes().size(), -1);
  auto renumber = [&](Operand& x) {
    if (x.value >= 0) x.value = number[static_cast<std::size_t>(x.value)];
  };
  needed.for_instructions([&](std::size_t i, Instruction next) {
    if (next.op == Op::input)
      std::tie(next.array, next.element) = places[static_cast<std::size_t>(next.array)];
    if (next.op == Op::element) next.array = tables.at(static_cast<std::size_t>(next.b.constant));
    renumber(next.a), renumber(next.b), renumber(next.c);
    number[i] = static_cast<int>(program.code.size());
    program.code.push_back(next);
  });
  for (std::size_t k = 0; k < outputs.size(); ++k)
    for (std::size_t e = 0; e < outputs[k].size(); ++e) {
      const Expr& x = outputs[k][e];
      Result r{static_cast<int>(k), static_cast<int>(e), operand(graph.nodes(), x)};
      renumber(r.value);
      program.results.push_back(r);
    }
  return program;
}

Program lower(const ExprGraph& graph, const FunctionShape& shape,
              std::span<const std::vector<Expr>> outputs, int registers) {
  return schedule(lower_in_order(graph, shape, outputs), registers);
}

}  // namespace limber
