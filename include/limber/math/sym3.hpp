#pragma once
// Sym3: a symmetric 3x3 matrix in six numbers.
#include <limber/math/mat3.hpp>

namespace limber {

template <class T>
struct Sym3 {
  T xx = T(0), yy = T(0), zz = T(0), xy = T(0), xz = T(0), yz = T(0);

  static constexpr Sym3 identity() { return {T(1), T(1), T(1), T(0), T(0), T(0)}; }
  static constexpr Sym3 diagonal(const T& x, const T& y, const T& z) {
    return {x, y, z, T(0), T(0), T(0)};
  }
  /// Entry by compile-time row and column, both cyclic (3 is x again).
  template <int Row, int Column>
  constexpr T& get() {
    constexpr int i = Row % 3, j = Column % 3;
    if constexpr (i == j && i == 0) return xx;
    else if constexpr (i == j && i == 1) return yy;
    else if constexpr (i == j) return zz;
    else if constexpr (i + j == 1) return xy;
    else if constexpr (i + j == 2) return xz;
    else return yz;
  }
  template <int Row, int Column>
  constexpr const T& get() const {
    return const_cast<Sym3*>(this)->template get<Row, Column>();
  }
};

// clang-format off
template <class T> constexpr Sym3<T> operator+(const Sym3<T>& A, const Sym3<T>& B) {
  return {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.xz + B.xz, A.yz + B.yz};
}
template <class T> constexpr Sym3<T> operator-(const Sym3<T>& A, const Sym3<T>& B) {
  return {A.xx - B.xx, A.yy - B.yy, A.zz - B.zz, A.xy - B.xy, A.xz - B.xz, A.yz - B.yz};
}
template <class T> constexpr Sym3<T> operator-(const Sym3<T>& A) { return {-A.xx, -A.yy, -A.zz, -A.xy, -A.xz, -A.yz}; }
template <class T> constexpr Sym3<T> operator*(const Sym3<T>& A, const T& s) {
  return {A.xx * s, A.yy * s, A.zz * s, A.xy * s, A.xz * s, A.yz * s};
}
template <class T> constexpr Sym3<T>& operator+=(Sym3<T>& A, const Sym3<T>& B) { return A = A + B; }
template <class T> constexpr Sym3<T>& operator-=(Sym3<T>& A, const Sym3<T>& B) { return A = A - B; }
template <class T> constexpr Vec3<T> operator*(const Sym3<T>& A, const Vec3<T>& v) {
  return {A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z, A.xz * v.x + A.yz * v.y + A.zz * v.z};
}
template <class T> constexpr Mat3<T> to_mat3(const Sym3<T>& A) { return {A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz}; }
/// ½(A + Aᵀ)
template <class T> constexpr Sym3<T> symmetric_part(const Mat3<T>& A) {
  const T half(0.5);
  return {A.xx, A.yy, A.zz, half * (A.xy + A.yx), half * (A.xz + A.zx), half * (A.yz + A.zy)};
}
/// v vᵀ
template <class T> constexpr Sym3<T> square(const Vec3<T>& v) { return {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z}; }
template <class T> constexpr T trace(const Sym3<T>& A) { return A.xx + A.yy + A.zz; }
template <class T> constexpr T determinant(const Sym3<T>& A) {
  return A.xx * (A.yy * A.zz - A.yz * A.yz) - A.xy * (A.xy * A.zz - A.yz * A.xz) + A.xz * (A.xy * A.yz - A.yy * A.xz);
}
// clang-format on

/// R A Rᵀ for any 3x3 R (45 multiplications, 30 additions).
template <class T>
constexpr Sym3<T> congruence(const Mat3<T>& R, const Sym3<T>& A) {
  const Vec3<T> x = A * R.row(0), y = A * R.row(1), z = A * R.row(2);
  return {dot(R.row(0), x), dot(R.row(1), y), dot(R.row(2), z),
          dot(R.row(0), y), dot(R.row(0), z), dot(R.row(1), z)};
}

/// A⁻¹; A must be regular.
template <class T>
constexpr Sym3<T> inverse(const Sym3<T>& A) {
  const Sym3<T> adjugate{A.yy * A.zz - A.yz * A.yz, A.xx * A.zz - A.xz * A.xz,
                         A.xx * A.yy - A.xy * A.xy, A.xz * A.yz - A.xy * A.zz,
                         A.xy * A.yz - A.xz * A.yy, A.xy * A.xz - A.yz * A.xx};
  return adjugate * (T(1) / (A.xx * adjugate.xx + A.xy * adjugate.xy + A.xz * adjugate.xz));
}

/// The three eigenvalues in ascending order, to rounding of the largest; NaN if an entry is not
/// finite.
Vec3<double> eigenvalues(Sym3<double> A);

template <class U, class T>
constexpr Sym3<U> cast(const Sym3<T>& A) {
  return {static_cast<U>(A.xx), static_cast<U>(A.yy), static_cast<U>(A.zz),
          static_cast<U>(A.xy), static_cast<U>(A.xz), static_cast<U>(A.yz)};
}

}  // namespace limber
