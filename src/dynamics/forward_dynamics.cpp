#include <limber/dynamics/forward_dynamics.hpp>

#include "dynamics/articulated_bodies.ipp"
#include "dynamics/checks.hpp"
#include "dynamics/mass_matrix.ipp"
#include "dynamics/passive.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* forward_dynamics_name = "forward dynamics";

}  // namespace

template <class T>
void forward_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
                      Out<T> out, const Loads<T>& loads) {
  const char* name = "forward_dynamics";
  check_workspace(name, m, ws);
  check_tree(forward_dynamics_name, m);
  if (!m.has_local_groups()) return forward_dynamics_by_mass_matrix(m, q, v, tau, ws, out, loads);
  check_regular(m.name, m.singular_reason);
  check_size(name, "q", q.size(), m.nq, m.name);
  check_size(name, "v", v.size(), m.nv, m.name);
  check_size(name, "tau", tau.size(), m.nv, m.name);
  check_size(name, "out", out.size(), m.nv, m.name);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.force[k] = tau[k];
  if (loads.passive == Passive::included)  // what is left of tau moves the robot
    add_passive_forces(m, q, v, T(-1), ws.force.data());
  const bool has_pending = articulated_bodies_of_freedoms<T>(m, name, q, v, nullptr, ws, loads,
                                                             out.data(), ws.force.data());
  check_pivots<T>(m, forward_dynamics_name, q, has_pending, ws);
  check_result<T>(m, forward_dynamics_name, q, v, "tau", tau, out);
}
template <class T>
std::span<const T> forward_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads) {
  check_workspace("forward_dynamics", m, ws);
  forward_dynamics<T>(m, q, v, tau, ws, ws.acceleration, loads);
  return ws.acceleration;
}

template <class T>
void forward_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                     BasicWorkspace<T>& ws, Out<T> out, const Loads<T>& loads) {
  const char* name = "forward_dynamics_by_mass_matrix";
  check_workspace(name, m, ws);
  check_tree(forward_dynamics_name, m);
  check_regular(m.name, m.singular_reason);
  check_size(name, "tau", tau.size(), m.nv, m.name);
  check_size(name, "out", out.size(), m.nv, m.name);
  const std::span<const T> bias = bias_forces(m, q, v, ws, loads);
  BasicTreeFactor<T>& factor = own_factor(m, ws);
  factorize(m, q, ws, factor, loads);
  for (std::size_t k = 0; k < tau.size(); ++k) out[k] = tau[k] - bias[k];
  solve(factor, out);
  for (int k = m.tree_nv - 1; k >= 0;
       --k)  // in the order of elimination: a bad one spoils the next
    check_pivot<T>(m, forward_dynamics_name, q, inverse_pivot(factor, m.v_fold[k].index),
                   m.column_body[k]);
  check_result<T>(m, forward_dynamics_name, q, v, "tau", tau, out);
}
template <class T>
std::span<const T> forward_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v,
                                                   In<T> tau, BasicWorkspace<T>& ws,
                                                   const Loads<T>& loads) {
  check_workspace("forward_dynamics_by_mass_matrix", m, ws);
  forward_dynamics_by_mass_matrix<T>(m, q, v, tau, ws, ws.acceleration, loads);
  return ws.acceleration;
}

#define LIMBER_FORWARD_DYNAMICS(T)                                                              \
  template std::span<const T> forward_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>,       \
                                               BasicWorkspace<T>&, const Loads<T>&);            \
  template void forward_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, \
                                 Out<T>, const Loads<T>&);                                      \
  template std::span<const T> forward_dynamics_by_mass_matrix(                                  \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, const Loads<T>&);          \
  template void forward_dynamics_by_mass_matrix(const BasicModel<T>&, In<T>, In<T>, In<T>,      \
                                                BasicWorkspace<T>&, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_FORWARD_DYNAMICS)

}  // namespace limber
