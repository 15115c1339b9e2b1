// Robots as YAML and back: bit for bit, and the text is a fixed point.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>
#include <limber/model/equality.hpp>

#include "io/messages.hpp"
#include "io/same_dynamics.hpp"
#include "support/custom_joints.hpp"

namespace LIMBER_TEST_FILE {

using limber::build;
using limber::JointKind;
using limber::Model;
using limber::parse_yaml;
using limber::RobotFormat;
using limber::Spec;
using limber::write_robot;
using limber::WrittenRobot;
using limber::test::error_of;
using limber::test::expect_words;

// a model without what it says about lines of files
Model silent(const Spec& spec) {
  Model model = build(spec);
  model.warnings.clear();
  return model;
}

void expect_bits_kept(const Spec& spec) {
  const WrittenRobot written = write_robot(spec, RobotFormat::yaml);
  EXPECT_TRUE(written.losses.empty()) << limber::test::text_of(written.losses);
  const Spec back = parse_yaml(written.text, "back.yaml");
  EXPECT_TRUE(equal(silent(spec), silent(back)));
  const limber::RobotDifferences differences = compare(spec, back, 1e-300);
  for (const auto& one : differences.structure) ADD_FAILURE() << one.element << ": " << one.what;
  for (const auto& one : differences.numbers) ADD_FAILURE() << one.element << ": " << one.what;
  EXPECT_EQ(write_robot(back, RobotFormat::yaml).text, written.text);
}

TEST(WriteYaml, ShippedRobotsKeepEveryBit) {
  for (const std::string& robot : limber::shipped_robots()) {
    SCOPED_TRACE(robot);
    expect_bits_kept(limber::load_spec(robot));
  }
}

TEST(WriteYaml, RandomRobotsKeepEveryBit) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Spec spec = limber::test::random_spec(seed);
    for (limber::JointSpec& joint : spec.joints) {
      if (joint.kind != JointKind::helical) joint.pitch = 0;
      if (joint.kind != JointKind::custom) continue;
      joint.kind = JointKind::fixed;
      joint.dofs.clear();
    }
    expect_bits_kept(spec);
  }
}

// something in every part of a Spec, with names that need quotes
Spec full_spec() {
  Spec spec;
  spec.name = "a \"robot\": {with} #names";
  spec.gravity = {0.1, 0, -3.7};
  spec.timestep = 0.004;
  const std::vector<std::string> names{"null",   "~",      " blank ", "it's \\ \"here\"",
                                       "- dash", "${x}",   "[1]",     "ünïcödé <&>",
                                       "true",   "yes: no"};
  std::string parent;
  for (const std::string& name : names) {
    limber::BodySpec& body =
        spec.add_body(name, 1.1, {0.3, 0.1, -0.7}, {0.5, 0.6, 0.7, 0.01, 0, 0.02});
    limber::ShapeSpec shape;
    shape.kind = limber::ShapeSpec::Kind::plane;
    shape.role = limber::ShapeSpec::Role::both;
    shape.name = name;
    shape.material = name;
    shape.friction = {0.3, 0.2, 0.1};
    shape.collides_as = 6;
    shape.collides_with = 0;
    shape.group = 4;
    shape.color = {0.1, 0.2, 0.3, 0.4};
    shape.placement = {limber::rotation_from_rpy(0.1, 0.2, 0.3), {1, 2, 3}};
    body.shapes = {shape};
    limber::JointSpec& joint =
        spec.add_joint(name, JointKind::revolute, parent, name, {0.6, 0, 0.8});
    joint.dof().lower = -1;
    joint.dof().effort_limit = 3;
    parent = name;
  }
  spec.bodies[1].is_between_joints = true;
  spec.joints[3].dof().rotor_mount = names[0];
  spec.joints[3].dof().rotor_inertia = 1e-6;
  spec.joints[4].dof().upper = 2;
  spec.joints[5].mimic = {names[4], -2, 0.1};
  spec.frames = {{"tip", "null", {limber::rotation_from_rpy(1, 0.5, -2), {0, 0, 1}}, {}},
                 {"ground", "", {}, {}}};
  spec.world_shapes = {limber::ShapeSpec{}};
  limber::LoopSpec pin;
  pin.name = "pin";
  pin.kind = limber::LoopSpec::Kind::weld;
  pin.body_a = "null";
  pin.placement_a = {limber::rotation_from_rpy(0.3, -0.1, 2), {0.1, 0.2, 0.3}};
  limber::LoopSpec gear;
  gear.name = "gear";
  gear.kind = limber::LoopSpec::Kind::coupling;
  gear.joint = names[1];
  gear.leader = names[2];
  gear.joint_reference = 0.2;
  gear.polynomial = {1, 2, 3, 4, 5};
  gear.is_active = false;
  limber::LoopSpec rod;
  rod.name = "rod";
  rod.kind = limber::LoopSpec::Kind::distance;
  rod.body_a = "~";
  rod.body_b = "null";
  rod.distance = 0.7;
  spec.loops = {pin, gear, rod};
  limber::ActuatorSpec motor;
  motor.name = "motor: 1";
  motor.kind = "position";
  motor.joint = names[1];
  motor.gear = {3, 0, 0, 0, 0, 1};
  motor.control_upper = 2;
  motor.force_lower = -5;
  motor.force_upper = 5;
  motor.gain = {10, 0, 0};
  motor.bias = {0, -10, -1};
  motor.time_constant = 0.1;
  spec.actuators = {motor};
  spec.sensors = {{"angle", "jointpos", "joint", names[1], 0.1, 3, {}},
                  {"", "clock", "", "", 0, 0, {}}};
  limber::KeyframeSpec key;
  key.name = "home";
  key.time = 1.5;
  key.position = {{names[2], {0.4}}, {names[1], {-0.4}}};
  key.velocity = {{names[1], {1}}};
  key.control = {{"motor: 1", {0.3}}};
  spec.keyframes = {key};
  spec.exclusions = {{"null", "~"}};
  spec.contact_pairs = {{{"null", ""}, {"a: b", "ground"}, limber::Vec3<double>{0.5, 0.01, 0.001}},
                        {{"", "~"}, {"ground", "c"}, {}}};
  return spec;
}

