#pragma once
// Screw<A>: a turn about and a slide along one coordinate axis (A = 0, 1, 2 for x, y, z), the planar
// form of a transform. [RDA] §8.3.4, [McM] app. A. The pose of frame b in frame a is a rotation by
// the angle with cosine c and sine s about the common axis and a displacement d along it.
//   to_parent(X, value)  takes b coordinates to a coordinates
//   to_child(X, value)   takes a coordinates to b coordinates
//
// With A the axis and B, C the next two (cyclic), the 2x2 rotation of a symmetric block by c, s needs
// only e = s (CC − BB) − 2 c BC:  BB' = BB + s e,  CC' = CC − s e,  BC' = −c e − BC,  since c² + s² = 1.
#include <limber/spatial/transform.hpp>

namespace limber {

template <int A, class T>
struct Screw {
  T c = T(1), s = T(0);  ///< cosine and sine of the turn
  T d = T(0);            ///< displacement along the axis [m]
};

// --- free vectors -----------------------------------------------------------------------------------

template <int A, class T>
constexpr Vec3<T> to_parent(const Screw<A, T>& X, const Vec3<T>& u) {
  const T &b = u.template get<A + 1>(), &c = u.template get<A + 2>();
  Vec3<T> r;
  r.template get<A>() = u.template get<A>();
  r.template get<A + 1>() = X.c * b - X.s * c;
  r.template get<A + 2>() = X.s * b + X.c * c;
  return r;
}
template <int A, class T>
constexpr Vec3<T> to_child(const Screw<A, T>& X, const Vec3<T>& u) {
  const T &b = u.template get<A + 1>(), &c = u.template get<A + 2>();
  Vec3<T> r;
  r.template get<A>() = u.template get<A>();
  r.template get<A + 1>() = X.c * b + X.s * c;
  r.template get<A + 2>() = X.c * c - X.s * b;
  return r;
}

/// u + d e_A × w
template <int A, class T>
constexpr Vec3<T> plus_axis_cross(const Vec3<T>& u, const T& d, const Vec3<T>& w) {
  Vec3<T> r = u;
  r.template get<A + 1>() -= d * w.template get<A + 2>();
  r.template get<A + 2>() += d * w.template get<A + 1>();
  return r;
}

// --- motions and forces: 10 multiplications and 6 additions each ------------------------------------

template <int A, class T>
constexpr Motion<T> to_child(const Screw<A, T>& X, const Motion<T>& v) {
  return {to_child(X, v.angular), to_child(X, plus_axis_cross<A>(v.linear, -X.d, v.angular))};
}
template <int A, class T>
constexpr Motion<T> to_parent(const Screw<A, T>& X, const Motion<T>& v) {
  const Vec3<T> w = to_parent(X, v.angular);
  return {w, plus_axis_cross<A>(to_parent(X, v.linear), X.d, w)};
}
template <int A, class T>
constexpr Force<T> to_parent(const Screw<A, T>& X, const Force<T>& f) {
  const Vec3<T> l = to_parent(X, f.linear);
  return {plus_axis_cross<A>(to_parent(X, f.angular), X.d, l), l};
}
template <int A, class T>
constexpr Force<T> to_child(const Screw<A, T>& X, const Force<T>& f) {
  return {to_child(X, plus_axis_cross<A>(f.angular, -X.d, f.linear)), to_child(X, f.linear)};
}

// --- inertias -----------------------------------------------------------------------------------------

/// R K Rᵀ: 8 multiplications, 8 additions.
template <int A, class T>
constexpr Sym3<T> to_parent(const Screw<A, T>& X, const Sym3<T>& K) {
  constexpr int B = A + 1, C = A + 2;
  const T &bb = K.template get<B, B>(), &cc = K.template get<C, C>(), &bc = K.template get<B, C>();
  const T e = X.s * (cc - bb) - X.c * (bc + bc);
  const T se = X.s * e;
  Sym3<T> r;
  r.template get<A, A>() = K.template get<A, A>();
  r.template get<B, B>() = bb + se;
  r.template get<C, C>() = cc - se;
  r.template get<B, C>() = -(X.c * e) - bc;
  r.template get<A, B>() = X.c * K.template get<A, B>() - X.s * K.template get<A, C>();
  r.template get<A, C>() = X.s * K.template get<A, B>() + X.c * K.template get<A, C>();
  return r;
}
/// R N Rᵀ of a general matrix: 12 multiplications, 11 additions.
template <int A, class T>
constexpr Mat3<T> to_parent(const Screw<A, T>& X, const Mat3<T>& N) {
  constexpr int B = A + 1, C = A + 2;
  const T &bb = N.template get<B, B>(), &cc = N.template get<C, C>();
  const T &bc = N.template get<B, C>(), &cb = N.template get<C, B>();
  const T e = X.s * (cc - bb) - X.c * (bc + cb);
  const T se = X.s * e, ce = X.c * e;
  Mat3<T> r;
  r.template get<A, A>() = N.template get<A, A>();
  r.template get<B, B>() = bb + se;
  r.template get<C, C>() = cc - se;
  r.template get<B, C>() = -ce - cb;
  r.template get<C, B>() = -ce - bc;
  r.template get<A, B>() = X.c * N.template get<A, B>() - X.s * N.template get<A, C>();
  r.template get<A, C>() = X.s * N.template get<A, B>() + X.c * N.template get<A, C>();
  r.template get<B, A>() = X.c * N.template get<B, A>() - X.s * N.template get<C, A>();
  r.template get<C, A>() = X.s * N.template get<B, A>() + X.c * N.template get<C, A>();
  return r;
}

template <int A, class T>
constexpr Inertia<T> to_parent(const Screw<A, T>& X, const Inertia<T>& I) {
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
template <int A, class T>
constexpr void slide(const T& d, ArticulatedInertia<T>& r) {
  constexpr int B = A + 1, C = A + 2;
  const Mat3<T> H = r.H;  // coupling before the slide; r.H after it is H + d e_A × M
  const T dbc = d * r.M.template get<B, C>();
  r.H.template get<B, A>() -= d * r.M.template get<C, A>();
  r.H.template get<B, B>() -= dbc;
  r.H.template get<B, C>() -= d * r.M.template get<C, C>();
  r.H.template get<C, A>() += d * r.M.template get<B, A>();
  r.H.template get<C, B>() += d * r.M.template get<B, B>();
  r.H.template get<C, C>() += dbc;
  r.I.template get<B, B>() -= d * (H.template get<B, C>() + r.H.template get<B, C>());
  r.I.template get<C, C>() += d * (H.template get<C, B>() + r.H.template get<C, B>());
  r.I.template get<B, C>() += d * (r.H.template get<B, B>() - H.template get<C, C>());
  r.I.template get<A, B>() -= d * H.template get<A, C>();
  r.I.template get<A, C>() += d * H.template get<A, B>();
}
template <int A, class T>
constexpr ArticulatedInertia<T> to_parent(const Screw<A, T>& X, const ArticulatedInertia<T>& IA) {
  ArticulatedInertia<T> r{to_parent(X, IA.I), to_parent(X, IA.H), to_parent(X, IA.M)};
  slide<A>(X.d, r);
  return r;
}

/// The screw as a general transform.
template <int A, class T>
constexpr Transform<T> to_transform(const Screw<A, T>& X) {
  constexpr int B = A + 1, C = A + 2;
  Transform<T> r;
  r.R.template get<B, B>() = X.c;
  r.R.template get<C, C>() = X.c;
  r.R.template get<B, C>() = -X.s;
  r.R.template get<C, B>() = X.s;
  r.p.template get<A>() = X.d;
  return r;
}

template <class U, int A, class T>
constexpr Screw<A, U> cast(const Screw<A, T>& X) {
  return {static_cast<U>(X.c), static_cast<U>(X.s), static_cast<U>(X.d)};
}

}  // namespace limber
