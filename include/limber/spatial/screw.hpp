#pragma once
// Screw<A>: a turn about and a slide along one coordinate axis (A = 0, 1, 2 for x, y, z), the
// planar form of a transform. [RDA] §8.3.4, [McM] app. A. The pose of frame b in frame a is a
// rotation by the angle with cosine c and sine s about the common axis and a displacement d along
// it.
//   to_parent(X, value)  takes b coordinates to a coordinates
//   to_child(X, value)   takes a coordinates to b coordinates
//   X * Y, Y * X         composition with a general transform
//
// With A the axis and B, C the next two (cyclic), the 2x2 rotation of a symmetric block by c, s
// needs only e = s (CC − BB) − 2 c BC:  BB' = BB + s e,  CC' = CC − s e,  BC' = −c e − BC,  since
// c² + s² = 1.
#include <limber/spatial/axis.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

template <int A, class T>
struct Screw {
  T c = T(1), s = T(0);  ///< cosine and sine of the turn
  T d = T(0);            ///< displacement along the axis [m]
};

/// The pose of frame a in frame b: turn and slide share the axis, so each is simply undone.
template <int A, class T>
[[gnu::always_inline]] constexpr Screw<A, T> inverse(const Screw<A, T>& X) {
  return {X.c, -X.s, -X.d};
}

// --- free vectors --------------------------------------------------------------------------------

template <int A, class T>
[[gnu::always_inline]] constexpr Vec3<T> to_parent(const Screw<A, T>& X, const Vec3<T>& u) {
  const T &b = u.template get<A + 1>(), &c = u.template get<A + 2>();
  Vec3<T> r;
  r.template get<A>() = u.template get<A>();
  r.template get<A + 1>() = X.c * b - X.s * c;
  r.template get<A + 2>() = X.s * b + X.c * c;
  return r;
}
template <int A, class T>
[[gnu::always_inline]] constexpr Vec3<T> to_child(const Screw<A, T>& X, const Vec3<T>& u) {
  const T &b = u.template get<A + 1>(), &c = u.template get<A + 2>();
  Vec3<T> r;
  r.template get<A>() = u.template get<A>();
  r.template get<A + 1>() = X.c * b + X.s * c;
  r.template get<A + 2>() = X.c * c - X.s * b;
  return r;
}

/// u + d e_A × w
template <int A, class T>
[[gnu::always_inline]] constexpr Vec3<T> plus_axis_cross(const Vec3<T>& u, const T& d,
                                                         const Vec3<T>& w) {
  Vec3<T> r = u;
  r.template get<A + 1>() -= d * w.template get<A + 2>();
  r.template get<A + 2>() += d * w.template get<A + 1>();
  return r;
}

// --- motions and forces: 10 multiplications and 6 additions each ---------------------------------

template <int A, class T>
[[gnu::always_inline]] constexpr Motion<T> to_child(const Screw<A, T>& X, const Motion<T>& v) {
  return {to_child(X, v.angular), to_child(X, plus_axis_cross<A>(v.linear, -X.d, v.angular))};
}
template <int A, class T>
[[gnu::always_inline]] constexpr Motion<T> to_parent(const Screw<A, T>& X, const Motion<T>& v) {
  const Vec3<T> w = to_parent(X, v.angular);
  return {w, plus_axis_cross<A>(to_parent(X, v.linear), X.d, w)};
}
template <int A, class T>
[[gnu::always_inline]] constexpr Force<T> to_parent(const Screw<A, T>& X, const Force<T>& f) {
  const Vec3<T> l = to_parent(X, f.linear);
  return {plus_axis_cross<A>(to_parent(X, f.angular), X.d, l), l};
}
template <int A, class T>
[[gnu::always_inline]] constexpr Force<T> to_child(const Screw<A, T>& X, const Force<T>& f) {
  return {to_child(X, plus_axis_cross<A>(f.angular, -X.d, f.linear)), to_child(X, f.linear)};
}

// --- inertias ------------------------------------------------------------------------------------

