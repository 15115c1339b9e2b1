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

namespace limber {

/// True if ψ and χ of the joint's columns follow from the motion of its own body.
template <class T>
bool is_simple(const BasicModel<T>& m, std::size_t body) {
  return m.v_count[body] == 1 && m.kind[body] != JointKind::custom;
}

/// ψ, χ, χᵛ of the columns of one joint, in general.
template <class T>
void general_changes(const BasicModel<T>& m, int i, const T* q, const T* v, const T* a,
                     BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  const auto b = static_cast<std::size_t>(i), p = static_cast<std::size_t>(m.parent[b]);
  const auto nv = static_cast<std::size_t>(m.v_count[b]);
  const int first = m.v_index[b];
  const Strips<T> columns = column_strips(mw);
  std::optional<JointPartials<T>> d;
  if (!has_constant_columns(m.kind[b]))
    joint_partials(m, i, q, v, ws.S.data() + first, d.emplace());
  const Motion<T> vJ = ws.v[b] - ws.v[p];
  for (std::size_t k = 0; k < nv; ++k) {
    const int column = first + static_cast<int>(k);
    const auto S = get<Motion<T>>(columns, column_strip::S, column);
    const Motion<T> carried = cross(ws.v[p], S);
    Motion<T> psi = carried, chi = cross(ws.a[p], S) + cross(carried, vJ);
    Motion<T> chi_v = carried + cross(ws.v[b], S);
    if (d) {
      Motion<T> dS_v, dS_a;
      for (std::size_t l = 0; l < nv; ++l) {
        dS_v += d->S[l][k] * v[first + static_cast<int>(l)];
        dS_a += d->S[l][k] * a[first + static_cast<int>(l)];
      }
      dS_v = ws.X_W[b] * dS_v;
      psi += dS_v;
      chi += cross(ws.v[p], dS_v) + ws.X_W[b] * (dS_a + d->bias_q[k]);
      chi_v += ws.X_W[b] * d->bias_v[k];
    }
    put(columns, column_strip::general, column, psi);
    put(columns, column_strip::general + 6, column, chi + cross(ws.v[b], psi));
    put(columns, column_strip::general + 12, column, chi_v);
  }
}

/// For all columns: ψ, χ, χᵛ; I S and 2 Bᵀ S; and the change of the force through the column's
/// joint for a step of the column and for a change of its velocity. Motions and composites must be
/// there.
template <class T>
void column_changes(const BasicModel<T>& m, const T* q, const T* v, const T* a,
                    BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  for (int i = 1; i < m.bodies(); ++i)
    if (!is_simple(m, static_cast<std::size_t>(i))) general_changes(m, i, q, v, a, ws, mw);
  for_lanes<T>(m.tree_nv, [&](int k) {
    const auto S = get<Motion<L>>(columns, column_strip::S, k);
    const auto velocity = of_columns<Motion<L>>(mw, bodies, body_strip::velocity, k);
    const auto acceleration = of_columns<Motion<L>>(mw, bodies, body_strip::acceleration, k);
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

    const auto I = of_columns<Inertia<L>>(mw, bodies, body_strip::inertia, k);
    const auto B = of_columns<VelocityCoupling<L>>(mw, bodies, body_strip::coupling, k);
    const auto f = of_columns<Force<L>>(mw, bodies, body_strip::force, k);
    const Vec3<L> BtS = transpose_times(B, S);
    const Force<L> BS = B * S, Bpsi = B * psi;
    put(columns, column_strip::IS, k, I * S);
    put(columns, column_strip::BtS, k, BtS + BtS);
    put(columns, column_strip::force_v, k, I * chi_v + (BS + BS));
    put(columns, column_strip::force_q, k, I * chi + (Bpsi + Bpsi) + cross(S, f));
  });
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
  if (m.has_mimic()) return {mw.tree_rows.data(), mw.tree_row_stride};
  return {mw.rows.data(), mw.row_stride};
}

/// A value in all lanes.
template <class T>
Vec3<Lanes<T>> spread(const Vec3<T>& x) {
  return {x.x, x.y, x.z};
}
template <class T>
Motion<Lanes<T>> spread(const Motion<T>& x) {
  return {spread(x.angular), spread(x.linear)};
}

// The rows below are made from the last column to the first, in whole blocks of lanes: those before
// the column itself write zeros, which the columns they belong to overwrite later.

/// Calls row(unit, j, end) for every column j with the columns j … end − 1 that it carries, last
/// first. unit is std::true_type for the columns of a floating base, unit vectors of the absolute
/// frame.
template <class T, class F>
void for_columns_backwards(const BasicModel<T>& m, F&& row) {
  const int units = m.tree_nv >= 6 && m.form[1] == JointForm::free ? 6 : 0;
  for (int j = m.tree_nv - 1; j >= units; --j)
    row(std::false_type{}, j,
        m.columns_end[static_cast<std::size_t>(m.column_body[static_cast<std::size_t>(j)])]);
  for (int j = units - 1; j >= 0; --j) row(std::true_type{}, j, m.columns_end[1]);
}

/// S_j · f for eight columns from k on, forces in strips from `component` on; Unit: j-th component.
template <bool Unit, class T>
[[gnu::always_inline]] inline Lanes<T> row_lanes(const Strips<T>& columns, int component,
                                                 const Motion<Lanes<T>>& S, int j, int k) {
  if constexpr (Unit) return Lanes<T>::load(columns.at(component + j, k));
  else return dot(S, get<Force<Lanes<T>>>(columns, component, k));
}

/// Upper triangle of the inertia matrix, rotors included: H_jk = S_j · I S_k. (5.9)
template <class T>
void inertia_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  for_columns_backwards(m, [&]<bool Unit>(std::bool_constant<Unit>, int j, int end) {
    T* const row = rows.inertia(j);
    const auto S = spread(get<Motion<T>>(columns, column_strip::S, j));
    for (int k = j / lane_count<T> * lane_count<T>; k < end; k += lane_count<T>)
      between(row_lanes<Unit>(columns, column_strip::IS, S, j, k), j - k, end - k).store(row + k);
    row[j] += m.armature[static_cast<std::size_t>(j)];
  });
}

