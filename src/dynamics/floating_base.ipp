#pragma once
// Inverse dynamics of a floating base in O(bodies). [RDA] (7.25)-(7.31)
#include <limber/math/small_solve.hpp>

#include "dynamics/inverse_dynamics.ipp"

namespace limber {

/// I^C of every body from the bodies' own inertias; joints must be placed. [RDA] (7.27)
template <class T, class Body>
void composite_inertias(const BasicModel<T>& m, BasicWorkspace<T>& ws, List<Body>& Ic) {
  for (int i = m.bodies() - 1; i > 1; --i)
    with_joint(m, ws, i, [&](const auto& joint) { Ic[m.parent[i]] += joint.to_parent(Ic[i]); });
}

/// The base's acceleration (I^C_0)⁻¹ f, with what rotors add to its freedoms. [RDA] (7.30)
/// False if the robot resists in no direction of some sort.
template <class T, class Body>
bool solve_base(const BasicModel<T>& m, const Loads<T>& loads, const Body& base, const Force<T>& f,
                T* a) {
  T A[36];
  for (int k = 0; k < 6; ++k) {
    Motion<T> unit;
    (k < 3 ? unit.angular : unit.linear)[k % 3] = T(1);
    const Force<T> column = base * unit;
    for (int i = 0; i < 3; ++i)
      A[i * 6 + k] = column.angular[i], A[(i + 3) * 6 + k] = column.linear[i];
    A[k * 6 + k] += m.armature[k];
    if (!loads.joint_inertia.empty()) A[k * 6 + k] += loads.joint_inertia[at_index(k)];
    a[k] = k < 3 ? f.angular[k] : f.linear[k - 3];
  }
  return solve_small(A, a, 6);
}

/// Adds what the base's acceleration asks of every joint: f_i += I^C_i a_0 (7.25), Q_i = Sᵀ f_i
/// (7.31). ws.f and ws.tree_tau hold those for a base without acceleration. ws.motion.a becomes
/// what the bodies have from the base's.
template <class T, class Body>
void add_base_acceleration(const BasicModel<T>& m, const Motion<T>& base, const List<Body>& Ic,
                           BasicWorkspace<T>& ws) {
  List<Motion<T>>& a = ws.motion.a;
  a[1] = base;
  ws.f[1] += Ic[1] * base;
  for (int i = 2; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      a[i] = joint.to_child(a[m.parent[i]]);
      const Force<T> f = Ic[i] * a[i];
      ws.f[i] += f;
      joint.for_columns([&](const auto& S, int k) { ws.tree_tau[k] += dot(S, f); });
    });
}

}  // namespace limber
