// Articulated bodies in absolute coordinates.
#include "reference/articulated_bodies.hpp"

#include <limber/reference/forward_dynamics.hpp>

#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

// d⁻¹ (Q − Sᵀ f), with everything formed anew
template <class T>
std::vector<T> answer(const Tree<T>& t, const TreeBody<T>& body, const ArticulatedInertia<T>& IA,
                      const std::vector<T>& tau, const Force<T>& f) {
  std::vector<T> x = own_forces(body, tau);
  subtract(x, along_columns(t, body, f));
  joint_inertia(t, body, column_forces(t, body, IA)).solve(x);
  return x;
}

}  // namespace

template <class T>
std::vector<T> absolute_articulated_bodies_without_sharing(const Tree<T>& t, In<T> forces) {
  refuse_mimic(t, "absolute_articulated_bodies_without_sharing");
  const std::vector<T> tau = unfold(t, forces, "tau");
  const std::size_t n = t.bodies.size();
  std::vector<Motion<T>> v(n), a(n);
  std::vector<ArticulatedInertia<T>> IA(n);
  std::vector<Force<T>> p(n);
  std::vector<T> qdd(t.S.size());
  // v ×̂ S q̇ + S° q̇, written out wherever it is needed
  auto c = [&](std::size_t i) {
    const TreeBody<T>& body = t.bodies[i];
    return cross(v[i], joint_motion(t, body, t.v)) + body.bias;
  };
  v[0] = t.base_velocity;
  for (std::size_t i = 1; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[i];
    v[i] = v[at_index(body.parent)] + joint_motion(t, body, t.v);  // (6.27)
    p[i] = bias_force(body, v[i]);                                 // (6.28)
    IA[i] = ArticulatedInertia<T>(body.I);
  }
  for (std::size_t i = n; i-- > 1;) {  // the (6.37), (6.38) of its parent, (6.39), (6.40)
    const TreeBody<T>& body = t.bodies[i];
    if (body.parent == 0) continue;
    const std::vector<Force<T>> h = column_forces(t, body, IA[i]);
    const std::vector<T> x = answer(t, body, IA[i], tau, IA[i] * c(i) + p[i]);
    IA[at_index(body.parent)] += reduced(IA[i], joint_inertia(t, body, h), h);
    p[at_index(body.parent)] += p[i] + IA[i] * c(i) + combined(column_forces(t, body, IA[i]), x);
  }
  a[0] = t.base_acceleration;  // (6.44), (6.45)
  for (std::size_t i = 1; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[i];
    const Force<T> f = IA[i] * (a[at_index(body.parent)] + c(i)) + p[i];
    const std::vector<T> x = answer(t, body, IA[i], tau, f);  // (6.43)
    for (std::size_t k = 0; k < x.size(); ++k) qdd[at_index(body.first) + k] = x[k];
    a[i] = a[at_index(body.parent)] + c(i) + joint_motion(t, body, qdd);  // (6.41)
  }
  return fold(t, qdd);
}

template <class T>
std::vector<T> absolute_articulated_bodies(const Tree<T>& t, In<T> forces) {
  refuse_mimic(t, "absolute_articulated_bodies");
  const Articulated<T> bodies = articulated_inertias(t, unfold(t, forces, "tau"), 1);
  std::vector<Motion<T>> a(t.bodies.size());
  std::vector<T> qdd(t.S.size());
  a[0] = t.base_acceleration;
  accelerate(t, bodies, 1, a, qdd);
  return fold(t, qdd);
}

#define LIMBER_REFERENCE_ARTICULATED_BODIES(T)                                                \
  template std::vector<T> absolute_articulated_bodies_without_sharing(const Tree<T>&, In<T>); \
  template std::vector<T> absolute_articulated_bodies(const Tree<T>&, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_ARTICULATED_BODIES)

}  // namespace limber::reference
