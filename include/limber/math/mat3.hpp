#pragma once
// Mat3: a general 3x3 matrix, stored by rows.
#include <limber/math/vec3.hpp>

namespace limber {

template <class T>
struct Mat3 {
  T xx = T(0), xy = T(0), xz = T(0);
  T yx = T(0), yy = T(0), yz = T(0);
  T zx = T(0), zy = T(0), zz = T(0);

  static constexpr Mat3 identity() {
    return {T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)};
  }
  static constexpr Mat3 from_rows(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z) {
    return {x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
  }
  static constexpr Mat3 from_columns(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z) {
    return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  }
  /// Entry by compile-time row and column, both cyclic (3 is x again).
  template <int Row, int Column>
  constexpr T& get() {
    constexpr int k = 3 * (Row % 3) + Column % 3;
    if constexpr (k == 0) return xx;
    else if constexpr (k == 1) return xy;
    else if constexpr (k == 2) return xz;
    else if constexpr (k == 3) return yx;
    else if constexpr (k == 4) return yy;
    else if constexpr (k == 5) return yz;
    else if constexpr (k == 6) return zx;
    else if constexpr (k == 7) return zy;
    else return zz;
  }
  template <int Row, int Column>
  constexpr const T& get() const {
    return const_cast<Mat3*>(this)->template get<Row, Column>();
  }
  constexpr Vec3<T> row(int i) const {
    return i == 0 ? Vec3<T>{xx, xy, xz} : i == 1 ? Vec3<T>{yx, yy, yz} : Vec3<T>{zx, zy, zz};
  }
  constexpr Vec3<T> column(int i) const {
    return i == 0 ? Vec3<T>{xx, yx, zx} : i == 1 ? Vec3<T>{xy, yy, zy} : Vec3<T>{xz, yz, zz};
  }
};

// clang-format off
template <class T> constexpr Vec3<T> operator*(const Mat3<T>& A, const Vec3<T>& v) {
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.yx * v.x + A.yy * v.y + A.yz * v.z, A.zx * v.x + A.zy * v.y + A.zz * v.z};
}
/// Aᵀ v without forming the transpose.
template <class T> constexpr Vec3<T> transpose_times(const Mat3<T>& A, const Vec3<T>& v) {
  return {A.xx * v.x + A.yx * v.y + A.zx * v.z, A.xy * v.x + A.yy * v.y + A.zy * v.z, A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
template <class T> constexpr Mat3<T> transpose(const Mat3<T>& A) { return {A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz}; }
template <class T> constexpr Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {
  return Mat3<T>::from_columns(A * B.column(0), A * B.column(1), A * B.column(2));
}
template <class T> constexpr Mat3<T> operator*(const Mat3<T>& A, const T& s) {
  return {A.xx * s, A.xy * s, A.xz * s, A.yx * s, A.yy * s, A.yz * s, A.zx * s, A.zy * s, A.zz * s};
}
template <class T> constexpr Mat3<T> operator+(const Mat3<T>& A, const Mat3<T>& B) {
  return {A.xx + B.xx, A.xy + B.xy, A.xz + B.xz, A.yx + B.yx, A.yy + B.yy, A.yz + B.yz, A.zx + B.zx, A.zy + B.zy, A.zz + B.zz};
}
template <class T> constexpr Mat3<T> operator-(const Mat3<T>& A) {
  return {-A.xx, -A.xy, -A.xz, -A.yx, -A.yy, -A.yz, -A.zx, -A.zy, -A.zz};
}
template <class T> constexpr Mat3<T> operator-(const Mat3<T>& A, const Mat3<T>& B) {
  return {A.xx - B.xx, A.xy - B.xy, A.xz - B.xz, A.yx - B.yx, A.yy - B.yy, A.yz - B.yz, A.zx - B.zx, A.zy - B.zy, A.zz - B.zz};
}
template <class T> constexpr Mat3<T>& operator+=(Mat3<T>& A, const Mat3<T>& B) { return A = A + B; }
template <class T> constexpr Mat3<T>& operator-=(Mat3<T>& A, const Mat3<T>& B) { return A = A - B; }
/// The matrix of v×, so that skew(v) * u = cross(v, u).
template <class T> constexpr Mat3<T> skew(const Vec3<T>& v) { return {T(0), -v.z, v.y, v.z, T(0), -v.x, -v.y, v.x, T(0)}; }
/// The vector whose cross matrix is the antisymmetric part of A, times two: skew(a) ↦ 2a.
template <class T> constexpr Vec3<T> vee2(const Mat3<T>& A) { return {A.zy - A.yz, A.xz - A.zx, A.yx - A.xy}; }
/// v× A, column by column.
template <class T> constexpr Mat3<T> cross(const Vec3<T>& v, const Mat3<T>& A) {
  return Mat3<T>::from_columns(cross(v, A.column(0)), cross(v, A.column(1)), cross(v, A.column(2)));
}
/// a bᵀ
template <class T> constexpr Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}
template <class T> constexpr T determinant(const Mat3<T>& A) { return dot(A.row(0), cross(A.row(1), A.row(2))); }
// clang-format on

/// Rotation by `angle` [rad] about the unit vector `axis` (Rodrigues): takes coordinates in the
/// turned frame to coordinates in the original frame.
template <class T>
Mat3<T> rotation(const Vec3<T>& axis, const T& angle) {
  T s, c;
  sincos(angle, s, c);
  const T t = T(1) - c;
  return outer(axis * t, axis) + skew(axis * s) + Mat3<T>::identity() * c;
}

template <class U, class T>
constexpr Mat3<U> cast(const Mat3<T>& A) {
  return Mat3<U>::from_rows(cast<U>(A.row(0)), cast<U>(A.row(1)), cast<U>(A.row(2)));
}

}  // namespace limber