/// ∂tau/∂q and ∂tau/∂v: for each column j the rows of those that carry it and of those it carries.
/// WithInertia: the upper triangle of the inertia matrix along the way.
template <bool WithInertia, class T>
void derivative_rows(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  T *const below_q = mw.mirrored.data(), *const below_v =
                                             below_q + mw.column_stride + lane_count<T>;
  for_columns_backwards(m, [&]<bool Unit>(std::bool_constant<Unit>, int j, int end) {
    const auto S = spread(get<Motion<T>>(columns, column_strip::S, j));
    const auto psi = spread(get<Vec3<T>>(columns, column_strip::psi, j));
    const auto chi = spread(get<Motion<T>>(columns, column_strip::chi, j));
    const auto chi_v = spread(get<Motion<T>>(columns, column_strip::chi_v, j));
    T *const row_q = rows.q(j), *const row_v = rows.v(j), *const row_a = rows.inertia(j);
    for (int k = j / lane_count<T> * lane_count<T>; k < end; k += lane_count<T>) {
      const auto IS = get<Force<L>>(columns, column_strip::IS, k);
      const auto BtS = get<Vec3<L>>(columns, column_strip::BtS, k);
      between(row_lanes<Unit>(columns, column_strip::force_q, S, j, k), j - k, end - k)
          .store(row_q + k);
      between(row_lanes<Unit>(columns, column_strip::force_v, S, j, k), j - k, end - k)
          .store(row_v + k);
      if constexpr (WithInertia)
        between(row_lanes<Unit>(columns, column_strip::IS, S, j, k), j - k, end - k)
            .store(row_a + k);
      (dot(chi, IS) + dot(psi, BtS)).store(below_q + k);
      (dot(chi_v, IS) + dot(S.angular, BtS)).store(below_v + k);
    }
    if constexpr (WithInertia) row_a[j] += m.armature[static_cast<std::size_t>(j)];
    const int length = 3 * rows.stride;
    T* lower = rows.q(j + 1) + j;
    for (int k = j + 1; k < end; ++k, lower += length) {
      lower[0] = below_q[k];
      lower[rows.stride] = below_v[k];
    }
  });
}

/// Within one joint the projection on its columns changes too:
/// ∂tau_j/∂q_k has ∂_k S_j · f, and f is not carried along, as S_j is.
template <class T>
void add_column_changes(const BasicModel<T>& m, const T* q, const T* v, BasicWorkspace<T>& ws,
                        BasicMatrixWorkspace<T>& mw) {
  const Strips<T> columns = column_strips(mw);
  const MatrixRows<T> rows = tree_rows(m, mw);
  for (int i = 1; i < m.bodies(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    if (is_simple(m, b)) continue;
    const int first = m.v_index[b], count = m.v_count[b];
    const auto f = get<Force<T>>(body_strips(mw), body_strip::force, i);
    for (int k = 0; k < count; ++k) {
      const Force<T> carried = cross(get<Motion<T>>(columns, column_strip::S, first + k), f);
      for (int j = 0; j < k; ++j)
        rows.q(first + j)[first + k] -=
            dot(get<Motion<T>>(columns, column_strip::S, first + j), carried);
    }
    if (has_constant_columns(m.kind[b])) continue;
    const auto nv = static_cast<std::size_t>(count);
    JointPartials<T> d;
    joint_partials(m, i, q, v, ws.S.data() + first, d);
    const Force<T> local = apply_inverse(ws.X_W[b], f);
    for (std::size_t j = 0; j < nv; ++j)
      for (std::size_t k = 0; k < nv; ++k)
        rows.q(first + static_cast<int>(j))[first + static_cast<int>(k)] += dot(d.S[j][k], local);
  }
}

}  // namespace limber
