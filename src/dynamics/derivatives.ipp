#pragma once
// Derivatives of inverse dynamics in tangent space, in absolute coordinates (after Singh, Russell
// and Wensing 2022, here for columns that vary with the joint's own variables too).
//
// A step of variable k moves the subtree of its body b by the twist S_k. Velocity and acceleration
// of every body of the subtree change as if carried along, S_k ×̂ …, and besides by
//   δv = ψ_k,   δa = χ_k + ψ_k ×̂ v
// so that the force on the body changes by S_k ×̂ f + I χ_k + 2 B ψ_k. A change of the velocity
// variable k does the same with ψ = S_k, a χ of its own and nothing carried along. With p the
// parent of b, vJ = v_b − v_p, and ∂_k the derivative of components in the moved frame:
//   ψ_k   = v_p ×̂ S_k + ∂_k S v
//   χ_k   = a_p ×̂ S_k + (v_p ×̂ S_k) ×̂ vJ + v_p ×̂ ∂_k S v + ∂_k S q̈ + ∂_k(Ṡ v) + v_b ×̂ ψ_k
//   χᵛ_k  = v_p ×̂ S_k + v_b ×̂ S_k + ∂(Ṡ v)/∂v_k
// For one constant column these are v_b ×̂ S, a_b ×̂ S + v_b ×̂ ψ and 2 ψ.
#include <optional>

#include "dynamics/absolute.ipp"
#include "model/joint_partials.ipp"
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// True if ψ and χ of the joint's columns follow from the motion of its own body.
template <class T>
bool is_simple(const BasicModel<T>& m, int body) {
  return m.v_count[body] == 1 && m.kind[body] != JointKind::custom;
}

/// ψ, χ, χᵛ of a column whose components do not vary, with the motions of body and parent.
template <class U>
struct ColumnChange {
  Motion<U> psi, chi, chi_v;

  ColumnChange(const Motion<U>& S, const Motion<U>& v_p, const Motion<U>& a_p, const Motion<U>& v_b)
      : psi(cross(v_p, S)),
        chi(cross(a_p, S) + cross(psi, v_b - v_p) + cross(v_b, psi)),
        chi_v(psi + cross(v_b, S)) {}
};
template <class U, class T>
void put_change(const Strips<T>& columns, int k, const ColumnChange<U>& change) {
  put(columns, column_strip::general, k, change.psi);
  put(columns, column_strip::general + 6, k, change.chi);
  put(columns, column_strip::general + 12, k, change.chi_v);
}

/// Adds what the variation of the joint's columns does to the change of its k-th one. v, a: of its
/// own variables; X: pose of its body, `both`: v_p + v_b.
template <class T>
[[gnu::always_inline]] inline void add_variation(const JointPartials<T>& d, std::size_t k,
                                                 std::size_t count, const T* v, const T* a,
                                                 const Transform<T>& X, const Motion<T>& both,
                                                 ColumnChange<T>& change) {
  Motion<T> dS_v, dS_a;
  for (std::size_t l = 0; l < count; ++l) {
    dS_v += d.S[l][k] * v[l];
    dS_a += d.S[l][k] * a[l];
  }
  dS_v = X * dS_v;
  change.psi += dS_v;
  change.chi += cross(both, dS_v) + X * (dS_a + d.bias_q[k]);
  change.chi_v += X * d.bias_v[k];
}

/// ψ, χ, χᵛ of a floating base, all at once: its columns have a block for themselves.
template <class T>
void base_changes(BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  const auto v_p = spread<Motion<L>>(bodies, body_strip::velocity, 0);
  const auto a_p = spread<Motion<L>>(bodies, body_strip::acceleration, 0);
  const auto v_b = spread<Motion<L>>(bodies, body_strip::velocity, 1);
  for (int k = -mw.lead; k < mw.units; k += lane_count<T>)
    put_change(columns, k,
               ColumnChange<L>(get<Motion<L>>(columns, column_strip::S, k), v_p, a_p, v_b));
}

