#pragma once
// Hybrid dynamics by articulated bodies in link coordinates, [RDA] (7.36)-(7.38): a column whose
// acceleration is known is not eliminated; its force is found on the way out. Column by column, as
// articulated_bodies(), but what the bias acceleration asks for is in the bias force from the
// beginning, and columns are eliminated in their own frame, see joints.ipp: some more operations
// where there is no rotor, and fewer that must wait for others (the inertia is turned while 1/D is
// being divided).
#include "dynamics/forward_dynamics.ipp"
#include "dynamics/hybrid_recursion.hpp"

namespace limber {

template <class T>
void hybrid_articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, const Known* known,
                               BasicWorkspace<T>& ws, const Loads<T>& loads, T* qdd, T* tau) {
  const auto acceleration_known = [known](std::size_t k) {
    return known && known[k] == Known::acceleration;
  };
  start_articulated_bodies(m, q, v, ws, loads);
  const int n = m.bodies();
  // inward
  for (int i = n - 1; i > 0; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      ArticulatedInertia<T> IA = carried_inertia(m, ws, b);
      Force<T> p = ws.p[b] + IA * ws.c[b];
      T D_inverse(0);  // of the column that was eliminated last
      joint.for_columns_reversed([&](const auto& S, int column) {
        const auto k = static_cast<std::size_t>(column);
        const Force<T> U = IA * S;
        ws.U[k] = joint.turn_back(U);  // in the frame of the column
        if (acceleration_known(k)) {   // (7.36), (7.37)
          ws.u[k] = dot(S, p);
          ws.D_inverse[k] = T(1);
          p += U * qdd[k];
        } else {
          D_inverse = T(1) / (dot(S, U) + m.armature[k]);
          const T u = tau[k] - dot(S, p);
          ws.D_inverse[k] = D_inverse;
          ws.u[k] = u;
          joint.eliminate(IA, S, U, D_inverse);
          p += U * (u * D_inverse);
        }
      });
      if (const int parent = m.parent[b]) {
        add_to_parent(m, ws, b, joint.to_parent_without_columns(IA, D_inverse));
        ws.p[static_cast<std::size_t>(parent)] += joint.to_parent(p);
      }
    });
  }
  // outward
  for (int i = 1; i < n; ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i), parent = static_cast<std::size_t>(m.parent[b]);
      Motion<T> a = joint.constant_to_child(ws.a[parent]);  // without the bias, which is in p
      joint.for_columns([&](const auto& S, int column) {
        const auto k = static_cast<std::size_t>(column);
        if (acceleration_known(k)) {  // (7.38)
          a += S * qdd[k];
          tau[k] = dot(a, ws.U[k]) + ws.u[k] + m.armature[k] * qdd[k];
        } else {
          const T acceleration = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
          qdd[k] = acceleration;
          a += S * acceleration;
        }
      });
      ws.a[b] = joint.turn(a) + ws.c[b];
    });
  }
}

}  // namespace limber
