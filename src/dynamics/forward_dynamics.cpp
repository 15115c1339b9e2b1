#include "dynamics/forward_dynamics.ipp"

#include <limber/dynamics/forward_dynamics.hpp>

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
void check_regular(const BasicModel<T>& m) {
  if (!m.singular_reason.empty())
    throw Error("forward dynamics of robot '" + m.name + "': " + m.singular_reason);
}

bool finite(double x) { return std::isfinite(x); }
bool finite(const Dual& x) { return std::isfinite(x.value); }
bool finite(const Counted& x) { return std::isfinite(x.value()); }

// names the first entry of an input that is no number
template <class T>
void check_input(const BasicModel<T>& m, const char* argument, std::span<const T> values,
                 const std::vector<int>& count) {
  std::size_t k = 0;
  for (std::size_t b = 1; b < count.size(); ++b) {
    if (m.master[b] >= 0) continue;
    for (int i = 0; i < count[b]; ++i, ++k)
      if (!finite(values[k]))
        throw Error(fmt::format(
            "forward dynamics of robot '{}': {}[{}], of joint '{}', is not a finite number", m.name,
            argument, k, m.joint_name[b]));
  }
}

// every pivot 1/D must be positive and finite; otherwise say which joint is loose
template <class T>
void check_pivot(const BasicModel<T>& m, In<T> q, const T& pivot, int body) {
  if (pivot > T(0) && pivot < T(HUGE_VAL)) return;
  check_input<T>(m, "q", q, m.q_count);
  throw Error(fmt::format(
      "forward dynamics of robot '{}': joint '{}' meets no inertia at this position; check the "
      "inertias beyond that joint",
      m.name, m.joint_name[static_cast<std::size_t>(body)]));
}

// a result that is not finite is never returned: the cause is an input, or numbers beyond all
// bounds
template <class T>
void check_result(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                  const BasicWorkspace<T>& ws) {
  for (const T& a : ws.acceleration) {
    if (finite(a)) continue;
    check_input<T>(m, "q", q, m.q_count);
    check_input<T>(m, "v", v, m.v_count);
    check_input<T>(m, "tau", tau, m.v_count);
    throw Error(
        fmt::format("forward dynamics of robot '{}': an acceleration is not finite; check the "
                    "external forces and "
                    "the size of the inputs",
                    m.name));
  }
}

}  // namespace

template <class T>
std::span<const T> forward_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads) {
  if (m.has_mimic()) return forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads);
  const char* name = "forward_dynamics";
  check_regular(m);
  check_size(name, "q", q.size(), m.nq, m.name);
  check_size(name, "v", v.size(), m.nv, m.name);
  check_size(name, "tau", tau.size(), m.nv, m.name);
  articulated_bodies(m, q.data(), v.data(), tau.data(), ws, loads, ws.acceleration.data());
  for (std::size_t k = ws.D_inverse.size(); k-- > 0;)
    check_pivot(m, q, ws.D_inverse[k], m.column_body[k]);
  check_result(m, q, v, tau, ws);
  return ws.acceleration;
}

template <class T>
std::span<const T> forward_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v,
                                                   In<T> tau, BasicWorkspace<T>& ws,
                                                   const Loads<T>& loads) {
  check_regular(m);
  check_size("forward_dynamics_by_mass_matrix", "tau", tau.size(), m.nv, m.name);
  const std::span<const T> bias = bias_forces(m, q, v, ws, loads);
  mass_matrix(m, q, ws);
  factorize_mass_matrix(m, ws);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.acceleration[k] = tau[k] - bias[k];
  solve_mass_matrix(m, ws, ws.acceleration);
  for (int k = m.tree_nv - 1; k >= 0;
       --k) {  // in the order of elimination: a bad pivot spoils the next ones
    const auto dof = static_cast<std::size_t>(m.v_fold[static_cast<std::size_t>(k)].index);
    const auto diagonal = static_cast<std::size_t>(m.path_start[dof + 1]) - 1;
    check_pivot(m, q, ws.L[diagonal], m.column_body[static_cast<std::size_t>(k)]);
  }
  check_result(m, q, v, tau, ws);
  return ws.acceleration;
}

#define LIMBER_FORWARD_DYNAMICS(T)                                                        \
  template std::span<const T> forward_dynamics(const BasicModel<T>&, In<T>, In<T>, In<T>, \
                                               BasicWorkspace<T>&, const Loads<T>&);      \
  template std::span<const T> forward_dynamics_by_mass_matrix(                            \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_FORWARD_DYNAMICS)

}  // namespace limber
