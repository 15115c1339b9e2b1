#pragma once
// Axis<K>: a unit joint column, known when compiling: K = 0, 1, 2 turns about x, y, z and K = 3, 4,
// 5 slides along x, y, z. In canonical frames nearly every column of S is one of these, and then I
// S, Sᵀ f and a + S q̈ are look-ups instead of products.
#include <limber/spatial/articulated.hpp>

namespace limber {

template <int K>
struct Axis {
  static_assert(0 <= K && K < 6);
};

/// x times the unit column K.
template <int K, class T>
struct Along {
  T x;
};

template <int K, class T>
[[gnu::always_inline]] constexpr Along<K, T> operator*(Axis<K>, const T& x) {
  return {x};
}

/// The column as an ordinary motion vector.
template <class T, int K>
constexpr Motion<T> to_motion(Axis<K>) {
  Motion<T> s;
  (K < 3 ? s.angular : s.linear).template get<K>() = T(1);
  return s;
}

/// Component K of a motion or force vector, angular part first.
template <int K, class V>
constexpr auto& component(V& a) {
  if constexpr (K < 3) return a.angular.template get<K>();
  else return a.linear.template get<K - 3>();
}

template <int K, class T>
[[gnu::always_inline]] constexpr Motion<T>& operator+=(Motion<T>& a, const Along<K, T>& s) {
  component<K>(a) += s.x;
  return a;
}

template <int K, class T>
[[gnu::always_inline]] constexpr T dot(Axis<K>, const Force<T>& f) {
  return component<K>(f);
}

/// Column K of the inertia.
template <int K, class T>
[[gnu::always_inline]] constexpr Force<T> operator*(const ArticulatedInertia<T>& IA, Axis<K>) {
  constexpr int k = K % 3;
  if constexpr (K < 3)
    return {{IA.I.template get<0, k>(), IA.I.template get<1, k>(), IA.I.template get<2, k>()},
            IA.H.row(k)};
  else
    return {IA.H.column(k),
            {IA.M.template get<0, k>(), IA.M.template get<1, k>(), IA.M.template get<2, k>()}};
}

template <int K, class T>
[[gnu::always_inline]] constexpr Force<T> operator*(const Inertia<T>& I, Axis<K>) {
  constexpr int k = K % 3;
  Force<T> f;
  if constexpr (K < 3) {
    f.angular.template get<k>() =
        I.J.template get<k + 1, k + 1>() + I.J.template get<k + 2, k + 2>();
    f.angular.template get<k + 1>() = -I.J.template get<k, k + 1>();
    f.angular.template get<k + 2>() = -I.J.template get<k, k + 2>();
    f.linear.template get<k + 1>() = -I.h.template get<k + 2>();
    f.linear.template get<k + 2>() = I.h.template get<k + 1>();
  } else {
    f.linear.template get<k>() = I.m;
    f.angular.template get<k + 1>() = I.h.template get<k + 2>();
    f.angular.template get<k + 2>() = -I.h.template get<k + 1>();
  }
  return f;
}

/// eliminate() for a unit column: row and column K of the result are exactly zero, the rest costs
/// 15 products instead of 21. Ud is U / d without its component K.
template <int K, class T>
[[gnu::always_inline]] constexpr void eliminate(ArticulatedInertia<T>& IA, Axis<K>,
                                                const Force<T>& U, const Force<T>& Ud) {
  constexpr int k = K % 3, i = k + 1, j = k + 2;  // cyclic: k is the axis, i and j the others
  const Vec3<T>&n = U.angular, &f = U.linear, &nd = Ud.angular, &fd = Ud.linear;
  auto reduced = [](Sym3<T>& A, const Vec3<T>& a, const Vec3<T>& ad) {
    A.template get<i, i>() -= a.template get<i>() * ad.template get<i>();
    A.template get<j, j>() -= a.template get<j>() * ad.template get<j>();
    A.template get<i, j>() -= a.template get<i>() * ad.template get<j>();
    A.template get<k, k>() = A.template get<k, i>() = A.template get<k, j>() = T(0);
  };
  auto full = [](Sym3<T>& A, const Vec3<T>& a, const Vec3<T>& ad) {
    A -= Sym3<T>{a.x * ad.x, a.y * ad.y, a.z * ad.z, a.x * ad.y, a.x * ad.z, a.y * ad.z};
  };
  if constexpr (K < 3) {
    reduced(IA.I, n, nd);
    full(IA.M, f, fd);
    const Vec3<T> rows[2] = {f * nd.template get<i>(), f * nd.template get<j>()};
    IA.H.template get<i, 0>() -= rows[0].x;
    IA.H.template get<i, 1>() -= rows[0].y;
    IA.H.template get<i, 2>() -= rows[0].z;
    IA.H.template get<j, 0>() -= rows[1].x;
    IA.H.template get<j, 1>() -= rows[1].y;
    IA.H.template get<j, 2>() -= rows[1].z;
    IA.H.template get<k, 0>() = IA.H.template get<k, 1>() = IA.H.template get<k, 2>() = T(0);
  } else {
    full(IA.I, n, nd);
    reduced(IA.M, f, fd);
    const Vec3<T> columns[2] = {n * fd.template get<i>(), n * fd.template get<j>()};
    IA.H.template get<0, i>() -= columns[0].x;
    IA.H.template get<1, i>() -= columns[0].y;
    IA.H.template get<2, i>() -= columns[0].z;
    IA.H.template get<0, j>() -= columns[1].x;
    IA.H.template get<1, j>() -= columns[1].y;
    IA.H.template get<2, j>() -= columns[1].z;
    IA.H.template get<0, k>() = IA.H.template get<1, k>() = IA.H.template get<2, k>() = T(0);
  }
}

/// U / d without component K, which eliminate() does not need (5 products).
template <int K, class T>
[[gnu::always_inline]] constexpr Force<T> scaled_without(Axis<K>, const Force<T>& U, const T& s) {
  Force<T> f;
  if constexpr (K != 0) f.angular.x = U.angular.x * s;
  if constexpr (K != 1) f.angular.y = U.angular.y * s;
  if constexpr (K != 2) f.angular.z = U.angular.z * s;
  if constexpr (K != 3) f.linear.x = U.linear.x * s;
  if constexpr (K != 4) f.linear.y = U.linear.y * s;
  if constexpr (K != 5) f.linear.z = U.linear.z * s;
  return f;
}

/// IA a when row and column K of IA are zero (25 products instead of 36).
template <int K, class T>
[[gnu::always_inline]] constexpr Force<T> times_without(const ArticulatedInertia<T>& IA,
                                                        const Motion<T>& a, Axis<K>) {
  constexpr int k = K % 3, i = k + 1, j = k + 2;  // cyclic: k is the axis, i and j the others
  auto reduced = [](const Sym3<T>& A, const Vec3<T>& x) {
    Vec3<T> r;
    r.template get<i>() =
        A.template get<i, i>() * x.template get<i>() + A.template get<i, j>() * x.template get<j>();
    r.template get<j>() =
        A.template get<j, i>() * x.template get<i>() + A.template get<j, j>() * x.template get<j>();
    return r;
  };
  Force<T> f;
  if constexpr (K < 3) {
    f.angular = reduced(IA.I, a.angular);
    f.angular.template get<i>() += dot(IA.H.row(i % 3), a.linear);
    f.angular.template get<j>() += dot(IA.H.row(j % 3), a.linear);
    f.linear = IA.H.row(i % 3) * a.angular.template get<i>() +
               IA.H.row(j % 3) * a.angular.template get<j>() + IA.M * a.linear;
  } else {
    f.linear = reduced(IA.M, a.linear);
    f.linear.template get<i>() += dot(IA.H.column(i % 3), a.angular);
    f.linear.template get<j>() += dot(IA.H.column(j % 3), a.angular);
    f.angular = IA.H.column(i % 3) * a.linear.template get<i>() +
                IA.H.column(j % 3) * a.linear.template get<j>() + IA.I * a.angular;
  }
  return f;
}

// the same names for a general column, so that a recursion is written once
template <class T>
constexpr void eliminate(ArticulatedInertia<T>& IA, const Motion<T>&, const Force<T>& U,
                         const Force<T>& Ud) {
  eliminate(IA, U, Ud);
}
template <class T>
constexpr Force<T> scaled_without(const Motion<T>&, const Force<T>& U, const T& s) {
  return U * s;
}

}  // namespace limber
