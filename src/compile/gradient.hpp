#pragma once
// Derivatives of forward dynamics for robots that are too large for one straight line, in three
// steps, by articulated bodies in absolute coordinates (dynamics/articulated_rows.ipp):
//   1. the acceleration;
//   2. a program as long as the robot is large: for every variable the few spatial vectors of which
//      the matrices are made;
//   3. for every column k of ∂tau/∂q, ∂tau/∂v and −1 the two triangular solves with M = Lᵀ D L,
//      which pass a force g inward and an acceleration a outward. The same instructions for every
//      column, so that a loop does.
//        inward   y_j / D_j = χ_k · U_j / D_j + ψ_k · s_j / D_j   where k carries j
//                 y_j = S_j · g                where j carries k, itself among them
//                 y_j += own_jk for variables of the same joint,   g −= y_j U_j / D_j
//                 g begins as f_k
//        outward  x_j = y_j / D_j − a · U_j / D_j,    a += S_j x_j
//      The result is −x.
#include <array>
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// Step 2, and where its numbers are in its output array `parts`.
struct GradientParts {
  Program program;  ///< q, v, a [, parameters] → parts
  /// Of each variable j, as a row.
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
    std::vector<int> own;  ///< of the variables of the same joint
  };
  std::array<std::vector<Column>, 2> columns;  ///< ∂/∂q, ∂/∂v
};

/// For models without mimic joints; throws Error for others.
GradientParts gradient_parts(const Model& model, const FunctionOptions& options);

}  // namespace limber
