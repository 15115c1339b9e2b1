#pragma once
// Composite rigid bodies in link coordinates, [RDA] (5.11)-(5.14), on a tree (7.9); and the factor
// M = Lᵀ D L that keeps the zeros of the tree.
#include "dynamics/joints.ipp"
#include "dynamics/lanes.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// M of the tree's variables, upper triangle (row l: the columns k ≥ l that column l carries).
template <class T>
void composite_bodies(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws, T* M) {
  place_joints(m, q, ws);
  const int nv = m.tree_nv;
  Force<T>* const F = ws.F.data();
  for (std::size_t i = 1; i < m.inertia.size(); ++i) ws.Ic[i] = m.inertia[i];
  for (int i = m.bodies() - 1; i > 0; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      const int begin = m.v_index[b], end = m.columns_end[b];  // the columns of the subtree
      // force for a unit acceleration of each column of this joint, (5.12)
      joint.for_columns([&](const auto& S, int k) { F[k] = ws.Ic[b] * S; });
      // its products with the columns that carry it, (5.14): all that it carries, in one row
      joint.for_columns([&](const auto& S, int l) {
        T* row = M + l * nv;
        for (int k = l; k < end; ++k) row[k] = dot(S, F[k]);
        row[l] += m.armature[static_cast<std::size_t>(l)];
      });
      if (const int p = m.parent[b]) {
        joint.columns_to_parent(F + begin, F + end);
        ws.Ic[static_cast<std::size_t>(p)] += joint.to_parent(ws.Ic[b]);
      }
    });
  }
}

/// x −= y a, n numbers of padded rows: eight at a time where T is built in, into the padding too.
template <class T>
[[gnu::always_inline]] inline void subtract_scaled(T* x, const T* y, const T& a, int n) {
  if constexpr (std::is_class_v<T>) {
    for (int i = 0; i < n; ++i) x[i] -= a * y[i];
  } else {
    const Lanes<T> factor(a);
    for (int i = 0; i < n; i += lane_count<T>)
      (Lanes<T>::load(x + i) - factor * Lanes<T>::load(y + i)).store(x + i);
  }
}

/// M = Lᵀ D L without fill-in: rows of M along the model's paths (from the root to the variable
/// itself) become rows of L, with 1/D at their end. The path of a carrying variable is the
/// beginning of the path.
template <class T>
void factorize(const BasicModel<T>& m, T* L) {
  for (int k = m.nv - 1; k >= 0; --k) {
    const int start = m.path_start[static_cast<std::size_t>(k)];
    const int last = m.path_end[static_cast<std::size_t>(k)] - start - 1;
    const int* path = m.path.data() + start;
    T* row = L + start;
    const T inverse = T(1) / row[last];
    for (int t = last - 1; t >= 0; --t)
      subtract_scaled(L + m.path_start[static_cast<std::size_t>(path[t])], row, row[t] * inverse,
                      t + 1);
    for (int t = 0; t < last; ++t) row[t] = row[t] * inverse;
    row[last] = inverse;
  }
}

/// x = (Lᵀ D L)⁻¹ x
template <class T>
void solve_factorized(const BasicModel<T>& m, const T* L, T* x) {
  for (int k = m.nv - 1; k >= 0; --k) {
    const int start = m.path_start[static_cast<std::size_t>(k)],
              end = m.path_end[static_cast<std::size_t>(k)] - 1;
    for (int t = start; t < end; ++t) x[m.path[static_cast<std::size_t>(t)]] -= L[t] * x[k];
  }
  for (int k = 0; k < m.nv; ++k) {
    const int start = m.path_start[static_cast<std::size_t>(k)],
              end = m.path_end[static_cast<std::size_t>(k)] - 1;
    T sum = x[k] * L[end];
    for (int t = start; t < end; ++t) sum -= L[t] * x[m.path[static_cast<std::size_t>(t)]];
    x[k] = sum;
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
