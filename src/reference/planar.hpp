#pragma once
// Planar screw transforms: a turn about one coordinate axis and a slide along it, on vectors and
// on inertias, written as [McM] app. A derives them. R takes coordinates of the outer frame's
// predecessor to its own.
#include <limber/spatial/articulated.hpp>

namespace limber::reference {

/// X(axis, d, θ) with the products of sine and cosine that congruence transforms need, step (A) of
/// [McM] table 21. A = 0: x, A = 2: z.
template <int A, class T>
struct Planar {
  T c, s, d;
  T ss, cc_ss, sc, sc2;  ///< s², c² − s², s c, 2 s c

  Planar(const T& angle, const T& slide) : d(slide) {
    sincos(angle, s, c);
    ss = s * s;
    cc_ss = T(1) - ss - ss;
    sc = s * c;
    sc2 = sc + sc;
  }
};

/// R u: [4M, 2A]. (A.9)
template <int A, class T>
Vec3<T> outward(const Planar<A, T>& X, const Vec3<T>& u) {
  Vec3<T> r = u;
  r.template get<A + 1>() = X.c * u.template get<A + 1>() + X.s * u.template get<A + 2>();
  r.template get<A + 2>() = X.c * u.template get<A + 2>() - X.s * u.template get<A + 1>();
  return r;
}
/// Rᵀ u: [4M, 2A]
template <int A, class T>
Vec3<T> inward(const Planar<A, T>& X, const Vec3<T>& u) {
  Vec3<T> r = u;
  r.template get<A + 1>() = X.c * u.template get<A + 1>() - X.s * u.template get<A + 2>();
  r.template get<A + 2>() = X.s * u.template get<A + 1>() + X.c * u.template get<A + 2>();
  return r;
}
/// X v: [10M, 6A]. (A.12)
template <int A, class T>
Motion<T> outward(const Planar<A, T>& X, const Motion<T>& v) {
  Vec3<T> l = v.linear;
  l.template get<A + 1>() += v.angular.template get<A + 2>() * X.d;
  l.template get<A + 2>() -= v.angular.template get<A + 1>() * X.d;
  return {outward(X, v.angular), outward(X, l)};
}
/// Xᵀ f: [10M, 6A]; the slide first, as in (A.12), where constant zeros of f still show
template <int A, class T>
Force<T> inward(const Planar<A, T>& X, const Force<T>& f) {
  Vec3<T> n = f.angular;
  n.template get<A + 1>() -= f.linear.template get<A + 2>() * X.d;
  n.template get<A + 2>() += f.linear.template get<A + 1>() * X.d;
  return {inward(X, n), inward(X, f.linear)};
}

/// Rᵀ K R of a symmetric matrix: [8M, 7A]. (A.16)-(A.18)
template <int A, class T>
Sym3<T> inward(const Planar<A, T>& X, const Sym3<T>& K) {
  constexpr int B = A + 1, C = A + 2;
  const T &k11 = K.template get<B, B>(), &k22 = K.template get<C, C>();
  const T &k12 = K.template get<B, C>(), &k13 = K.template get<A, B>(),
          &k23 = K.template get<A, C>();
  const T difference = k22 - k11;
  const T a = difference * X.ss - k12 * X.sc2;
  Sym3<T> r = K;
  r.template get<B, B>() = k11 + a;
  r.template get<C, C>() = k22 - a;
  r.template get<B, C>() = k12 * X.cc_ss - difference * X.sc;
  r.template get<A, B>() = k13 * X.c - k23 * X.s;
  r.template get<A, C>() = k13 * X.s + k23 * X.c;
  return r;
}
/// Rᵀ N R of a general matrix: [12M, 12A]. (A.22)-(A.24)
template <int A, class T>
Mat3<T> inward(const Planar<A, T>& X, const Mat3<T>& N) {
  constexpr int B = A + 1, C = A + 2;
  const T &n11 = N.template get<B, B>(), &n22 = N.template get<C, C>();
  const T &n12 = N.template get<B, C>(), &n21 = N.template get<C, B>();
  const T &n13 = N.template get<B, A>(), &n23 = N.template get<C, A>();
  const T &n31 = N.template get<A, B>(), &n32 = N.template get<A, C>();
  const T difference = n22 - n11, sum = n12 + n21;
  const T a = difference * X.ss - sum * X.sc, b = difference * X.sc + sum * X.ss;
  Mat3<T> r = N;
  r.template get<B, B>() = n11 + a;
  r.template get<C, C>() = n22 - a;
  r.template get<B, C>() = n12 - b;
  r.template get<C, B>() = n21 - b;
  r.template get<B, A>() = n13 * X.c - n23 * X.s;
  r.template get<C, A>() = n13 * X.s + n23 * X.c;
  r.template get<A, B>() = n31 * X.c - n32 * X.s;
  r.template get<A, C>() = n31 * X.s + n32 * X.c;
  return r;
}

/// p̃ K for p = d e_A and a symmetric K: [5M, 0A]
template <int A, class T>
Mat3<T> slide_times(const T& d, const Sym3<T>& K) {
  constexpr int B = A + 1, C = A + 2;
  const T across = d * K.template get<B, C>();
  Mat3<T> r;
  r.template get<B, B>() = -across;
  r.template get<C, C>() = across;
  r.template get<B, C>() = -(d * K.template get<C, C>());
  r.template get<C, B>() = d * K.template get<B, B>();
  r.template get<B, A>() = -(d * K.template get<A, C>());
  r.template get<C, A>() = d * K.template get<A, B>();
  return r;
}

/// N p̃ᵀ for p = d e_A: [6M, 0A]
template <int A, class T>
Mat3<T> times_slide(const Mat3<T>& N, const T& d) {
  constexpr int B = A + 1, C = A + 2;
  Mat3<T> r;
  r.template get<A, B>() = -(d * N.template get<A, C>());
  r.template get<B, B>() = -(d * N.template get<B, C>());
  r.template get<C, B>() = -(d * N.template get<C, C>());
  r.template get<A, C>() = d * N.template get<A, B>();
  r.template get<B, C>() = d * N.template get<B, B>();
  r.template get<C, C>() = d * N.template get<C, B>();
  return r;
}

/// Xᵀ Λ X: [42M, 43A] besides step (A); less where entries are constant zeros, tables 22 and 23.
/// Steps (B) to (I) of table 21.
template <int A, class T>
ArticulatedInertia<T> inward(const Planar<A, T>& X, const ArticulatedInertia<T>& L) {
  constexpr int B = A + 1, C = A + 2;
  Sym3<T> I = inward(X, L.I);                // (B)
  const Sym3<T> M = inward(X, L.M);          // (C)
  const Mat3<T> D = inward(X, L.H);          // (D)
  const Mat3<T> E = slide_times<A>(X.d, M);  // (E)
  const Mat3<T> F = times_slide<A>(E, X.d);  // (F)
  const Mat3<T> G = times_slide<A>(D, X.d);  // (G)
  auto add = [&]<int R, int K>(T& entry) {   // (H): (B) + (F) + (G) + (G)ᵀ
    entry = entry + F.template get<R, K>() + G.template get<R, K>() + G.template get<K, R>();
  };
  add.template operator()<B, B>(I.template get<B, B>());
  add.template operator()<C, C>(I.template get<C, C>());
  add.template operator()<B, C>(I.template get<B, C>());
  add.template operator()<A, B>(I.template get<A, B>());
  add.template operator()<A, C>(I.template get<A, C>());
  return {I, D + E, M};  // (I)
}

/// A composite rigid body as the thesis keeps it: moment of inertia about the frame's origin, first
/// moment and mass. (A.32)
template <class T>
struct CompositeBody {
  T m;
  Vec3<T> h;
  Sym3<T> K;
};

/// Xᵀ K X, (A.36)-(A.41): [17M, 21A] for a variable angle, table 24.
template <int A, class T>
CompositeBody<T> inward(const Planar<A, T>& X, const CompositeBody<T>& body) {
  constexpr int B = A + 1, C = A + 2;
  const Vec3<T> u = inward(X, body.h);
  Sym3<T> K = inward(X, body.K);
  // u~ p̃ᵀ has d u_A twice on its diagonal and −d u_B, −d u_C in row A; m p̃ p̃ᵀ has m d²
  const T along = X.d * u.template get<A>(), own = body.m * X.d * X.d;
  K.template get<B, B>() = K.template get<B, B>() + along + along + own;
  K.template get<C, C>() = K.template get<C, C>() + along + along + own;
  K.template get<A, B>() -= X.d * u.template get<B>();
  K.template get<A, C>() -= X.d * u.template get<C>();
  Vec3<T> h = u;
  h.template get<A>() += body.m * X.d;
  return {body.m, h, K};
}

}  // namespace limber::reference
