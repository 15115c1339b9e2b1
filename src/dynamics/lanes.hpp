#pragma once
// Lanes: neighbouring numbers as one scalar of the spatial algebra. Motion<Lanes<double>> is eight
// motions, and every product of the algebra works on all of them at once, by the compilers'
// vectors. Eight stands for what one register holds: fewer where there is no AVX-512, for vectors
// wider than the registers are slow. A scalar that is a class (many robots at once, an expression)
// is its own lane.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include <limber/spatial/transform.hpp>

#include "scalar/registers.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// How many numbers go together: as many as fit into one register, at most eight.
template <class T>
constexpr int lanes_in(int register_bytes) {
  return std::is_class_v<T> ? 1 : std::min(8, register_bytes / int(sizeof(T)));
}
/// The same for the registers that the file is compiled for.
template <class T>
inline constexpr int lane_count = lanes_in<T>(vector_bytes);
/// The next multiple of `lanes`.
constexpr int padded(int n, int lanes) { return (n + lanes - 1) / lanes * lanes; }

template <class T, int N>
struct LaneStorage;
template <int N>
struct LaneStorage<double, N> {
  using type [[gnu::vector_size(N * sizeof(double))]] = double;
};
template <int N>
struct LaneStorage<float, N> {
  using type [[gnu::vector_size(N * sizeof(float))]] = float;
};

/// N numbers; fewer than a register holds where no more are needed.
template <class T, int N = lane_count<T>, bool IsClass = std::is_class_v<T>>
struct Lanes {
  using Storage = typename LaneStorage<T, N>::type;
  Storage x;

  Lanes() : Lanes(T(0)) {}
  explicit Lanes(const Storage& lanes) : x(lanes) {}
  /// The same number in every lane.
  Lanes(const T& s) : x(s - Storage{}) {}  // NOLINT(google-explicit-constructor)

  /// Eight neighbours in memory.
  [[gnu::always_inline]] static Lanes load(const T* from) {
    Storage s;
    std::memcpy(&s, from, sizeof s);
    return Lanes(s);
  }
  [[gnu::always_inline]] void store(T* to) const { std::memcpy(to, &x, sizeof x); }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(Storage(a.x + b.x)); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(Storage(a.x - b.x)); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(Storage(a.x * b.x)); }
  friend Lanes operator-(const Lanes& a) { return Lanes(Storage(-a.x)); }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }

  /// The lanes whose bits are set, zeros in the others.
  [[gnu::always_inline]] friend Lanes only(const Lanes& a, int bits) {
    using Index = std::conditional_t<sizeof(T) == 8, long, int>;
    using Mask [[gnu::vector_size(sizeof(Storage))]] = Index;
    Mask bit;
    for (int l = 0; l < N; ++l) bit[l] = Index(1) << l;
    return Lanes(Storage((bit & Index(bits)) != 0 ? a.x : Storage{}));
  }
};

/// Lane K in all lanes.
template <int K, class T>
[[gnu::always_inline]] inline Lanes<T> spread_lane(const Lanes<T>& a) {
  if constexpr (lane_count<T> == 1) return a;
  else return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return Lanes<T>(__builtin_shufflevector(a.x, a.x, (K + 0 * I)...));
    }
  (std::make_integer_sequence<int, lane_count<T>>{});
}
template <class T>
[[gnu::always_inline]] inline T first_lane(const Lanes<T>& a) {
  if constexpr (lane_count<T> == 1) return T(a.x);
  else return a.x[0];
}
template <class T>
[[gnu::always_inline]] inline void set_lane(Lanes<T>& a, int lane, const T& x) {
  if constexpr (lane_count<T> == 1) a.x = x;
  else a.x[lane] = x;
}

template <class T, int N>
struct Lanes<T, N, true> {
  T x = T(0);

  Lanes() = default;
  Lanes(const T& s) : x(s) {}  // NOLINT(google-explicit-constructor)
  static Lanes load(const T* from) { return *from; }
  void store(T* to) const { *to = x; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return a.x + b.x; }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return a.x - b.x; }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return a.x * b.x; }
  friend Lanes operator-(const Lanes& a) { return -a.x; }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  friend Lanes only(const Lanes& a, int bits) { return bits != 0 ? a : Lanes(); }
};

}  // namespace LIMBER_REGISTERS
}  // namespace limber
