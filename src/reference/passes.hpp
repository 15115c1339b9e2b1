#pragma once
// Steps over a Tree that several formulations share.
#include <limber/reference/tree.hpp>

#include "index.hpp"

namespace limber::reference {

/// S x of one joint: Σ S_k x_k over its columns.
template <class T>
Motion<T> joint_motion(const Tree<T>& t, const TreeBody<T>& body, const std::vector<T>& x) {
  Motion<T> sum;
  for (int k = body.first; k < body.first + body.count; ++k)
    sum += t.S[at_index(k)] * x[at_index(k)];
  return sum;
}

/// Velocities of the bodies and bias accelerations c = v ×̂ S q̇ + S° q̇ of their joints.
template <class T>
struct Velocities {
  std::vector<Motion<T>> v, c;
};
/// [RDA] (4.6), (6.46), (7.16)
template <class T>
Velocities<T> velocities(const Tree<T>& t) {
  const std::size_t n = t.bodies.size();
  Velocities<T> r{std::vector<Motion<T>>(n), std::vector<Motion<T>>(n)};
  r.v[0] = t.base_velocity;
  for (std::size_t i = 1; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[i];
    const Motion<T> relative = joint_motion(t, body, t.v);
    r.v[i] = r.v[at_index(body.parent)] + relative;
    r.c[i] = cross(r.v[i], relative) + body.bias;
  }
  return r;
}

/// p^v = v ×̂ I v less the external force. [RDA] (6.28)
template <class T>
Force<T> bias_force(const TreeBody<T>& body, const Motion<T>& v) {
  return cross(v, body.I * v) - body.w;
}

/// I^C: inertia of each body with all that it carries. [RDA] (5.7), on a tree (7.6)
template <class T>
std::vector<Inertia<T>> composite_inertias(const Tree<T>& t) {
  std::vector<Inertia<T>> Ic(t.bodies.size());
  for (std::size_t i = t.bodies.size(); i-- > 1;) {
    Ic[i] += t.bodies[i].I;
    Ic[at_index(t.bodies[i].parent)] += Ic[i];
  }
  return Ic;
}

}  // namespace limber::reference
