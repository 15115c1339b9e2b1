#include "dynamics/inverse_rows.ipp"
#include "dynamics/matrix_functions.hpp"
#include "dynamics/matrix_rows.ipp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Ṡ of all columns, in the strips of χ: carried along with the body, and for the kinds whose
/// columns vary the rate of their components.
template <class T>
[[gnu::flatten]] void column_rates(const BasicModel<T>& m, const T* q, const T* v,
                                   BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  for (int i = 1; i < m.bodies(); ++i) {
    const auto velocity = get<Motion<T>>(bodies, body_strip::velocity, i);
    const auto b = at_index(i), nv = at_index(m.v_count[b]);
    const int first = m.v_index[b];
    std::optional<JointPartials<T>> d;
    if (!has_constant_columns(m.kind[b]))
      joint_partials(m, i, q, v, ws.S.data() + first, d.emplace());
    for (std::size_t k = 0; k < nv; ++k) {
      const int column = first + static_cast<int>(k);
      Motion<T> rate = cross(velocity, get<Motion<T>>(columns, column_strip::S, column));
      if (d)
        for (std::size_t l = 0; l < nv; ++l)
          rate += get<Transform<T>>(bodies, body_strip::pose, i) *
                  (d->S[k][l] * v[first + static_cast<int>(l)]);
      put(columns, column_strip::chi, column, rate);
    }
  }
}

/// I S, Bᵀ S and B S + I Ṡ of the subtrees.
template <class T>
void coriolis_columns(BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  for (const auto& block : mw.blocks) {
    const int k = block.column;
    const auto S = get<Motion<L>>(columns, column_strip::S, k);
    const auto I = of_columns<Inertia<L>>(mw, block, bodies, body_strip::inertia);
    const auto B = of_columns<VelocityCoupling<L>>(mw, block, bodies, body_strip::coupling);
    put(columns, column_strip::IS, k, I * S);
    put(columns, column_strip::BtS, k, transpose_times(B, S));
    put(columns, column_strip::force_q, k,
        B * S + I * get<Motion<L>>(columns, column_strip::chi, k));
  }
}

/// C_jk = S_j · (B S_k + I Ṡ_k) and C_kj = S_k · (B S_j + I Ṡ_j) with the composites of the body
/// that is further out, k's.
template <class T>
void coriolis_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (const auto& block : mw.blocks) {
    const int k = block.column;
    const auto force = get<Force<L>>(columns, column_strip::force_q, k);
    for_carried_rows(mw, block, [&]<bool Unit>(std::bool_constant<Unit>, const auto& entry) {
      const int j = entry.row;
      const auto S = spread<Motion<L>>(columns, column_strip::S, j);
      only(row_lanes<Unit>(columns, column_strip::force_q, S, force, j, k), entry.carried)
          .store(rows.q(j) + k);
    });
    const auto turn = get<Vec3<L>>(columns, column_strip::S, k);
    const auto rate = get<Motion<L>>(columns, column_strip::chi, k);
    for_carrying_rows(mw, block, [&](const auto& entry, auto&& write) {
      const int j = entry.row;
      write(only(dot(rate, spread<Force<L>>(columns, column_strip::IS, j)) +
                     dot(turn, spread<Vec3<L>>(columns, column_strip::BtS, j)),
                 entry.carrying),
            rows.q(j) + k);
    });
  }
}

/// M⁻¹ as third part of the rows. False: it does not exist.
template <class T>
bool invert_inertia(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws,
                    BasicMatrixWorkspace<T>& mw) {
  if (!m.has_mimic()) return invert_rows(m, q, ws, mw);
  clear_rows(mw);
  start_matrices(m, q, ws.zeros.data(), ws.zeros.data(), Loads<T>{}, ws, mw);
  column_momenta(mw);
  factorize_composites(m, ws, mw);
  if (!has_regular_pivots(ws.factor)) return false;
  set_identity(m, mw);
  solve_rows(ws.factor, mw, 2);
  return true;
}

}  // namespace

template <class T, int Bytes>
void MatrixFunctions<T, Bytes>::coriolis_matrix(const BasicModel<T>& m, const T* tree_q,
                                                const T* tree_v, BasicWorkspace<T>& ws,
                                                BasicMatrixWorkspace<T>& mw) {
  clear_rows(mw);
  start_matrices(m, tree_q, tree_v, ws.zeros.data(), Loads<T>{}, ws, mw);
  column_rates(m, tree_q, tree_v, ws, mw);
  coriolis_columns(mw);
  coriolis_rows(m, mw);
  fold_rows(m, mw, 0);
}

template <class T, int Bytes>
bool MatrixFunctions<T, Bytes>::inverse_mass_matrix(const BasicModel<T>& m, const T* tree_q,
                                                    BasicWorkspace<T>& ws,
                                                    BasicMatrixWorkspace<T>& mw) {
  return invert_inertia(m, tree_q, ws, mw);
}

#define LIMBER_CORIOLIS(T)                                                                     \
  template void MatrixFunctions<T, vector_bytes>::coriolis_matrix(                             \
      const BasicModel<T>&, const T*, const T*, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&); \
  template bool MatrixFunctions<T, vector_bytes>::inverse_mass_matrix(                         \
      const BasicModel<T>&, const T*, BasicWorkspace<T>&, BasicMatrixWorkspace<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_CORIOLIS)

}  // namespace limber
