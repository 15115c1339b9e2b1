#pragma once
// The inverse of the mass matrix by articulated bodies, for models whose variables are all
// independent: up to eight columns that carry each other, a piece, are eliminated at once. Two
// equal limbs at the end of the tree are one piece.
//
// In absolute coordinates a piece with columns S and forces F = Iᴬ S meets the acceleration a of
// what carries it, and the forces P that the columns which it carries need for unit forces of their
// own. With M = Sᵀ F + armature, N = M⁻¹ and Z = N Fᵀ its accelerations are
//   x = V − Z a,   V = N (1 − Sᵀ P)
// for unit forces in its own columns (1) and in those that it carries (P). What it hands on:
//   inward    R + F Z, where Iᴬ = composite inertia − R
//             P + F V, which is Zᵀ for its own columns
//   outward   a + S x
// So a row costs six products for each column of the matrix, whatever the depth of the tree, and
// each column one reciprocal. A robot of one piece is a small dense inverse and nothing else.
//
// Measured against solves with the factor along paths, Lᵀ D L, which models with mimic joints
// still use: 0.51 (arm7), 0.43 (quadruped), 0.37 (humanoid) of its time.
#include <array>

#include "dynamics/articulated_rows.ipp"
#include "index.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

template <class T>
using Piece = typename BasicMatrixWorkspace<T>::Piece;

/// Numbers in a row of the small matrices of a piece.
inline constexpr int piece_size = 8;

/// R of a place, six rows.
template <class T>
Strips<T> reduction_of(BasicMatrixWorkspace<T>& mw, int place) {
  return {mw.reductions.data() + 6 * piece_size * place, piece_size};
}
/// Z of a piece, by components of the acceleration; and its P, wherever that has got to.
template <class T>
Strips<T> response_of(BasicMatrixWorkspace<T>& mw, const Piece<T>& piece) {
  const auto i = &piece - mw.pieces.data();
  return {mw.responses.data() + 12 * piece_size * i, piece_size};
}
template <class T>
Strips<T> force_of(BasicMatrixWorkspace<T>& mw, const Piece<T>& piece) {
  return {response_of(mw, piece).at(6, 0), piece_size};
}
/// True if the first piece is a floating base.
template <class T>
bool has_base_piece(const BasicMatrixWorkspace<T>& mw) {
  return mw.units > 0 && mw.units <= lane_count<T>;
}
/// Accelerations of a place for unit forces in all columns. Those of a floating base are its rows.
template <class T>
Strips<T> accelerations_of(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, int place) {
  if (place == 0 && has_base_piece(mw)) return {tree_rows(m, mw).inertia(0), 3 * mw.row_stride};
  return {mw.accelerations.data() + 6 * mw.row_stride * place, mw.row_stride, -mw.lead};
}
/// The block of eight columns that has column k: where it begins.
template <class T>
int first_block(const BasicMatrixWorkspace<T>& mw, int k) {
  return (k + mw.lead) / lane_count<T> * lane_count<T> - mw.lead;
}

// --- the tree without motion ---------------------------------------------------------------------

