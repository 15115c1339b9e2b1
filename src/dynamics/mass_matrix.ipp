#pragma once
// Composite rigid bodies in link coordinates, [RDA] (5.11)-(5.14), on a tree (7.9).
#include "dynamics/added_inertia.hpp"
#include "dynamics/joints.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// M of the tree's columns along their paths. Ic: the bodies' own inertias, which become
/// composites: rigid bodies, or articulated ones (any symmetric 6×6 inertia) where the loads add to
/// them.
template <class T, class Body>
void composite_bodies(const BasicModel<T>& m, const TreePattern& at, BasicWorkspace<T>& ws,
                      List<Body>& Ic, T* M) {
  Force<T>* const F = ws.F.data();
  const int* const start = at.start.data();
  for (int i = m.bodies() - 1; i > 0; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const int begin = m.v_index[i], end = m.columns_end[i];  // the columns of the subtree
      // force for a unit acceleration of each column of this joint, (5.12)
      joint.for_columns([&](const auto& S, int k) { F[k] = Ic[i] * S; });
      // its products with the columns that carry it, (5.14): all that it carries
      joint.for_columns([&](const auto& S, int l) {
        T* const M_l = M + at.depth(l);
        for (int k = l + 1; k < end; ++k) M_l[start[k]] = dot(S, F[k]);
        M_l[start[l]] = dot(S, F[l]) + m.armature[l];
      });
      if (const int p = m.parent[i]) {
        joint.columns_to_parent(F + begin, F + end);
        Ic[p] += joint.to_parent(Ic[i]);
      }
    });
  }
}

/// The workspace's own factor, made now if it was too large to be made for every workspace.
template <class T>
BasicTreeFactor<T>& own_factor(const BasicModel<T>& m, BasicWorkspace<T>& ws) {
  if (!ws.factor.model.exists()) ws.make_factor(m);
  return ws.factor;
}

/// M of the user's freedoms at the tree's positions q.
template <class T>
void fill_matrix(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws, BasicTreeMatrix<T>& M,
                 const Loads<T>& loads = {}) {
  check_loads("mass matrix", m, loads);
  place_joints(m, q, ws);
  const bool fold = m.has_mimic();
  const TreePattern& at = fold ? M.tree_pattern : M.pattern;
  T* const out = fold ? M.tree_values.data() : M.values.data();
  if (!loads.adds_to_bodies()) {
    for (int i = 1; i < m.bodies(); ++i) ws.Ic[i] = m.inertia[i];
    composite_bodies(m, at, ws, ws.Ic, out);
  } else {
    loaded_inertias(m, loads, ws.loaded_Ic);
    composite_bodies(m, at, ws, ws.loaded_Ic, out);
  }
  if (fold) {
    for (T& x : M.values) x = T(0);
    for (const auto& entry : M.folded)
      M.values[entry.to] += entry.factor * M.tree_values[entry.from];
  }
  add_joint_inertia(loads, M);
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
