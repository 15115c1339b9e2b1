#include <limber/model/rolling_sphere.hpp>

#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>
#include <limber/math/quat.hpp>

namespace limber {

namespace {

Quat<double> orientation(std::span<const double> q) { return {q[2], q[3], q[4], q[5]}; }

// The contact point at −radius z does not slip, so the centre moves with radius W × z, where W is
// the angular velocity in the axes of the plane.
Vec3<double> centre_velocity(double radius, const Quat<double>& turn, std::span<const double> v) {
  const Vec3<double> W = to_matrix(turn) * Vec3<double>{v[0], v[1], v[2]};
  return {radius * W.y, -radius * W.x, 0};
}

// a steady turn has constant W as well
void roll(std::span<const double> parameters, std::span<double> q, std::span<const double> step) {
  const Quat<double> start = orientation(q);
  const Vec3<double> shift = centre_velocity(parameters[0], start, step);
  const Quat<double> end = normalized(start * exp_quat(Vec3<double>{step[0], step[1], step[2]}));
  q[0] += shift.x, q[1] += shift.y;
  q[2] = end.x, q[3] = end.y, q[4] = end.z, q[5] = end.w;
}

void turn_between(std::span<const double>, std::span<const double> q0, std::span<const double> q1,
                  std::span<double> step) {
  const Vec3<double> turn = log_quat(conjugate(orientation(q0)) * orientation(q1));
  step[0] = turn.x, step[1] = turn.y, step[2] = turn.z;
}

// quaternion: [RDA] (8.1)
void rolling_rate(std::span<const double> parameters, std::span<const double> q,
                  std::span<const double> v, std::span<double> q_dot) {
  const Quat<double> turn = orientation(q);
  const Vec3<double> shift = centre_velocity(parameters[0], turn, v);
  const Quat<double> rate = turn * Quat<double>{v[0] / 2, v[1] / 2, v[2] / 2, 0};
  q_dot[0] = shift.x, q_dot[1] = shift.y;
  q_dot[2] = rate.x, q_dot[3] = rate.y, q_dot[4] = rate.z, q_dot[5] = rate.w;
}

}  // namespace

CustomJoint rolling_sphere(double radius) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw Error(fmt::format("rolling_sphere: the radius is {} m; it must be positive", radius));
  CustomJoint joint = custom_joint(6, 3, {radius}, [](auto parameters, auto q, auto v, auto& out) {
    using T = std::remove_cvref_t<decltype(out.bias.angular.x)>;
    const T r = static_cast<T>(parameters[0]), one(1);
    out.X = {to_matrix(Quat<T>{q[2], q[3], q[4], q[5]}), {q[0], q[1], r}};
    const Vec3<T> n = out.X.R.row(2);  // the plane's normal in the sphere's axes
    for (int k = 0; k < 3; ++k) {
      Vec3<T> unit;
      unit[k] = one;
      out.S[static_cast<std::size_t>(k)] = {unit, cross(unit, n) * r};
    }
    // the normal turns backwards in the sphere's axes
    const Vec3<T> w{v[0], v[1], v[2]};
    out.bias = {{}, -cross(w, cross(w, n)) * r};
  });
  joint.integrate = roll;
  joint.difference = turn_between;
  joint.position_rate = rolling_rate;
  joint.neutral = {0, 0, 0, 0, 0, 1};
  return joint;
}

}  // namespace limber
