#include <limber/constraint/closed_dynamics.hpp>

#include <algorithm>
#include <type_traits>

#include "constraint/held_freedoms.ipp"
#include "dynamics/checks.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr const char* closed_what = "dynamics with closed loops";

template <class T>
void factorize_tree(const BasicMechanism<T>& m, In<T> q, BasicClosedDynamics<T>& closed,
                    const Loads<T>& loads, std::span<const Known> known = {}) {
  check_regular(m.tree.name, m.tree.singular_reason);
  factorize(m.tree, q, closed.ws, closed.factor, loads, known);
  for (int k = m.tree.tree_nv - 1; k >= 0; --k)  // a bad one spoils the next
    check_pivot<T>(m.tree, closed_what, q, inverse_pivot(closed.factor, m.tree.v_fold[k].index),
                   m.tree.column_body[k]);
}

/// x := M x, by the factor.
template <class T>
void times_mass_matrix(const BasicTreeFactor<T>& factor, std::span<T> x) {
  const TreePattern& at = factor.M.pattern;
  for (int k = at.variables() - 1; k >= 0; --k) {  // D L x
    const int last = at.end[k] - 1;
    T sum = x[at_index(k)];
    for (int t = at.start[k]; t < last; ++t) sum += factor.L[t] * x[at_index(at.path[t])];
    x[at_index(k)] = sum / factor.L[last];
  }
  for (int k = 0; k < at.variables(); ++k)  // Lᵀ
    for (int t = at.start[k]; t < at.end[k] - 1; ++t)
      x[at_index(at.path[t])] += factor.L[t] * x[at_index(k)];
}

/// The rows at (t, q, v), and what J a shall be.
template <class T>
void fill_right_side(const BasicMechanism<T>& m, const T& t, In<T> q, In<T> v,
                     BasicClosedDynamics<T>& closed) {
  const bool decays = [&] {
    if constexpr (std::is_class_v<T>) return false;
    else return closed.decay_rate > T(0);
  }();
  if constexpr (!std::is_class_v<T>)
    if (decays) loop_gaps<T>(m, t, q, closed.ws, closed.rows);
  loop_rows<T>(m, t, q, v, closed.ws, closed.rows);
  for (int i = 0; i < m.rows; ++i) closed.right[i] = closed.wanted[i] - closed.rows.bias[i];
  if (!decays) return;
  const T rate = closed.decay_rate;
  for (int i = 0; i < m.rows; ++i)
    closed.right[i] -= T(2) * rate * closed.rows.drift[i] + rate * rate * closed.rows.gap[i];
  for (int k = 0; k < m.tree.nv; ++k)
    for (int i = 0; i < m.rows; ++i)
      closed.right[i] -= T(2) * rate * closed.rows.jt(k, i) * v[at_index(k)];
}

}  // namespace

template <class T>
BasicClosedDynamics<T>::BasicClosedDynamics(const BasicMechanism<T>& m)
    : model(m.tree.identity),
      ws(m.tree),
      factor(m.tree),
      rows(m),
      solver(m.tree.nv, m.rows),
      wanted(at_index(m.rows), T(0)),
      articulated(m) {
  acceleration.resize(at_index(m.tree.nv));
  joint_force.resize(at_index(m.tree.nv));
  velocity.resize(at_index(m.tree.nv));
  right.resize(at_index(m.rows));
  moved.resize(at_index(m.tree.nq));
  held_JT.resize(rows.JT.size());
}

template <class T>
std::span<const T> closed_forward_dynamics(const BasicMechanism<T>& m, std::type_identity_t<T> t,
                                           In<T> q, In<T> v, In<T> tau,
                                           BasicClosedDynamics<T>& closed, const Loads<T>& loads) {
  const char* name = "closed_forward_dynamics";
  check_workspace(name, m.tree, closed);
  check_size(name, "tau", tau.size(), m.tree.nv, m.tree.name);
  const std::span<const T> bias = bias_forces(m.tree, q, v, closed.ws, loads);
  for (std::size_t k = 0; k < tau.size(); ++k) closed.acceleration[k] = tau[k] - bias[k];
  factorize_tree<T>(m, q, closed, loads);
  fill_right_side<T>(m, t, q, v, closed);
  solve_rows<T>(closed.factor, closed.rows, closed.right, closed.solver, closed.acceleration);
  check_result<T>(m.tree, closed_what, q, v, "tau", tau, closed.acceleration);
  return closed.acceleration;
}

