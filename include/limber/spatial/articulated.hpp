#pragma once
// ArticulatedInertia: the symmetric 6x6 inertia that a body shows when it carries others. [RDA]
// §3.6
//   moment = I α + H a,  force = Hᵀ α + M a      (α, a: acceleration; 21 numbers)
#include <limber/spatial/inertia.hpp>

namespace limber {

template <class T>
struct ArticulatedInertia {
  Sym3<T> I;  ///< angular block [kg m²]
  Mat3<T> H;  ///< coupling block [kg m]; h× for a rigid body
  Sym3<T> M;  ///< linear block [kg]; m 1 for a rigid body

  constexpr ArticulatedInertia() = default;
  constexpr ArticulatedInertia(const Sym3<T>& I, const Mat3<T>& H, const Sym3<T>& M)
      : I(I), H(H), M(M) {}
  [[gnu::always_inline]] constexpr explicit ArticulatedInertia(const Inertia<T>& body)
      : I(body.rotational()), H(skew(body.h)), M(Sym3<T>::diagonal(body.m, body.m, body.m)) {}
};

// clang-format off
template <class T> [[gnu::always_inline]] constexpr ArticulatedInertia<T> operator+(const ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) {
  return {a.I + b.I, a.H + b.H, a.M + b.M};
}
template <class T> constexpr ArticulatedInertia<T>& operator+=(ArticulatedInertia<T>& a, const ArticulatedInertia<T>& b) { return a = a + b; }
/// Mixed sum: a rigid body joined to an articulated one. [RDA] §8.3.1
template <class T> [[gnu::always_inline]] constexpr ArticulatedInertia<T> operator+(const ArticulatedInertia<T>& a, const Inertia<T>& b) {
  const Sym3<T> r = b.rotational();
  ArticulatedInertia<T> s = a;
  s.I += r;
  s.H.xy -= b.h.z; s.H.xz += b.h.y; s.H.yx += b.h.z; s.H.yz -= b.h.x; s.H.zx -= b.h.y; s.H.zy += b.h.x;
  s.M.xx += b.m; s.M.yy += b.m; s.M.zz += b.m;
  return s;
}
// clang-format on

template <class T>
[[gnu::always_inline]] constexpr Force<T> operator*(const ArticulatedInertia<T>& IA,
                                                    const Motion<T>& a) {
  return {IA.I * a.angular + IA.H * a.linear, transpose_times(IA.H, a.angular) + IA.M * a.linear};
}

/// IA − U Uᵀ / d: what is left when one joint column with IA S = U and Sᵀ U = d moves freely.
/// [RDA] (6.25). `Ud` is U / d.
template <class T>
[[gnu::always_inline]] constexpr void eliminate(ArticulatedInertia<T>& IA, const Force<T>& U,
                                                const Force<T>& Ud) {
  const Vec3<T>&n = U.angular, &f = U.linear, &nd = Ud.angular, &fd = Ud.linear;
  IA.I -= Sym3<T>{n.x * nd.x, n.y * nd.y, n.z * nd.z, n.x * nd.y, n.x * nd.z, n.y * nd.z};
  IA.H -= outer(nd, f);
  IA.M -= Sym3<T>{f.x * fd.x, f.y * fd.y, f.z * fd.z, f.x * fd.y, f.x * fd.z, f.y * fd.z};
}

template <class U, class T>
constexpr ArticulatedInertia<U> cast(const ArticulatedInertia<T>& a) {
  return {cast<U>(a.I), cast<U>(a.H), cast<U>(a.M)};
}

}  // namespace limber