/// ψ, χ, χᵛ of the columns of one joint, in general.
template <class T>
[[gnu::flatten]] void general_changes(const BasicModel<T>& m, int i, const T* q, const T* v,
                                      const T* a, BasicWorkspace<T>& ws,
                                      BasicMatrixWorkspace<T>& mw) {
  const auto nv = at_index(m.v_count[i]);
  const int first = m.v_index[i], p = m.parent[i];
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  const auto X = get<Transform<T>>(bodies, body_strip::pose, i);
  const auto v_p = get<Motion<T>>(bodies, body_strip::velocity, p);
  const auto a_p = get<Motion<T>>(bodies, body_strip::acceleration, p);
  const auto v_b = get<Motion<T>>(bodies, body_strip::velocity, i);
  std::optional<JointPartials<T>> d;
  if (!has_constant_columns(m.kind[i]))
    joint_partials(m, i, q, v, ws.S.data() + first, d.emplace());
  for (std::size_t k = 0; k < nv; ++k) {
    const int column = first + static_cast<int>(k);
    ColumnChange<T> change(get<Motion<T>>(columns, column_strip::S, column), v_p, a_p, v_b);
    if (d) add_variation(*d, k, nv, v + first, a + first, X, v_p + v_b, change);
    put_change(columns, column, change);
  }
}

/// For all columns: ψ, χ, χᵛ, and the change of the force through the column's joint for a step of
/// the column and for a change of its velocity. Motions and composites must be there.
template <class T>
void column_changes(const BasicModel<T>& m, const T* q, const T* v, const T* a,
                    BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  if (mw.units > 0) base_changes(mw);
  for (int i = mw.units > 0 ? 2 : 1; i < m.bodies(); ++i)
    if (!is_simple(m, i)) general_changes(m, i, q, v, a, ws, mw);
  for (const auto& block : mw.blocks) {
    const int k = block.column;
    const auto S = get<Motion<L>>(columns, column_strip::S, k);
    const auto velocity = of_columns<Motion<L>>(mw, block, bodies, body_strip::velocity);
    const auto acceleration = of_columns<Motion<L>>(mw, block, bodies, body_strip::acceleration);
    // what the general joints said (zero for the others), and zero for them
    const Motion<L> simple = S * L::load(columns.at(column_strip::simple, k));
    const Motion<L> turned = cross(velocity, simple);
    const Motion<L> psi = turned + get<Motion<L>>(columns, column_strip::general, k);
    const Motion<L> chi = cross(acceleration, simple) + cross(velocity, turned) +
                          get<Motion<L>>(columns, column_strip::general + 6, k);
    const Motion<L> chi_v =
        turned + turned + get<Motion<L>>(columns, column_strip::general + 12, k);
    put(columns, column_strip::psi, k, psi.angular);
    put(columns, column_strip::chi, k, chi);
    put(columns, column_strip::chi_v, k, chi_v);

    const auto I = of_columns<Inertia<L>>(mw, block, bodies, body_strip::inertia);
    const auto B = of_columns<VelocityCoupling<L>>(mw, block, bodies, body_strip::coupling);
    const auto f = of_columns<Force<L>>(mw, block, bodies, body_strip::force);
    const Force<L> BS = B * S, Bpsi = B * psi;
    put(columns, column_strip::force_v, k, I * chi_v + (BS + BS));
    put(columns, column_strip::force_q, k, I * chi + (Bpsi + Bpsi) + cross(S, f));
  }
}

/// Rows of the three matrices over tree variables, see MatrixWorkspace::rows.
template <class T>
struct MatrixRows {
  T* data;
  int stride;  ///< of one part
  T* q(int row) const { return data + 3 * stride * row; }
  T* v(int row) const { return q(row) + stride; }
  T* inertia(int row) const { return v(row) + stride; }
};

