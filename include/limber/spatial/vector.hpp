#pragma once
// Motion and Force: the two kinds of spatial (6-D, Plücker) vectors. [RDA] ch. 2 and 3.
//
// Motion: velocity, acceleration or joint axis; `linear` belongs to the body point at the frame
// origin. Force: force, momentum or impulse; `angular` is the moment about the frame origin. They
// are different types on purpose: the only product between them is dot() (power, [RDA] (3.17)), and
// the wrong sum does not compile. Both are written angular part first.
#include <limber/math/mat3.hpp>

namespace limber {

template <class T>
struct Motion {
  Vec3<T> angular;  ///< ω or ω̇ [rad/s, rad/s²]
  Vec3<T> linear;   ///< velocity or acceleration of the point at the origin [m/s, m/s²]
};

template <class T>
struct Force {
  Vec3<T> angular;  ///< moment about the origin [N m]
  Vec3<T> linear;   ///< force [N]
};

// clang-format off
#define LIMBER_VECTOR_SPACE(V)                                                                                          \
  template <class T> constexpr V<T> operator+(const V<T>& a, const V<T>& b) { return {a.angular + b.angular, a.linear + b.linear}; } \
  template <class T> constexpr V<T> operator-(const V<T>& a, const V<T>& b) { return {a.angular - b.angular, a.linear - b.linear}; } \
  template <class T> constexpr V<T> operator-(const V<T>& a) { return {-a.angular, -a.linear}; }                        \
  template <class T> constexpr V<T> operator*(const V<T>& a, const T& s) { return {a.angular * s, a.linear * s}; }      \
  template <class T> constexpr V<T>& operator+=(V<T>& a, const V<T>& b) { return a = a + b; }                           \
  template <class T> constexpr V<T>& operator-=(V<T>& a, const V<T>& b) { return a = a - b; }                           \
  template <class U, class T> constexpr V<U> cast(const V<T>& a) { return {cast<U>(a.angular), cast<U>(a.linear)}; }
LIMBER_VECTOR_SPACE(Motion)
LIMBER_VECTOR_SPACE(Force)
#undef LIMBER_VECTOR_SPACE
// clang-format on

/// Power of a force on a motion [W]; the same in every frame. [RDA] (3.17)
template <class T>
constexpr T dot(const Motion<T>& v, const Force<T>& f) {
  return dot(v.angular, f.angular) + dot(v.linear, f.linear);
}

/// v ×̂ m: rate of change of a motion vector that moves with velocity v. [RDA] (2.24), (2.27)
template <class T>
[[gnu::always_inline]] constexpr Motion<T> cross(const Motion<T>& v, const Motion<T>& m) {
  return {cross(v.angular, m.angular), cross(v.linear, m.angular) + cross(v.angular, m.linear)};
}

/// v ×̂ f: rate of change of a force vector that moves with velocity v.
template <class T>
[[gnu::always_inline]] constexpr Force<T> cross(const Motion<T>& v, const Force<T>& f) {
  return {cross(v.angular, f.angular) + cross(v.linear, f.linear), cross(v.angular, f.linear)};
}

/// Classical from spatial acceleration: `linear` becomes the ordinary acceleration of the body
/// point at the origin, a + ω × v. [RDA] (2.29)
template <class T>
constexpr Motion<T> classical_acceleration(const Motion<T>& spatial, const Motion<T>& velocity) {
  return {spatial.angular, spatial.linear + cross(velocity.angular, velocity.linear)};
}

/// Spatial from classical acceleration: the inverse of classical_acceleration().
template <class T>
constexpr Motion<T> spatial_acceleration(const Motion<T>& classical, const Motion<T>& velocity) {
  return {classical.angular, classical.linear - cross(velocity.angular, velocity.linear)};
}

}  // namespace limber
