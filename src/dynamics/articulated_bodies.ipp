#pragma once
// The articulated-body algorithm in link coordinates, for forward and hybrid dynamics and every
// scalar. [RDA] (6.56)-(6.65) and, for columns whose acceleration is known, (7.36)-(7.38), with
// classical accelerations as [McM] table 29. A joint with several columns is eliminated one column
// at a time, the outermost first: that is the LDLᵀ elimination of Sᵀ IA S, so no small matrix is
// inverted. A column whose acceleration is known is not eliminated; its force is found on the way
// out. In which order a joint turns and eliminates is its own matter, see joints.ipp.
#include <limber/dynamics/tree_factor.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/added_inertia.hpp"
#include "dynamics/base.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

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
      const int parent = m.parent[i];
      const auto vJ = joint.velocity(v);
      const Vec3<T> w = joint.to_child(ws.w[parent]);
      Motion<T> c{{}, joint.to_child(ws.centripetal[parent] * joint.origin())};
      add_bias(c, w, vJ, joint.bias(q, v));
      ws.c[i] = c;
      ws.w[i] = plus_turn(w, vJ);
      ws.centripetal[i] = centripetal_gradient(ws.w[i]);
      ws.p[i] = centrifugal_force(m.inertia[i], ws.centripetal[i]);
    });
  }
  subtract_external_forces(m, loads, ws.p);
  add_load_bias(m, v, loads, ws, ws.p);
}

/// Inertia of body i with what its children have added to it.
template <class T>
[[gnu::always_inline]] inline ArticulatedInertia<T> carried_inertia(const BasicModel<T>& m,
                                                                    const Loads<T>& loads,
                                                                    const BasicWorkspace<T>& ws,
                                                                    int i) {
  const bool leaf = m.subtree_end[i] == i + 1;
  const ArticulatedInertia<T> IA = leaf ? ArticulatedInertia<T>(m.inertia[i]) : ws.IA[i];
  if (leaf && !loads.body_inertia.empty()) [[unlikely]]
    return IA + body_load(m, loads, i);
  return IA;
}

/// Adds what the parent of body i carries with it; the last child is the first that comes, and
/// finds the parent's own inertia alone.
template <class T>
[[gnu::always_inline]] inline void add_to_parent(const BasicModel<T>& m, const Loads<T>& loads,
                                                 BasicWorkspace<T>& ws, int i,
                                                 const ArticulatedInertia<T>& IA) {
  const int parent = m.parent[i];
  if (m.subtree_end[i] != m.subtree_end[parent]) {
    ws.IA[parent] += IA;
    return;
  }
  ws.IA[parent] = IA + m.inertia[parent];
  if (!loads.body_inertia.empty()) [[unlikely]]
    ws.IA[parent] += body_load(m, loads, parent);
}

/// q, v: tree variables of a model without mimic joints. known: what is given of each; null: all
/// forces. qdd and tau: the given entries are read, the others written.
template <class T>
void articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, const Known* known,
                        BasicWorkspace<T>& ws, const Loads<T>& loads, T* qdd, T* tau) {
  const auto acceleration_known = [known](int k) {
    return known && known[k] == Known::acceleration;
  };
  start_articulated_bodies(m, q, v, ws, loads);
  const int n = m.bodies();
  // inward: articulated inertias and bias forces
  for (int i = n - 1; i > 0; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      ArticulatedInertia<T> IA = carried_inertia(m, loads, ws, i);
      Force<T> p = joint.bias_force(IA, ws.p[i], ws.c[i]);
      Pivot<T> pivot;  // of the column that was eliminated last
      joint.for_columns_reversed([&](const auto& S, int k) {
        const Force<T> U = IA * S;
        ws.U[k] = joint.in_column_frame(U);
        if (acceleration_known(k)) {  // (7.36), (7.37)
          ws.u[k] = dot(S, p);
          ws.D_inverse[k] = T(1);
          p += U * qdd[k];
        } else {
          pivot = {column_inertia(m, loads, k), T(0)};
          pivot.D_inverse = T(1) / (dot(S, U) + pivot.inertia);
          const T u = tau[k] - dot(S, p);
          ws.D_inverse[k] = pivot.D_inverse;
          ws.u[k] = u;
          joint.eliminate(IA, S, U, pivot);
          p += U * (u * pivot.D_inverse);
        }
      });
      if (const int parent = m.parent[i]) {
        add_to_parent(m, loads, ws, i, joint.to_parent_without_columns(IA, pivot));
        ws.p[parent] += joint.to_parent(joint.reduced_bias_force(IA, p, ws.c[i], pivot));
      }
    });
  }
  // outward: accelerations, and the forces of columns whose acceleration is known
  for (int i = 1; i < n; ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      Motion<T> a = joint.acceleration_before_columns(ws.a[m.parent[i]], ws.c[i]);
      joint.for_columns([&](const auto& S, int k) {
        if (acceleration_known(k)) {  // (7.38)
          a += S * qdd[k];
          tau[k] = dot(a, ws.U[k]) + ws.u[k] + column_inertia(m, loads, k) * qdd[k];
        } else {
          const T acceleration = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
          qdd[k] = acceleration;
          a += S * acceleration;
        }
      });
      ws.a[i] = joint.acceleration_after_columns(a, ws.c[i]);
    });
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
