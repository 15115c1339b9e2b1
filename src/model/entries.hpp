#pragma once
// Vectors and quaternions within lists of numbers.
#include <span>
#include <type_traits>

#include <limber/math/quat.hpp>

namespace limber {

template <class T>
Vec3<std::remove_const_t<T>> vector_at(std::span<T> x, int i) {
  const T* at = x.data() + i;
  return {at[0], at[1], at[2]};
}
template <class T>
Quat<std::remove_const_t<T>> quaternion_at(std::span<T> x, int i) {
  const T* at = x.data() + i;
  return {at[0], at[1], at[2], at[3]};
}
template <class T>
void put(const Vec3<T>& a, std::span<T> x, int i) {
  T* at = x.data() + i;
  at[0] = a.x, at[1] = a.y, at[2] = a.z;
}
template <class T>
void put(const Quat<T>& a, std::span<T> x, int i) {
  T* at = x.data() + i;
  at[0] = a.x, at[1] = a.y, at[2] = a.z, at[3] = a.w;
}

}  // namespace limber
