#include <limber/dynamics/derivatives.hpp>

#include "dynamics/matrix_rows.ipp"
#include "dynamics/passive.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

/// Damping and stiffness of the joints; Coulomb friction has no slope.
template <class T>
void add_passive_slopes(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (int k = 0; k < m.tree_nv; ++k) {
    const auto c = static_cast<std::size_t>(k);
    rows.v(k)[k] += T(m.column_dof[c].damping);
    if (m.column_q[c] >= 0) rows.q(k)[k] += T(m.column_dof[c].stiffness);
  }
}

/// ∂tau/∂q and ∂tau/∂v at a motion that is in the strips, composites included.
template <bool WithInertia, class T>
void differentiate(const BasicModel<T>& m, const T* q, const T* v, const T* a, Passive passive,
                   BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  column_changes(m, q, v, a, ws, mw);
  derivative_rows<WithInertia>(m, mw);
  add_column_changes(m, q, v, ws, mw);
  if (passive == Passive::included) add_passive_slopes(m, mw);
  fold_rows(m, mw, 0);
  fold_rows(m, mw, 1);
  if (WithInertia) fold_rows(m, mw, 2);
}

/// The acceleration for tau, from bias force and inertia matrix in absolute coordinates.
template <class T>
void solve_acceleration(const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau, Passive passive,
                        BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  for (int k = 0; k < m.tree_nv; ++k)
    ws.tree_tau[static_cast<std::size_t>(k)] =
        dot(get<Motion<T>>(column_strips(mw), column_strip::S, k),
            get<Force<T>>(body_strips(mw), body_strip::force,
                          m.column_body[static_cast<std::size_t>(k)]));
  const std::span<const T> bias = fold_forces(m, ws);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.acceleration[k] = tau[k] - bias[k];
  if (passive == Passive::included) add_passive_forces(m, q, v, T(-1), ws.acceleration.data());
  solve_factorized(m, ws.L.data(), ws.acceleration.data());
}

template <class T>
bool usable(const BasicModel<T>& m, const BasicWorkspace<T>& ws) {
  for (const T& a : ws.acceleration)
    if (!finite(a)) return false;
  return has_good_pivots(m, ws);
}

}  // namespace

template <class T>
InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q,
                                                                   In<T> v, In<T> a,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads) {
  const char* name = "inverse_dynamics_tangent_derivatives";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  start_matrices(m, tree_q, tree_v, tree_a, loads, ws, mw);
  differentiate<true>(m, tree_q, tree_v, tree_a, loads.passive, ws, mw);
  return {view(m, mw, 0),
          view(m, mw, 1),
          {mw.rows.data() + 2 * mw.row_stride, m.nv, 3 * mw.row_stride}};
}

template <class T>
ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(const BasicModel<T>& m, In<T> q,
                                                                   In<T> v, In<T> tau,
                                                                   BasicWorkspace<T>& ws,
                                                                   BasicMatrixWorkspace<T>& mw,
                                                                   const Loads<T>& loads) {
  const char* name = "forward_dynamics_tangent_derivatives";
  check_size(name, "tau", tau.size(), m.nv, m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  start_matrices(m, tree_q, tree_v, ws.zeros.data(), loads, ws, mw);
  factorize_composites(m, ws, mw);
  solve_acceleration<T>(m, q, v, tau, loads.passive, ws, mw);
  if (!m.singular_reason.empty() || !usable(m, ws)) {
    forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads);  // names the cause
    refuse_state(m.name);
  }
  const T* tree_a = tree_rates<T>(m, name, "a", ws.acceleration, ws.tree_a);
  add_accelerations(m, tree_a, ws, mw);
  differentiate<false>(m, tree_q, tree_v, tree_a, loads.passive, ws, mw);
  set_identity(m, mw);
  solve_rows(m, ws.L.data(), mw);
  return {ws.acceleration, view(m, mw, 0), view(m, mw, 1), view(m, mw, 2)};
}

#define LIMBER_DERIVATIVES(T)                                                                  \
  template InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(                 \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
      const Loads<T>&);                                                                        \
  template ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(                 \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&, \
      const Loads<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_DERIVATIVES)

}  // namespace limber
