#pragma once
// Joints by functions, for tests: a cam, an offset cardan joint and a ball with its own quaternion.
#include <cmath>

#include <limber/model/custom_joint.hpp>

namespace limber::test {

/// One freedom: a turn about z that lifts by parameters[0] · sin q.
inline CustomJoint cam_joint(double lift) {
  return custom_joint(1, 1, {lift}, [](auto parameters, auto q, auto v, auto& out) {
    using T = std::remove_cvref_t<decltype(out.bias.angular.x)>;
    const T height = static_cast<T>(parameters[0]), zero(0), one(1);
    T s, c;
    sincos(q[0], s, c);
    out.X.R = {c, -s, zero, s, c, zero, zero, zero, one};
    out.X.p = {zero, zero, height * s};
    out.S[0] = {{zero, zero, one}, {zero, zero, height * c}};
    out.bias = {{}, {zero, zero, -height * s * v[0] * v[0]}};
  });
}

/// Two freedoms: a turn about z, an arm of length parameters[0] along x, a turn about y.
inline CustomJoint cardan_joint(double arm) {
  return custom_joint(2, 2, {arm}, [](auto parameters, auto q, auto v, auto& out) {
    using T = std::remove_cvref_t<decltype(out.bias.angular.x)>;
    const T length = static_cast<T>(parameters[0]), zero(0), one(1);
    T s1, c1, s2, c2;
    sincos(q[0], s1, c1);
    sincos(q[1], s2, c2);
    out.X.R = {c1 * c2, -s1, c1 * s2, s1 * c2, c1, s1 * s2, -s2, zero, c2};
    out.X.p = {length * c1, length * s1, zero};
    out.S[0] = {{-s2, zero, c2}, {zero, length, zero}};
    out.S[1] = {{zero, one, zero}, {}};
    const T rate = v[0] * v[1];
    out.bias = {{-c2 * rate, zero, -s2 * rate}, {}};
  });
}

/// Three freedoms, four positions: a ball joint whose quaternion (x, y, z, w) it moves itself.
inline CustomJoint ball_joint() {
  CustomJoint joint = custom_joint(4, 3, {}, [](auto, auto q, auto, auto& out) {
    using T = std::remove_cvref_t<decltype(out.bias.angular.x)>;
    const T x = q[0], y = q[1], z = q[2], w = q[3], one(1), two(2), zero(0);
    out.X = {};
    out.X.R = {
        one - two * (y * y + z * z), two * (x * y - w * z),       two * (x * z + w * y),
        two * (x * y + w * z),       one - two * (x * x + z * z), two * (y * z - w * x),
        two * (x * z - w * y),       two * (y * z + w * x),       one - two * (x * x + y * y)};
    out.S[0] = {{one, zero, zero}, {}};
    out.S[1] = {{zero, one, zero}, {}};
    out.S[2] = {{zero, zero, one}, {}};
    out.bias = {};
  });
  // q · (sin(|t|/2) t/|t|, cos(|t|/2))
  joint.integrate = [](std::span<const double>, std::span<double> q, std::span<const double> t) {
    const double angle = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    const double k = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
    const double x = k * t[0], y = k * t[1], z = k * t[2], w = std::cos(angle / 2);
    const double a = q[0], b = q[1], c = q[2], d = q[3];
    q[0] = d * x + a * w + b * z - c * y;
    q[1] = d * y - a * z + b * w + c * x;
    q[2] = d * z + a * y - b * x + c * w;
    q[3] = d * w - a * x - b * y - c * z;
  };
  joint.difference = [](std::span<const double>, std::span<const double> p,
                        std::span<const double> q, std::span<double> step) {
    // conj(p) · q, its angle and axis
    double x = p[3] * q[0] - p[0] * q[3] - p[1] * q[2] + p[2] * q[1];
    double y = p[3] * q[1] + p[0] * q[2] - p[1] * q[3] - p[2] * q[0];
    double z = p[3] * q[2] - p[0] * q[1] + p[1] * q[0] - p[2] * q[3];
    const double w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    const double sine = std::copysign(std::sqrt(x * x + y * y + z * z), w);
    const double k = sine != 0 ? 2 * std::atan2(std::abs(sine), std::abs(w)) / sine : 2;
    step[0] = k * x, step[1] = k * y, step[2] = k * z;
  };
  joint.neutral = {0, 0, 0, 1};
  return joint;
}

}  // namespace limber::test
