// MJCF: positions and orientations.
#include <cmath>

#include <fmt/format.h>

#include "io/mjcf.hpp"

namespace limber {

namespace {

constexpr const char* orientations[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};

// the one orientation that an element itself has; null: none
const char* orientation_of(const XmlElement& element) {
  const char* found = nullptr;
  for (const char* name : orientations) {
    if (!element.attribute(name)) continue;
    if (found)
      throw element.error(fmt::format("both {} and {}; give one orientation", found, name));
    found = name;
  }
  return found;
}

Vec3<double> unit(const XmlElement& element, const char* what, const Vec3<double>& v) {
  const double length = norm(v);
  if (!(length > 1e-14) || !std::isfinite(length))
    throw element.error(fmt::format("{} is too short, or too long, for a direction", what));
  return v / length;
}

Mat3<double> from_axis_angle(const XmlElement& element, const MjcfCompiler& compiler) {
  const std::vector<double> x = element.numbers("axisangle", {4});
  return rotation(unit(element, "the axis of axisangle", {x[0], x[1], x[2]}), compiler.angle(x[3]));
}

// y is made perpendicular to x
Mat3<double> from_axes(const XmlElement& element) {
  const std::vector<double> a = element.numbers("xyaxes", {6});
  const Vec3<double> x = unit(element, "the x axis of xyaxes", {a[0], a[1], a[2]});
  const Vec3<double> given{a[3], a[4], a[5]};
  const Vec3<double> y =
      unit(element, "the y axis of xyaxes, perpendicular to x,", given - x * dot(x, given));
  const Vec3<double> z = cross(x, y);
  return {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

Mat3<double> orientation(const XmlElement& element, std::string_view kind,
                         const MjcfCompiler& compiler) {
  if (kind == "quat") {
    const std::vector<double> q = element.numbers("quat", {4});
    return to_matrix(mjcf_quaternion(element, q));
  }
  if (kind == "axisangle") return from_axis_angle(element, compiler);
  if (kind == "xyaxes") return from_axes(element);
  if (kind == "zaxis") return mjcf_rotation_to(unit(element, "zaxis", element.vec3("zaxis", {})));
  std::vector<double> angles = element.numbers("euler", {3});
  for (double& angle : angles) angle = compiler.angle(angle);
  return mjcf_euler(angles, compiler.euler_sequence);
}

}  // namespace

Quat<double> mjcf_quaternion(const XmlElement& element, std::span<const double> wxyz) {
  const Quat<double> q{wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
  const double square = squared_norm(q);
  if (!(square > 1e-28) || !std::isfinite(square))
    throw element.error(
        "a quaternion of length zero, or too long, is no orientation; 1 0 0 0 is "
        "none (w comes first)");
  return normalized(q);
}

Mat3<double> mjcf_rotation_to(const Vec3<double>& direction) {
  const Vec3<double> axis = cross({0, 0, 1}, direction);
  const double sine = norm(axis);
  // straight up or down: about x
  if (sine < 1e-14) return rotation<double>({1, 0, 0}, direction.z < 0 ? std::acos(-1.0) : 0);
  return rotation(axis / sine, std::atan2(sine, direction.z));
}

// lower case: about the axis as the turns before have left it; upper case: about the fixed one
Mat3<double> mjcf_euler(const std::vector<double>& angles, const std::string& sequence) {
  Mat3<double> R = Mat3<double>::identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char letter = sequence[i];
    const bool moved = letter >= 'x';
    const int k = letter - (moved ? 'x' : 'X');
    Vec3<double> axis;
    axis[k] = 1;
    const Mat3<double> turn = rotation(axis, angles[i]);
    R = moved ? R * turn : turn * R;
  }
  return R;
}

Transform<double> mjcf_pose(const MjcfElement& element, const MjcfCompiler& compiler) {
  Transform<double> pose;
  pose.p = element.vec3("pos", {});
  if (const char* own = orientation_of(element.own())) {
    pose.R = orientation(element.own(), own, compiler);
    return pose;
  }
  for (auto one = element.defaults().rbegin(); one != element.defaults().rend(); ++one)
    if (const char* inherited = orientation_of(*one)) {
      pose.R = orientation(*one, inherited, compiler);
      return pose;
    }
  return pose;
}

}  // namespace limber
