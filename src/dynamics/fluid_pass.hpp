#pragma once
// The first pass of articulated bodies in a fluid (Loads::fluid), body by body: velocity relative
// to the fluid, gravity less its acceleration, bias acceleration and bias force. [McM] table 13
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/fluid_lanes.hpp"

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
  ws.p[i] = bias_in_fluid(m, loads.fluid->bodies()[i], ws, i);
}

// v × vJ, in a frame that moves with the fluid
[[gnu::always_inline]] inline Motion<double> turned(const Motion<double>& v,
                                                    const Along<2, double>& s) {
  return {{v.angular.y * s.x, -v.angular.x * s.x, 0}, {v.linear.y * s.x, -v.linear.x * s.x, 0}};
}
[[gnu::always_inline]] inline Motion<double> turned(const Motion<double>& v,
                                                    const Along<5, double>& s) {
  return {{}, {v.angular.y * s.x, -v.angular.x * s.x, 0}};
}
inline Motion<double> turned(const Motion<double>& v, const Motion<double>& vJ) {
  return cross(v, vJ);
}
inline void add_rate(Motion<double>&, NoBias) {}
inline void add_rate(Motion<double>& c, const Motion<double>& Sdot_v) { c += Sdot_v; }

/// Velocities, gravity and bias accelerations of all bodies. Spatial accelerations, of a frame that
/// moves with the fluid: then v ×* (I + B) v is all of the inertia's bias, it is found in lanes,
/// and little is left from body to body. Classical ones need fewer operations.
inline void move_all(const Model& m, const double* q, const double* v, const Loads<double>& loads,
                     Workspace& ws) {
  set_load_base(m, loads, ws);
  ws.a[0].linear -= cross(ws.load_v[0].angular, ws.load_v[0].linear);
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      const int parent = m.parent[i];
      const auto vJ = joint.velocity(v);
      Motion<double> u = joint.to_child(ws.load_v[parent]);
      ws.c[i] = turned(u, vJ);
      add_rate(ws.c[i], joint.bias(q, v));
      u += vJ;
      ws.load_v[i] = u;
      ws.load_g[i] = joint.to_child(ws.load_g[parent]);
    });
}

/// The first pass of all bodies in lanes: ws.load_v, load_g, c, p and the world's acceleration.
inline void start_lanes_in_fluid(const Model& m, const double* q, const double* v,
                                 const Loads<double>& loads, Workspace& ws) {
  move_all(m, q, v, loads, ws);
  set_fluid_bias(m, *loads.fluid, ws);
}

/// The same where loads add inertia to bodies.
inline void start_with_inertia(const Model& m, const double* q, const double* v,
                               const Loads<double>& loads, Workspace& ws) {
  move_all(m, q, v, loads, ws);
  for (int i = 1; i < m.bodies(); ++i) {
    const ArticulatedInertia<double> B = m.body_placement[i] * loads.body_inertia[at_index(i)];
    const Motion<double>& u = ws.load_v[i];
    ws.load_inertia[i] = B;
    ws.p[i] =
        cross(u, (B + m.inertia[i]) * u) + Force<double>{B.H * ws.load_g[i], B.M * ws.load_g[i]};
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
