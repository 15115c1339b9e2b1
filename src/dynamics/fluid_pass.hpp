#pragma once
// The first pass of articulated bodies in a fluid (Loads::fluid), body by body: velocity relative
// to the fluid, gravity less its acceleration, bias acceleration and bias force. [McM] table 13
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/added_inertia.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// The bias force of body i: added mass and moments of inertia with the velocity relative to the
/// fluid, in which angular velocities are the body's own; the first moment by the centripetal
/// field; buoyancy and drag.
template <class T>
[[gnu::always_inline]] inline Force<T> bias_in_fluid(const BasicModel<T>& m,
                                                     const FluidBody<T>& body,
                                                     const BasicWorkspace<T>& ws, int i) {
  if (!body.is_wet) return centrifugal_force(m.inertia[i], ws.centripetal[i]);
  const Motion<T>& v = ws.load_v[i];
  const Vec3<T>& g = ws.load_g[i];
  ArticulatedInertia<T> B = body.added_mass;
  B.I += m.inertia[i].rotational();
  Force<T> p = cross(v, B * v);
  const Vec3<T> other = g - cross(v.angular, v.linear);
  p += Force<T>{B.H * other, B.M * other};
  p.linear += ws.centripetal[i] * m.inertia[i].h;
  p -= fluid_force(body, v, g);
  return p;
}

/// Writes ws.load_v, load_g, w, c, centripetal and p of body i, whose parent has its own. Joints
/// must be placed.
template <class T>
[[gnu::always_inline]] inline void start_in_fluid(const BasicModel<T>& m, const T* q, const T* v,
                                                  const Loads<T>& loads, BasicWorkspace<T>& ws,
                                                  int i) {
  with_joint(m, ws, i, [&](const auto& joint) {
    const int parent = m.parent[i];
    const auto vJ = joint.velocity(v);
    Motion<T> u = joint.to_child(ws.load_v[parent]);
    Motion<T> c{{}, joint.to_child(ws.centripetal[parent] * joint.origin())};
    add_bias(c, u.angular, vJ, joint.bias(q, v));
    u += vJ;
    ws.c[i] = c;
    ws.load_v[i] = u;
    ws.load_g[i] = joint.to_child(ws.load_g[parent]);
  });
  ws.w[i] = ws.load_v[i].angular;
  ws.centripetal[i] = centripetal_gradient(ws.w[i]);
  ws.p[i] = bias_in_fluid(m, loads.fluid->bodies[i], ws, i);
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
