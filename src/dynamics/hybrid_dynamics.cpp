#include <limber/dynamics/hybrid_dynamics.hpp>

#include "dynamics/articulated_bodies.ipp"
#include "dynamics/checks.hpp"
#include "dynamics/mass_matrix.ipp"
#include "dynamics/passive.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr const char* hybrid_dynamics_name = "hybrid dynamics";

template <class T>
[[gnu::cold]] void refuse_known(const BasicModel<T>& m, const char* function,
                                std::span<const Known> known) {
  for_variables(m, m.v_count, [&](std::size_t k, const std::string& joint) {
    if (known[k] != Known::force && known[k] != Known::acceleration)
      throw Error(
          fmt::format("{}: known[{}], of joint '{}' of robot '{}', is {}; expected Known::force or "
                      "Known::acceleration",
                      function, k, joint, m.name, static_cast<int>(known[k])));
  });
}

template <class T>
void check_arguments(const BasicModel<T>& m, const char* function, In<T> q, In<T> v,
                     std::span<const Known> known, In<T> given, const BasicWorkspace<T>& ws,
                     In<T> a, In<T> tau) {
  check_workspace(function, m, ws);
  check_tree(hybrid_dynamics_name, m);
  check_size(function, "q", q.size(), m.nq, m.name);
  check_size(function, "v", v.size(), m.nv, m.name);
  check_size(function, "known", known.size(), m.nv, m.name);
  check_size(function, "given", given.size(), m.nv, m.name);
  check_size(function, "a", a.size(), m.nv, m.name);
  check_size(function, "tau", tau.size(), m.nv, m.name);
  for (const Known one : known)
    if (one != Known::force && one != Known::acceleration) refuse_known(m, function, known);
}

template <class T>
void check_results(const BasicModel<T>& m, In<T> q, In<T> v, In<T> given, In<T> a, In<T> tau) {
  check_result<T>(m, hybrid_dynamics_name, q, v, "given", given, a);
  check_result<T>(m, hybrid_dynamics_name, q, v, "given", given, tau);
}

// tau of known accelerations += H21 q̈1 (7.33), entry by entry of M along the branches
template <class T>
void add_forces_of_unknown_part(const BasicTreeMatrix<T>& M, std::span<const Known> known,
                                std::span<const T> a, std::span<T> tau) {
  const auto is_known = [known](int k) { return known[at_index(k)] == Known::acceleration; };
  const TreePattern& at = M.pattern;
  for (int k = 0; k < at.variables(); ++k)
    for (int t = at.start[k]; t < at.end[k]; ++t) {
      const int l = at.path[t];
      if (is_known(k) && !is_known(l)) tau[at_index(k)] += M.values[t] * a[at_index(l)];
      if (is_known(l) && !is_known(k)) tau[at_index(l)] += M.values[t] * a[at_index(k)];
    }
}

}  // namespace

template <class T>
void hybrid_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, std::span<const Known> known,
                     In<T> given, BasicWorkspace<T>& ws, Out<T> a, Out<T> tau,
                     const Loads<T>& loads) {
  if (!m.has_local_groups())
    return hybrid_dynamics_by_mass_matrix(m, q, v, known, given, ws, a, tau, loads);
  check_arguments<T>(m, "hybrid_dynamics", q, v, known, given, ws, a, tau);
  const bool passive = loads.passive == Passive::included;
  for (std::size_t k = 0; k < known.size(); ++k) a[k] = tau[k] = given[k];
  if (passive) add_passive_forces<T>(m, q, v, T(-1), tau.data());
  const bool has_pending = articulated_bodies_of_freedoms<T>(
      m, "hybrid_dynamics", q, v, known.data(), ws, loads, a.data(), tau.data());
  check_pivots<T>(m, hybrid_dynamics_name, q, has_pending, ws);
  if (passive) add_passive_forces<T>(m, q, v, T(1), tau.data());
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k] == Known::force) tau[k] = given[k];
  check_results<T>(m, q, v, given, a, tau);
}
template <class T>
Hybrid<T> hybrid_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, std::span<const Known> known,
                          In<T> given, BasicWorkspace<T>& ws, const Loads<T>& loads) {
  check_workspace("hybrid_dynamics", m, ws);
  hybrid_dynamics<T>(m, q, v, known, given, ws, ws.acceleration, ws.force, loads);
  return {ws.acceleration, ws.force};
}

template <class T>
void hybrid_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v,
                                    std::span<const Known> known, In<T> given,
                                    BasicWorkspace<T>& ws, Out<T> a, Out<T> tau,
                                    const Loads<T>& loads) {
  check_arguments<T>(m, "hybrid_dynamics_by_mass_matrix", q, v, known, given, ws, a, tau);
  const T zero(0);
  for (std::size_t k = 0; k < known.size(); ++k)
    a[k] = known[k] == Known::acceleration ? given[k] : zero;
  inverse_dynamics<T>(m, q, v, a, ws, tau, loads);  // C' of (7.33)
  BasicTreeFactor<T>& factor = own_factor(m, ws);
  factorize(m, q, ws, factor, loads, known);
  for (std::size_t k = 0; k < known.size(); ++k) {
    a[k] = known[k] == Known::force ? given[k] - tau[k] : zero;
    if (known[k] == Known::force) tau[k] = given[k];
  }
  solve(factor, a);
  add_forces_of_unknown_part<T>(factor.M, known, a, tau);
  for (int k = m.tree_nv - 1; k >= 0; --k) {  // in the order of elimination
    const int freedom = m.v_fold[k].index;
    check_pivot<T>(m, hybrid_dynamics_name, q, inverse_pivot(factor, freedom), m.column_body[k]);
    const std::size_t at = at_index(freedom);
    if (known[at] == Known::acceleration) a[at] = given[at];
  }
  factor.holds = BasicTreeFactor<T>::Holds::matrix;  // the factor is that of a part
  check_results<T>(m, q, v, given, a, tau);
}
template <class T>
Hybrid<T> hybrid_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v,
                                         std::span<const Known> known, In<T> given,
                                         BasicWorkspace<T>& ws, const Loads<T>& loads) {
  check_workspace("hybrid_dynamics_by_mass_matrix", m, ws);
  hybrid_dynamics_by_mass_matrix<T>(m, q, v, known, given, ws, ws.acceleration, ws.force, loads);
  return {ws.acceleration, ws.force};
}

#define LIMBER_HYBRID_DYNAMICS(T)                                                                  \
  template Hybrid<T> hybrid_dynamics(const BasicModel<T>&, In<T>, In<T>, std::span<const Known>,   \
                                     In<T>, BasicWorkspace<T>&, const Loads<T>&);                  \
  template Hybrid<T> hybrid_dynamics_by_mass_matrix(const BasicModel<T>&, In<T>, In<T>,            \
                                                    std::span<const Known>, In<T>,                 \
                                                    BasicWorkspace<T>&, const Loads<T>&);          \
  template void hybrid_dynamics(const BasicModel<T>&, In<T>, In<T>, std::span<const Known>, In<T>, \
                                BasicWorkspace<T>&, Out<T>, Out<T>, const Loads<T>&);              \
  template void hybrid_dynamics_by_mass_matrix(const BasicModel<T>&, In<T>, In<T>,                 \
                                               std::span<const Known>, In<T>, BasicWorkspace<T>&,  \
                                               Out<T>, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_HYBRID_DYNAMICS)

}  // namespace limber
