#pragma once
// The doors between the user's variables and those of the tree: workspace and sizes are checked and
// mimic joints unfolded on the way in, folded on the way out. Models without mimic joints pass
// straight through.
#include <string>

#include <limber/dynamics/inverse_dynamics.hpp>

#include "model/checks.hpp"
#include "index.hpp"

namespace limber {

/// Throws Error naming function and argument: a vector has the wrong length.
[[noreturn]] void refuse_size(const char* function, const char* argument, std::size_t found,
                              int expected, const std::string& robot);
inline void check_size(const char* function, const char* argument, std::size_t found, int expected,
                       const std::string& robot) {
  if (found != at_index(expected)) refuse_size(function, argument, found, expected, robot);
}
/// Throws Error when there is a reason why the robot cannot have forward dynamics.
void check_regular(const std::string& robot, const std::string& singular_reason);
/// Throws Error: the state of the robot has no finite acceleration.
[[noreturn]] void refuse_state(const std::string& robot);

/// Throw Error for a TreeFactor that does not have what is needed. Out of line, as all messages:
/// code for wide registers has none.
[[noreturn]] void refuse_unfactored(const char* function);
[[noreturn]] void refuse_without_matrix();
/// Throws Error: derivatives for this scalar do not know inertia and fluid of loads.
[[noreturn]] void refuse_load_inertia(const char* function);
[[noreturn]] void refuse_two_inertias(const char* function);
[[noreturn]] void refuse_columns(const char* function, std::size_t found, std::size_t freedoms,
                                 const std::string& robot);

/// Pointers to the tree's variables.
template <class T>
const T* tree_positions(const BasicModel<T>& m, const char* function, std::span<const T> q,
                        BasicWorkspace<T>& ws) {
  check_workspace(function, m, ws);
  check_size(function, "q", q.size(), m.nq, m.name);
  if (!m.has_mimic()) return q.data();
  for (std::size_t k = 0; k < m.q_fold.size(); ++k)
    ws.tree_q[k] = m.q_fold[k].ratio * q[at_index(m.q_fold[k].index)] + m.q_fold[k].offset;
  return ws.tree_q.data();
}
template <class T>
const T* tree_rates(const BasicModel<T>& m, const char* function, const char* argument,
                    std::span<const T> rates, List<T>& unfolded) {
  check_size(function, argument, rates.size(), m.nv, m.name);
  if (!m.has_mimic()) return rates.data();
  for (std::size_t k = 0; k < m.v_fold.size(); ++k)
    unfolded[k] = m.v_fold[k].ratio * rates[at_index(m.v_fold[k].index)];
  return unfolded.data();
}

/// Where the forces of the tree's columns go on their way to tau: there at once where nothing is
/// folded.
template <class T>
T* tree_forces(const BasicModel<T>& m, BasicWorkspace<T>& ws, std::span<T> tau) {
  return m.has_mimic() ? ws.tree_tau.data() : tau.data();
}
/// A mimic joint's force goes to its master: tau = Gᵀ tree_tau.
template <class T>
void fold_forces(const BasicModel<T>& m, const BasicWorkspace<T>& ws, std::span<T> tau) {
  if (!m.has_mimic()) return;
  for (T& x : tau) x = T(0);
  for (std::size_t k = 0; k < m.v_fold.size(); ++k)
    tau[at_index(m.v_fold[k].index)] += m.v_fold[k].ratio * ws.tree_tau[k];
}

}  // namespace limber
