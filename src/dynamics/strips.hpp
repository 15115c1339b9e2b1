#pragma once
// Strips: the numbers of many bodies or columns, component by component, so that the same component
// of eight neighbours is loaded at once. get<V>(strips, c, i) reads a value of the spatial algebra
// whose first component is strip c: one value for a scalar type, eight for Lanes.
#include "dynamics/lanes.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Calls f with every number of a value, in storage order.
// clang-format off
template <class V, class F> [[gnu::always_inline]] inline void for_numbers(V& x, F&& f) requires requires { x.z; } { f(x.x), f(x.y), f(x.z); }
template <class V, class F> [[gnu::always_inline]] inline void for_numbers(V& x, F&& f) requires requires { x.linear; } { for_numbers(x.angular, f), for_numbers(x.linear, f); }
template <class V, class F> [[gnu::always_inline]] inline void for_numbers(V& x, F&& f) requires requires { x.xx; x.xy; } {
  f(x.xx), f(x.xy), f(x.xz), f(x.yy), f(x.yz), f(x.zz);
  if constexpr (requires { x.yx; }) f(x.yx), f(x.zx), f(x.zy);
}
template <class V, class F> [[gnu::always_inline]] inline void for_numbers(V& x, F&& f) requires requires { x.J; } { f(x.m), for_numbers(x.h, f), for_numbers(x.J, f); }
template <class V, class F> [[gnu::always_inline]] inline void for_numbers(V& x, F&& f) requires requires { x.R; } { for_numbers(x.R, f), for_numbers(x.p, f); }
// clang-format on

template <class T>
struct Strips {
  T* data = nullptr;
  int stride = 0;  ///< distance between strips
  int first = 0;   ///< body or column with which a strip begins
  T* at(int component, int i) const { return data + component * stride + (i - first); }
};

template <class T>
[[gnu::always_inline]] inline void read(const T* from, T& to) {
  to = *from;
}
template <class T>
[[gnu::always_inline]] inline void read(const T* from, Lanes<T>& to) {
  to = Lanes<T>::load(from);
}
template <class T>
[[gnu::always_inline]] inline void write(const T& from, T* to) {
  *to = from;
}
template <class T>
[[gnu::always_inline]] inline void write(const Lanes<T>& from, T* to) {
  from.store(to);
}

template <class V, class T>
[[gnu::always_inline]] inline V get(const Strips<T>& strips, int component, int i) {
  V value;
  const T* from = strips.at(component, i);
  for_numbers(
      value, [&](auto& x) __attribute__((always_inline)) {
        read(from, x);
        from += strips.stride;
      });
  return value;
}
template <class V, class T>
[[gnu::always_inline]] inline void put(const Strips<T>& strips, int component, int i,
                                       const V& value) {
  T* to = strips.at(component, i);
  for_numbers(
      value, [&](const auto& x) __attribute__((always_inline)) {
        write(x, to);
        to += strips.stride;
      });
}
/// The same value in all lanes.
template <class V, class T>
[[gnu::always_inline]] inline V spread(const Strips<T>& strips, int component, int i) {
  V value;
  const T* from = strips.at(component, i);
  for_numbers(
      value, [&](auto& x) __attribute__((always_inline)) {
        x = Lanes<T>(*from);
        from += strips.stride;
      });
  return value;
}
/// Eight values whose places in the strips are not neighbours.
template <class V, class T>
[[gnu::always_inline]] inline V gather(const Strips<T>& strips, int component, const int* places) {
  V value;
  const T* from = strips.at(component, strips.first);
  for_numbers(
      value, [&](auto& x) __attribute__((always_inline)) {
        if constexpr (lane_count<T> == 1) x.x = from[places[0] - strips.first];
        else
          for (int l = 0; l < lane_count<T>; ++l) x.x[l] = from[places[l] - strips.first];
        from += strips.stride;
      });
  return value;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
