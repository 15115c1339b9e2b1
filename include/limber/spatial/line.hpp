#pragma once
// Lines, free vectors and screws: what a motion or force vector is made of. [RDA] §2.3
//
// A motion with the line vector (a, point × a) turns about that line; with the free vector (0, b)
// it slides along b. A force with the line vector acts along that line; a free vector is a couple.
// Every spatial vector is one line vector and one free vector parallel to it: a screw with an axis
// and a pitch, the same in every frame.
#include <limber/spatial/vector.hpp>

namespace limber {

/// Turning at `angular` [rad/s] about the line through `point` [m]. [RDA] (2.2)
template <class T>
constexpr Motion<T> turn_about(const Vec3<T>& point, const Vec3<T>& angular) {
  return {angular, cross(point, angular)};
}
/// Pure translation [m/s].
template <class T>
constexpr Motion<T> slide_along(const Vec3<T>& linear) {
  return {{}, linear};
}
/// Turning about the line and sliding `pitch` [m/rad] along it per turn of one radian. [RDA] §2.3.2
template <class T>
constexpr Motion<T> screw_about(const Vec3<T>& point, const Vec3<T>& angular, const T& pitch) {
  return {angular, cross(point, angular) + angular * pitch};
}
/// The motion of a body with the given angular velocity whose point at `point` moves with `linear`.
/// [RDA] (2.1)
template <class T>
constexpr Motion<T> motion_at(const Vec3<T>& point, const Vec3<T>& angular, const Vec3<T>& linear) {
  return {angular, linear + cross(point, angular)};
}
/// A force [N] that acts at a point [m]. [RDA] §2.3.3
template <class T>
constexpr Force<T> force_at(const Vec3<T>& point, const Vec3<T>& force) {
  return {cross(point, force), force};
}
/// A moment [N m] without force: the same about every point.
template <class T>
constexpr Force<T> couple(const Vec3<T>& moment) {
  return {moment, {}};
}

/// Velocity of the body point at `point` [m/s].
template <class T>
constexpr Vec3<T> velocity_at(const Motion<T>& v, const Vec3<T>& point) {
  return v.linear - cross(point, v.angular);
}
/// Moment of the force about `point` [N m].
template <class T>
constexpr Vec3<T> moment_about(const Force<T>& f, const Vec3<T>& point) {
  return f.angular - cross(point, f.linear);
}
/// The same vector about the origin that lies at −p, axes kept. [RDA] (2.3)
template <class T>
constexpr Motion<T> shifted(const Motion<T>& v, const Vec3<T>& p) {
  return {v.angular, v.linear + cross(p, v.angular)};
}
template <class T>
constexpr Force<T> shifted(const Force<T>& f, const Vec3<T>& p) {
  return {f.angular + cross(p, f.linear), f.linear};
}

/// What a spatial vector is: nothing, a free vector, or a line vector with a finite pitch.
enum class ScrewKind { zero, free, screw };

/// Axis, magnitude and pitch of a spatial vector. [RDA] §2.3.1
struct ScrewParts {
  ScrewKind kind = ScrewKind::zero;
  Vec3<double> direction;  ///< unit vector along the axis; zero for the zero vector
  Vec3<double> point;      ///< point of the axis nearest the origin [m]; zero for a free vector
  double magnitude = 0;    ///< of the line part, or of the free part if there is no other
  double pitch = 0;        ///< free part / line part [m]; infinite for a free vector
};

/// Splits a motion: magnitude in rad/s (m/s if kind is `free`).
ScrewParts screw_parts(const Motion<double>& v);
/// Splits a force: magnitude in N (N m if kind is `free`), pitch = moment / force along the axis.
ScrewParts screw_parts(const Force<double>& f);
/// Puts the parts together again.
Motion<double> motion_of(const ScrewParts& parts);
Force<double> force_of(const ScrewParts& parts);

/// True if the vector is a line vector (pure turn, pure force): |a · a_O| ≤ tolerance |a| |a_O|, a
/// ≠ 0.
bool is_line(const Motion<double>& v, double tolerance = 1e-12);
bool is_line(const Force<double>& f, double tolerance = 1e-12);

}  // namespace limber
