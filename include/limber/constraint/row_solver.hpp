#pragma once
// Rows on the factor of the mass matrix: the x nearest to x₀ (in the metric of M) that satisfies
// J x = c, and the forces that bring it there,
//   M (x − x₀) = Jᵀ λ,   J x = c,   so   A λ = c − J x₀  with  A = J M⁻¹ Jᵀ.   [RDA] (9.17), (9.29)
// M = Lᵀ D L of the tree: Y = L⁻ᵀ Jᵀ has entries only along the paths of each row, A = Yᵀ D⁻¹ Y.
//
// Where rows depend on each other, as in redundant loops and singular positions ([RDA] §9.4.1), x
// is determinate and some of the forces are not. A is factored first; where a pivot falls below
// 1e-6 of what its row can have, orthogonal transformations of D^-½ Y with exchange of columns take
// over, whose error grows with the inverse of the distance to the singular position and not with
// its square. Of all forces with the same effect those are given whose squares, in N and N m, have
// the smallest sum.
#include <cstdint>

#include <limber/constraint/loop_rows.hpp>
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// Room for a system of rows, and its last solution.
template <class T>
struct BasicRowSolver {
  BasicRowSolver() = default;
  BasicRowSolver(int freedoms, int rows);

  /// Rows whose part that others cannot replace is smaller than this, in units of the row, count as
  /// dependent. Positions that are off by η near a singular position at the distance σ spoil the
  /// velocities that the rows allow by η/σ, and accelerations by η/σ²: rows closer than this are
  /// better left to the projection after the step, which takes out what they would have held.
  T rank_tolerance = T(1e-5);

  // --- results of the last solve ---
  int rank = 0;                       ///< of J
  bool is_dependent = false;          ///< rows depend on each other, or nearly so
  T inconsistency = T(0);             ///< the largest |J x − c| of a row that depends on others
  int inconsistent_row = -1;          ///< which one that is; −1: no row depends on others
  List<T> force;                      ///< λ (rows)
  List<std::uint8_t> is_determinate;  ///< 1: this entry of λ is the only one possible (rows)

  // --- scratch ---
  int freedoms = 0, rows = 0, stride = 0;
  AlignedVector<T> Y;   ///< L⁻ᵀ Jᵀ, and L⁻ᵀ M x₀ in column `rows` (freedoms × stride)
  AlignedVector<T> A;   ///< with its right-hand side in column `rows` (rows × stride)
  List<T> size, scale;  ///< A_ii of each row where it is at its largest; √ of it (rows)
  List<T> columns;      ///< D^-½ Y / scale, each column's numbers together (rows × freedoms)
  List<T> reflector;    ///< leading entry and factor of each reflection (2 · rows)
  List<int> order;      ///< columns as they were chosen (rows)
  List<T> right, y, null, gram;
};
/// In double precision.
using RowSolver = BasicRowSolver<double>;

/// Solves for the rows in `rows.JT` (its column `rows` is written). On entry x is M x₀ (freedoms);
/// on return x. c: (rows). No allocation. `factor` must hold the factor of M.
template <class T>
void solve_rows(const BasicTreeFactor<T>& factor, const BasicLoopRows<T>& rows, In<T> c,
                BasicRowSolver<T>& solver, Out<T> x);

}  // namespace limber
