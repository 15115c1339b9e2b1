#pragma once
// Vec3: three numbers in the axes of one frame.
#include <limber/scalar/scalar.hpp>

namespace limber {

template <class T>
struct Vec3 {
  T x = T(0), y = T(0), z = T(0);

  /// Component by compile-time axis, cyclic: 0 = x, 1 = y, 2 = z, 3 = x, …
  template <int Axis>
  constexpr T& get() {
    if constexpr (Axis % 3 == 0) return x;
    else if constexpr (Axis % 3 == 1) return y;
    else return z;
  }
  template <int Axis>
  constexpr const T& get() const {
    return const_cast<Vec3*>(this)->template get<Axis>();
  }
  /// Component by run-time index 0, 1, 2.
  constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};

// clang-format off
template <class T> constexpr Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> constexpr Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
template <class T> constexpr Vec3<T> operator-(const Vec3<T>& a) { return {-a.x, -a.y, -a.z}; }
template <class T> constexpr Vec3<T> operator*(const Vec3<T>& a, const T& s) { return {a.x * s, a.y * s, a.z * s}; }
template <class T> constexpr Vec3<T> operator*(const T& s, const Vec3<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> constexpr Vec3<T> operator/(const Vec3<T>& a, const T& s) { return a * (T(1) / s); }
template <class T> constexpr Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) { return a = a + b; }
template <class T> constexpr Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) { return a = a - b; }
template <class T> constexpr Vec3<T>& operator*=(Vec3<T>& a, const T& s) { return a = a * s; }
template <class T> constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// clang-format on

/// Euclidean length.
template <class T>
T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

/// The same vector with another scalar type.
template <class U, class T>
constexpr Vec3<U> cast(const Vec3<T>& a) {
  return {static_cast<U>(a.x), static_cast<U>(a.y), static_cast<U>(a.z)};
}

}  // namespace limber
