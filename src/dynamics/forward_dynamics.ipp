#pragma once
// The articulated-body algorithm in link coordinates. [RDA] (6.56)-(6.65), with classical
// accelerations as [McM] table 29. A joint with several columns is eliminated one column at a time,
// the outermost first: that is the LDLᵀ elimination of Sᵀ IA S, so no small matrix is inverted.
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/base.hpp"
#include "dynamics/joints.ipp"

namespace limber {

/// The first pass, outward: angular velocities, bias accelerations and bias forces of the single
/// bodies. q, v: tree variables.
template <class T>
void start_articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, BasicWorkspace<T>& ws,
                              const Loads<T>& loads) {
  place_joints(m, q, ws);
  set_base(m, loads, ws);
  const int n = m.bodies();
  for (int i = 1; i < n; ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(m.parent[b]);
      const auto vJ = joint.velocity(v);
      const Vec3<T> w = joint.to_child(ws.w[p]);
      Motion<T> c{{}, joint.to_child(ws.centripetal[p] * joint.origin())};
      add_bias(c, w, vJ, joint.bias(q, v));
      ws.c[b] = c;
      ws.w[b] = plus_turn(w, vJ);
      ws.centripetal[b] = centripetal_gradient(ws.w[b]);
      ws.p[b] = centrifugal_force(m.inertia[b], ws.centripetal[b]);
    });
  }
  subtract_external_forces(m, loads, ws.p);
}

/// Inertia of body b with what its children have added to it.
template <class T>
[[gnu::always_inline]] inline ArticulatedInertia<T> carried_inertia(const BasicModel<T>& m,
                                                                    const BasicWorkspace<T>& ws,
                                                                    std::size_t b) {
  const bool leaf = static_cast<std::size_t>(m.subtree_end[b]) == b + 1;
  return leaf ? ArticulatedInertia<T>(m.inertia[b]) : ws.IA[b];
}

/// Adds what the parent of body b carries with it; the last child is the first that comes, and
/// finds the parent's own inertia alone.
template <class T>
[[gnu::always_inline]] inline void add_to_parent(const BasicModel<T>& m, BasicWorkspace<T>& ws,
                                                 std::size_t b, const ArticulatedInertia<T>& IA) {
  const auto parent = static_cast<std::size_t>(m.parent[b]);
  if (m.subtree_end[b] == m.subtree_end[parent]) ws.IA[parent] = IA + m.inertia[parent];
  else ws.IA[parent] += IA;
}

/// q, v, tau: tree variables; writes the acceleration to qdd.
template <class T>
void articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, const T* tau,
                        BasicWorkspace<T>& ws, const Loads<T>& loads, T* qdd) {
  start_articulated_bodies(m, q, v, ws, loads);
  const int n = m.bodies();
  // inward: articulated inertias and bias forces
  for (int i = n - 1; i > 0; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      ArticulatedInertia<T> IA = carried_inertia(m, ws, b);
      Force<T> p = ws.p[b];
      joint.for_columns_reversed([&](const auto& S, int column) {
        const auto k = static_cast<std::size_t>(column);
        const Force<T> U = IA * S;
        const T D_inverse = T(1) / (dot(S, U) + m.armature[k]);
        const T u = tau[k] - dot(S, p);
        ws.U[k] = U;
        ws.D_inverse[k] = D_inverse;
        ws.u[k] = u;
        eliminate_column(IA, S, U, D_inverse, m.armature[k]);
        p += U * (u * D_inverse);
      });
      if (const int parent = m.parent[b]) {
        const auto a = static_cast<std::size_t>(parent);
        add_to_parent(m, ws, b, joint.reduced_to_parent(IA));
        ws.p[a] += joint.to_parent(p + joint.reduced_times(IA, ws.c[b]));
      }
    });
  }
  // outward: accelerations
  for (int i = 1; i < n; ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(m.parent[b]);
      Motion<T> a = joint.to_child(ws.a[p]) + ws.c[b];
      joint.for_columns([&](const auto& S, int column) {
        const auto k = static_cast<std::size_t>(column);
        qdd[k] = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
        a += S * qdd[k];
      });
      ws.a[b] = a;
    });
  }
}

}  // namespace limber
