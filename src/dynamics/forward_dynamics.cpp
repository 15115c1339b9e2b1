#include "dynamics/forward_dynamics.ipp"

#include <limber/dynamics/forward_dynamics.hpp>

#include "dynamics/checks.hpp"
#include "dynamics/hybrid_recursion.hpp"
#include "dynamics/passive.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* what = "forward dynamics";

}  // namespace

template <class T>
std::span<const T> forward_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads) {
  const char* name = "forward_dynamics";
  check_workspace(name, m, ws);
  if (m.has_mimic()) return forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads);
  check_regular(m.name, m.singular_reason);
  check_size(name, "q", q.size(), m.nq, m.name);
  check_size(name, "v", v.size(), m.nv, m.name);
  check_size(name, "tau", tau.size(), m.nv, m.name);
  ws.computed.accelerations = false;  // gravity is among those of the recursion
  for (std::size_t k = 0; k < tau.size(); ++k) ws.tau[k] = tau[k];
  if (loads.passive == Passive::included)  // what is left of tau moves the robot
    add_passive_forces(m, q, v, T(-1), ws.tau.data());
  // a class (an expression, many robots at once) wants few operations, built-in numbers few waits
  if constexpr (std::is_class_v<T>)
    articulated_bodies(m, q.data(), v.data(), ws.tau.data(), ws, loads, ws.acceleration.data());
  else
    hybrid_articulated_bodies<T>(m, q.data(), v.data(), nullptr, ws, loads, ws.acceleration.data(),
                                 ws.tau.data());
  for (std::size_t k = ws.D_inverse.size(); k-- > 0;)
    check_pivot<T>(m, what, q, ws.D_inverse[k], m.column_body[k]);
  check_result<T>(m, what, q, v, "tau", tau, ws.acceleration);
  return ws.acceleration;
}

template <class T>
std::span<const T> forward_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v,
                                                   In<T> tau, BasicWorkspace<T>& ws,
                                                   const Loads<T>& loads) {
  const char* name = "forward_dynamics_by_mass_matrix";
  check_workspace(name, m, ws);
  check_regular(m.name, m.singular_reason);
  check_size(name, "tau", tau.size(), m.nv, m.name);
  const std::span<const T> bias = bias_forces(m, q, v, ws, loads);
  mass_matrix(m, q, ws);
  factorize_mass_matrix(m, ws);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.acceleration[k] = tau[k] - bias[k];
  solve_mass_matrix(m, ws, ws.acceleration);
  for (int k = m.tree_nv - 1; k >= 0;
       --k) {  // in the order of elimination: a bad pivot spoils the next ones
    const auto dof = static_cast<std::size_t>(m.v_fold[static_cast<std::size_t>(k)].index);
    const auto diagonal = static_cast<std::size_t>(m.path_end[dof]) - 1;
    check_pivot<T>(m, what, q, ws.L[diagonal], m.column_body[static_cast<std::size_t>(k)]);
  }
  check_result<T>(m, what, q, v, "tau", tau, ws.acceleration);
  return ws.acceleration;
}

#define LIMBER_FORWARD_DYNAMICS(T)                                                        \
  template std::span<const T> forward_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>, \
                                               BasicWorkspace<T>&, const Loads<T>&);      \
  template std::span<const T> forward_dynamics_by_mass_matrix(                            \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_FORWARD_DYNAMICS)

}  // namespace limber
