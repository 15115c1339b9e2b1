#include <limber/dynamics/hybrid_dynamics.hpp>

#include "dynamics/articulated_bodies.ipp"
#include "dynamics/checks.hpp"
#include "dynamics/mass_matrix.ipp"
#include "dynamics/passive.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* what = "hybrid dynamics";

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
                     std::span<const Known> known, In<T> given, const BasicWorkspace<T>& ws) {
  check_workspace(function, m, ws);
  check_size(function, "q", q.size(), m.nq, m.name);
  check_size(function, "v", v.size(), m.nv, m.name);
  check_size(function, "known", known.size(), m.nv, m.name);
  check_size(function, "given", given.size(), m.nv, m.name);
  for (const Known one : known)
    if (one != Known::force && one != Known::acceleration) refuse_known(m, function, known);
}

template <class T>
Hybrid<T> checked_result(const BasicModel<T>& m, In<T> q, In<T> v, In<T> given,
                         BasicWorkspace<T>& ws) {
  check_result<T>(m, what, q, v, "given", given, ws.acceleration);
  check_result<T>(m, what, q, v, "given", given, ws.tau);
  return {ws.acceleration, ws.tau};
}

// tau of known accelerations += H21 q̈1 (7.33), entry by entry of M along the branches
template <class T>
void add_forces_of_unknown_part(const BasicTreeMatrix<T>& M, std::span<const Known> known,
                                BasicWorkspace<T>& ws) {
  const auto is_known = [known](int k) {
    return known[static_cast<std::size_t>(k)] == Known::acceleration;
  };
  const TreePattern& at = M.pattern;
  for (int k = 0; k < at.variables(); ++k)
    for (int t = at.start[k]; t < at.end[k]; ++t) {
      const int l = at.path[t];
      if (is_known(k) && !is_known(l)) ws.tau[k] += M.values[t] * ws.acceleration[l];
      if (is_known(l) && !is_known(k)) ws.tau[l] += M.values[t] * ws.acceleration[k];
    }
}

}  // namespace

template <class T>
Hybrid<T> hybrid_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, std::span<const Known> known,
                          In<T> given, BasicWorkspace<T>& ws, const Loads<T>& loads) {
  if (!m.has_local_groups())
    return hybrid_dynamics_by_mass_matrix(m, q, v, known, given, ws, loads);
  check_arguments<T>(m, "hybrid_dynamics", q, v, known, given, ws);
  ws.computed.accelerations = false;  // gravity is among those of the recursion
  const bool passive = loads.passive == Passive::included;
  for (std::size_t k = 0; k < known.size(); ++k) ws.acceleration[k] = ws.tau[k] = given[k];
  if (passive) add_passive_forces<T>(m, q, v, T(-1), ws.tau.data());
  const bool has_pending =
      articulated_bodies_of_freedoms<T>(m, "hybrid_dynamics", q, v, known.data(), ws, loads);
  check_pivots<T>(m, what, q, has_pending, ws);
  if (passive) add_passive_forces<T>(m, q, v, T(1), ws.tau.data());
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k] == Known::force) ws.tau[k] = given[k];
  return checked_result<T>(m, q, v, given, ws);
}

template <class T>
Hybrid<T> hybrid_dynamics_by_mass_matrix(const BasicModel<T>& m, In<T> q, In<T> v,
                                         std::span<const Known> known, In<T> given,
                                         BasicWorkspace<T>& ws, const Loads<T>& loads) {
  check_arguments<T>(m, "hybrid_dynamics_by_mass_matrix", q, v, known, given, ws);
  const T zero(0);
  for (std::size_t k = 0; k < known.size(); ++k)
    ws.acceleration[k] = known[k] == Known::acceleration ? given[k] : zero;
  // C' of (7.33); it may lie in ws.tau
  const std::span<const T> bias = inverse_dynamics<T>(m, q, v, ws.acceleration, ws, loads);
  BasicTreeFactor<T>& factor = own_factor(m, ws);
  factorize(m, q, ws, factor, loads, known);
  for (std::size_t k = 0; k < known.size(); ++k) {
    ws.acceleration[k] = known[k] == Known::force ? given[k] - bias[k] : zero;
    ws.tau[k] = known[k] == Known::force ? given[k] : bias[k];
  }
  solve(factor, std::span<T>(ws.acceleration));
  add_forces_of_unknown_part(factor.M, known, ws);
  for (int k = m.tree_nv - 1; k >= 0; --k) {  // in the order of elimination
    const int freedom = m.v_fold[k].index;
    check_pivot<T>(m, what, q, inverse_pivot(factor, freedom), m.column_body[k]);
    const auto at = static_cast<std::size_t>(freedom);
    if (known[at] == Known::acceleration) ws.acceleration[at] = given[at];
  }
  factor.holds = BasicTreeFactor<T>::Holds::matrix;  // the factor is that of a part
  return checked_result<T>(m, q, v, given, ws);
}

#define LIMBER_HYBRID_DYNAMICS(T)                                                                \
  template Hybrid<T> hybrid_dynamics(const BasicModel<T>&, In<T>, In<T>, std::span<const Known>, \
                                     In<T>, BasicWorkspace<T>&, const Loads<T>&);                \
  template Hybrid<T> hybrid_dynamics_by_mass_matrix(const BasicModel<T>&, In<T>, In<T>,          \
                                                    std::span<const Known>, In<T>,               \
                                                    BasicWorkspace<T>&, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_HYBRID_DYNAMICS)

}  // namespace limber
