#include <algorithm>

#include "dynamics/articulated_rows.ipp"
#include "dynamics/matrix_functions.hpp"
#include "dynamics/matrix_rows.ipp"
#include "model/joint_lanes.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
bool all_finite(std::span<const T> x) {
  return std::all_of(x.begin(), x.end(), [](const T& number) { return finite(number); });
}

/// ∂tau/∂q, ∂tau/∂v and the mass matrix at a motion that is in the strips, composites and
/// momenta included.
template <class T>
void differentiate(const BasicModel<T>& m, const T* q, const T* v, const T* a, Passive passive,
                   BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  clear_rows(mw);
  column_changes(m, q, v, a, ws, mw);
  derivative_rows(m, mw);
  add_column_changes(m, q, v, ws, mw);
  if (passive == Passive::included) add_passive_slopes(m, mw);
  for (const int part : {0, 1, 2}) fold_rows(m, mw, part);
}

/// Acceleration and rows by the factor of the mass matrix. False: there is no finite solution.
template <class T>
bool solve_by_factor(const BasicModel<T>& m, const T* q, const T* v, Passive passive,
                     BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  factorize_composites(m, ws, mw);
  const TreePattern& at = ws.factor.M.pattern;
  half_solve_rows(at, ws.factor.L.data(), ws.acceleration.data());
  finish_solve_rows(at, ws.factor.L.data(), ws.acceleration.data());
  if (!has_regular_pivots(ws.factor) || !all_finite<T>(ws.acceleration)) return false;
  const T* a = tree_rates<T>(m, "derivatives", "a", ws.acceleration, ws.tree_a);
  add_motions(
      m, [&](int k, const Motion<T>&) { return a[k]; }, mw);
  add_motion_forces(m, mw);
  differentiate(m, q, v, a, passive, ws, mw);
  set_identity(m, mw);
  solve_rows(ws.factor, mw);
  return true;
}

/// The same by articulated bodies, for models without mimic joints.
template <class T>
bool solve_by_articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, Passive passive,
                                 BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  accelerate(m, ws, mw);
  if (!has_good_eliminations(m, mw) || !all_finite<T>(ws.acceleration)) return false;
  add_motion_forces(m, mw);
  change_columns(m, q, v, ws.acceleration.data(), passive, ws, mw);
  solve_blocks(m, mw);
  return true;
}

/// Many robots at once go through articulated bodies from so many freedoms on; below, the factor is
/// faster (docs/benchmarks.md).
constexpr int least_articulated = 24;

/// The way through articulated bodies needs rows of eight lanes, or one robot in every lane.
template <class T>
bool solve(const BasicModel<T>& m, const T* q, const T* v, Passive passive, BasicWorkspace<T>& ws,
           BasicMatrixWorkspace<T>& mw) {
  if constexpr (lane_count<T> == 8 || is_pack<T>)
    if (!m.has_mimic() && (!is_pack<T> || m.nv >= least_articulated))
      return solve_by_articulated_bodies(m, q, v, passive, ws, mw);
  return solve_by_factor(m, q, v, passive, ws, mw);
}

}  // namespace

template <class T, int Bytes>
void MatrixFunctions<T, Bytes>::inverse_dynamics_derivatives(const BasicModel<T>& m,
                                                             const T* tree_q, const T* tree_v,
                                                             const T* tree_a, const Loads<T>& loads,
                                                             BasicWorkspace<T>& ws,
                                                             BasicMatrixWorkspace<T>& mw) {
  start_matrices(m, tree_q, tree_v, tree_a, loads, ws, mw);
  column_momenta(mw);
  differentiate(m, tree_q, tree_v, tree_a, loads.passive, ws, mw);
}

template <class T, int Bytes>
bool MatrixFunctions<T, Bytes>::forward_dynamics_derivatives(const BasicModel<T>& m, In<T> q,
                                                             In<T> v, In<T> tau, const T* tree_q,
                                                             const T* tree_v, const Loads<T>& loads,
                                                             BasicWorkspace<T>& ws,
                                                             BasicMatrixWorkspace<T>& mw) {
  start_matrices(m, tree_q, tree_v, ws.zeros.data(), loads, ws, mw);
  column_momenta(mw);
  accelerating_forces<T>(m, q, v, tau, loads.passive, ws, mw);
  return solve(m, tree_q, tree_v, loads.passive, ws, mw);
}

#define LIMBER_DERIVATIVES(T)                                                                  \
  template void MatrixFunctions<T, vector_bytes>::inverse_dynamics_derivatives(                \
      const BasicModel<T>&, const T*, const T*, const T*, const Loads<T>&, BasicWorkspace<T>&, \
      BasicMatrixWorkspace<T>&);                                                               \
  template bool MatrixFunctions<T, vector_bytes>::forward_dynamics_derivatives(                \
      const BasicModel<T>&, In<T>, In<T>, In<T>, const T*, const T*, const Loads<T>&,          \
      BasicWorkspace<T>&, BasicMatrixWorkspace<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_DERIVATIVES)

}  // namespace limber
