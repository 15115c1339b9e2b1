#pragma once
// Lanes: eight numbers side by side, as one scalar of the spatial algebra. Motion<Lanes<T>> is
// eight motions, and every product of the algebra works on all of them at once. For double and
// float, by the compilers' vectors.
#include <cstring>
#include <type_traits>

#include <limber/spatial/transform.hpp>

namespace limber {

inline constexpr int lane_count = 8;
/// The next multiple of lane_count.
constexpr int padded(int n) { return (n + lane_count - 1) / lane_count * lane_count; }

template <class T>
struct LaneStorage;
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

  /// Lanes begin … end − 1, zeros in the others.
  [[gnu::always_inline]] friend Lanes between(const Lanes& a, int begin, int end) {
    using Index = std::conditional_t<sizeof(T) == 8, long, int>;
    using Mask [[gnu::vector_size(sizeof(Storage))]] = Index;
    Mask number;
    for (int i = 0; i < lane_count; ++i) number[i] = i;
    const Mask wanted = (number >= Index(begin)) & (number < Index(end));
    return Lanes(Storage(wanted ? a.x : Storage{}));
  }
};

}  // namespace limber
