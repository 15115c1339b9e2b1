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

/// Gᵀ A G of one part: rows and columns of mimic joints go to their masters. Of part 2, the inertia
/// matrix, only the upper triangle is there; it gets its lower one first.
template <class T>
void fold_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, int part) {
  if (!m.has_mimic()) return;
  if (part == 2)
    for (int i = 0; i < m.tree_nv; ++i)
      for (int j = 0; j < i; ++j)
        tree_rows(m, mw).inertia(i)[j] = tree_rows(m, mw).inertia(j)[i];
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
  derivative_rows<WithInertia>(m, mw);
  add_column_changes(m, q, v, ws, mw);
  fold_rows(m, mw, 0);
  fold_rows(m, mw, 1);
  if (WithInertia) fold_rows(m, mw, 2);
}

/// The factor of the inertia matrix whose upper triangle is in the rows.
template <class T>
void factorize_rows(const BasicModel<T>& m, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = user_rows(mw);
  for (int k = 0; k < m.nv; ++k)
    for (int e = m.path_start[static_cast<std::size_t>(k)];
         e < m.path_start[static_cast<std::size_t>(k) + 1]; ++e)
      ws.L[static_cast<std::size_t>(e)] = rows.inertia(m.path[static_cast<std::size_t>(e)])[k];
  factorize(m, ws.L.data());
}

/// x := L⁻ᵀ x for the three parts of all rows.
template <class T>
void solve_inward(const T* L, BasicMatrixWorkspace<T>& mw) {
  const int part = mw.row_stride, length = 3 * part, blocks = part / lane_count;
  for (int b = 0; b < blocks; ++b) {
    T* const base = mw.rows.data() + b * lane_count;
    for (int i = mw.block_start[static_cast<std::size_t>(b)];
         i < mw.block_start[static_cast<std::size_t>(b) + 1]; ++i) {
      const auto& row = mw.solve_rows[static_cast<std::size_t>(i)];
      T* const at = base + row.variable * length;
      Lanes<T> x = Lanes<T>::load(at), y = Lanes<T>::load(at + part),
               z = Lanes<T>::load(at + 2 * part);
      for (int e = row.first; e < row.end; ++e) {
        const Lanes<T> factor(L[mw.below_entry[static_cast<std::size_t>(e)]]);
        const T* from = base + mw.below[static_cast<std::size_t>(e)] * length;
        x -= factor * Lanes<T>::load(from);
        y -= factor * Lanes<T>::load(from + part);
        z -= factor * Lanes<T>::load(from + 2 * part);
      }
      x.store(at), y.store(at + part), z.store(at + 2 * part);
    }
  }
}

/// x := L⁻¹ D⁻¹ x for N lanes of every row, from `offset` on, with `sign`.
template <int N, class T>
void solve_lanes_outward(const BasicModel<T>& m, const T* L, BasicMatrixWorkspace<T>& mw,
                         int offset, const T& sign) {
  const int length = 3 * mw.row_stride;
  T* const base = mw.rows.data() + offset;
  for (int k = 0; k < m.nv; ++k) {
    const int last = m.path_start[static_cast<std::size_t>(k) + 1] - 1;
    T* const at = base + k * length;
    const Lanes<T> scale(sign * L[last]);
    Lanes<T> x[N];
    for (int l = 0; l < N; ++l) x[l] = Lanes<T>::load(at + l * lane_count) * scale;
    for (int e = m.path_start[static_cast<std::size_t>(k)]; e < last; ++e) {
      const Lanes<T> factor(L[e]);
      const T* from = base + m.path[static_cast<std::size_t>(e)] * length;
      for (int l = 0; l < N; ++l) x[l] -= factor * Lanes<T>::load(from + l * lane_count);
    }
    for (int l = 0; l < N; ++l) x[l].store(at + l * lane_count);
  }
}
/// The same for as many of `left` lanes as fit into registers; returns how many.
template <class T>
int solve_some_outward(const BasicModel<T>& m, const T* L, BasicMatrixWorkspace<T>& mw, int offset,
                       int left, const T& sign) {
  auto solve = [&]<int N>(std::integral_constant<int, N>) {
    solve_lanes_outward<N>(m, L, mw, offset, sign);
    return N;
  };
  switch (left) {
    case 1: return solve(std::integral_constant<int, 1>{});
    case 2: return solve(std::integral_constant<int, 2>{});
    case 3: return solve(std::integral_constant<int, 3>{});
    case 5:
    case 10: return solve(std::integral_constant<int, 5>{});
    case 6: return solve(std::integral_constant<int, 6>{});
    case 4:
    case 7: return solve(std::integral_constant<int, 4>{});
    default: return solve(std::integral_constant<int, 8>{});
  }
}

/// Rows [A | B | 1] become [−M⁻¹ A | −M⁻¹ B | M⁻¹] with the factor M = Lᵀ D L.
template <class T>
void solve_rows(const BasicModel<T>& m, const T* L, BasicMatrixWorkspace<T>& mw) {
  solve_inward(L, mw);
  int offset = 0;
  for (const int part : {2 * mw.row_stride, mw.row_stride}) {
    const T sign(offset == 0 ? -1 : 1);
    for (int left = part / lane_count, n; left > 0; left -= n, offset += n * lane_count)
      n = solve_some_outward(m, L, mw, offset, left, sign);
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
  absolute_motions(m, tree_q, tree_v, tree_a, loads, ws, mw);
  absolute_inertias(m, mw);
  absolute_forces(m, loads, ws, mw);
  sum_subtrees(m, mw, body_strip::inertia, body_strip::count);
  differentiate<true>(m, tree_q, tree_v, tree_a, ws, mw);
  return {view(m, mw, 0),
          view(m, mw, 1),
          {mw.rows.data() + 2 * mw.row_stride, m.nv, 3 * mw.row_stride}};
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
  absolute_motions(m, tree_q, tree_v, ws.zeros.data(), loads, ws, mw);
  absolute_inertias(m, mw);
  absolute_forces(m, loads, ws, mw);
  sum_subtrees(m, mw, body_strip::inertia, body_strip::count);
  column_momenta(m, mw);
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
    for (int l = 0; l < m.nv; l += lane_count) Lanes<T>().store(rows.inertia(k) + l);
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