/// The entries (rb, rc) of a row or column turned: 4 multiplications, 2 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr void turn_pair(const Screw<A, T>& X, const T& b, const T& c, T& rb,
                                                T& rc) {
  rb = X.c * b - X.s * c;
  rc = X.s * b + X.c * c;
}
/// The 2x2 block across the axis of R K Rᵀ: 4 multiplications, 6 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr void turn_block(const Screw<A, T>& X, const Sym3<T>& K,
                                                 Sym3<T>& r) {
  constexpr int B = A + 1, C = A + 2;
  const T &bb = K.template get<B, B>(), &cc = K.template get<C, C>(), &bc = K.template get<B, C>();
  const T e = X.s * (cc - bb) - X.c * (bc + bc);
  const T se = X.s * e;
  r.template get<B, B>() = bb + se;
  r.template get<C, C>() = cc - se;
  r.template get<B, C>() = -(X.c * e) - bc;
}
/// The same block of a general matrix: 4 multiplications, 7 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr void turn_block(const Screw<A, T>& X, const Mat3<T>& N,
                                                 Mat3<T>& r) {
  constexpr int B = A + 1, C = A + 2;
  const T &bb = N.template get<B, B>(), &cc = N.template get<C, C>();
  const T &bc = N.template get<B, C>(), &cb = N.template get<C, B>();
  const T e = X.s * (cc - bb) - X.c * (bc + cb);
  const T se = X.s * e, ce = X.c * e;
  r.template get<B, B>() = bb + se;
  r.template get<C, C>() = cc - se;
  r.template get<B, C>() = -ce - cb;
  r.template get<C, B>() = -ce - bc;
}
/// Row A across the axis of R N Rᵀ.
template <int A, class M, class T>
constexpr void turn_row(const Screw<A, T>& X, const M& N, M& r) {
  turn_pair(X, N.template get<A, A + 1>(), N.template get<A, A + 2>(), r.template get<A, A + 1>(),
            r.template get<A, A + 2>());
}
/// Column A across the axis of R N Rᵀ.
template <int A, class T>
[[gnu::always_inline]] constexpr void turn_column(const Screw<A, T>& X, const Mat3<T>& N,
                                                  Mat3<T>& r) {
  turn_pair(X, N.template get<A + 1, A>(), N.template get<A + 2, A>(), r.template get<A + 1, A>(),
            r.template get<A + 2, A>());
}

/// R K Rᵀ: 8 multiplications, 8 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr Sym3<T> to_parent(const Screw<A, T>& X, const Sym3<T>& K) {
  Sym3<T> r;
  r.template get<A, A>() = K.template get<A, A>();
  turn_block(X, K, r);
  turn_row(X, K, r);
  return r;
}
/// R N Rᵀ of a general matrix: 12 multiplications, 11 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr Mat3<T> to_parent(const Screw<A, T>& X, const Mat3<T>& N) {
  Mat3<T> r;
  r.template get<A, A>() = N.template get<A, A>();
  turn_block(X, N, r);
  turn_row(X, N, r);
  turn_column(X, N, r);
  return r;
}

template <int A, class T>
[[gnu::always_inline]] constexpr Inertia<T> to_parent(const Screw<A, T>& X, const Inertia<T>& I) {
  constexpr int B = A + 1, C = A + 2;
  Inertia<T> r{I.m, to_parent(X, I.h), to_parent(X, I.J)};
  const T k = r.h.template get<A>();
  r.h.template get<A>() += r.m * X.d;
  r.J.template get<A, A>() += X.d * (k + r.h.template get<A>());
  r.J.template get<A, B>() += X.d * r.h.template get<B>();
  r.J.template get<A, C>() += X.d * r.h.template get<C>();
  return r;
}

/// Slide of an articulated inertia whose axes are turned already: 10 multiplications, 14 additions.
/// With Zero = A or A + 3 its row and column Zero are known to vanish: 8 multiplications, 12
/// additions.
template <int A, int Zero = -1, class T>
constexpr void slide(const T& d, ArticulatedInertia<T>& r) {
  constexpr int B = A + 1, C = A + 2;
  const Mat3<T> H = r.H;  // coupling before the slide; r.H after it is H + d e_A × M
  const T dbc = d * r.M.template get<B, C>();
  r.H.template get<B, B>() -= dbc;
  r.H.template get<B, C>() -= d * r.M.template get<C, C>();
  r.H.template get<C, B>() += d * r.M.template get<B, B>();
  r.H.template get<C, C>() += dbc;
  r.I.template get<B, B>() -= d * (H.template get<B, C>() + r.H.template get<B, C>());
  r.I.template get<C, C>() += d * (H.template get<C, B>() + r.H.template get<C, B>());
  r.I.template get<B, C>() += d * (r.H.template get<B, B>() - H.template get<C, C>());
  if constexpr (Zero != A + 3) {
    r.H.template get<B, A>() -= d * r.M.template get<C, A>();
    r.H.template get<C, A>() += d * r.M.template get<B, A>();
  }
  if constexpr (Zero != A) {
    r.I.template get<A, B>() -= d * H.template get<A, C>();
    r.I.template get<A, C>() += d * H.template get<A, B>();
  }
}
/// 38 multiplications, 41 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr ArticulatedInertia<T> to_parent(const Screw<A, T>& X,
                                                                 const ArticulatedInertia<T>& IA) {
  ArticulatedInertia<T> r{to_parent(X, IA.I), to_parent(X, IA.H), to_parent(X, IA.M)};
  slide<A>(X.d, r);
  return r;
}

// --- articulated inertias with a zero row and column ---------------------------------------------

// eliminate() for a unit column K leaves row and column K zero. A screw about that axis keeps them
// zero; a screw about the axis after it (x after z) fills them. Neither reads or multiplies the
// zeros.