template <class T>
MatrixRows<T> tree_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  if (m.has_mimic()) return {mw.tree_rows.data() + mw.lead, mw.tree_row_stride};
  return {mw.rows.data() + mw.lead, mw.row_stride};
}

// The rows below are made block by block of columns. Row j has S_j · f_k where variable j carries
// k, with the force f_k of column k, and motion_k · (I S_j, 2 Bᵀ S_j) where k carries j: always
// with the composites of the body that is further out.

/// Calls row(unit, entry) for the rows in which columns of the block are carried. unit is
/// std::true_type for those of a floating base, whose columns are unit vectors.
template <class T, class F>
[[gnu::always_inline]] inline void for_carried_rows(const BasicMatrixWorkspace<T>& mw,
                                                    const Block<T>& block, F&& row) {
  const auto* i = mw.block_rows.data() + block.inner;
  const auto* const end = mw.block_rows.data() + block.outer;
  for (; i < end && i->row < mw.units; ++i) row(std::true_type{}, *i);
  for (; i < end; ++i) row(std::false_type{}, *i);
}

/// Calls row(entry, write) for the rows that columns of the block carry. write(lanes, place) adds
/// to what for_carried_rows() has written in the rows that it has seen too.
template <class T, class F>
[[gnu::always_inline]] inline void for_carrying_rows(const BasicMatrixWorkspace<T>& mw,
                                                     const Block<T>& block, F&& row) {
  using L = Lanes<T>;
  const auto* i = mw.block_rows.data() + block.own;
  for (; i < mw.block_rows.data() + block.outer; ++i)
    row(*i, [](const L& lanes, T* place) { (L::load(place) + lanes).store(place); });
  for (; i < mw.block_rows.data() + block.end; ++i)
    row(*i, [](const L& lanes, T* place) { lanes.store(place); });
}

/// S_j · f for eight columns from k on, forces in strips from `component` on; Unit: j-th component.
template <bool Unit, class T>
[[gnu::always_inline]] inline Lanes<T> row_lanes(const Strips<T>& columns, int component,
                                                 const Motion<Lanes<T>>& S,
                                                 const Force<Lanes<T>>& f, int j, int k) {
  if constexpr (Unit) return Lanes<T>::load(columns.at(component + j, k));
  else return dot(S, f);
}

/// Upper triangle of the mass matrix, rotors included: H_jk = S_j · I S_k. (5.9)
template <class T>
void inertia_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  using namespace column_strip;
  using L = Lanes<T>;
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (const auto& block : mw.blocks) {
    const int k = block.column;
    const auto momentum = get<Force<L>>(columns, IS, k);
    for_carried_rows(
        mw, block,
        [&]<bool Unit>(std::bool_constant<Unit>, const auto& entry) __attribute__((always_inline)) {
          const int j = entry.row;
          const auto S_j = spread<Motion<L>>(columns, S, j);
          only(row_lanes<Unit>(columns, IS, S_j, momentum, j, k), entry.carried)
              .store(rows.inertia(j) + k);
        });
  }
  for (int j = 0; j < m.tree_nv; ++j) rows.inertia(j)[j] += m.armature[j];
}

/// ∂tau/∂q and ∂tau/∂v of the columns of a block in the rows that carry them, with the inertia
/// matrix.
template <class T>
void carried_rows(const BasicMatrixWorkspace<T>& mw, const Strips<T>& columns,
                  const MatrixRows<T>& rows, const Block<T>& block) {
  using namespace column_strip;
  using L = Lanes<T>;
  const int k = block.column;
  const auto change_q = get<Force<L>>(columns, force_q, k),
             change_v = get<Force<L>>(columns, force_v, k);
  const auto momentum = get<Force<L>>(columns, IS, k);
  for_carried_rows(
      mw, block,
      [&]<bool Unit>(std::bool_constant<Unit>, const auto& entry) __attribute__((always_inline)) {
        const int j = entry.row, bits = entry.carried;
        const auto S_j = spread<Motion<L>>(columns, S, j);
        only(row_lanes<Unit>(columns, force_q, S_j, change_q, j, k), bits).store(rows.q(j) + k);
        only(row_lanes<Unit>(columns, force_v, S_j, change_v, j, k), bits).store(rows.v(j) + k);
        only(row_lanes<Unit>(columns, IS, S_j, momentum, j, k), bits).store(rows.inertia(j) + k);
      });
}

