#pragma once
// The inertia that loads add to bodies and freedoms. A robot without such loads pays one comparison
// per body. The recursions carry classical accelerations, with gravity as an acceleration −g of the
// world; added inertia has no weight and its equation holds for spatial accelerations: both are
// made good in the bias force.
#include <limber/dynamics/loads.hpp>
#include <limber/model/workspace.hpp>

#include "dynamics/base.hpp"
#include "dynamics/fluid_force.hpp"
#include "dynamics/joints.ipp"
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// The loads' inertia of the freedoms on the diagonal of the mass matrix.
template <class T>
void add_joint_inertia(const Loads<T>& loads, BasicTreeMatrix<T>& M) {
  for (int k = 0; k < static_cast<int>(loads.joint_inertia.size()); ++k)
    M.values[M.pattern.end[k] - 1] += loads.joint_inertia[at_index(k)];
}
/// Its forces.
template <class T>
void add_joint_inertia(const Loads<T>& loads, std::span<const T> a, T* tau) {
  for (std::size_t k = 0; k < loads.joint_inertia.size(); ++k)
    tau[k] += loads.joint_inertia[k] * a[k];
}

/// The inertia that the loads add to body i, in its canonical frame. Out of line: the recursions
/// stay short.
template <class T>
[[gnu::noinline]] ArticulatedInertia<T> body_load(const BasicModel<T>& m, const Loads<T>& loads,
                                                  int i) {
  if (loads.fluid) return loads.fluid->bodies()[i].added_mass;
  return m.body_placement[i] * loads.body_inertia[at_index(i)];
}

/// The bodies' inertias with what is added to them.
template <class T>
void loaded_inertias(const BasicModel<T>& m, const Loads<T>& loads,
                     List<ArticulatedInertia<T>>& out) {
  for (int i = 1; i < m.bodies(); ++i) out[i] = body_load(m, loads, i) + m.inertia[i];
}

/// The world's motion as added inertia feels it: relative to the fluid, if there is one.
template <class T>
void set_load_base(const BasicModel<T>& m, const Loads<T>& loads, BasicWorkspace<T>& ws) {
  ws.load_v[0] = loads.base_velocity;
  ws.load_g[0] = m.gravity;
  if (!loads.fluid) return;
  ws.load_v[0].linear -= loads.fluid->velocity;
  ws.load_g[0] -= loads.fluid->acceleration;
}

/// v ×* B v + B (0, a)
template <class T>
[[gnu::always_inline]] inline Force<T> inertia_bias(const ArticulatedInertia<T>& B,
                                                    const Motion<T>& v, const Vec3<T>& a) {
  return cross(v, B * v) + Force<T>{B.H * a, B.M * a};
}

/// Force on each body beside B times the acceleration of the recursion: v ×* B v, and −B of what
/// that acceleration has too much: −g, and ω × v of classical accelerations. In a fluid v is
/// relative to it and g less its acceleration ([McM] (7.45)), and its other forces are added.
/// Joints must be placed.
template <class T>
void add_load_bias(const BasicModel<T>& m, const T* v, const Loads<T>& loads, BasicWorkspace<T>& ws,
                   List<Force<T>>& f) {
  if (!loads.adds_to_bodies()) return;
  List<Motion<T>>& velocity = ws.load_v;
  List<Vec3<T>>& gravity = ws.load_g;
  set_load_base(m, loads, ws);
  for (int i = 1; i < m.bodies(); ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      velocity[i] = joint.to_child(velocity[m.parent[i]]);
      velocity[i] += joint.velocity(v);
      gravity[i] = joint.to_child(gravity[m.parent[i]]);
    });
    const Motion<T>& u = velocity[i];
    const Vec3<T> other = gravity[i] - cross(u.angular, u.linear);
    if (!loads.fluid) {
      f[i] += inertia_bias(body_load(m, loads, i), u, other);
    } else if (const FluidBody<T>& body = loads.fluid->bodies()[i]; body.is_wet) {
      f[i] += inertia_bias(body.added_mass, u, other);
      f[i] -= fluid_force(body, u, gravity[i]);
    }
  }
}

/// The whole force of the added inertia at the accelerations of the recursion, ws.a.
template <class T>
void add_load_forces(const BasicModel<T>& m, const T* v, const Loads<T>& loads,
                     BasicWorkspace<T>& ws, List<Force<T>>& f) {
  if (!loads.adds_to_bodies()) return;
  add_load_bias(m, v, loads, ws, f);
  for (int i = 1; i < m.bodies(); ++i) f[i] += body_load(m, loads, i) * ws.a[i];
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
