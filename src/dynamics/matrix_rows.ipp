#pragma once
// Rows of matrices over the user's variables: folding of mimic joints, the factor of the inertia
// matrix, and solves with many right-hand sides at once.
#include "dynamics/derivatives.ipp"
#include "dynamics/mass_matrix.ipp"
#include "dynamics/tree_factor.ipp"
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

template <class T>
MatrixRows<T> user_rows(BasicMatrixWorkspace<T>& mw) {
  return {mw.rows.data() + mw.lead, mw.row_stride};
}
/// Makes the rows ready for a new matrix: what lies outside the pattern of the tree is zero.
template <class T>
void clear_rows(BasicMatrixWorkspace<T>& mw) {
  if (!mw.filled) return;
  for (std::size_t i = 0; i < mw.rows.size(); i += lane_count<T>) Lanes<T>().store(&mw.rows[i]);
  mw.filled = false;
}

/// The tree in absolute coordinates at a motion, with the composites of all subtrees. q, v, a: tree
/// variables.
template <class T>
void start_matrices(const BasicModel<T>& m, const T* q, const T* v, const T* a,
                    const Loads<T>& loads, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  place_joints(m, q, ws);
  if (m.bodies() > 1) {
    absolute_poses(m, ws, mw);
    absolute_motions(m, q, v, a, loads, ws, mw);
  }
  absolute_inertias(m, mw);
  absolute_forces(m, loads, mw);
  sum_subtrees(m, mw);
}

/// Gᵀ A G of one part: rows and columns of mimic joints go to their masters. Of part 2, the inertia
/// matrix, only the upper triangle is there; it gets its lower one first.
template <class T>
void fold_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, int part) {
  if (!m.has_mimic()) return;
  if (part == 2)
    for (int i = 0; i < m.tree_nv; ++i)
      for (int j = 0; j < i; ++j) tree_rows(m, mw).inertia(i)[j] = tree_rows(m, mw).inertia(j)[i];
  const MatrixRows<T> tree = tree_rows(m, mw), user = user_rows(mw);
  for (int i = 0; i < m.nv; ++i) {
    T* row = user.q(i) + part * user.stride;
    for (int j = 0; j < m.nv; ++j) row[j] = T(0);
  }
  for (int i = 0; i < m.tree_nv; ++i) {
    const Fold<T>& r = m.v_fold[i];
    const T* from = tree.q(i) + part * tree.stride;
    T* to = user.q(r.index) + part * user.stride;
    for (int j = 0; j < m.tree_nv; ++j) {
      const Fold<T>& c = m.v_fold[j];
      to[c.index] += r.ratio * c.ratio * from[j];
    }
  }
}

/// The factor of the mass matrix whose upper triangle is in the rows.
template <class T>
void factorize_rows(const BasicModel<T>& m, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = user_rows(mw);
  BasicTreeFactor<T>& factor = own_factor(m, ws);
  const TreePattern& at = factor.M.pattern;
  for (int k = 0; k < m.nv; ++k)
    for (int e = at.start[k]; e < at.end[k]; ++e) factor.L[e] = rows.inertia(at.path[e])[k];
  factorize_rows(at, factor.L.data());
  factor.holds = BasicTreeFactor<T>::Holds::nothing;  // the matrix is in the rows
}

/// Mass matrix and factor, from the columns' momenta.
template <class T>
void factorize_composites(const BasicModel<T>& m, BasicWorkspace<T>& ws,
                          BasicMatrixWorkspace<T>& mw) {
  inertia_rows(m, mw);
  fold_rows(m, mw, 2);
  factorize_rows(m, ws, mw);
}

/// The identity as third part of the rows.
template <class T>
void set_identity(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = user_rows(mw);
  for (int k = 0; k < m.nv; ++k) {
    for (int l = -mw.lead; l < m.nv; l += lane_count<T>) Lanes<T>().store(rows.inertia(k) + l);
    rows.inertia(k)[k] = T(1);
  }
}