/// Poses, columns S and composite inertias in absolute coordinates.
template <class T>
void start_inverse(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws,
                   BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  place_joints(m, q, ws);
  const Strips<T> local{mw.inertia.data(), mw.body_stride, 1}, bodies = body_strips(mw),
                                                               columns = column_strips(mw);
  auto columns_of = [&](const auto& joint, const Transform<T>& X) __attribute__((always_inline)) {
    joint.for_columns([&](const auto& S, int k) __attribute__((always_inline)) {
      put(columns, column_strip::S, k, absolute_column(X, S));
    });
  };
  with_joint(m, ws, 1, [&](const auto& joint) {
    put(bodies, body_strip::pose, 0, inverse(joint.pose_after({})));
    put(bodies, body_strip::pose, 1, Transform<T>{});
    columns_of(joint, {});
  });
  for (int i = 2; i < m.bodies(); ++i)
    with_joint(
        m, ws, i, [&](const auto& joint) __attribute__((always_inline)) {
          const Transform<T> X =
              joint.pose_after(get<Transform<T>>(bodies, body_strip::pose, m.parent[i]));
          put(bodies, body_strip::pose, i, X);
          columns_of(joint, X);
        });
  for_body_lanes(m, [&](int i) {
    put(bodies, body_strip::inertia, i,
        get<Transform<L>>(bodies, body_strip::pose, i) * get<Inertia<L>>(local, 0, i));
  });
  for (int i = m.bodies() - 1; i > 0; --i) {
    const int p = m.parent[i];
    if (p == 0) continue;
    T* sum = bodies.at(body_strip::inertia, p);
    for_constants<10>([&](auto) __attribute__((always_inline)) {
      *sum += sum[i - p];
      sum += bodies.stride;
    });
  }
  for (std::size_t i = 0; i < mw.reductions.size(); i += lane_count<T>)
    L().store(&mw.reductions[i]);
  if (mw.pieces.front().tree_end == m.nv) return;
  for (int k = 0; k < m.nv; ++k)  // more than one tree
    for (int b = -mw.lead; b < m.nv; b += lane_count<T>) L().store(tree_rows(m, mw).inertia(k) + b);
}

/// f(0) … f(N − 1), as constants, in an array.
template <int N, class F>
[[gnu::always_inline]] inline auto all_of(F&& f) {
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return std::array{f(std::integral_constant<int, I>{})...};
  }
  (std::make_integer_sequence<int, N>{});
}

// --- inward --------------------------------------------------------------------------------------

/// a := a⁻¹ for a symmetric, positive definite matrix of blocks of Length rows, by Gauss and
/// Jordan, the last column first. False: a pivot is not positive and finite.
template <int Length, class T, std::size_t Size>
[[gnu::always_inline]] inline bool invert(std::array<Lanes<T>, Size>& a) {
  constexpr int N = Size;
  bool regular = true;
  for_constants<N>([&](auto step) __attribute__((always_inline)) {
    constexpr int p = N - 1 - step, others = ~(1 << p);
    const T pivot = T(1) / first_lane(spread_lane<p>(a[p]));
    regular &= is_regular_pivot(pivot);
    const Lanes<T> row = only(a[p], others) * Lanes<T>(pivot) + only(Lanes<T>(pivot), 1 << p);
    for_constants<N>([&](auto i) __attribute__((always_inline)) {
      if constexpr (i != p && i / Length == p / Length)
        a[i] = only(a[i], others) - spread_lane<p>(a[i]) * row;
    });
    a[p] = row;
  });
  return regular;
}

/// The columns of a piece. Base: they are the unit vectors.
template <int N, bool Base, class T>
struct PieceColumns {
  using L = Lanes<T>;
  Strips<T> S;  ///< from the first column on

  /// S_l · f
  template <int I>
  [[gnu::always_inline]] L dot_with(const Force<L>& f) const {
    if constexpr (Base) return component<I>(f);
    else return dot(spread<Motion<L>>(S, 0, I), f);
  }
};

/// F = Iᴬ S of a piece.
template <class T>
[[gnu::always_inline]] inline Force<Lanes<T>> piece_forces(BasicMatrixWorkspace<T>& mw,
                                                           const Piece<T>& piece,
                                                           const Motion<Lanes<T>>& S) {
  using L = Lanes<T>;
  Force<L> F = of_columns<Inertia<L>>(mw, {piece.first, piece.bodies, 0, 0, 0, 0}, body_strips(mw),
                                      body_strip::inertia) *
               S;
  if (piece.to < 0) return F;
  const Strips<T> R = reduction_of(mw, piece.to);
  for_constants<6>([&](auto c) __attribute__((always_inline)) {
    component<c>(F) -= dot(S, spread<Force<L>>(Strips<T>{R.at(c, 0), 1}, 0, 0));
  });
  return F;
}

