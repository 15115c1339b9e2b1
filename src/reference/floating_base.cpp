#include <limber/reference/floating_base.hpp>

#include <algorithm>

#include <limber/reference/mass_matrix.hpp>
#include <limber/spatial/inverse_inertia.hpp>

#include "reference/articulated_bodies.hpp"
#include "reference/input.hpp"
#include "reference/scalars.hpp"

namespace limber::reference {

namespace {

constexpr std::size_t base = 1;  // link 0 of the book, the only child of the world

template <class T>
void require_floating(const Tree<T>& t) {
  auto refuse = [&](const std::string& reason) {
    throw Error("robot '" + t.name + "' cannot be taken as one with a floating base: " + reason);
  };
  if (t.bodies.size() <= base || t.bodies[base].kind != JointKind::free)
    refuse("its first body is not carried by a free joint; see float_base()");
  for (std::size_t i = base + 1; i < t.bodies.size(); ++i)
    if (t.bodies[i].parent == 0)
      refuse("joint '" + t.bodies[i].joint + "' hangs from the world beside the base");
  for (int k = 0; k < 6; ++k)
    if (!(t.armature[at_index(k)] == T(0)))
      refuse("joint '" + t.bodies[base].joint + "' has rotors, link 0 has no joint");
}

// f₀ˣ: six numbers in the base's axes as a force in absolute coordinates
template <class T>
Force<T> force_on_base(const Tree<T>& t, const T* f) {
  return t.bodies[base].X * Force<T>{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

// derivative of the base's velocity variables when its acceleration is a0
template <class T>
std::vector<T> base_rates(const Tree<T>& t, const Motion<T>& a0, const Motion<T>& c) {
  const Motion<T> r = apply_inverse(t.bodies[base].X, a0 - t.base_acceleration - c);
  return {r.angular.x, r.angular.y, r.angular.z, r.linear.x, r.linear.y, r.linear.z};
}

// accelerations relative to the base for given joint accelerations, (7.27), and the forces that
// they need, summed inwards, (7.29)
template <class T>
std::vector<Force<T>> relative_forces(const Tree<T>& t, const Velocities<T>& motion,
                                      const std::vector<T>& qdd) {
  const std::size_t n = t.bodies.size();
  std::vector<Motion<T>> a(n);
  std::vector<Force<T>> p(n);
  for (std::size_t i = base; i < n; ++i) {
    const TreeBody<T>& body = t.bodies[i];
    if (i != base) a[i] = a[at_index(body.parent)] + motion.c[i] + joint_motion(t, body, qdd);
    p[i] = body.I * a[i] + bias_force(body, motion.v[i]);
  }
  for (std::size_t i = n; i-- > base + 1;) p[at_index(t.bodies[i].parent)] += p[i];
  return p;
}

}  // namespace

template <class T>
std::vector<T> floating_articulated_bodies(const Tree<T>& t, In<T> forces) {
  require_floating(t);
  refuse_mimic(t, "floating_articulated_bodies");
  const std::vector<T> tau = unfold(t, forces, "tau");
  const Articulated<T> bodies = articulated_inertias(t, tau, base + 1);
  std::vector<Motion<T>> a(t.bodies.size());
  std::vector<T> qdd(t.S.size());
  require_positive(determinant(bodies.IA[base].M), "base of robot '" + t.name + "'");
  a[base] = inverse(bodies.IA[base]) * (force_on_base(t, tau.data()) - bodies.p[base]);  // (7.20)
  accelerate(t, bodies, base + 1, a, qdd);
  const std::vector<T> rates = base_rates(t, a[base], bodies.c[base]);
  std::copy(rates.begin(), rates.end(), qdd.begin());
  return fold(t, qdd);
}

template <class T>
std::vector<T> floating_bordered_system(const Tree<T>& t, In<T> forces) {
  require_floating(t);
  check_input<T>("tau", forces, t.nv, t.name);
  const int columns = static_cast<int>(t.S.size());
  const Velocities<T> motion = velocities(t);
  const std::vector<Force<T>> f = relative_forces(t, motion, std::vector<T>(t.S.size()));

  // in place of the base's columns: the six unit motions, so that the first unknowns are a₀
  Tree<T> bordered = t;
  for (int k = 0; k < 6; ++k) {
    bordered.S[at_index(k)] = {};
    (k < 3 ? bordered.S[at_index(k)].angular : bordered.S[at_index(k)].linear)[k % 3] = T(1);
  }
  const Matrix<T> A = walker_orin_3(bordered);  // I₀ᶜ, K and H at once
  std::vector<T> load(at_index(columns));
  for (std::size_t i = base; i < t.bodies.size(); ++i)
    for (int k = t.bodies[i].first; k < t.bodies[i].first + t.bodies[i].count; ++k)
      load[at_index(k)] = dot(bordered.S[at_index(k)], f[i]);
  const std::vector<T> b = fold(t, load);
  const Force<T> fx = force_on_base(t, forces.data());
  std::vector<T> x{fx.angular.x, fx.angular.y, fx.angular.z, fx.linear.x, fx.linear.y, fx.linear.z};
  x.insert(x.end(), forces.begin() + 6, forces.end());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= b[k];
  Ldlt<T>(A, "bordered matrix of robot '" + t.name + "'").solve(x);  // (7.24)
  const std::vector<T> rates =
      base_rates(t, Motion<T>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}, motion.c[base]);
  std::copy(rates.begin(), rates.end(), x.begin());
  return x;
}

template <class T>
FloatingInverse<T> floating_inverse_dynamics(const Tree<T>& t, In<T> joint_accelerations,
                                             In<T> base_force) {
  require_floating(t);
  check_input<T>("joint_accelerations", joint_accelerations, t.nv - 6, t.name);
  check_input<T>("base_force", base_force, 6, t.name);
  std::vector<T> a(6);
  a.insert(a.end(), joint_accelerations.begin(), joint_accelerations.end());
  const std::vector<T> qdd = unfold<T>(t, a, "joint_accelerations");
  const Velocities<T> motion = velocities(t);                       // (7.26)
  const std::vector<Inertia<T>> Ic = composite_inertias(t);         // (7.28)
  const std::vector<Force<T>> p = relative_forces(t, motion, qdd);  // (7.27), (7.29)
  require_positive(Ic[base].m, "robot '" + t.name + "'");
  const Motion<T> a0 = solve(Ic[base], force_on_base(t, base_force.data()) - p[base]);  // (7.30)
  std::vector<T> tau(t.S.size());
  for (std::size_t i = base + 1; i < t.bodies.size(); ++i) {
    const TreeBody<T>& body = t.bodies[i];
    const Force<T> f = Ic[i] * a0 + p[i];  // (7.25)
    for (int k = body.first; k < body.first + body.count; ++k)
      tau[at_index(k)] =
          dot(t.S[at_index(k)], f) + t.armature[at_index(k)] * qdd[at_index(k)];  // (7.31)
  }
  const std::vector<T> folded = fold(t, tau);
  return {base_rates(t, a0, motion.c[base]), {folded.begin() + 6, folded.end()}};
}

#define LIMBER_REFERENCE_FLOATING_BASE(T)                                     \
  template std::vector<T> floating_articulated_bodies(const Tree<T>&, In<T>); \
  template std::vector<T> floating_bordered_system(const Tree<T>&, In<T>);    \
  template FloatingInverse<T> floating_inverse_dynamics(const Tree<T>&, In<T>, In<T>);
LIMBER_FOR_EACH_REFERENCE_SCALAR(LIMBER_REFERENCE_FLOATING_BASE)

}  // namespace limber::reference
