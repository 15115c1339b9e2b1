#include "dynamics/derivatives.ipp"

#include <limber/dynamics/derivatives.hpp>

#include "dynamics/fold.hpp"
#include "dynamics/mass_matrix.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
MatrixRows<T> user_rows(BasicMatrixWorkspace<T>& mw) {
  return {mw.rows.data(), mw.row_stride};
}
template <class T>
MatrixView<T> view(const BasicModel<T>& m, const BasicMatrixWorkspace<T>& mw, int part) {
  return {mw.rows.data() + part * mw.row_stride, m.nv, m.nv, 3 * mw.row_stride};
}

/// Gᵀ A G of one part: rows and columns of mimic joints go to their masters.
template <class T>
void fold_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, int part) {
  if (!m.has_mimic()) return;
  const MatrixRows<T> tree = tree_rows(m, mw), user = user_rows(mw);
  for (int i = 0; i < m.nv; ++i) {
    T* row = user.q(i) + part * user.stride;
    for (int j = 0; j < m.nv; ++j) row[j] = T(0);
  }
  for (int i = 0; i < m.tree_nv; ++i) {
    const Fold<T>& r = m.v_fold[static_cast<std::size_t>(i)];
    const T* from = tree.q(i) + part * tree.stride;
    T* to = user.q(r.index) + part * user.stride;
    for (int j = 0; j < m.tree_nv; ++j) {
      const Fold<T>& c = m.v_fold[static_cast<std::size_t>(j)];
      to[c.index] += r.ratio * c.ratio * from[j];
    }
  }
}

/// ∂tau/∂q and ∂tau/∂v at a motion that is in the strips, composites included.
template <bool WithInertia, class T>
void differentiate(const BasicModel<T>& m, const T* q, const T* v, const T* a,
                   BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  column_changes(m, q, v, a, ws, mw);
  column_force_changes(m, mw);
  derivative_rows<WithInertia>(m, mw);
  add_column_changes(m, q, v, ws, mw);
  fold_rows(m, mw, 0);
  fold_rows(m, mw, 1);
  if (WithInertia) fold_rows(m, mw, 2);
}

/// The factor of the inertia matrix that is in the rows.
template <class T>
void factorize_rows(const BasicModel<T>& m, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  for (int k = 0; k < m.nv; ++k) {
    const T* row = user_rows(mw).inertia(k);
    for (int e = m.path_start[static_cast<std::size_t>(k)];
         e < m.path_start[static_cast<std::size_t>(k) + 1]; ++e)
      ws.L[static_cast<std::size_t>(e)] = row[m.path[static_cast<std::size_t>(e)]];
  }
  factorize(m, ws.L.data());
}

/// x −= Σ L x over a list of rows, `panel` lanes wide.
template <int panel, class T>
[[gnu::always_inline]] inline void subtract_rows(const MatrixRows<T>& rows, const T* L,
                                                 const int* variables, const int* entries, int n,
                                                 int offset, Lanes<T> (&x)[panel]) {
  for (int e = 0; e < n; ++e) {
    const Lanes<T> factor(L[entries ? entries[e] : e]);
    const T* row = rows.q(variables[e]) + offset;
    for (int l = 0; l < panel; ++l) x[l] -= factor * Lanes<T>::load(row + l * lane_count);
  }
}

/// Rows [A | B | 1] become [−M⁻¹ A | −M⁻¹ B | M⁻¹] with the factor M = Lᵀ D L.
template <class T>
void solve_rows(const BasicModel<T>& m, const T* L, BasicMatrixWorkspace<T>& mw) {
  constexpr int panel = 4;
  const MatrixRows<T> rows = user_rows(mw);
  const int width = 3 * rows.stride;
  for (int offset = 0; offset < width; offset += panel * lane_count) {
    const int lanes = (width - offset) / lane_count < panel ? (width - offset) / lane_count : panel;
    auto each = [&](int row, auto&& change) {
      T* at = rows.q(row) + offset;
      Lanes<T> x[panel];
      for (int l = 0; l < lanes; ++l) x[l] = Lanes<T>::load(at + l * lane_count);
      change(x);
      for (int l = 0; l < lanes; ++l) x[l].store(at + l * lane_count);
    };
    // inward: L⁻ᵀ
    for (int t = m.nv - 1; t >= 0; --t) {
      const auto r = static_cast<std::size_t>(t);
      const int start = mw.below_start[r];
      each(t, [&](Lanes<T>(&x)[panel]) {
        subtract_rows(rows, L, mw.below.data() + start, mw.below_entry.data() + start,
                      mw.below_start[r + 1] - start, offset, x);
      });
    }
    // outward: L⁻¹ D⁻¹, with the sign of the two derivatives
    for (int k = 0; k < m.nv; ++k) {
      const int start = m.path_start[static_cast<std::size_t>(k)],
                last = m.path_start[static_cast<std::size_t>(k) + 1] - 1;
      each(k, [&](Lanes<T>(&x)[panel]) {
        for (int l = 0; l < lanes; ++l) {
          const bool negative = offset + l * lane_count < 2 * rows.stride;
          x[l] = x[l] * Lanes<T>(negative ? -L[last] : L[last]);
        }
        subtract_rows(rows, L + start, m.path.data() + start, static_cast<const int*>(nullptr),
                      last - start, offset, x);
      });
    }
  }
}

