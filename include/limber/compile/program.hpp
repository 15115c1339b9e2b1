#pragma once
// Program: one function of one robot as a list of simple instructions without branches, ready to be
// written in some language.
#include <span>
#include <string>
#include <vector>

#include <limber/compile/function.hpp>
#include <limber/scalar/expr_graph.hpp>

namespace limber {

/// A value computed before, or a constant.
struct Operand {
  int value = -1;         ///< number of the instruction; −1: a constant
  bool negative = false;  ///< minus that value
  double constant = 0;
  double in_float = 0;  ///< the constant where the program is run in single precision
};

/// value := op(a, b, c); inputs: element `element` of input array `array`; Op::element: number a of
/// the table that is input array `array`.
struct Instruction {
  Op op = Op::input;
  Operand a, b, c;
  int array = 0, element = 0;
};

/// Element `element` of output array `array`.
struct Result {
  int array = 0, element = 0;
  Operand value;
};

/// How many operations of each kind a Program has.
struct ProgramCounts {
  int multiplications = 0, additions = 0, fused = 0, divisions = 0, roots = 0, sincos = 0,
      other = 0;
  int largest_live = 0;  ///< most values that are alive at a time
  /// Floating-point operations, a fused one counting twice; sine and cosine not counted.
  int operations() const {
    return multiplications + additions + 2 * fused + divisions + roots + other;
  }
  /// Arithmetic instructions.
  int instructions() const {
    return multiplications + additions + fused + divisions + roots + other;
  }
};

struct Program {
  std::string name;  ///< of the function
  FunctionShape shape;
  std::vector<Instruction> code;
  std::vector<Result> results;  ///< in the order in which their values appear

  ProgramCounts count() const;
};

/// Makes a program of a graph: what no result needs is dropped, products and sums are fused, and
/// the order is chosen for a machine that keeps `registers` values at hand. The inputs of the graph
/// are those of the shape, array by array, but for tables, which element() names in their order;
/// `outputs`: the values of each output array. Throws Error where a constant is no finite number.
Program lower(const ExprGraph& graph, const FunctionShape& shape,
              std::span<const std::vector<Expr>> outputs, int registers = 32);

/// Runs a program, one instruction after the other: slow, for checking. inputs and outputs: one
/// array each, of the sizes of the shape.
void evaluate(const Program& program, std::span<const std::span<const double>> inputs,
              std::span<const std::span<double>> outputs);

/// Runs an algorithm of the library with expressions instead of numbers; forward dynamics in the
/// cheapest of several ways. Throws Error for what cannot be compiled, with the reason.
Program trace(const Model& model, RobotFunction function, const FunctionOptions& options = {});

}  // namespace limber
