#pragma once
// The acceleration field of a rigid body is affine: the (classical) acceleration of the body point
// at r is A + Ω r with Ω = [ω̇×] + [ω×][ω×]. Newton and Euler's equations are its moments of order
// zero and one over the mass: force = ∫ (A + Ω r) dm, moment = ∫ r × (A + Ω r) dm. No linear
// velocity appears, and Ω serves both the forces and the step to the next body. [McM] app. B.1
// (after Balafoutis, and He and Goldenberg for the moment).
#include <limber/spatial/inertia.hpp>

namespace limber {

/// Ω for a body that turns with ω and ω̇ (6 multiplications, 9 additions).
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> acceleration_gradient(const Vec3<T>& w,
                                                               const Vec3<T>& wd) {
  const Sym3<T> k = square(w);
  return {-(k.yy + k.zz), k.xy - wd.z, k.xz + wd.y, k.xy + wd.z,   -(k.xx + k.zz),
          k.yz - wd.x,    k.xz - wd.y, k.yz + wd.x, -(k.xx + k.yy)};
}

/// The symmetric part of Ω, from ω alone (6 multiplications, 3 additions).
template <class T>
[[gnu::always_inline]] constexpr Sym3<T> centripetal_gradient(const Vec3<T>& w) {
  const Sym3<T> k = square(w);
  return {-(k.yy + k.zz), -(k.xx + k.zz), -(k.xx + k.yy), k.xy, k.xz, k.yz};
}

/// Force and moment about the origin that give a body the field A + Ω r (33 multiplications).
template <class T>
[[gnu::always_inline]] constexpr Force<T> inertial_force(const Inertia<T>& I, const Vec3<T>& A,
                                                         const Mat3<T>& O) {
  const Sym3<T>& J = I.J;
  const Vec3<T> spin{J.yy * O.zy - J.zz * O.yz + J.xy * O.zx - J.xz * O.yx + J.yz * (O.zz - O.yy),
                     J.zz * O.xz - J.xx * O.zx + J.yz * O.xy - J.xy * O.zy + J.xz * (O.xx - O.zz),
                     J.xx * O.yx - J.yy * O.xy + J.xz * O.yz - J.yz * O.xz + J.xy * (O.yy - O.xx)};
  return {spin + cross(I.h, A), A * I.m + O * I.h};
}

/// The same for A = 0 and ω̇ = 0: the bias force of a turning body (21 multiplications).
template <class T>
[[gnu::always_inline]] constexpr Force<T> centrifugal_force(const Inertia<T>& I, const Sym3<T>& O) {
  const Sym3<T>& J = I.J;
  return {{(J.yy - J.zz) * O.yz + J.xy * O.xz - J.xz * O.xy + J.yz * (O.zz - O.yy),
           (J.zz - J.xx) * O.xz + J.yz * O.xy - J.xy * O.yz + J.xz * (O.xx - O.zz),
           (J.xx - J.yy) * O.xy + J.xz * O.yz - J.yz * O.xz + J.xy * (O.yy - O.xx)},
          O * I.h};
}

}  // namespace limber
