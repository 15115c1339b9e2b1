#include "dynamics/floating_base.ipp"

#include <limber/dynamics/hybrid_dynamics.hpp>

#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"
#include "scalars.hpp"

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
                     List<Body>& Ic, BasicWorkspace<T>& ws) {
  composite_inertias(m, ws, Ic);
  List<T>& a = ws.acceleration;
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
Hybrid<T> floating_base_inverse_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> joint_a,
                                         const Force<std::type_identity_t<T>>& base_force,
                                         BasicWorkspace<T>& ws, const Loads<T>& loads) {
  check_floating(m);
  const T* tree_q = tree_positions(m, function, q, ws);
  const T* tree_v = tree_rates(m, function, "v", v, ws.tree_v);
  check_size(function, "joint_a", joint_a.size(), m.nv - 6, m.name);
  for (std::size_t k = 0; k < ws.acceleration.size(); ++k)
    ws.acceleration[k] = k < 6 ? T(0) : joint_a[k - 6];
  const T* tree_a = tree_rates<T>(m, function, "joint_a", ws.acceleration, ws.tree_a);
  newton_euler(m, tree_q, tree_v, tree_a, ws, loads);  // (7.26)-(7.29) with a base at rest

  for (std::size_t k = 0; k < ws.tau.size(); ++k) ws.tau[k] = T(0);
  if (loads.passive == Passive::included) add_passive_forces<T>(m, q, v, T(1), ws.tau.data());
  const Force<T> passive{{ws.tau[0], ws.tau[1], ws.tau[2]}, {ws.tau[3], ws.tau[4], ws.tau[5]}};
  const Force<T> force = base_force - passive - ws.f[1];
  if (loads.body_inertia.empty()) {
    for (int i = 1; i < m.bodies(); ++i) ws.Ic[i] = m.inertia[i];
    accelerate_base<T>(m, q, loads, force, ws.Ic, ws);
  } else {
    loaded_inertias(m, loads, ws.IA);
    accelerate_base<T>(m, q, loads, force, ws.IA, ws);
  }
  for (std::size_t k = 0; k < ws.tree_tau.size(); ++k)
    ws.tau[m.v_fold[k].index] += m.v_fold[k].ratio * ws.tree_tau[k];
  add_joint_inertia<T>(m, loads, ws.acceleration, ws.tau.data());
  for (int k = 0; k < 6; ++k) ws.tau[k] = k < 3 ? base_force.angular[k] : base_force.linear[k - 3];
  check_finite<T>(m, q, v, ws.acceleration);
  check_finite<T>(m, q, v, ws.tau);
  return {ws.acceleration, ws.tau};
}

#define LIMBER_FLOATING_BASE(T)                                                                \
  template Hybrid<T> floating_base_inverse_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>, \
                                                    const Force<std::type_identity_t<T>>&,     \
                                                    BasicWorkspace<T>&, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_FLOATING_BASE)

}  // namespace limber