/// x := L⁻ᵀ x for N parts of all rows from part `first` on.
template <int N, class T>
void solve_inward(const T* L, BasicMatrixWorkspace<T>& mw, int first) {
  const int part = mw.row_stride, length = 3 * part, blocks = part / lane_count<T>;
  for (int b = 0; b < blocks; ++b) {
    T* const base = mw.rows.data() + first * part + b * lane_count<T>;
    for (int i = mw.block_start[at_index(b)]; i < mw.block_start[at_index(b) + 1]; ++i) {
      const auto& row = mw.solve_rows[at_index(i)];
      T* const at = base + row.variable * length;
      Lanes<T> x[N];
      for (int p = 0; p < N; ++p) x[p] = Lanes<T>::load(at + p * part);
      for (int e = row.first; e < row.end; ++e) {
        const Lanes<T> factor(L[mw.below_entry[at_index(e)]]);
        const T* from = base + mw.below[at_index(e)] * length;
        for (int p = 0; p < N; ++p) x[p] -= factor * Lanes<T>::load(from + p * part);
      }
      for (int p = 0; p < N; ++p) x[p].store(at + p * part);
    }
  }
}

/// x := L⁻¹ D⁻¹ x for N lanes of every row, from `offset` on, with `sign`.
template <int N, class T>
void solve_lanes_outward(const BasicTreeFactor<T>& factor, BasicMatrixWorkspace<T>& mw, int offset,
                         const T& sign) {
  const TreePattern& pattern = factor.M.pattern;
  const T* const L = factor.L.data();
  const int length = 3 * mw.row_stride;
  T* const base = mw.rows.data() + offset;
  for (int k = 0; k < pattern.variables(); ++k) {
    const int last = pattern.end[k] - 1;
    T* const at = base + k * length;
    const Lanes<T> scale(sign * L[last]);
    Lanes<T> x[N];
    for (int l = 0; l < N; ++l) x[l] = Lanes<T>::load(at + l * lane_count<T>) * scale;
    for (int e = pattern.start[k]; e < last; ++e) {
      const Lanes<T> scaled(L[e]);
      const T* from = base + pattern.path[e] * length;
      for (int l = 0; l < N; ++l) x[l] -= scaled * Lanes<T>::load(from + l * lane_count<T>);
    }
    for (int l = 0; l < N; ++l) x[l].store(at + l * lane_count<T>);
  }
}
/// The same for as many of `left` lanes as fit into registers; returns how many.
template <class T>
int solve_some_outward(const BasicTreeFactor<T>& factor, BasicMatrixWorkspace<T>& mw, int offset,
                       int left, const T& sign) {
  auto solve = [&]<int N>(std::integral_constant<int, N>) {
    solve_lanes_outward<N>(factor, mw, offset, sign);
    return N;
  };
  switch (left) {
    case 1:
      return solve(std::integral_constant<int, 1>{});
    case 2:
      return solve(std::integral_constant<int, 2>{});
    case 3:
      return solve(std::integral_constant<int, 3>{});
    case 5:
    case 10:
      return solve(std::integral_constant<int, 5>{});
    case 6:
      return solve(std::integral_constant<int, 6>{});
    case 4:
    case 7:
      return solve(std::integral_constant<int, 4>{});
    default:
      return solve(std::integral_constant<int, 8>{});
  }
}

/// Rows [A | B | 1] become [−M⁻¹ A | −M⁻¹ B | M⁻¹] with the factor M = Lᵀ D L; first = 2: only the
/// last part.
template <class T>
void solve_rows(const BasicTreeFactor<T>& factor, BasicMatrixWorkspace<T>& mw, int first = 0) {
  const T* const L = factor.L.data();
  mw.filled = true;
  if (first == 0) solve_inward<3>(L, mw, 0);
  else solve_inward<1>(L, mw, 2);
  for (const int part : {0, 2}) {
    if (part < first) continue;
    const T sign(part == 0 ? -1 : 1);
    int offset = part * mw.row_stride;
    for (int left = (part == 0 ? 2 : 1) * mw.row_stride / lane_count<T>, n; left > 0;
         left -= n, offset += n * lane_count<T>)
      n = solve_some_outward(factor, mw, offset, left, sign);
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
