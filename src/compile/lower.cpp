// From a graph of expressions to a list of instructions.
#include <algorithm>
#include <array>
#include <limits>
#include <queue>

#include <limber/compile/program.hpp>

#include "compile/schedule.hpp"

namespace limber {

namespace {

/// The operations that results need, numbered as in the graph, with fused products.
class Needed {
 public:
  Needed(const ExprGraph& graph, std::span<const std::vector<Expr>> outputs)
      : graph_(graph.nodes()), uses_(graph_.size()), fused_with_(graph_.size(), -1) {
    for (const std::vector<Expr>& array : outputs)
      for (const Expr& x : array) need(x, -1);
    for (std::size_t i = graph_.size(); i-- > 0;)
      if (needed(i))
        for (const Expr& x : operands(i)) need(x, static_cast<int>(i));
    fuse();
  }

  bool needed(std::size_t i) const { return !uses_[i].empty(); }
  std::size_t size() const { return graph_.size(); }

  Instruction instruction(std::size_t i) const {
    const ExprNode& n = graph_[i];
    Instruction r{n.op, operand(n.a), operand(n.b), operand(n.c), n.place, 0};
    if (fused_with_[i] < 0) return r;
    // a + b, a − b with one of them a product x y: ±x y ± other
    const bool first = n.a.node() == fused_with_[i];
    const ExprNode& product = graph_[static_cast<std::size_t>(fused_with_[i])];
    r.op = Op::fused;
    r.a = operand(product.a);
    r.b = operand(product.b);
    r.c = operand(first ? n.b : n.a);
    if (n.op == Op::subtract) {
      Operand& negated = first ? r.c : r.a;
      if (negated.value < 0) negated.constant = -negated.constant;
      else negated.negative = !negated.negative;
    }
    return r;
  }

 private:
  static Operand operand(const Expr& x) { return {x.node(), x.negative(), x.value()}; }
  std::array<Expr, 3> operands(std::size_t i) const {
    return {graph_[i].a, graph_[i].b, graph_[i].c};
  }
  void need(const Expr& x, int by) {
    if (!x.is_constant()) uses_[static_cast<std::size_t>(x.node())].push_back(by);
  }
  bool is_sum(int i) const {
    return i >= 0 && (graph_[static_cast<std::size_t>(i)].op == Op::add ||
                      graph_[static_cast<std::size_t>(i)].op == Op::subtract);
  }

  /// A product vanishes into the sums that use it, if they are all sums and none has a product yet.
  /// Products with one use come first.
  void fuse() {
    for (const bool only_single : {true, false})
      for (std::size_t i = 0; i < graph_.size(); ++i) {
        if (graph_[i].op != Op::multiply || !needed(i)) continue;
        if (only_single && uses_[i].size() > 1) continue;
        const bool all = std::all_of(uses_[i].begin(), uses_[i].end(), [&](int sum) {
          return is_sum(sum) && fused_with_[static_cast<std::size_t>(sum)] < 0;
        });
        if (!all) continue;
        for (const int sum : uses_[i])
          fused_with_[static_cast<std::size_t>(sum)] = static_cast<int>(i);
        uses_[i].clear();  // its operands are used by the sums instead, as often or oftener
      }
  }

  const std::vector<ExprNode>& graph_;
  std::vector<std::vector<int>> uses_;  ///< −1: a result
  std::vector<int> fused_with_;         ///< of a sum: the product that it contains
};

}  // namespace

Program lower(const ExprGraph& graph, const FunctionShape& shape,
              std::span<const std::vector<Expr>> outputs) {
  const Needed needed(graph, outputs);
  // inputs are numbered array by array
  std::vector<std::pair<int, int>> places;
  for (std::size_t k = 0; k < shape.inputs.size(); ++k)
    for (int e = 0; e < shape.inputs[k].size; ++e) places.emplace_back(static_cast<int>(k), e);

  Program unordered;
  unordered.shape = shape;
  std::vector<int> number(needed.size(), -1);
  auto renumber = [&](Operand& x) {
    if (x.value >= 0) x.value = number[static_cast<std::size_t>(x.value)];
  };
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed.needed(i)) continue;
    Instruction next = needed.instruction(i);
    if (next.op == Op::input)
      std::tie(next.array, next.element) = places[static_cast<std::size_t>(next.array)];
    renumber(next.a), renumber(next.b), renumber(next.c);
    number[i] = static_cast<int>(unordered.code.size());
    unordered.code.push_back(next);
  }
  for (std::size_t k = 0; k < outputs.size(); ++k)
    for (std::size_t e = 0; e < outputs[k].size(); ++e) {
      const Expr& x = outputs[k][e];
      Result r{static_cast<int>(k), static_cast<int>(e), {x.node(), x.negative(), x.value()}};
      renumber(r.value);
      unordered.results.push_back(r);
    }
  return schedule(unordered);
}

}  // namespace limber
