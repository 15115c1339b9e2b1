#include "dynamics/hybrid_dynamics.ipp"

#include "dynamics/checks.hpp"
#include "dynamics/mass_matrix.ipp"
#include "dynamics/passive.hpp"
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

// the factor of M in which rows and columns of known accelerations are those of the identity: the
// zeros of the tree stay, and the solution of the rest is that of (7.34)
template <class T>
void factorize_unknown_part(const BasicModel<T>& m, std::span<const Known> known,
                            BasicWorkspace<T>& ws) {
  for (std::size_t k = 0; k < known.size(); ++k)
    for (int t = m.path_start[k]; t < m.path_end[k]; ++t) {
      const auto l = static_cast<std::size_t>(m.path[static_cast<std::size_t>(t)]);
      const bool kept = known[k] == Known::force && known[l] == Known::force;
      const T identity(k == l ? 1.0 : 0.0);
      ws.L[static_cast<std::size_t>(t)] = kept ? ws.M[l * known.size() + k] : identity;
    }
  factorize(m, ws.L.data());
  ws.computed.factor = false;
}

// tau of known accelerations += H21 q̈1 (7.33), entry by entry of M along the branches
template <class T>
void add_forces_of_unknown_part(const BasicModel<T>& m, std::span<const Known> known,
                                BasicWorkspace<T>& ws) {
  for (std::size_t k = 0; k < known.size(); ++k)
    for (int t = m.path_start[k]; t < m.path_end[k]; ++t) {
      const auto l = static_cast<std::size_t>(m.path[static_cast<std::size_t>(t)]);
      const T& M = ws.M[l * known.size() + k];
      if (known[k] == Known::acceleration && known[l] == Known::force)
        ws.tau[k] += M * ws.acceleration[l];
      if (known[l] == Known::acceleration && known[k] == Known::force)
        ws.tau[l] += M * ws.acceleration[k];
    }
}

}  // namespace

template <class T>
Hybrid<T> hybrid_dynamics(const BasicModel<T>& m, In<T> q, In<T> v, std::span<const Known> known,
                          In<T> given, BasicWorkspace<T>& ws, const Loads<T>& loads) {
  if (m.has_mimic()) return hybrid_dynamics_by_mass_matrix(m, q, v, known, given, ws, loads);
  check_arguments<T>(m, "hybrid_dynamics", q, v, known, given, ws);
  ws.computed.accelerations = false;  // gravity is among those of the recursion
  const bool passive = loads.passive == Passive::included;
  const std::span<T> resistance(ws.tree_tau);  // what the joints' own friction and springs take
  for (std::size_t k = 0; k < known.size(); ++k) {
    ws.acceleration[k] = ws.tau[k] = given[k];
    if (!passive) continue;
    const T force = passive_force<T>(m, q, v, k);
    resistance[k] = force;
    ws.tau[k] = given[k] - force;
  }
  hybrid_articulated_bodies(m, q.data(), v.data(), known.data(), ws, loads, ws.acceleration.data(),
                            ws.tau.data());
  for (std::size_t k = known.size(); k-- > 0;) {
    check_pivot<T>(m, what, q, ws.D_inverse[k], m.column_body[k]);
    if (known[k] == Known::force) ws.tau[k] = given[k];
    else if (passive) ws.tau[k] += resistance[k];
  }
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
  mass_matrix(m, q, ws);
  factorize_unknown_part(m, known, ws);
  for (std::size_t k = 0; k < known.size(); ++k) {
    ws.acceleration[k] = known[k] == Known::force ? given[k] - bias[k] : zero;
    ws.tau[k] = known[k] == Known::force ? given[k] : bias[k];
  }
  solve_factorized(m, ws.L.data(), ws.acceleration.data());
  add_forces_of_unknown_part(m, known, ws);
  for (int k = m.tree_nv - 1; k >= 0; --k) {  // in the order of elimination
    const auto dof = static_cast<std::size_t>(m.v_fold[static_cast<std::size_t>(k)].index);
    const auto diagonal = static_cast<std::size_t>(m.path_end[dof]) - 1;
    check_pivot<T>(m, what, q, ws.L[diagonal], m.column_body[static_cast<std::size_t>(k)]);
    if (known[dof] == Known::acceleration) ws.acceleration[dof] = given[dof];
  }
  return checked_result<T>(m, q, v, given, ws);
}

#define LIMBER_HYBRID_DYNAMICS(T)                                                                 \
  template void hybrid_articulated_bodies(const BasicModel<T>&, const T*, const T*, const Known*, \
                                          BasicWorkspace<T>&, const Loads<T>&, T*, T*);           \
  template Hybrid<T> hybrid_dynamics(const BasicModel<T>&, In<T>, In<T>, std::span<const Known>,  \
                                     In<T>, BasicWorkspace<T>&, const Loads<T>&);                 \
  template Hybrid<T> hybrid_dynamics_by_mass_matrix(const BasicModel<T>&, In<T>, In<T>,           \
                                                    std::span<const Known>, In<T>,                \
                                                    BasicWorkspace<T>&, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_HYBRID_DYNAMICS)

}  // namespace limber