template <class T>
Hybrid<T> closed_hybrid_dynamics(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                                 In<T> v, std::span<const Known> known, In<T> given,
                                 BasicClosedDynamics<T>& closed, const Loads<T>& loads) {
  const char* name = "closed_hybrid_dynamics";
  check_workspace(name, m.tree, closed);
  check_size(name, "known", known.size(), m.tree.nv, m.tree.name);
  check_size(name, "given", given.size(), m.tree.nv, m.tree.name);
  List<T>&a = closed.acceleration, &tau = closed.joint_force;
  for (std::size_t k = 0; k < known.size(); ++k) a[k] = is_held(known, k) ? given[k] : T(0);
  inverse_dynamics<T>(m.tree, q, v, a, closed.ws, tau, loads);
  factorize_tree<T>(m, q, closed, loads, known);
  fill_right_side<T>(m, t, q, v, closed);
  take_held_to_right<T>(m, known, given, closed);
  for (std::size_t k = 0; k < known.size(); ++k)
    a[k] = is_held(known, k) ? T(0) : given[k] - tau[k];
  solve_rows<T>(closed.factor, closed.rows, closed.right, closed.solver, a);
  give_held_back(closed);
  for (std::size_t k = 0; k < known.size(); ++k)
    if (is_held(known, k)) a[k] = given[k];
  // what the known freedoms need: the rest of what moves the robot
  inverse_dynamics<T>(m.tree, q, v, a, closed.ws, tau, loads);
  for (int k = 0; k < m.tree.nv; ++k) {
    if (!is_held(known, at_index(k))) {
      tau[k] = given[at_index(k)];
      continue;
    }
    for (int i = 0; i < m.rows; ++i) tau[k] -= closed.rows.jt(k, i) * closed.solver.force[i];
  }
  check_result<T>(m.tree, closed_what, q, v, "given", given, a);
  check_result<T>(m.tree, closed_what, q, v, "given", given, tau);
  return {a, tau};
}

template <class T>
std::span<const T> closed_velocity(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                                   In<T> v, BasicClosedDynamics<T>& closed, const Loads<T>& loads,
                                   std::span<const Known> known) {
  const char* name = "closed_velocity";
  check_workspace(name, m.tree, closed);
  check_size(name, "v", v.size(), m.tree.nv, m.tree.name);
  factorize_tree<T>(m, q, closed, loads, known);
  loop_jacobian<T>(m, t, q, closed.ws, closed.rows);
  for (int i = 0; i < m.rows; ++i) closed.right[i] = -closed.rows.drift[i];
  take_held_to_right<T>(m, known, v, closed);
  for (std::size_t k = 0; k < v.size(); ++k) closed.velocity[k] = is_held(known, k) ? T(0) : v[k];
  times_mass_matrix<T>(closed.factor, closed.velocity);
  solve_rows<T>(closed.factor, closed.rows, closed.right, closed.solver, closed.velocity);
  if (!known.empty()) give_held_back(closed);
  for (std::size_t k = 0; k < v.size(); ++k)
    if (is_held(known, k)) closed.velocity[k] = v[k];
  check_result<T>(m.tree, closed_what, q, v, "v", v, closed.velocity);
  return closed.velocity;
}

#define LIMBER_CLOSED_DYNAMICS(T)                                                                \
  template struct BasicClosedDynamics<T>;                                                        \
  template std::span<const T> closed_forward_dynamics(                                           \
      const BasicMechanism<T>&, std::type_identity_t<T>, In<T>, In<T>, In<T>,                    \
      BasicClosedDynamics<T>&, const Loads<T>&);                                                 \
  template Hybrid<T> closed_hybrid_dynamics(const BasicMechanism<T>&, std::type_identity_t<T>,   \
                                            In<T>, In<T>, std::span<const Known>, In<T>,         \
                                            BasicClosedDynamics<T>&, const Loads<T>&);           \
  template std::span<const T> closed_velocity(const BasicMechanism<T>&, std::type_identity_t<T>, \
                                              In<T>, In<T>, BasicClosedDynamics<T>&,             \
                                              const Loads<T>&, std::span<const Known>);
LIMBER_FOR_EACH_SCALAR(LIMBER_CLOSED_DYNAMICS)

}  // namespace limber
