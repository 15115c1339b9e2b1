#pragma once
// Inertia: the ten inertial parameters of a rigid body about the origin of its frame. [RDA] §3.3
//
// Kept as the moments of the mass distribution of order 0, 1 and 2: m, h = ∫ r dm, J = ∫ r rᵀ dm.
// The rotational inertia of the book is tr(J) 1 − J. In this form a move of frame costs fewest
// operations, and a body is physically possible exactly when the moments about its centre are
// positive semidefinite, which contains the triangle inequalities.
#include <limber/math/sym3.hpp>
#include <limber/spatial/vector.hpp>

namespace limber {

template <class T>
struct Inertia {
  T m = T(0);  ///< mass [kg]
  Vec3<T> h;   ///< first moment m c [kg m]
  Sym3<T> J;   ///< second moment ∫ r rᵀ dm [kg m²]

  /// From mass, centre of mass and rotational inertia about the centre of mass, all in one frame.
  static constexpr Inertia from_com(const T& mass, const Vec3<T>& com, const Sym3<T>& about_com) {
    return {mass, com * mass, second_moment(about_com) + square(com) * mass};
  }
  /// Rotational inertia about the frame origin [kg m²].
  constexpr Sym3<T> rotational() const {
    return {J.yy + J.zz, J.xx + J.zz, J.xx + J.yy, -J.xy, -J.xz, -J.yz};
  }
  /// Centre of mass [m]; the mass must not be zero.
  constexpr Vec3<T> com() const { return h / m; }
  /// Second moments about the centre of mass, axes kept [kg m²]; J itself for a massless body.
  constexpr Sym3<T> central_second_moment() const {
    return m == T(0) ? J : J - square(h) * (T(1) / m);
  }
  /// Rotational inertia about the centre of mass, axes kept [kg m²].
  constexpr Sym3<T> rotational_about_com() const {
    return Inertia{m, {}, central_second_moment()}.rotational();
  }
  /// ½ tr(I) 1 − I: second moments from a rotational inertia.
  static constexpr Sym3<T> second_moment(const Sym3<T>& I) {
    const T half(0.5);
    return {half * (I.yy + I.zz - I.xx),
            half * (I.xx + I.zz - I.yy),
            half * (I.xx + I.yy - I.zz),
            -I.xy,
            -I.xz,
            -I.yz};
  }
};

/// Inertia of two bodies joined rigidly. [RDA] (3.8)
template <class T>
constexpr Inertia<T> operator+(const Inertia<T>& a, const Inertia<T>& b) {
  return {a.m + b.m, a.h + b.h, a.J + b.J};
}
template <class T>
constexpr Inertia<T> operator-(const Inertia<T>& a, const Inertia<T>& b) {
  return {a.m - b.m, a.h - b.h, a.J - b.J};
}
template <class T>
constexpr Inertia<T>& operator+=(Inertia<T>& a, const Inertia<T>& b) {
  return a = a + b;
}

/// Momentum of a body with velocity v, or the force for acceleration v at rest. [RDA] (3.1), (3.3)
template <class T>
constexpr Force<T> operator*(const Inertia<T>& I, const Motion<T>& v) {
  return {I.rotational() * v.angular + cross(I.h, v.linear),
          v.linear * I.m - cross(I.h, v.angular)};
}

/// Acceleration (at rest) or velocity that a force or momentum gives: I⁻¹ f. [RDA] (3.14)
/// The mass and the rotational inertia about the centre must be regular.
template <class T>
constexpr Motion<T> solve(const Inertia<T>& I, const Force<T>& f) {
  const Vec3<T> c = I.com();
  const Vec3<T> w = inverse(I.rotational_about_com()) * (f.angular - cross(c, f.linear));
  return {w, f.linear / I.m + cross(c, w)};
}

/// Twice the kinetic energy: v · I v [J].
template <class T>
constexpr T twice_kinetic_energy(const Inertia<T>& I, const Motion<T>& v) {
  return dot(v, I * v);
}

/// What keeps ten numbers from being the inertia of a real body.
enum class InertiaDefect { none, not_finite, negative_mass, not_positive, triangle_inequality };

/// Physical consistency: finite; m ≥ 0; rotational inertia about the centre positive semidefinite
/// (else not_positive); principal moments obey the triangle inequality. `tolerance` is relative to
/// the largest moment.
InertiaDefect physical_defect(const Inertia<double>& inertia, double tolerance = 1e-9);

template <class U, class T>
constexpr Inertia<U> cast(const Inertia<T>& I) {
  return {static_cast<U>(I.m), cast<U>(I.h), cast<U>(I.J)};
}

}  // namespace limber
