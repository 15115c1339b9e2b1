#pragma once
// Quat: unit quaternion, stored (x, y, z, w): the rotation that takes body coordinates to parent
// coordinates. [RDA] (8.1), (8.2), whose E is the transpose of to_matrix() here.
#include <limber/math/mat3.hpp>

namespace limber {

template <class T>
struct Quat {
  T x = T(0), y = T(0), z = T(0), w = T(1);
  constexpr Vec3<T> vec() const { return {x, y, z}; }
};

template <class T>
constexpr Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  const Vec3<T> v = b.vec() * a.w + a.vec() * b.w + cross(a.vec(), b.vec());
  return {v.x, v.y, v.z, a.w * b.w - dot(a.vec(), b.vec())};
}
/// The inverse of a unit quaternion.
template <class T>
constexpr Quat<T> conjugate(const Quat<T>& a) {
  return {-a.x, -a.y, -a.z, a.w};
}
/// x² + y² + z² + w²
template <class T>
constexpr T squared_norm(const Quat<T>& a) {
  return a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
}
/// The unit quaternion of the same direction; a zero quaternion gives NaN.
template <class T>
Quat<T> normalized(const Quat<T>& a) {
  const T s = T(1) / sqrt(squared_norm(a));
  return {a.x * s, a.y * s, a.z * s, a.w * s};
}

/// Rotation matrix (body to parent coordinates). The quaternion is taken as unit.
template <class T>
constexpr Mat3<T> to_matrix(const Quat<T>& a) {
  const T x2 = a.x + a.x, y2 = a.y + a.y, z2 = a.z + a.z;
  const T xx = a.x * x2, yy = a.y * y2, zz = a.z * z2;
  const T xy = a.x * y2, xz = a.x * z2, yz = a.y * z2;
  const T wx = a.w * x2, wy = a.w * y2, wz = a.w * z2;
  const T one(1);
  return {one - (yy + zz), xy - wz, xz + wy, xy + wz,        one - (xx + zz),
          yz - wx,         xz - wy, yz + wx, one - (xx + yy)};
}

/// The quaternion with w ≥ 0 of a rotation matrix.
template <class T>
Quat<T> to_quat(const Mat3<T>& R) {
  // take the largest of the four squares as pivot, so that nothing small is divided by
  const T one(1), quarter(0.25);
  const T d[4] = {one + R.xx - R.yy - R.zz, one - R.xx + R.yy - R.zz, one - R.xx - R.yy + R.zz,
                  one + R.xx + R.yy + R.zz};
  int k = 3;
  for (int i = 0; i < 3; ++i)
    if (d[k] < d[i]) k = i;
  const T p = sqrt(d[k]) * T(0.5);
  const T s = quarter / p;
  Quat<T> q;
  if (k == 0) q = {p, (R.xy + R.yx) * s, (R.xz + R.zx) * s, (R.zy - R.yz) * s};
  else if (k == 1) q = {(R.xy + R.yx) * s, p, (R.yz + R.zy) * s, (R.xz - R.zx) * s};
  else if (k == 2) q = {(R.xz + R.zx) * s, (R.yz + R.zy) * s, p, (R.yx - R.xy) * s};
  else q = {(R.zy - R.yz) * s, (R.xz - R.zx) * s, (R.yx - R.xy) * s, p};
  return q.w < T(0) ? Quat<T>{-q.x, -q.y, -q.z, -q.w} : q;
}

/// The rotation by the vector `turn` [rad]: angle |turn| about its direction.
template <class T>
Quat<T> exp_quat(const Vec3<T>& turn) {
  const T n2 = dot(turn, turn), n = sqrt(n2);
  T sine, cosine;
  sincos(n * T(0.5), sine, cosine);
  // sin(n/2)/n and cos(n/2) by their series where n vanishes; error below 1e-25
  const auto tiny = n2 < T(1e-12);
  const T scale = select(tiny, T(0.5) - n2 / T(48), sine / n);
  return {turn.x * scale, turn.y * scale, turn.z * scale, select(tiny, T(1) - n2 / T(8), cosine)};
}

/// The rotation vector of a quaternion, with |turn| ≤ π: the inverse of exp_quat. The length of the
/// quaternion does not matter.
template <class T>
Vec3<T> log_quat(const Quat<T>& a) {
  // a and −a are the same rotation; w ≥ 0 gives the one with angle ≤ π
  const T sign = select(a.w < T(0), T(-1), T(1));
  const T one(1), w = a.w * sign, s2 = dot(a.vec(), a.vec());
  // The angle is 2 φ with tan φ = s/w. Halving φ three times leaves t = tan(φ/8) below 0.2, of
  // which the series of the arctangent is exact to rounding; s itself is a factor, so that nothing
  // is divided by it: t₁ = tan(φ/2) = s/(n + w), t₂ = t₁/(1 + √(1 + t₁²)), …
  const T first = one / (sqrt(s2 + w * w) + w), t1 = s2 * first * first;
  const T second = one / (one + sqrt(one + t1)), t2 = t1 * second * second;
  const T third = one / (one + sqrt(one + t2)), t3 = t2 * third * third;
  T series(0);
  for (int k = 10; k >= 0; --k) series = T(1.0 / (2 * k + 1)) - series * t3;
  return a.vec() * (sign * T(16) * first * second * third * series);
}

template <class U, class T>
constexpr Quat<U> cast(const Quat<T>& a) {
  return {static_cast<U>(a.x), static_cast<U>(a.y), static_cast<U>(a.z), static_cast<U>(a.w)};
}

}  // namespace limber
