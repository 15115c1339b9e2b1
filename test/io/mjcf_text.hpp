#pragma once
// Small MJCF texts, and comparisons of poses.
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/math/quat.hpp>

namespace limber::test::mjcf {

constexpr double degree = std::numbers::pi / 180;

inline Spec parse(const std::string& world, const std::string& before = "",
                  const std::string& after = "") {
  return parse_mjcf("<mujoco model='m'>" + before + "<worldbody>" + world + "</worldbody>" + after +
                    "</mujoco>");
}
// a body that may move
inline std::string body(const std::string& attributes, const std::string& content) {
  return "<body " + attributes + "><geom size='0.1'/>" + content + "</body>";
}

inline void expect_near(const Vec3<double>& found, const Vec3<double>& expected,
                        double within = 1e-14) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], within) << "entry " << k;
}
inline void expect_turn(const Mat3<double>& R, std::array<double, 4> wxyz, double within = 1e-9) {
  const double length = std::hypot(std::hypot(wxyz[0], wxyz[1]), std::hypot(wxyz[2], wxyz[3]));
  const Quat<double> q = to_quat(R);
  const double sign = wxyz[0] < 0 ? -1 : 1;
  const double found[] = {q.w, q.x, q.y, q.z};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(found[k], sign * wxyz[k] / length, within) << "entry " << k;
}

}  // namespace limber::test::mjcf