/// Z and P of a piece, and what it hands on of R. F: by components.
template <std::size_t N, class T>
[[gnu::always_inline]] inline void respond(BasicMatrixWorkspace<T>& mw, const Piece<T>& piece,
                                           const std::array<Lanes<T>, N>& inverse,
                                           const Strips<T>& F) {
  using L = Lanes<T>;
  const Strips<T> Z = response_of(mw, piece), P = force_of(mw, piece);
  for_constants<6>([&](auto c) __attribute__((always_inline)) {
    L z;
    for_constants<N>([&](auto l)
                         __attribute__((always_inline)) { z += inverse[l] * L(*F.at(c, l)); });
    z.store(Z.at(c, 0));
    z.store(P.at(c, 0));
  });
  const Strips<T> R = reduction_of(mw, piece.from);
  for (int d = 0; d < 6; d += lane_count<T>) {
    auto sum = all_of<6>([&](auto c) __attribute__((always_inline)) {
      const L own = L::load(R.at(c, d));
      return piece.to < 0 ? own : own + L::load(reduction_of(mw, piece.to).at(c, d));
    });
    for_constants<N>([&](auto l) __attribute__((always_inline)) {
      L row;  // of Zᵀ
      for (int i = 0; i < std::min(6 - d, lane_count<T>); ++i) set_lane(row, i, *Z.at(d + i, l));
      for_constants<6>([&](auto c)
                           __attribute__((always_inline)) { sum[c] += L(*F.at(c, l)) * row; });
    });
    for_constants<6>([&](auto c) __attribute__((always_inline)) { sum[c].store(R.at(c, d)); });
  }
}

/// V of the columns of the pieces that a piece carries, and their P.
template <int N, bool Base, class T>
void carry(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, const Piece<T>& piece,
           const Strips<T>& inverse) {
  using L = Lanes<T>;
  const PieceColumns<N, Base, T> S{
      {column_strips(mw).at(column_strip::S, piece.first), mw.column_stride}};
  const MatrixRows<T> rows = tree_rows(m, mw);
  const Strips<T> Z = response_of(mw, piece);
  for (const Piece<T>* outer = &piece + 1;
       outer < mw.pieces.data() + mw.pieces.size() && outer->first < piece.carried_end; ++outer) {
    const Strips<T> at = force_of(mw, *outer);
    auto P = get<Force<L>>(at, 0, 0);
    L y[N];
    for_constants<N>([&](auto l)
                         __attribute__((always_inline)) { y[l] = S.template dot_with<l>(P); });
    for_constants<N>([&](auto l) __attribute__((always_inline)) {
      L x;
      for_constants<N>([&](auto i)
                           __attribute__((always_inline)) { x -= L(*inverse.at(l, i)) * y[i]; });
      x.store(rows.inertia(piece.first + l) + outer->first);
    });
    if (piece.from < 0) continue;
    for_constants<N>([&](auto l)
                         __attribute__((always_inline)) { P -= spread<Force<L>>(Z, 0, l) * y[l]; });
    put(at, 0, 0, P);
  }
}

/// A piece of N columns, in chains of Length, on the way inward. Its rows get V. False: its M has
/// no inverse.
template <int N, int Length, bool Base, class T>
bool solve_piece(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, const Piece<T>& piece) {
  using L = Lanes<T>;
  constexpr int own = (1 << N) - 1;
  const int k = piece.first;
  const PieceColumns<N, Base, T> columns{
      {column_strips(mw).at(column_strip::S, k), mw.column_stride}};
  const auto S = get<Motion<L>>(columns.S, 0, 0);
  const Force<L> f = piece_forces(mw, piece, S);
  alignas(64) T numbers[(6 + N) * piece_size];
  const Strips<T> F{numbers, piece_size}, inverse{numbers + 6 * piece_size, piece_size};
  put(F, 0, 0, f);
  auto a = all_of<N>([&](auto l) __attribute__((always_inline)) {
    constexpr int chain = l / Length * Length;
    constexpr int carrying = Base ? 0 : (1 << l) - (1 << chain);
    constexpr int carried = Base ? own : (1 << (chain + Length)) - (1 << l);
    L row = only(columns.template dot_with<l>(f), carried);
    if constexpr (carrying != 0) row += only(dot(S, spread<Force<L>>(F, 0, l)), carrying);
    return row + only(L(m.armature[k + l]), 1 << l);
  });
  const bool regular = invert<Length>(a);
  // lanes beyond its own are zeros
  const int first = first_block(mw, k), last = first_block(mw, piece.carried_end - 1);
  for_constants<N>([&](auto l) __attribute__((always_inline)) {
    T* const row = tree_rows(m, mw).inertia(k + l);
    L().store(row + first);
    L().store(row + last);
    a[l].store(row + k);
    a[l].store(inverse.at(l, 0));
  });
  if (piece.from >= 0) respond(mw, piece, a, F);
  if (piece.end < piece.carried_end) carry<N, Base>(m, mw, piece, inverse);
  return regular;
}

