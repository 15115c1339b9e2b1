#pragma once
// Recursive Newton-Euler in link coordinates. [RDA] (4.11)-(4.15) with classical accelerations and
// the acceleration field A + Ω r of each body, [McM] app. B.1 (table 25): no linear velocity is
// needed.
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/added_inertia.hpp"
#include "dynamics/base.hpp"

namespace limber {

/// q, v, a: tree variables. Writes the joint forces of the tree's columns to tau, without those of
/// loads.joint_inertia, and leaves the forces through the joints in ws.f.
template <class T>
void newton_euler(const BasicModel<T>& m, const T* q, const T* v, const T* a, BasicWorkspace<T>& ws,
                  const Loads<T>& loads, T* tau) {
  place_joints(m, q, ws);
  set_base(m, loads, ws);
  const int n = m.bodies();
  // outward: motion of each body and the force that it needs
  for (int i = 1; i < n; ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const int p = m.parent[i];
      const auto vJ = joint.velocity(v);
      const Vec3<T> w = joint.to_child(ws.w[p]);
      Motion<T> acc{joint.to_child(ws.a[p].angular),
                    joint.to_child(ws.a[p].linear + ws.gradient[p] * joint.origin())};
      add_bias(acc, w, vJ, joint.bias(q, v));
      joint.for_columns([&](const auto& S, int k) { acc += S * a[k]; });
      ws.w[i] = plus_turn(w, vJ);
      ws.a[i] = acc;
      ws.gradient[i] = acceleration_gradient(ws.w[i], acc.angular);
      ws.f[i] = inertial_force(m.inertia[i], acc.linear, ws.gradient[i]);
    });
  }
  subtract_external_forces(m, loads, ws.f);
  if (loads.adds_to_bodies()) add_load_forces(m, v, loads, ws, ws.f);
  ++ws.force_count;
  // inward: forces through the joints
  for (int i = n - 1; i > 0; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      joint.for_columns(
          [&](const auto& S, int k) { tau[k] = dot(S, ws.f[i]) + m.armature[k] * a[k]; });
      if (const int p = m.parent[i]) ws.f[p] += joint.to_parent(ws.f[i]);
    });
  }
}

}  // namespace limber
