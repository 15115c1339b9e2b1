#pragma once
// Derivatives of forward dynamics for robots that are too large for one straight line: three
// programs one after the other.
//   1. the acceleration a;
//   2. the rows of ∂tau/∂q and ∂tau/∂v at that acceleration, only what is not zero, and the factor
//      M = Lᵀ D L;
//   3. −M⁻¹ times every column: the same instructions for every column, so that a loop does.
#include <string>
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// Where the numbers of step 2 are. Its single output array holds the factor first: L along the
/// paths of the tree, with 1/D at the end of each, as Workspace::L without padding; then the rows.
struct GradientRows {
  Program program;                              ///< q, v, a [, parameters] → rows
  std::vector<int> path_start, path_end, path;  ///< of each variable, as in Model, without padding
  int zero = 0;                                 ///< element of the output that is zero
  /// Element of the output for column c and row j, at c · nv + j. Columns: ∂/∂q, then ∂/∂v.
  std::vector<int> element;
};

GradientRows gradient_rows(const Model& model, const FunctionOptions& options);

}  // namespace limber
