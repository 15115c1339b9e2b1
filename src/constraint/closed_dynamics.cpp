#include <limber/constraint/closed_dynamics.hpp>

#include <algorithm>
#include <cmath>

#include <limber/model/joint_space.hpp>

#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr const char* closed_what = "dynamics with closed loops";

template <class T>
void factorize_tree(const BasicMechanism<T>& m, In<T> q, BasicClosedDynamics<T>& closed,
                    const Loads<T>& loads) {
  check_regular(m.tree.name, m.tree.singular_reason);
  factorize(m.tree, q, closed.ws, closed.factor, loads);
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

}  // namespace

template <class T>
BasicClosedDynamics<T>::BasicClosedDynamics(const BasicMechanism<T>& m)
    : model(m.tree.identity),
      ws(m.tree),
      factor(m.tree),
      rows(m),
      solver(m.tree.nv, m.rows),
      wanted(at_index(m.rows), T(0)) {
  acceleration.resize(at_index(m.tree.nv));
  velocity.resize(at_index(m.tree.nv));
  right.resize(at_index(m.rows));
  moved.resize(at_index(m.tree.nq));
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
  loop_rows<T>(m, t, q, v, closed.ws, closed.rows);
  for (int i = 0; i < m.rows; ++i) closed.right[i] = closed.wanted[i] - closed.rows.bias[i];
  solve_rows<T>(closed.factor, closed.rows, closed.right, closed.solver, closed.acceleration);
  check_result<T>(m.tree, closed_what, q, v, "tau", tau, closed.acceleration);
  return closed.acceleration;
}

template <class T>
std::span<const T> closed_velocity(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                                   In<T> v, BasicClosedDynamics<T>& closed, const Loads<T>& loads) {
  const char* name = "closed_velocity";
  check_workspace(name, m.tree, closed);
  check_size(name, "v", v.size(), m.tree.nv, m.tree.name);
  factorize_tree<T>(m, q, closed, loads);
  loop_jacobian<T>(m, t, q, closed.ws, closed.rows);
  std::copy(v.begin(), v.end(), closed.velocity.begin());
  times_mass_matrix<T>(closed.factor, closed.velocity);
  for (int i = 0; i < m.rows; ++i) closed.right[i] = -closed.rows.drift[i];
  solve_rows<T>(closed.factor, closed.rows, closed.right, closed.solver, closed.velocity);
  check_result<T>(m.tree, closed_what, q, v, "v", v, closed.velocity);
  return closed.velocity;
}

#define LIMBER_CLOSED_DYNAMICS(T)                                                                \
  template struct BasicClosedDynamics<T>;                                                        \
  template std::span<const T> closed_forward_dynamics(                                           \
      const BasicMechanism<T>&, std::type_identity_t<T>, In<T>, In<T>, In<T>,                    \
      BasicClosedDynamics<T>&, const Loads<T>&);                                                 \
  template std::span<const T> closed_velocity(const BasicMechanism<T>&, std::type_identity_t<T>, \
                                              In<T>, In<T>, BasicClosedDynamics<T>&,             \
                                              const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_CLOSED_DYNAMICS)

}  // namespace limber
