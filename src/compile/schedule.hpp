#pragma once
// The order of a program's instructions: the fewer values are alive at a time, the fewer have to be
// kept outside the registers.
#include <limber/compile/program.hpp>

namespace limber {

/// As lower(), in the order of the graph.
Program lower_in_order(const ExprGraph& graph, const FunctionShape& shape,
                       std::span<const std::vector<Expr>> outputs);

/// The same program in the best of several orders for a machine that keeps `registers` values at
/// hand: the one with fewest reloads. Every instruction must be needed by a result.
Program schedule(const Program& program, int registers);

/// The same program with every input read `distance` instructions before its first use, or at the
/// beginning: where memory is far, its answer is there when it is needed.
Program with_early_inputs(const Program& program, int distance);

/// Values that would have to be fetched from memory again if `registers` values can be kept, those
/// that are needed last being given up first.
int reloads(const Program& program, int registers);

}  // namespace limber