// --- outward -------------------------------------------------------------------------------------

/// x of a piece in the columns of its tree, and the accelerations of what it carries.
template <int N, class T>
void finish_piece(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw, const Piece<T>& piece) {
  using L = Lanes<T>;
  const Strips<T> S{column_strips(mw).at(column_strip::S, piece.first), mw.column_stride};
  const Strips<T> Z = response_of(mw, piece), to = accelerations_of(m, mw, std::max(piece.to, 0));
  T* const rows = tree_rows(m, mw).inertia(piece.first);
  const int length = 3 * mw.row_stride;
  const int first = first_block(mw, piece.first), end = piece.carried_end;
  for (int b = first_block(mw, piece.tree); b < piece.tree_end; b += lane_count<T>) {
    Motion<L> a;
    if (piece.from >= 0) a = get<Motion<L>>(accelerations_of(m, mw, piece.from), 0, b);
    const auto x = all_of<N>([&](auto l) __attribute__((always_inline)) {
      T* const at = rows + l * length + b;
      L own;
      if (first <= b && b < end) own = L::load(at);
      if (piece.from >= 0) own -= dot(a, spread<Force<L>>(Z, 0, l));
      own.store(at);
      return own;
    });
    if (piece.to < 0) continue;
    for_constants<N>([&](auto l) __attribute__((always_inline)) {
      a += spread<Motion<L>>(S, 0, l) * x[l];
    });
    put(to, 0, b, a);
  }
}

/// Calls f with the number of columns of a piece as a constant.
template <class T, class F>
void with_size(const Piece<T>& piece, F&& f) {
  for_constants<lane_count<T>>([&](auto n) {
    if (piece.end - piece.first == n + 1) f(std::integral_constant<int, n + 1>{});
  });
}

/// M⁻¹ as third part of the rows. False: it does not exist.
template <class T>
bool invert_rows(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws,
                 BasicMatrixWorkspace<T>& mw) {
  if (m.nv == 0) return true;
  mw.filled = true;
  start_inverse(m, q, ws, mw);
  bool regular = true;
  const int base = has_base_piece(mw) ? 1 : 0;  // pieces that are a floating base
  for (std::size_t i = mw.pieces.size(); i-- > at_index(base);)
    with_size<T>(mw.pieces[i], [&](auto n) {
      constexpr int chain = n, half = n % 2 == 0 ? n / 2 : n;
      regular &= mw.pieces[i].chains == 2 ? solve_piece<n, half, false>(m, mw, mw.pieces[i])
                                          : solve_piece<n, chain, false>(m, mw, mw.pieces[i]);
    });
  if constexpr (lane_count<T> >= 6)
    if (base == 1) regular &= solve_piece<6, 6, true>(m, mw, mw.pieces[0]);
  for (std::size_t i = at_index(base); i < mw.pieces.size(); ++i) {
    const Piece<T>& piece = mw.pieces[i];
    if (piece.from >= 0 || piece.to >= 0)
      with_size<T>(piece, [&](auto n) { finish_piece<n>(m, mw, piece); });
  }
  return regular;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
