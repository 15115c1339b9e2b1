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

/// M = Lᵀ D L along the elimination tree `parent` (n entries); L overwrites the copy `A` of M: 1/D on
/// the diagonal, L below it.
template <class T>
void factorize(const std::vector<int>& parent, T* A) {
  const int n = static_cast<int>(parent.size());
  for (int k = n - 1; k >= 0; --k) {
    T* row = A + k * n;
    row[k] = T(1) / row[k];
    for (int i = parent[static_cast<std::size_t>(k)]; i >= 0; i = parent[static_cast<std::size_t>(i)]) {
      const T a = row[i] * row[k];
      for (int j = i; j >= 0; j = parent[static_cast<std::size_t>(j)]) A[i * n + j] -= a * row[j];
      row[i] = a;
    }
  }
}

/// x = (Lᵀ D L)⁻¹ x
template <class T>
void solve_factorized(const std::vector<int>& parent, const T* A, T* x) {
  const int n = static_cast<int>(parent.size());
  for (int k = n - 1; k >= 0; --k)
    for (int i = parent[static_cast<std::size_t>(k)]; i >= 0; i = parent[static_cast<std::size_t>(i)])
      x[i] -= A[k * n + i] * x[k];
  for (int k = 0; k < n; ++k) {
    x[k] *= A[k * n + k];
    for (int i = parent[static_cast<std::size_t>(k)]; i >= 0; i = parent[static_cast<std::size_t>(i)])
      x[k] -= A[k * n + i] * x[i];
  }
}

}  // namespace limber
