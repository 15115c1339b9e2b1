// What is read from a good URDF text.
#include <cmath>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::BodySpec;
using limber::DofSpec;
using limber::JointKind;
using limber::JointSpec;
using limber::Mat3;
using limber::parse_urdf;
using limber::ShapeSpec;
using limber::Spec;
using limber::Sym3;
using limber::test::expect_words;
using limber::test::joined;

std::string robot(const std::string& inside) {
  return "<robot name=\"r\">\n" + inside + "</robot>\n";
}

// two links and one joint between them, with the given type and parts
Spec with_joint(const std::string& type, const std::string& inside) {
  return parse_urdf(robot("<link name=\"a\"/>\n<link name=\"b\"/>\n<joint name=\"j\" type=\"" +
                          type + "\">\n<parent link=\"a\"/><child link=\"b\"/>\n" + inside +
                          "</joint>\n"));
}

BodySpec with_link(const std::string& inside) {
  return parse_urdf(robot("<link name=\"a\">" + inside + "</link>")).bodies.at(0);
}

void expect_matrix(const Mat3<double>& actual, const double (&expected)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(actual.row(i)[j], expected[i][j], 1e-15) << i << " " << j;
}

TEST(Urdf, NamesAndPlacesAreKept) {
  const Spec spec = parse_urdf(
      "<?xml version=\"1.0\"?>\n<robot name=\"arm\">\n  <link name=\"base\"/>\n  <link "
      "name=\"tip\"/>\n"
      "  <joint name=\"hinge\" type=\"continuous\">\n    <parent link=\"base\"/>\n    <child "
      "link=\"tip\"/>\n"
      "  </joint>\n</robot>\n",
      "arm.urdf");
  EXPECT_EQ(spec.name, "arm");
  EXPECT_EQ(to_string(spec.source), "arm.urdf:2: robot 'arm'");
  ASSERT_EQ(spec.bodies.size(), 2u);
  EXPECT_EQ(spec.bodies[1].name, "tip");
  EXPECT_EQ(to_string(spec.bodies[1].source), "arm.urdf:4: link 'tip'");
  ASSERT_EQ(spec.joints.size(), 1u);
  EXPECT_EQ(spec.joints[0].parent, "base");
  EXPECT_EQ(spec.joints[0].child, "tip");
  EXPECT_EQ(to_string(spec.joints[0].source), "arm.urdf:5: joint 'hinge'");
  EXPECT_EQ(spec.gravity.z, -9.81);
  EXPECT_TRUE(spec.warnings.empty()) << joined(spec.warnings);
}

TEST(Urdf, EveryJointType) {
  const std::pair<const char*, JointKind> types[] = {
      {"revolute", JointKind::revolute},   {"continuous", JointKind::revolute},
      {"prismatic", JointKind::prismatic}, {"fixed", JointKind::fixed},
      {"planar", JointKind::planar},       {"floating", JointKind::free}};
  for (const auto& [type, kind] : types)
    EXPECT_EQ(with_joint(type, "").joints[0].kind, kind) << type;
}

TEST(Urdf, AxisIsXUnlessGiven) {
  const JointSpec plain = with_joint("continuous", "").joints[0];
  EXPECT_EQ(plain.axis.x, 1);
  EXPECT_EQ(plain.axis.y, 0);
  EXPECT_EQ(plain.axis.z, 0);
  const JointSpec given = with_joint("planar", "<axis xyz=\"0 -2 3e-1\"/>").joints[0];
  EXPECT_EQ(given.axis.x, 0);
  EXPECT_EQ(given.axis.y, -2);
  EXPECT_EQ(given.axis.z, 0.3);
  // exporters give fixed joints a zero axis, which means nothing
  EXPECT_EQ(with_joint("fixed", "<axis xyz=\"0 0 0\"/>").joints[0].axis.x, 1);
}

