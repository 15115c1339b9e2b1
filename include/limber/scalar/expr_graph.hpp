#pragma once
// ExprGraph: the operations that an algorithm leaves behind when it runs with Expr.
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <limber/scalar/expr.hpp>

namespace limber {

/// What a node of the graph does with its operands.
enum class Op : std::uint8_t {
  input,     ///< number `place` of the inputs
  add,       ///< a + b
  subtract,  ///< a − b
  multiply,  ///< a b
  divide,    ///< a / b
  root,      ///< √a
  sine,      ///< sin a
  cosine,    ///< cos a
  less,      ///< a < b: a condition
  equal,     ///< a = b: a condition
  choose,    ///< a ? b : c, a being a condition
  floor,     ///< the largest whole number that is not above a
  element,   ///< number a, a whole one, of table b; the nearest one outside of the table
  fused,     ///< a b + c, rounded once; only in programs
  constant,  ///< a in double precision, b in single precision; not in programs
};

/// One operation. Operands are constants, nodes, or nodes with a sign.
struct ExprNode {
  Op op = Op::input;
  Expr a, b, c;
  int place = 0;  ///< of an input
};

/// The operations recorded on this thread while the graph lives. One graph at a time per thread;
/// Expr that are no constants belong to it.
class ExprGraph {
 public:
  ExprGraph();
  ~ExprGraph();
  ExprGraph(const ExprGraph&) = delete;
  ExprGraph& operator=(const ExprGraph&) = delete;

  /// The next input.
  Expr input();
  int inputs() const { return inputs_; }
  const std::vector<ExprNode>& nodes() const { return nodes_; }  ///< operands before operations

  /// ∂x/∂input, by the chain rule through the graph. Conditions, whole numbers and what is looked
  /// up in tables count as constant. Throws Error if `input` is no input.
  Expr derivative(Expr x, Expr input);

  /// The graph of this thread; throws Error where none is alive.
  static ExprGraph& current();
  /// The node for an operation, made if it is not there.
  Expr node(Op op, Expr a, Expr b = {}, Expr c = {});
  const ExprNode& operator[](Expr x) const { return nodes_[static_cast<std::size_t>(x.node())]; }

 private:
  struct Hash {
    std::size_t operator()(const ExprNode& n) const;
  };
  struct Equal {
    bool operator()(const ExprNode& x, const ExprNode& y) const;
  };
  std::vector<ExprNode> nodes_;
  std::unordered_map<ExprNode, int, Hash, Equal> known_;
  int inputs_ = 0;
};

/// The largest whole number that is not above x.
Expr floor(Expr x);

/// Number `index`, a whole number, of a table: of numbers that are the same for all states and are
/// no inputs of the graph. Outside of the table the nearest number of it. What is looked up has no
/// derivative: it counts as constant, as conditions do.
Expr element(int table, Expr index);

/// A constant that depends on the precision in which the code will run.
Expr by_precision(double in_double, double in_float);

}  // namespace limber
