#pragma once
// Lanes: eight numbers side by side, as one scalar of the spatial algebra. Motion<Lanes<T>> is
// eight motions, and every product of the algebra works on all of them at once. Built-in vectors
// where the compiler has them, plain arrays for scalars that are classes.
#include <cstring>
#include <type_traits>

#include <limber/spatial/transform.hpp>

namespace limber {

inline constexpr int lane_count = 8;
/// The next multiple of lane_count.
constexpr int padded(int n) { return (n + lane_count - 1) / lane_count * lane_count; }

/// Eight scalars of a class type, one after the other.
template <class T>
struct LaneArray {
  T x[lane_count];
  T& operator[](int i) { return x[i]; }
  const T& operator[](int i) const { return x[i]; }
};

#define LIMBER_LANE_ARRAY(OP)                                              \
  template <class T>                                                       \
  LaneArray<T> operator OP(const LaneArray<T>& a, const LaneArray<T>& b) { \
    LaneArray<T> r;                                                        \
    for (int i = 0; i < lane_count; ++i) r.x[i] = a.x[i] OP b.x[i];        \
    return r;                                                              \
  }
LIMBER_LANE_ARRAY(+)
LIMBER_LANE_ARRAY(-)
LIMBER_LANE_ARRAY(*)
#undef LIMBER_LANE_ARRAY
template <class T>
LaneArray<T> operator-(const LaneArray<T>& a) {
  LaneArray<T> r;
  for (int i = 0; i < lane_count; ++i) r.x[i] = -a.x[i];
  return r;
}

template <class T>
struct LaneStorage {
  using type = LaneArray<T>;
};
template <>
struct LaneStorage<double> {
  using type [[gnu::vector_size(lane_count * sizeof(double))]] = double;
};
template <>
struct LaneStorage<float> {
  using type [[gnu::vector_size(lane_count * sizeof(float))]] = float;
};

template <class T>
struct Lanes {
  using Storage = typename LaneStorage<T>::type;
  Storage x;

  Lanes() : Lanes(T(0)) {}
  explicit Lanes(const Storage& lanes) : x(lanes) {}
  /// The same number in every lane.
  Lanes(const T& s) {  // NOLINT(google-explicit-constructor): a scalar is a scalar
    if constexpr (std::is_class_v<T>)
      for (int i = 0; i < lane_count; ++i) x[i] = s;
    else x = s - Storage{};
  }

  /// Eight neighbours in memory.
  [[gnu::always_inline]] static Lanes load(const T* from) {
    Storage s;
    if constexpr (std::is_class_v<T>)
      for (int i = 0; i < lane_count; ++i) s[i] = from[i];
    else std::memcpy(&s, from, sizeof s);
    return Lanes(s);
  }
  [[gnu::always_inline]] void store(T* to) const {
    if constexpr (std::is_class_v<T>)
      for (int i = 0; i < lane_count; ++i) to[i] = x[i];
    else std::memcpy(to, &x, sizeof x);
  }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(Storage(a.x + b.x)); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(Storage(a.x - b.x)); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(Storage(a.x * b.x)); }
  friend Lanes operator-(const Lanes& a) { return Lanes(Storage(-a.x)); }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }

  /// Lanes begin … end − 1, zeros in the others.
  [[gnu::always_inline]] friend Lanes between(const Lanes& a, int begin, int end) {
    if constexpr (std::is_class_v<T>) {
      Lanes r;
      for (int i = begin > 0 ? begin : 0; i < end && i < lane_count; ++i) r.x[i] = a.x[i];
      return r;
    } else {
      using Index = std::conditional_t<sizeof(T) == 8, long, int>;
      using Mask [[gnu::vector_size(sizeof(Storage))]] = Index;
      Mask number;
      for (int i = 0; i < lane_count; ++i) number[i] = i;
      const Mask wanted = (number >= Index(begin)) & (number < Index(end));
      return Lanes(Storage(wanted ? a.x : Storage{}));
    }
  }
};

}  // namespace limber