/// The same in the rows that the columns of the block carry.
template <class T>
void carrying_rows(const BasicMatrixWorkspace<T>& mw, const Strips<T>& columns,
                   const MatrixRows<T>& rows, const Block<T>& block) {
  using namespace column_strip;
  using L = Lanes<T>;
  const int k = block.column;
  const auto psi_k = get<Vec3<L>>(columns, psi, k), turn_k = get<Vec3<L>>(columns, S, k);
  const auto chi_k = get<Motion<L>>(columns, chi, k), chi_v_k = get<Motion<L>>(columns, chi_v, k);
  for_carrying_rows(
      mw, block, [&](const auto& entry, auto&& write) __attribute__((always_inline)) {
        const int j = entry.row, bits = entry.carrying;
        const auto momentum = spread<Force<L>>(columns, IS, j);
        const auto coupled = spread<Vec3<L>>(columns, BtS, j);
        write(only(dot(chi_k, momentum) + dot(psi_k, coupled), bits), rows.q(j) + k);
        write(only(dot(chi_v_k, momentum) + dot(turn_k, coupled), bits), rows.v(j) + k);
      });
}

/// ∂tau/∂q, ∂tau/∂v and the upper triangle of the mass matrix.
template <class T>
void derivative_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (const auto& block : mw.blocks) {
    carried_rows(mw, columns, rows, block);
    carrying_rows(mw, columns, rows, block);
  }
  for (int j = 0; j < m.tree_nv; ++j) rows.inertia(j)[j] += m.armature[j];
}

/// Within one joint the projection on its columns changes too:
/// ∂tau_j/∂q_k has ∂_k S_j · f, and f is not carried along, as S_j is.
template <class T>
void add_column_changes(const BasicModel<T>& m, const T* q, const T* v, BasicWorkspace<T>& ws,
                        BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (int i = 1; i < m.bodies(); ++i) {
    if (is_simple(m, i)) continue;
    const int first = m.v_index[i], count = m.v_count[i];
    const auto f = get<Force<T>>(body_strips(mw), body_strip::force, i);
    for (int k = 0; k < count; ++k) {
      const Force<T> carried = cross(get<Motion<T>>(columns, column_strip::S, first + k), f);
      for (int j = 0; j < k; ++j)
        rows.q(first + j)[first + k] -=
            dot(get<Motion<T>>(columns, column_strip::S, first + j), carried);
    }
    if (has_constant_columns(m.kind[i])) continue;
    const auto nv = at_index(count);
    JointPartials<T> d;
    joint_partials(m, i, q, v, ws.S.data() + first, d);
    const Force<T> local =
        apply_inverse(get<Transform<T>>(body_strips(mw), body_strip::pose, i), f);
    for (std::size_t j = 0; j < nv; ++j)
      for (std::size_t k = 0; k < nv; ++k)
        rows.q(first + static_cast<int>(j))[first + static_cast<int>(k)] += dot(d.S[j][k], local);
  }
}

/// Damping and stiffness of the joints; Coulomb friction has no slope.
template <class T>
void add_passive_slopes(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (int k = 0; k < m.tree_nv; ++k) {
    const auto c = at_index(k);
    rows.v(k)[k] += T(m.column_dof[c].damping);
    if (m.column_q[c] >= 0) rows.q(k)[k] += T(m.column_dof[c].stiffness);
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