/// R K Rᵀ when row and column A + 2 of K are zero: 5 multiplications, 1 addition.
template <int A, class T>
[[gnu::always_inline]] constexpr Sym3<T> to_parent_reduced(const Screw<A, T>& X, const Sym3<T>& K) {
  constexpr int B = A + 1, C = A + 2;
  const T sb = X.s * K.template get<B, B>(), ssb = X.s * sb;
  Sym3<T> r;
  r.template get<A, A>() = K.template get<A, A>();
  r.template get<B, B>() = K.template get<B, B>() - ssb;
  r.template get<C, C>() = ssb;
  r.template get<B, C>() = X.c * sb;
  r.template get<A, B>() = X.c * K.template get<A, B>();
  r.template get<A, C>() = X.s * K.template get<A, B>();
  return r;
}
/// R N Rᵀ when row A + 2 of N is zero: 10 multiplications, 5 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr Mat3<T> to_parent_without_row(const Screw<A, T>& X,
                                                               const Mat3<T>& N) {
  constexpr int B = A + 1, C = A + 2;
  const T &bb = N.template get<B, B>(), &bc = N.template get<B, C>();
  const T e = X.s * bb + X.c * bc;
  const T se = X.s * e, ce = X.c * e;
  Mat3<T> r;
  r.template get<A, A>() = N.template get<A, A>();
  r.template get<B, B>() = bb - se;
  r.template get<C, C>() = se;
  r.template get<B, C>() = ce;
  r.template get<C, B>() = ce - bc;
  turn_row(X, N, r);
  r.template get<B, A>() = X.c * N.template get<B, A>();
  r.template get<C, A>() = X.s * N.template get<B, A>();
  return r;
}

/// to_parent() of what eliminate() left for the unit column K.
///   K = A, A + 3       the screw's own axis, row and column K stay zero
///                      28 multiplications, 35 additions; [McM] table 22: 34, 40
///   K = A + 2, A + 5   (x step after a z joint), no zero stays
///                      33 multiplications, 28 additions; [McM] table 23: 36, 31
template <int A, int K, class T>
[[gnu::always_inline]] constexpr ArticulatedInertia<T> to_parent_reduced(
    const Screw<A, T>& X, const ArticulatedInertia<T>& IA, Axis<K>) {
  static_assert(K % 3 == A || K % 3 == (A + 2) % 3);
  constexpr bool turning = K < 3;  // the zeros are in the angular block, else in the linear one
  ArticulatedInertia<T> r;
  if constexpr (K % 3 == A) {
    turn_block(X, turning ? IA.I : IA.M, turning ? r.I : r.M);
    (turning ? r.M : r.I) = to_parent(X, turning ? IA.M : IA.I);
    turn_block(X, IA.H, r.H);
    if constexpr (turning) turn_column(X, IA.H, r.H);
    else turn_row(X, IA.H, r.H);
    slide<A, K>(X.d, r);
  } else {
    (turning ? r.I : r.M) = to_parent_reduced(X, turning ? IA.I : IA.M);
    (turning ? r.M : r.I) = to_parent(X, turning ? IA.M : IA.I);
    if constexpr (turning) r.H = to_parent_without_row(X, IA.H);
    else r.H = transpose(to_parent_without_row(X, transpose(IA.H)));
    slide<A>(X.d, r);
  }
  return r;
}

/// Inertias and 3x3 blocks (Sym3, Mat3) from a to b coordinates, at the cost of to_parent().
template <int A, class T, template <class> class Value>
constexpr Value<T> to_child(const Screw<A, T>& X, const Value<T>& value) {
  return to_parent(inverse(X), value);
}

// --- transforms ----------------------------------------------------------------------------------

/// The screw as a general transform.
template <int A, class T>
[[gnu::always_inline]] constexpr Transform<T> to_transform(const Screw<A, T>& X) {
  constexpr int B = A + 1, C = A + 2;
  Transform<T> r;
  r.R.template get<B, B>() = X.c;
  r.R.template get<C, C>() = X.c;
  r.R.template get<B, C>() = -X.s;
  r.R.template get<C, B>() = X.s;
  r.p.template get<A>() = X.d;
  return r;
}

/// X_ab * X_bc = X_ac with a screw first: 16 multiplications, 9 additions.
template <int A, class T>
[[gnu::always_inline]] constexpr Transform<T> operator*(const Screw<A, T>& X,
                                                        const Transform<T>& Y) {
  Transform<T> r{Mat3<T>::from_columns(to_parent(X, Y.R.column(0)), to_parent(X, Y.R.column(1)),
                                       to_parent(X, Y.R.column(2))),
                 to_parent(X, Y.p)};
  r.p.template get<A>() += X.d;
  return r;
}
/// X_ab * X_bc = X_ac with a screw last: 15 multiplications, 9 additions. [RDA] table 8-5
template <int A, class T>
[[gnu::always_inline]] constexpr Transform<T> operator*(const Transform<T>& X,
                                                        const Screw<A, T>& Y) {
  // a row of R times the turn is the transposed turn of that row
  return {
      Mat3<T>::from_rows(to_child(Y, X.R.row(0)), to_child(Y, X.R.row(1)), to_child(Y, X.R.row(2))),
      X.p + X.R.column(A) * Y.d};
}

template <class U, int A, class T>
constexpr Screw<A, U> cast(const Screw<A, T>& X) {
  return {static_cast<U>(X.c), static_cast<U>(X.s), static_cast<U>(X.d)};
}

}  // namespace limber