TEST(Urdf, OriginIsRollPitchYawAboutFixedAxes) {
  const JointSpec joint =
      with_joint("fixed", "<origin xyz=\"1 2 3\" rpy=\"1.5707963267948966 0 1.5707963267948966\"/>")
          .joints[0];
  EXPECT_EQ(joint.placement.p.y, 2);
  // x goes to y; y goes to z by the roll and stays; z goes to -y by the roll, then to x
  expect_matrix(joint.placement.R, {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  expect_matrix(joint.child_placement.R, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
}

TEST(Urdf, LimitsDampingAndFriction) {
  const DofSpec dof = with_joint("revolute",
                                 "<limit lower=\"-1.5\" upper=\"2\" velocity=\"3\" effort=\"40\"/>"
                                 "<dynamics damping=\"0.1\" friction=\"0.2\"/>")
                          .joints[0]
                          .dofs.at(0);
  EXPECT_EQ(dof.lower, -1.5);
  EXPECT_EQ(dof.upper, 2);
  EXPECT_EQ(dof.velocity_limit, 3);
  EXPECT_EQ(dof.effort_limit, 40);
  EXPECT_EQ(dof.damping, 0.1);
  EXPECT_EQ(dof.friction_positive, 0.2);
  EXPECT_EQ(dof.friction_negative, 0.2);
  // an omitted limit of two is 0
  EXPECT_EQ(with_joint("prismatic", "<limit upper=\"2\"/>").joints[0].dofs.at(0).lower, 0);
  // a joint that turns for ever keeps its other limits
  const Spec endless =
      with_joint("continuous", "<limit lower=\"-1\" upper=\"1\" velocity=\"3\" effort=\"4\"/>");
  EXPECT_EQ(endless.joints[0].dofs.at(0).upper, HUGE_VAL);
  EXPECT_EQ(endless.joints[0].dofs.at(0).velocity_limit, 3);
  expect_words(joined(endless.warnings), {"joint 'j'", "continuous"});
}

TEST(Urdf, PlanarJointMayHaveThreeDampings) {
  const JointSpec joint =
      with_joint("planar",
                 "<axis xyz=\"0 0 1\"/><limit velocity=\"5\"/><dynamics damping=\"0.1 0.2 0.3\"/>")
          .joints[0];
  ASSERT_EQ(joint.dofs.size(), 3u);
  EXPECT_EQ(joint.dofs[0].damping, 0.1);
  EXPECT_EQ(joint.dofs[2].damping, 0.3);
  EXPECT_EQ(joint.dofs[2].velocity_limit, 5);
  EXPECT_EQ(joint.axis.z, 1);
}

TEST(Urdf, Mimic) {
  const JointSpec plain = with_joint("continuous", "<mimic joint=\"other\"/>").joints[0];
  ASSERT_TRUE(plain.mimic);
  EXPECT_EQ(plain.mimic->joint, "other");
  EXPECT_EQ(plain.mimic->multiplier, 1);
  EXPECT_EQ(plain.mimic->offset, 0);
  const JointSpec full =
      with_joint("continuous", "<mimic joint=\"o\" multiplier=\"-2\" offset=\"0.5\"/>").joints[0];
  EXPECT_EQ(full.mimic->multiplier, -2);
  EXPECT_EQ(full.mimic->offset, 0.5);
}

TEST(Urdf, InertiaIsTurnedIntoTheLinkFrame) {
  // a quarter turn about z: x of the inertial frame is y of the link, y is -x
  const BodySpec body = with_link(
      "<inertial><origin xyz=\"0.1 0.2 0.3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
      "<inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0.1\" ixz=\"0.2\" iyz=\"0.3\"/></inertial>");
  EXPECT_EQ(body.inertia.m, 2);
  EXPECT_NEAR(body.inertia.com().x, 0.1, 1e-15);
  EXPECT_NEAR(body.inertia.com().z, 0.3, 1e-15);
  const Sym3<double> about_com = body.inertia.rotational_about_com();
  EXPECT_NEAR(about_com.xx, 2, 1e-14);
  EXPECT_NEAR(about_com.yy, 1, 1e-14);
  EXPECT_NEAR(about_com.zz, 2.5, 1e-14);
  EXPECT_NEAR(about_com.xy, -0.1, 1e-14);
  EXPECT_NEAR(about_com.xz, -0.3, 1e-14);
  EXPECT_NEAR(about_com.yz, 0.2, 1e-14);
  // about the link's origin: 2 + 2 (0.2² + 0.3²)
  EXPECT_NEAR(body.inertia.rotational().xx, 2.26, 1e-14);
}

TEST(Urdf, GeneralInertialRotationAgainstTheLongFormula) {
  const double roll = 0.3, pitch = -0.7, yaw = 1.1;
  const BodySpec body = with_link(
      "<inertial><origin rpy=\"0.3 -0.7 1.1\"/><mass value=\"1\"/>"
      "<inertia ixx=\"1\" iyy=\"1.4\" izz=\"1.8\" ixy=\"0.05\" ixz=\"-0.02\" "
      "iyz=\"0.11\"/></inertial>");
  const double cr = std::cos(roll), sr = std::sin(roll), cp = std::cos(pitch), sp = std::sin(pitch),
               cy = std::cos(yaw), sy = std::sin(yaw);
  const double R[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                          {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                          {-sp, cp * sr, cp * cr}};
  const double I[3][3] = {{1, 0.05, -0.02}, {0.05, 1.4, 0.11}, {-0.02, 0.11, 1.8}};
  double turned[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) turned[i][j] += R[i][k] * I[k][l] * R[j][l];
  const Sym3<double> about_com = body.inertia.rotational_about_com();
  EXPECT_NEAR(about_com.xx, turned[0][0], 1e-14);
  EXPECT_NEAR(about_com.yy, turned[1][1], 1e-14);
  EXPECT_NEAR(about_com.zz, turned[2][2], 1e-14);
  EXPECT_NEAR(about_com.xy, turned[0][1], 1e-14);
  EXPECT_NEAR(about_com.xz, turned[0][2], 1e-14);
  EXPECT_NEAR(about_com.yz, turned[1][2], 1e-14);
}

TEST(Urdf, ShapesAndColours) {
  const Spec spec = parse_urdf(
      robot("<link name=\"a\">"
            "<visual name=\"hull\"><origin xyz=\"0 0 1\"/><geometry><box size=\"1 2 "
            "3\"/></geometry><material name=\"red\"/></visual>"
            "<visual><geometry><sphere radius=\"0.5\"/></geometry>"
            "<material name=\"green\"><color rgba=\"0 1 0 0.5\"/></material></visual>"
            "<visual><geometry><cylinder radius=\"0.1\" length=\"2\"/></geometry><material "
            "name=\"green\"/></visual>"
            "<visual><geometry><capsule radius=\"0.2\" length=\"3\"/></geometry></visual>"
            "<collision><geometry><mesh filename=\"package://x/y.stl\" scale=\"1 1 "
            "-2\"/></geometry></collision></link>"
            "<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>"));
  const std::vector<ShapeSpec>& shapes = spec.bodies[0].shapes;
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[0].kind, ShapeSpec::Kind::box);
  EXPECT_EQ(shapes[0].name, "hull");
  EXPECT_EQ(shapes[0].size.z, 3);
  EXPECT_EQ(shapes[0].placement.p.z, 1);
  EXPECT_EQ(shapes[0].color, (std::array<double, 4>{1, 0, 0, 1}));
  EXPECT_EQ(shapes[1].kind, ShapeSpec::Kind::sphere);
  EXPECT_EQ(shapes[1].size.x, 0.5);
  EXPECT_EQ(shapes[1].color, (std::array<double, 4>{0, 1, 0, 0.5}));
  EXPECT_EQ(shapes[2].kind, ShapeSpec::Kind::cylinder);
  EXPECT_EQ(shapes[2].size.y, 2);
  EXPECT_EQ(shapes[2].color, (std::array<double, 4>{0, 1, 0, 0.5}));
  EXPECT_EQ(shapes[3].kind, ShapeSpec::Kind::capsule);
  EXPECT_EQ(shapes[4].kind, ShapeSpec::Kind::mesh);
  EXPECT_EQ(shapes[4].role, ShapeSpec::Role::collision);
  EXPECT_EQ(shapes[4].mesh_file, "package://x/y.stl");
  EXPECT_EQ(shapes[4].size.z, -2);
  EXPECT_TRUE(spec.warnings.empty()) << joined(spec.warnings);
}

TEST(Urdf, Transmissions) {
  auto gear = [](const std::string& inside) {
    return parse_urdf(
        robot("<link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"continuous\">"
              "<parent link=\"a\"/><child link=\"b\"/></joint><transmission name=\"t\">" +
              inside + "</transmission>"));
  };
  const Spec inner = gear(
      "<joint name=\"j\"/><actuator name=\"m\"><mechanicalReduction> -50.5 </mechanicalReduction>"
      "<rotorInertia>2e-5</rotorInertia></actuator>");
  EXPECT_EQ(inner.joints[0].dofs.at(0).gear_ratio, -50.5);
  EXPECT_EQ(inner.joints[0].dofs.at(0).rotor_inertia, 2e-5);
  const Spec outer =
      gear("<joint name=\"j\"/><actuator name=\"m\"/><mechanicalReduction>7</mechanicalReduction>");
  EXPECT_EQ(outer.joints[0].dofs.at(0).gear_ratio, 7);
  expect_words(joined(gear("<joint name=\"k\"/><actuator name=\"m\"/>").warnings),
               {"transmission 't'", "'k'"});
  expect_words(
      joined(gear("<joint name=\"j\"/><joint name=\"j\"/><actuator name=\"m\"/>").warnings),
      {"transmission 't'", "2 joints"});
}

TEST(Urdf, FramesOnLinks) {
  const Spec spec = parse_urdf(
      robot("<link name=\"a\"/><frame name=\"f\" link=\"a\" xyz=\"1 2 3\" rpy=\"0 0 0\"/>"));
  ASSERT_EQ(spec.frames.size(), 1u);
  EXPECT_EQ(spec.frames[0].name, "f");
  EXPECT_EQ(spec.frames[0].body, "a");
  EXPECT_EQ(spec.frames[0].placement.p.z, 3);
}

TEST(Urdf, AnUndeclaredWorldIsTheWorld) {
  const std::string joint =
      "<joint name=\"j\" type=\"fixed\"><parent link=\"world\"/><child link=\"a\"/></joint>";
  const Spec without = parse_urdf(robot("<link name=\"a\"/>" + joint));
  EXPECT_EQ(without.joints[0].parent, "");
  expect_words(joined(without.warnings), {"'world'", "not declared"});
  const Spec with = parse_urdf(robot("<link name=\"world\"/><link name=\"a\"/>" + joint));
  EXPECT_EQ(with.joints[0].parent, "world");
  EXPECT_TRUE(with.warnings.empty());
}

TEST(Urdf, WhatOtherProgramsAddIsLeftAlone) {
  const Spec spec = parse_urdf(
      "<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\"><gazebo><plugin "
      "a=\"${b}\"/></gazebo>"
      "<ros2_control name=\"x\"/><link name=\"a\"><sensor/></link></robot>");
  EXPECT_TRUE(spec.warnings.empty()) << joined(spec.warnings);
}

}  // namespace LIMBER_TEST_FILE
