#include "dynamics/floating_base.ipp"

#include <limber/dynamics/hybrid_dynamics.hpp>

#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr const char* function = "floating_base_inverse_dynamics";
constexpr const char* what = "floating-base inverse dynamics";

template <class T>
void check_floating(const BasicModel<T>& m) {
  int roots = 0;
  for (std::size_t i = 1; i < m.parent.size(); ++i) roots += m.parent[i] == 0 ? 1 : 0;
  if (roots != 1 || m.kind[1] != JointKind::free)
    throw Error(fmt::format(
        "{}: robot '{}' does not float: {}; it takes robots with a single root joint, a free one "
        "(load with a floating base), others by hybrid_dynamics",
        function, m.name,
        roots == 1 ? fmt::format("its root joint '{}' is {}", m.joint_name[1], name(m.kind[1]))
                   : fmt::format("{} joints hang from the world", roots)));
  for (std::size_t k = 6; k < m.v_fold.size(); ++k)
    if (m.v_fold[k].index < 6)
      throw Error(fmt::format(
          "{}: joint '{}' of robot '{}' follows the base, so its acceleration is not known; use "
          "hybrid_dynamics",
          function, m.joint_name[m.column_body[k]], m.name));
}

template <class T>
void check_finite(const BasicModel<T>& m, In<T> q, In<T> v, In<T> result) {
  for (const T& x : result) {
    if (finite(x)) continue;
    check_input<T>(m, what, "q", q, m.q_count);
    check_input<T>(m, what, "v", v, m.v_count);
    throw Error(fmt::format(
        "{} of robot '{}': a result is not finite; check joint_a, base_force and the external "
        "forces",
        what, m.name));
  }
}

// the base's acceleration under a force, and what it asks of the joints
template <class T, class Body>
void accelerate_base(const BasicModel<T>& m, In<T> q, const Loads<T>& loads, const Force<T>& force,
                     List<Body>& Ic, BasicWorkspace<T>& ws, Out<T> a) {
  composite_inertias(m, ws, Ic);
  if (!solve_base(m, loads, Ic[1], force, a.data())) {
    check_input<T>(m, what, "q", q, m.q_count);
    throw Error(
        fmt::format("{} of robot '{}': the robot has no inertia in some direction; check "
                    "the inertias of its bodies",
                    what, m.name));
  }
  add_base_acceleration(m, Motion<T>{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}}, Ic, ws);
}

}  // namespace

template <class T>
FloatingBaseForces<T> floating_base_inverse_dynamics(
    const BasicModel<T>& m, In<T> q, In<T> v, In<T> joint_a,
    const Force<std::type_identity_t<T>>& base_force, BasicWorkspace<T>& ws, Out<T> a, Out<T> tau,
    const Loads<T>& loads) {
  check_tree(what, m);
  check_floating(m);
  const T* tree_q = tree_positions(m, function, q, ws);
  const T* tree_v = tree_rates(m, function, "v", v, ws.tree_v);
  check_size(function, "joint_a", joint_a.size(), m.nv - 6, m.name);
  check_size(function, "a", a.size(), m.nv, m.name);
  check_size(function, "tau", tau.size(), m.nv, m.name);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = k < 6 ? T(0) : joint_a[k - 6];
  const T* tree_a = tree_rates<T>(m, function, "joint_a", a, ws.tree_a);
  // (7.26)-(7.29) with a base at rest
  newton_euler(m, tree_q, tree_v, tree_a, ws, loads, ws.tree_tau.data());

  for (T& x : tau) x = T(0);
  if (loads.passive == Passive::included) add_passive_forces<T>(m, q, v, T(1), tau.data());
  const Force<T> passive{{tau[0], tau[1], tau[2]}, {tau[3], tau[4], tau[5]}};
  const Force<T> force = base_force - passive - ws.f[1];
  if (!loads.adds_to_bodies()) {
    for (int i = 1; i < m.bodies(); ++i) ws.Ic[i] = m.inertia[i];
    accelerate_base<T>(m, q, loads, force, ws.Ic, ws, a);
  } else {
    loaded_inertias(m, loads, ws.loaded_Ic);
    accelerate_base<T>(m, q, loads, force, ws.loaded_Ic, ws, a);
  }
  for (std::size_t k = 0; k < ws.tree_tau.size(); ++k)
    tau[at_index(m.v_fold[k].index)] += m.v_fold[k].ratio * ws.tree_tau[k];
  add_joint_inertia<T>(loads, a, tau.data());
  for (int k = 0; k < 6; ++k)
    tau[at_index(k)] = k < 3 ? base_force.angular[k] : base_force.linear[k - 3];
  check_finite<T>(m, q, v, a);
  check_finite<T>(m, q, v, tau);
  return {a, {tau, ws}};
}
template <class T>
FloatingBaseForces<T> floating_base_inverse_dynamics(
    const BasicModel<T>& m, In<T> q, In<T> v, In<T> joint_a,
    const Force<std::type_identity_t<T>>& base_force, BasicWorkspace<T>& ws,
    const Loads<T>& loads) {
  check_workspace(function, m, ws);
  return floating_base_inverse_dynamics<T>(m, q, v, joint_a, base_force, ws, ws.acceleration,
                                           ws.force, loads);
}

#define LIMBER_FLOATING_BASE(T)                                                         \
  template FloatingBaseForces<T> floating_base_inverse_dynamics(                        \
      const BasicModel<T>&, In<T>, In<T>, In<T>, const Force<std::type_identity_t<T>>&, \
      BasicWorkspace<T>&, const Loads<T>&);                                             \
  template FloatingBaseForces<T> floating_base_inverse_dynamics(                        \
      const BasicModel<T>&, In<T>, In<T>, In<T>, const Force<std::type_identity_t<T>>&, \
      BasicWorkspace<T>&, Out<T>, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_FLOATING_BASE)

}  // namespace limber
