#pragma once
// Small SDF texts, and where their bodies are.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

namespace limber::test::sdf {

/// A file of one model 'm'.
inline std::string model(const std::string& content, const std::string& version = "1.9",
                         const std::string& attributes = "") {
  return "<sdf version='" + version + "'><model name='m' " + attributes + ">" + content +
         "</model></sdf>";
}
inline Spec parse(const std::string& content, const std::string& version = "1.9",
                  const std::string& attributes = "") {
  return parse_sdf(model(content, version, attributes), "robot.sdf");
}

/// A link with mass 1 and moments of 0.1.
inline std::string link_of(const std::string& name, const std::string& content = "") {
  return "<link name='" + name +
         "'><inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>"
         "</inertial>" +
         content + "</link>";
}
inline std::string pose(const std::string& numbers, const std::string& attributes = "") {
  return "<pose " + attributes + ">" + numbers + "</pose>";
}
inline std::string joint(const std::string& name, const std::string& type,
                         const std::string& parent, const std::string& child,
                         const std::string& content = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" +
         child + "</child>" + content + "</joint>";
}

/// Where a link or frame is, in the position q (empty: the neutral one).
inline Transform<double> where(const Spec& spec, const std::string& frame,
                               std::vector<double> q = {}) {
  const Model model = build(spec);
  if (q.empty()) q = neutral_position(model);
  Workspace ws(model);
  const auto& poses = forward_kinematics(model, q, ws);
  return frame_pose(model, poses, model.frame(frame));
}

inline void expect_near(const Vec3<double>& found, const Vec3<double>& expected,
                        double within = 1e-14) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], within) << "entry " << k;
}
inline void expect_near(const Mat3<double>& found, const Mat3<double>& expected,
                        double within = 1e-14) {
  for (int i = 0; i < 3; ++i) expect_near(found.row(i), expected.row(i), within);
}
inline void expect_near(const Transform<double>& found, const Transform<double>& expected,
                        double within = 1e-14) {
  expect_near(found.p, expected.p, within);
  expect_near(found.R, expected.R, within);
}

}  // namespace limber::test::sdf
