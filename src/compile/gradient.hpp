#pragma once
// Derivatives for robots that are too large for one straight line, in absolute coordinates:
//   1. a program as long as the robot is large: for every variable the few spatial vectors of which
//      the matrices are made, from the very functions of the interpreter (dynamics/derivatives.ipp,
//      dynamics/articulated_rows.ipp), run with expressions;
//   2. a loop over the columns k of ∂tau/∂q, ∂tau/∂v and −1 (column_solver.hpp): the two triangular
//      solves with M = Lᵀ D L, which pass a force g inward and an acceleration a outward.
//        inward   y_j / D_j = χ_k · U_j / D_j + ψ_k · s_j / D_j   where k carries j
//                 y_j = S_j · g                where j carries k, itself among them
//                 y_j += own_jk for variables of the same joint,   g −= y_j U_j / D_j
//                 g begins as f_k
//        outward  x_j = y_j / D_j − a · U_j / D_j,    a += S_j x_j
//      The result is −x. Derivatives of inverse dynamics are the y without a solve: I S and 2 Bᵀ S
//      take the places of U/D and s/D, and g stays f_k.
#include <array>
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// What a program of step 1 computes. Numbers that are zero in every state are left out for a GPU,
/// where tables tell the places; for a processor all numbers have fixed places (column_lanes.hpp).
enum class GradientStep : std::uint8_t {
  forward_on_gpu,  ///< q, v, a [, parameters] → parts
  forward,         ///< q, v, tau [, parameters] → a, parts
  inverse          ///< q, v, a [, parameters] → parts
};

/// Step 1, and where its numbers are in its last output array `parts`.
struct GradientParts {
  Program program;
  /// Of each variable j, as a row. Without a solve: I S, S, 2 Bᵀ S, armature.
  struct Row {
    std::array<int, 6> U_D, S;
    std::array<int, 3> s_D;
    int D;
    int unit;         ///< S is the unit vector of this component; −1: it is not
    int columns_end;  ///< the columns j … columns_end − 1 are those that j carries
    int carrier;      ///< the variable from which a comes: the last one that carries j; −1: none
    int first, end;   ///< variables of the same joint
  };
  std::vector<Row> rows;
  /// Of each variable k, as a column of one right-hand side.
  struct Column {
    std::array<int, 6> chi, force;
    std::array<int, 3> psi;
    std::vector<int> own;  ///< of the variables of the same joint; −1: zero (on a GPU: place 0)
  };
  std::array<std::vector<Column>, 2> columns;  ///< ∂/∂q, ∂/∂v
};

/// For models without mimic joints; throws Error for others.
GradientParts gradient_parts(const Model& model, const FunctionOptions& options,
                             GradientStep step = GradientStep::forward_on_gpu);

/// The tree as the loop over the columns needs it.
struct GradientTree {
  std::vector<int> depth;  ///< rows from the root to each row, itself not counted
  int prefix = 0;          ///< every path begins with the rows 0 … prefix − 1
  int longest = 0;         ///< rows of the longest path
  int width = 1;           ///< variables of the largest joint
  int units = 0;           ///< rows 0 … of a floating base, whose S are unit vectors: 6 or 0
  std::vector<bool> own;   ///< rows that have an own_jk that is not zero
  std::vector<int> tree;   ///< of each row, the first one of its tree on the ground

  explicit GradientTree(const GradientParts& parts);
  /// Whether some row from `first` on has such.
  bool own_from(int first) const;
};

}  // namespace limber