TEST(WriteYaml, EverythingOfASpecIsKept) {
  const Spec spec = full_spec();
  expect_bits_kept(spec);
  const Spec back = parse_yaml(write_robot(spec, RobotFormat::yaml).text);
  EXPECT_EQ(back.name, spec.name);
  EXPECT_TRUE(back.bodies[1].is_between_joints);
  ASSERT_EQ(back.keyframes.size(), 1u);
  EXPECT_EQ(back.keyframes[0].position[0].name, " blank ");
  EXPECT_EQ(back.sensors[1].kind, "clock");
  EXPECT_EQ(back.world_shapes.size(), 1u);
}

TEST(WriteYaml, AWorldLinkIsToldFromTheWorld) {
  Spec spec = limber::load_spec("quadruped");  // has a link called `world`
  const Spec back = parse_yaml(write_robot(spec, RobotFormat::yaml).text);
  EXPECT_EQ(back.bodies[0].name, "world");
  EXPECT_EQ(back.joints[0].parent, spec.joints[0].parent);
  // and one beside the world itself
  spec.frames.push_back({"mark", "", {}, {}});
  const WrittenRobot both = write_robot(spec, RobotFormat::yaml);
  EXPECT_TRUE(limber::test::is_listed(both.losses, limber::Loss::Kind::description, "body 'world'",
                                      "world_link"));
  EXPECT_EQ(parse_yaml(both.text).bodies[0].name, "world_link");
}

TEST(WriteYaml, WhatYamlCannotHoldIsNamed) {
  Spec spec = limber::load_spec("pendulum");
  spec.joints[0].dof().damping = -1;
  const WrittenRobot written = write_robot(spec, RobotFormat::yaml);
  EXPECT_TRUE(limber::test::is_listed(written.losses, limber::Loss::Kind::dynamics,
                                      "joint '" + spec.joints[0].name + "'", "damping"));
  spec.add_body("cam", 1);
  spec.add_joint("cam", JointKind::custom, "", "cam").custom = limber::test::cam_joint(0.3);
  for (const RobotFormat format :
       {RobotFormat::yaml, RobotFormat::urdf, RobotFormat::mjcf, RobotFormat::sdf})
    expect_words(error_of([&] { write_robot(spec, format); }), {"joint 'cam'", "functions"});
}

TEST(WriteYaml, BadNewKeysAreRefused) {
  const auto message = [](const std::string& text) {
    return error_of([&] { parse_yaml("bodies: [{name: a}]\n" + text, "bad.yaml"); });
  };
  expect_words(message("loops: [{name: l, kind: conect, body_a: a, body_b: world}]"),
               {"bad.yaml:2", "loop 'l'", "kind", "did you mean 'connect'"});
  expect_words(message("loops: [{name: l, kind: weld, body_a: a, body_b: world, joint: j}]"),
               {"loop 'l'", "joint", "coupling"});
  expect_words(message("actuators: [{name: m, kind: motor}]"), {"actuator 'm'", "joint or target"});
  expect_words(message("keyframes: [{name: k, position: {j: [1]}}]"), {"unknown key 'j'"});
  expect_words(message("exclusions: [a]"), {"exclusions", "[a, b]"});
  expect_words(
      error_of([] { parse_yaml("bodies: [{name: a, com: [0, 0, 1], first_moment: [0, 0, 1]}]"); }),
      {"body 'a'", "com", "first_moment"});
  expect_words(
      error_of([] {
        parse_yaml(
            "bodies: [{name: a}]\nframes: [{name: f, body: a, rpy: [0, 0, 1], rotation: [1, "
            "0, 0, 0, 1, 0, 0, 0, 1]}]");
      }),
      {"rotation", "rpy"});
}

}  // namespace LIMBER_TEST_FILE
