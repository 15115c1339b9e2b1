// Robots as URDF and back: the same dynamics, and what URDF lacks by name.
#include <filesystem>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/messages.hpp"
#include "io/same_dynamics.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using limber::Loss;
using limber::parse_urdf;
using limber::RobotFormat;
using limber::Spec;
using limber::write_robot;
using limber::WrittenRobot;
using limber::test::error_of;
using limber::test::expect_same_dynamics;
using limber::test::expect_words;
using limber::test::is_listed;
using limber::test::keeps_dynamics;
using limber::test::random_robot;
using limber::test::text_of;

TEST(WriteUrdf, ShippedUrdfComesBackEqual) {
  for (const char* robot : {"pendulum", "double_pendulum", "arm7", "quadruped", "humanoid"}) {
    SCOPED_TRACE(robot);
    const Spec spec = limber::load_spec(robot);
    const WrittenRobot written = write_robot(spec, RobotFormat::urdf);
    EXPECT_TRUE(written.losses.empty()) << text_of(written.losses);
    const Spec back = parse_urdf(written.text);
    EXPECT_TRUE(compare(spec, back, 1e-14).equal());
    expect_same_dynamics(spec, back);
    EXPECT_TRUE(back.warnings.empty()) << limber::test::joined(back.warnings);
  }
}

TEST(WriteUrdf, RandomRobotsOfEveryKindButTheBall) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    Spec spec = random_robot(seed, {JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                                    JointKind::helical, JointKind::cylindrical, JointKind::planar,
                                    JointKind::universal, JointKind::translation, JointKind::free});
    for (limber::JointSpec& joint : spec.joints)  // URDF has none there
      if (joint.kind == JointKind::planar)
        for (limber::DofSpec& dof : joint.dofs) dof.rotor_inertia = 0;
    const WrittenRobot written = write_robot(spec, RobotFormat::urdf);
    EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
    expect_same_dynamics(spec, parse_urdf(written.text));
  }
}

TEST(WriteUrdf, WhatUrdfLacksIsNamed) {
  Spec spec = limber::load_spec("driven_pendulum");
  spec.gravity = {0, 0, -1};
  limber::LoopSpec loop;
  loop.name = "pin";
  loop.kind = limber::LoopSpec::Kind::distance;
  loop.body_b = spec.bodies.back().name;
  loop.distance = 0.5;
  spec.loops = {loop};
  spec.joints[0].dof().stiffness = 3;
  spec.joints[0].dof().friction_positive = 1;
  spec.actuators.resize(1);
  spec.actuators[0].name = "motor";
  spec.keyframes = {{"home"}};
  const std::string joint = "joint '" + spec.joints[0].name + "'";
  const std::vector<Loss> losses = write_robot(spec, RobotFormat::urdf).losses;
  using Kind = Loss::Kind;
  EXPECT_TRUE(is_listed(losses, Kind::dynamics, "loop 'pin'", "no loops of this kind"));
  EXPECT_TRUE(is_listed(losses, Kind::dynamics, "gravity", "9.81"));
  EXPECT_TRUE(is_listed(losses, Kind::dynamics, joint, "both directions"));
  EXPECT_TRUE(is_listed(losses, Kind::description, "actuator 'motor'", "URDF"));
  EXPECT_TRUE(is_listed(losses, Kind::description, "state 'home'", "URDF"));
  EXPECT_TRUE(is_listed(losses, Kind::description, joint, "velocity limit"));
  expect_words(error_of([] { write_robot(limber::load_spec("every_joint"), RobotFormat::urdf); }),
               {"joint 'socket'", "no spherical joint"});
}

TEST(WriteUrdf, LoopsMotorsSpringsAndFrictionComeBack) {
  Spec spec = limber::load_spec("arm7");
  limber::LoopSpec loop;
  loop.name = "pin";
  loop.body_a = spec.bodies[2].name;
  loop.body_b = spec.bodies[5].name;
  loop.placement_a.p = {0.1, 0.2, 0.3};
  loop.placement_b = {limber::rotation_from_rpy(0.1, 0.2, 0.3), {1, 2, 3}};
  limber::LoopSpec weld = loop, hinge = loop;
  weld.name = "weld";
  weld.kind = limber::LoopSpec::Kind::weld;
  weld.body_b = "";
  hinge.name = "hinge";
  hinge.kind = limber::LoopSpec::Kind::joint;
  hinge.joint_kind = JointKind::revolute;
  hinge.axis = {0, 0.6, 0.8};
  spec.loops = {loop, weld, hinge};
  limber::DofSpec& dof = spec.joints[1].dof();
  dof.stiffness = 3;
  dof.spring_reference = 0.1;
  dof.gear_ratio = 50;
  limber::ActuatorSpec motor;
  motor.name = "motor";
  motor.kind = "motor";
  motor.joint = spec.joints[1].name;
  motor.gear[0] = 50;
  spec.actuators = {motor};
  limber::ShapeSpec pad;
  pad.role = limber::ShapeSpec::Role::collision;
  pad.friction.x = 0.3;
  spec.bodies[3].shapes.push_back(pad);
  for (limber::ShapeSpec& shape : spec.bodies[3].shapes) shape.friction.x = 0.3;
  spec.bodies[4].family = 1;
  const WrittenRobot written = write_robot(spec, RobotFormat::urdf);
  EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
  EXPECT_TRUE(is_listed(written.losses, Loss::Kind::description, "loop 'pin'", "<loop>"));
  const Spec back = parse_urdf(written.text);
  expect_same_dynamics(spec, back);
  for (const auto& one : compare(spec, back, 1e-14).structure)
    // the weld is to the world, which URDF has as a link
    EXPECT_TRUE(one.element == "body 'world'" || one.b.find("fixed") != std::string::npos)
        << one.element << ": " << one.what << ": " << one.a << " | " << one.b;
  for (const auto& one : compare(spec, back, 1e-14).numbers)
    EXPECT_TRUE(one.what.starts_with("friction of shape")) << one.what;  // of visual ones
}

TEST(WriteUrdf, AwkwardNamesAreEscapedOrChanged) {
  Spec spec;
  spec.name = "<&\"'>";
  spec.add_body("${link}", 1);
  spec.add_body("a \"b\" & <c>", 1, {0, 0, 1});
  spec.add_joint("it's", JointKind::revolute, "${link}", "a \"b\" & <c>", {0, 1, 0});
  const WrittenRobot written = write_robot(spec, RobotFormat::urdf);
  EXPECT_TRUE(is_listed(written.losses, Loss::Kind::description, "body '${link}'", "_{link}"));
  const Spec back = parse_urdf(written.text);
  EXPECT_EQ(back.name, spec.name);
  EXPECT_EQ(back.joints[0].name, "it's");
  EXPECT_EQ(back.joints[0].parent, "_{link}");
  EXPECT_EQ(back.bodies[1].name, "a \"b\" & <c>");
}

}  // namespace LIMBER_TEST_FILE
