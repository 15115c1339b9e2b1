#pragma once
// Composite rigid bodies in link coordinates, [RDA] (5.11)-(5.14), on a tree (7.9); and the factor
// M = Lᵀ D L that keeps the zeros of the tree.
#include "dynamics/joints.ipp"

namespace limber {

/// row[l] = S_l · f for all columns l that carry body j; f is given in the coordinates of body j.
template <class T>
void project_on_carriers(const BasicModel<T>& m, BasicWorkspace<T>& ws, int j, Force<T> f, T* row) {
  for (int p; j > 0; j = p) {
    p = m.parent[static_cast<std::size_t>(j)];
    with_joint(m, ws, j, [&](const auto& carrier) {
      carrier.for_columns([&](const auto& S, int l) { row[l] = dot(S, f); });
      if (p) f = carrier.to_parent(f);
    });
  }
}

/// M of the tree's variables, lower triangle (row k: columns that carry column k), tree_nv × tree_nv.
template <class T>
void composite_bodies(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws, T* M) {
  const int n = m.bodies(), nv = m.tree_nv;
  place_joints(m, q, ws);
  for (std::size_t i = 1; i < m.inertia.size(); ++i) ws.Ic[i] = m.inertia[i];
  for (int i = n - 1; i > 0; --i) {
    const auto b = static_cast<std::size_t>(i);
    with_joint(m, ws, i, [&](const auto& joint) {
      // columns of this joint: f = Ic S, and its products with all columns that carry the body
      joint.for_columns([&](const auto& S, int k) {
        Force<T> f = ws.Ic[b] * S;
        T* row = M + k * nv;
        joint.for_columns([&](const auto& R, int l) {
          if (l <= k) row[l] = dot(R, f);
        });
        row[k] += m.armature[static_cast<std::size_t>(k)];
        if (m.parent[b]) project_on_carriers(m, ws, m.parent[b], joint.to_parent(f), row);
      });
      if (const int p = m.parent[b]) ws.Ic[static_cast<std::size_t>(p)] += joint.to_parent(ws.Ic[b]);
    });
  }
}

/// M = Lᵀ D L without fill-in: rows of M along the model's paths (from the root to the variable itself)
/// become rows of L, with 1/D at their end. The path of a carrying variable is the beginning of the path.
template <class T>
void factorize(const BasicModel<T>& m, T* L) {
  for (int k = m.nv - 1; k >= 0; --k) {
    const int start = m.path_start[static_cast<std::size_t>(k)];
    const int last = m.path_start[static_cast<std::size_t>(k) + 1] - start - 1;
    const int* path = m.path.data() + start;
    T* row = L + start;
    row[last] = T(1) / row[last];
    for (int t = last - 1; t >= 0; --t) {
      T* carrier = L + m.path_start[static_cast<std::size_t>(path[t])];
      const T a = row[t] * row[last];
      for (int s = 0; s <= t; ++s) carrier[s] -= a * row[s];
      row[t] = a;
    }
  }
}

/// x = (Lᵀ D L)⁻¹ x
template <class T>
void solve_factorized(const BasicModel<T>& m, const T* L, T* x) {
  for (int k = m.nv - 1; k >= 0; --k) {
    const int start = m.path_start[static_cast<std::size_t>(k)], end = m.path_start[static_cast<std::size_t>(k) + 1] - 1;
    for (int t = start; t < end; ++t) x[m.path[static_cast<std::size_t>(t)]] -= L[t] * x[k];
  }
  for (int k = 0; k < m.nv; ++k) {
    const int start = m.path_start[static_cast<std::size_t>(k)], end = m.path_start[static_cast<std::size_t>(k) + 1] - 1;
    T sum = x[k] * L[end];
    for (int t = start; t < end; ++t) sum -= L[t] * x[m.path[static_cast<std::size_t>(t)]];
    x[k] = sum;
  }
}

}  // namespace limber