/// The acceleration for tau, from bias force and inertia matrix in absolute coordinates.
template <class T>
void solve_acceleration(const BasicModel<T>& m, In<T> tau, BasicWorkspace<T>& ws,
                        BasicMatrixWorkspace<T>& mw) {
  for (int k = 0; k < m.tree_nv; ++k)
    ws.tree_tau[static_cast<std::size_t>(k)] =
        dot(get<Motion<T>>(column_strips(mw), column_strip::S, k),
            get<Force<T>>(body_strips(mw), body_strip::force,
                          m.column_body[static_cast<std::size_t>(k)]));
  const std::span<const T> bias = fold_forces(m, ws);
  for (std::size_t k = 0; k < tau.size(); ++k) ws.acceleration[k] = tau[k] - bias[k];
  solve_factorized(m, ws.L.data(), ws.acceleration.data());
}

template <class T>
bool usable(const BasicModel<T>& m, const BasicWorkspace<T>& ws) {
  for (std::size_t k = 0; k < ws.acceleration.size(); ++k) {
    const T& pivot = ws.L[static_cast<std::size_t>(m.path_start[k + 1]) - 1];
    const T& a = ws.acceleration[k];
    if (!(pivot > T(0)) || !(pivot < T(HUGE_VAL)) || !(a - a == T(0))) return false;
  }
  return true;
}

}  // namespace

template <class T>
InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(
    const BasicModel<T>& m, In<T> q, In<T> v, In<T> a, BasicWorkspace<T>& ws,
    BasicMatrixWorkspace<T>& mw, const Loads<T>& loads) {
  const char* name = "inverse_dynamics_tangent_derivatives";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  const T* tree_a = tree_rates(m, name, "a", a, ws.tree_a);
  place_joints(m, tree_q, ws);
  absolute_positions(m, ws, mw);
  absolute_motions(m, tree_q, tree_v, tree_a, loads, ws, mw);
  absolute_inertias(m, mw);
  absolute_forces(m, loads, ws, mw);
  sum_subtrees(m, mw, body_strip::inertia, body_strip::count);
  column_forces(m, mw);
  differentiate<true>(m, tree_q, tree_v, tree_a, ws, mw);
  return {view(m, mw, 0), view(m, mw, 1), view(m, mw, 2)};
}

template <class T>
ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(
    const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
    BasicMatrixWorkspace<T>& mw, const Loads<T>& loads) {
  const char* name = "forward_dynamics_tangent_derivatives";
  check_size(name, "tau", tau.size(), m.nv, m.name);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  place_joints(m, tree_q, ws);
  absolute_positions(m, ws, mw);
  absolute_motions(m, tree_q, tree_v, ws.zeros.data(), loads, ws, mw);
  absolute_inertias(m, mw);
  absolute_forces(m, loads, ws, mw);
  sum_subtrees(m, mw, body_strip::inertia, body_strip::count);
  column_forces(m, mw);
  inertia_rows(m, mw);
  fold_rows(m, mw, 2);
  factorize_rows(m, ws, mw);
  solve_acceleration(m, tau, ws, mw);
  if (!m.singular_reason.empty() || !usable(m, ws)) {
    forward_dynamics_by_mass_matrix(m, q, v, tau, ws, loads);  // names the cause
    throw Error("forward dynamics of robot '" + m.name + "' has no finite solution here");
  }
  const T* tree_a = tree_rates<T>(m, name, "a", ws.acceleration, ws.tree_a);
  add_accelerations(m, tree_a, ws, mw);
  differentiate<false>(m, tree_q, tree_v, tree_a, ws, mw);
  const MatrixRows<T> rows = user_rows(mw);
  for (int k = 0; k < m.nv; ++k) {
    for (int l = 0; l < m.nv; ++l) rows.inertia(k)[l] = T(0);
    rows.inertia(k)[k] = T(1);
  }
  solve_rows(m, ws.L.data(), mw);
  return {ws.acceleration, view(m, mw, 0), view(m, mw, 1), view(m, mw, 2)};
}

#define LIMBER_DERIVATIVES(T)                                                                     \
  template InverseDynamicsDerivatives<T> inverse_dynamics_tangent_derivatives(                    \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&,    \
      const Loads<T>&);                                                                           \
  template ForwardDynamicsDerivatives<T> forward_dynamics_tangent_derivatives(                    \
      const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&,    \
      const Loads<T>&);
LIMBER_DERIVATIVES(double)
LIMBER_DERIVATIVES(float)
LIMBER_DERIVATIVES(Counted)

}  // namespace limber
