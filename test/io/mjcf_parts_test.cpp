// MJCF: joints, states, loops, actuators, shapes and included files.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/io/write.hpp>

#include "io/messages.hpp"
#include "io/mjcf_text.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using limber::LoopSpec;
using limber::parse_mjcf;
using limber::ShapeSpec;
using limber::Spec;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;
using namespace limber::test::mjcf;

// --- joints ---

TEST(Mjcf, SeveralJointsAreAChainOfMasslessBodies) {
  const Spec spec = parse(body("name='b' pos='1 0 0'",
                               "<joint name='x' type='slide' axis='1 0 0'/>"
                               "<joint name='y' type='slide' axis='0 2 0'/><joint name='th'/>"));
  ASSERT_EQ(spec.bodies.size(), 3u);
  EXPECT_EQ(spec.bodies[0].name, "b:x");
  EXPECT_EQ(spec.bodies[1].name, "b:y");
  EXPECT_EQ(spec.bodies[2].name, "b");
  EXPECT_EQ(spec.joints[1].parent, "b:x");
  const limber::Model model = build(spec);
  EXPECT_EQ(joined(model.warnings), "");
  // a ball of mass m and moment J that slides and turns about its centre, pushed off it
  limber::Workspace ws(model);
  const double m = model.mass(), J = 0.4 * m * 0.01;
  const std::array<double, 3> q{0.3, -0.2, 0.5}, v{0, 0, 0}, tau{2, 3, 0.7};
  const auto a = forward_dynamics(model, q, v, tau, ws);
  EXPECT_NEAR(a[0], 2 / m, 1e-12);
  EXPECT_NEAR(a[1], 3 / m, 1e-12);
  EXPECT_NEAR(a[2], 0.7 / J, 1e-9);
}

// where a body is after its joints have moved, by the composition that MuJoCo describes
TEST(Mjcf, ReferencesShiftPositions) {
  const Spec spec = parse(
      "<body name='b' pos='0 0 1'><joint name='h' pos='0.5 0 0' axis='0 0 1' ref='30'/>"
      "<joint name='s' type='slide' axis='1 0 0' ref='0.2'/><geom size='0.1'/></body>");
  const limber::Model model = build(spec);
  limber::Workspace ws(model);
  const auto pose = [&](double h, double s) {
    const std::array<double, 2> q{h, s};
    const auto& poses = forward_kinematics(model, q, ws);
    return frame_pose(model, poses, model.frame("b"));
  };
  expect_near(pose(30 * degree, 0.2).p, {0, 0, 1});
  // 90° about the point (0.5, 0): the origin goes to (0.5, -0.5); then 0.3 along the turned x
  expect_near(pose(120 * degree, 0.5).p, {0.5, -0.5 + 0.3, 1}, 1e-15);
  ASSERT_EQ(model.keyframes.count(), 1);
  EXPECT_EQ(model.keyframes[0].name, "qpos0");
  EXPECT_DOUBLE_EQ(model.keyframes[0].q[0], 30 * degree);
  EXPECT_DOUBLE_EQ(model.keyframes[0].q[1], 0.2);
}

TEST(Mjcf, LimitsByRangeOrByWord) {
  const auto dof = [](const std::string& joint, const std::string& before = "") {
    return parse(body("", "<joint " + joint + "/>"), before).joints.at(0).dof();
  };
  EXPECT_DOUBLE_EQ(dof("range='-10 20'").upper, 20 * degree);
  EXPECT_EQ(dof("range='-10 20' limited='false'").upper, HUGE_VAL);
  EXPECT_EQ(dof("range='0 0'").upper, HUGE_VAL);
  EXPECT_DOUBLE_EQ(
      dof("range='-1 2' type='slide' limited='true'", "<compiler autolimits='false'/>").lower, -1);
  EXPECT_DOUBLE_EQ(dof("actuatorfrcrange='-3 2'").effort_limit, 3);
  expect_words(error_of([&] { dof("range='-1 2'", "<compiler autolimits='false'/>"); }),
               {"range", "autolimits", "limited"});
  expect_words(error_of([&] { dof("limited='true'"); }), {"limited", "range"});
}

TEST(Mjcf, WhatJointsHaveBesides) {
  const Spec spec = parse(body("",
                               "<joint name='h' damping='0.5' frictionloss='0.3' armature='0.02' "
                               "stiffness='4' springref='45'/>"
                               "<joint name='b' type='ball' damping='2' pos='0 0 1'/>"));
  const limber::DofSpec& dof = spec.joints.at(0).dofs.at(0);
  EXPECT_EQ(dof.damping, 0.5);
  EXPECT_EQ(dof.friction_positive, 0.3);
  EXPECT_EQ(dof.friction_negative, 0.3);
  EXPECT_EQ(dof.rotor_inertia, 0.02);
  EXPECT_EQ(dof.stiffness, 4);
  EXPECT_DOUBLE_EQ(dof.spring_reference, 45 * degree);
  EXPECT_EQ(spec.joints[1].kind, JointKind::spherical);
  EXPECT_EQ(spec.joints[1].dofs.at(0).damping, 2);
}

TEST(Mjcf, NamesForWhatHasNone) {
  const Spec spec = parse("<body><freejoint/><geom size='0.1'/></body>" +
                          body("name='b'", "<joint/><joint axis='1 0 0'/>") + body("name='c'", ""));
  EXPECT_EQ(spec.bodies.at(0).name, "unnamed_body_1");
  EXPECT_EQ(spec.joints.at(0).name, "unnamed_body_1_free");
  EXPECT_EQ(spec.joints.at(1).name, "b_joint1");
  EXPECT_EQ(spec.joints.at(2).name, "b_joint2");
  EXPECT_EQ(spec.joints.at(3).name, "c_fixed");
  EXPECT_EQ(spec.joints.at(3).kind, JointKind::fixed);
}

// --- states ---

TEST(Mjcf, KeyframesInLimbersVariables) {
  const Spec spec = parse(
      "<body name='f' pos='1 2 3' euler='0 0 90'><freejoint name='free'/><geom "
      "size='0.1'/></body>" +
          body("name='b'", "<joint name='ball' type='ball'/>") +
          body("name='h'", "<joint name='h' ref='10'/>"),
      "",
      "<actuator><motor name='m' joint='h'/></actuator><keyframe>"
      "<key name='k' time='2' qpos='1 2 3 0 0 0 2  3 0 4 0  0.5' qvel='1 2 3 0.4 0.5 0.6 7 8 9 10' "
      "ctrl='0.25'/>"
      "<key/></keyframe>");
  const limber::Model model = build(spec);
  ASSERT_EQ(model.keyframes.count(), 3);
  const limber::Keyframe& key = model.keyframes[1];
  EXPECT_EQ(key.name, "k");
  EXPECT_EQ(key.time, 2);
  const std::vector<double> q{1, 2, 3, 0, 0, 1, 0, 0, 0.8, 0, 0.6, 0.5};
  // turned by 180° about z: the velocity along the body's own axes has x and y reversed
  const std::vector<double> v{0.4, 0.5, 0.6, -1, -2, 3, 7, 8, 9, 10};
  ASSERT_EQ(key.q.size(), q.size());
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(key.q[i], q[i], 1e-15) << i;
  for (std::size_t i = 0; i < v.size(); ++i) EXPECT_NEAR(key.v[i], v[i], 1e-15) << i;
  EXPECT_EQ(key.control, std::vector<double>{0.25});
  // a key without numbers, and the reference state: the bodies as the file places them
  for (const int k : {0, 2}) {
    const std::vector<double>& reference = model.keyframes[k].q;
    expect_near({reference[0], reference[1], reference[2]}, {1, 2, 3});
    EXPECT_NEAR(reference[5], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(reference[6], std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(reference[11], 10 * degree, 1e-15);
  }
}

TEST(Mjcf, GravityAndTimeStep) {
  const std::string b = body("", "");
  EXPECT_EQ(parse(b).timestep, 0.002);
  const Spec spec = parse(b, "<option timestep='0.01' gravity='1 2 3'/>");
  EXPECT_EQ(spec.timestep, 0.01);
  expect_near(spec.gravity, {1, 2, 3});
  expect_near(parse(b, "<option><flag gravity='disable'/></option>").gravity, {0, 0, 0});
}

// --- what is beside the tree ---

TEST(Mjcf, LoopsAndTheirFrames) {
  const std::string tree =
      "<body name='a' pos='1 0 0' euler='0 0 90'><joint name='ja' ref='10'/><geom size='.1'/>"
      "<site name='s' pos='0 0 2'/></body>" +
      body("name='b' pos='0 1 0'", "<joint name='jb'/>");
  const Spec spec =
      parse(tree, "<default><equality active='false'/></default>",
            "<equality><connect name='pin' body1='a' anchor='0.1 0.2 0' active='true'/>"
            "<weld body1='a' body2='b'/><weld body1='a' body2='b' anchor='0.1 0.5 0'/>"
            "<weld body1='a' body2='b' relpose='1 2 3 0 1 0 0' anchor='0.1 0 0'/>"
            "<joint joint1='ja' joint2='jb' polycoef='1 2' active='true'/>"
            "<connect site1='s' site2='s'/></equality>");
  ASSERT_EQ(spec.loops.size(), 6u);
  EXPECT_EQ(spec.loops[0].name, "pin");
  EXPECT_EQ(spec.loops[0].body_b, "");
  expect_near(spec.loops[0].placement_b.p, {0.8, 0.1, 0});
  EXPECT_EQ(spec.loops[1].name, "weld a b");
  EXPECT_FALSE(spec.loops[1].is_active);
  expect_near(spec.loops[1].placement_a.p, {1, 1, 0});
  expect_turn(spec.loops[1].placement_a.R, {1, 0, 0, -1});
  expect_near(spec.loops[2].placement_a.p, {1.5, 0.9, 0});
  expect_near(spec.loops[3].placement_a.p, {1, 2, 3});
  expect_near(spec.loops[3].placement_b.p, {0.1, 0, 0});
  expect_turn(spec.loops[3].placement_a.R, {0, 1, 0, 0});
  EXPECT_EQ(spec.loops[4].kind, LoopSpec::Kind::coupling);
  EXPECT_DOUBLE_EQ(spec.loops[4].joint_reference, 10 * degree);
  EXPECT_EQ(spec.loops[4].polynomial, (std::array<double, 5>{1, 2, 0, 0, 0}));
  expect_near(spec.loops[5].placement_a.p, {0, 0, 2});
  const limber::Model model = build(spec);
  ASSERT_EQ(model.loops.count(), 2);  // the active ones
  EXPECT_EQ(model.loops[1].joint, model.body_of_joint("ja"));
  EXPECT_EQ(model.loops[1].leader, model.body_of_joint("jb"));
}

TEST(Mjcf, DynamicsOfLoopsAreRefusedByName) {
  Spec spec = parse(body("name='a'", "<joint/>"), "",
                    "<equality><connect name='pin' body1='a' anchor='1 0 0'/></equality>");
  const limber::Model closed = build(spec);
  limber::Workspace ws(closed);
  const std::array<double, 1> x{0.1};
  const auto refusal = [&](auto call) { return error_of(call); };
  const std::vector<std::string> words{"robot 'm'", "1 loop", "'pin'", "open_loops",
                                       "--open-loops"};
  expect_words(refusal([&] { forward_dynamics(closed, x, x, x, ws); }), words);
  expect_words(refusal([&] { forward_dynamics(closed, x, x, x, ws); }), {"forward dynamics"});
  expect_words(refusal([&] { inverse_dynamics(closed, x, x, x, ws); }), words);
  EXPECT_NO_THROW(forward_kinematics(closed, x, x, ws));
  open_loops(spec);
  const limber::Model open = build(spec);
  limber::Workspace open_ws(open);
  EXPECT_NO_THROW(forward_dynamics(open, x, x, x, open_ws));
  expect_words(joined(open.warnings), {"left open", "'pin'"});
}

TEST(Mjcf, ActuatorsAndTheirDefaults) {
  const Spec spec = parse(
      body("", "<joint name='j'/>"),
      "<default><position kp='7' kv='3'/><default class='x'><velocity kv='5'/></default></default>",
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
      "<actuator><position joint='j'/><position joint='j' kp='2'/><motor joint='j' gear='25' "
      "ctrlrange='-4 5'/><velocity joint='j'/><position joint='j' class='x'/><damper joint='j' "
      "kv='2'/>"
      "<general tendon='t' gainprm='3' biastype='affine' biasprm='0 -1 -2' forcerange='-5 "
      "6'/></actuator>");
  using Triple = std::array<double, 3>;
  const std::vector<limber::ActuatorSpec>& all = spec.actuators;
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[0].gain, (Triple{7, 0, 0}));
  EXPECT_EQ(all[0].bias, (Triple{0, -7, -3}));
  EXPECT_EQ(all[1].bias, (Triple{0, -2, -3}));
  EXPECT_EQ(all[2].gain, (Triple{1, 0, 0}));
  EXPECT_EQ(all[2].bias, (Triple{0, 0, 0}));
  EXPECT_EQ(all[2].gear[0], 25);
  EXPECT_EQ(all[2].control_lower, -4);
  EXPECT_EQ(all[2].control_upper, 5);
  EXPECT_EQ(all[3].bias, (Triple{0, 0, -7}));
  EXPECT_EQ(all[4].bias, (Triple{0, -5, -5}));
  EXPECT_EQ(all[5].gain, (Triple{0, 0, -2}));
  EXPECT_EQ(all[6].joint, "");
  EXPECT_EQ(all[6].target, "tendon 't'");
  EXPECT_EQ(all[6].bias, (Triple{0, -1, -2}));
  EXPECT_EQ(all[6].force_upper, 6);
  expect_words(joined(spec.warnings), {"1 tendon ('t')"});
}

TEST(Mjcf, SitesSensorsShapesAndExclusions) {
  const Spec spec = parse(
      "<geom name='floor' type='plane' size='2 3 0.1'/>"
      "<body name='a'><joint/><geom type='box' size='1 2 3' contype='0' conaffinity='0' group='2'/>"
      "<geom class='c' size='0.1' material='red'/><geom size='0.1' conaffinity='6'/>"
      "<site name='a' pos='1 2 3' euler='0 0 90'/><site name='tip'/></body>" +
          body("name='b'", ""),
      "<default><default class='c'><geom group='3'/></default></default>"
      "<asset><material name='red' rgba='1 0 0 1'/></asset>",
      "<sensor><gyro name='g' site='a' noise='0.1'/><jointpos joint='a_joint'/>"
      "<framepos objtype='body' objname='b'/></sensor>"
      "<contact><exclude body1='a' body2='b'/></contact>");
  ASSERT_EQ(spec.world_shapes.size(), 1u);
  EXPECT_EQ(spec.world_shapes[0].kind, ShapeSpec::Kind::plane);
  expect_near(spec.world_shapes[0].size, {4, 6, 0.2});
  const std::vector<ShapeSpec>& shapes = spec.bodies.at(0).shapes;
  expect_near(shapes.at(0).size, {2, 4, 6});
  EXPECT_EQ(shapes[0].role, ShapeSpec::Role::visual);
  EXPECT_EQ(shapes[1].role, ShapeSpec::Role::collision);
  EXPECT_EQ(shapes[1].material, "red");
  EXPECT_EQ(shapes[1].color, (std::array<double, 4>{1, 0, 0, 1}));
  EXPECT_EQ(shapes[2].role, ShapeSpec::Role::both);
  EXPECT_EQ(shapes[2].collides_with, 6);
  ASSERT_EQ(spec.frames.size(), 2u);
  EXPECT_EQ(spec.frames[0].name, "site:a");  // the body has the name already
  EXPECT_EQ(spec.frames[1].name, "tip");
  EXPECT_EQ(spec.sensors.at(0).object, "site:a");
  EXPECT_EQ(spec.sensors[0].noise, 0.1);
  EXPECT_EQ(spec.sensors.at(2).object_kind, "body");
  EXPECT_EQ(spec.exclusions.at(0)[1], "b");
  const limber::Model model = build(spec);
  EXPECT_EQ(model.shapes[model.frame("world")].size(), 1u);
}

TEST(Mjcf, PairsOfGeomsAreKept) {
  const std::string text =
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
      "<body name='a'><freejoint/><geom name='foot' size='0.1' contype='0' conaffinity='0'/></body>"
      "</worldbody><contact><pair geom1='foot' geom2='floor' friction='0.5 0.6 0.01'/>"
      "<pair geom1='foot' geom2='gone'/></contact></mujoco>";
  const Spec spec = limber::parse_mjcf(text);
  ASSERT_EQ(spec.contact_pairs.size(), 1u);
  const limber::ContactPairSpec& pair = spec.contact_pairs[0];
  EXPECT_EQ(pair.bodies, (std::array<std::string, 2>{"a", ""}));
  EXPECT_EQ(pair.shapes, (std::array<std::string, 2>{"foot", "floor"}));
  ASSERT_TRUE(pair.friction);
  expect_near(*pair.friction, {0.5, 0.01, 0.0001});
  EXPECT_EQ(spec.bodies[0].shapes.at(0).role, ShapeSpec::Role::both);
  ASSERT_EQ(spec.warnings.size(), 1u);
  EXPECT_NE(spec.warnings[0].find("no geom 'gone'"), std::string::npos);
  // and written
  for (const limber::RobotFormat format : {limber::RobotFormat::mjcf, limber::RobotFormat::yaml}) {
    const std::string written = limber::write_robot(spec, format).text;
    const Spec back = format == limber::RobotFormat::mjcf ? limber::parse_mjcf(written)
                                                          : limber::parse_yaml(written);
    ASSERT_EQ(back.contact_pairs.size(), 1u) << written;
    EXPECT_EQ(back.contact_pairs[0].bodies, pair.bodies);
    EXPECT_EQ(back.contact_pairs[0].shapes, pair.shapes);
    expect_near(*back.contact_pairs[0].friction, *pair.friction);
  }
}

TEST(Mjcf, DcMotorsHaveGainAndBackEmf) {
  const Spec spec = parse(body("", "<joint name='j'/>"), "",
                          "<actuator><dcmotor joint='j' motorconst='0.05' resistance='2'/>"
                          "<dcmotor joint='j' motorconst='0.2 0.8' resistance='4' saturation='3'/>"
                          "</actuator>");
  // MuJoCo's force at 3 V and 7 rad/s: 0.06625 N m
  const limber::ActuatorSpec& motor = spec.actuators.at(0);
  EXPECT_NEAR(motor.gain[0] * 3 + motor.bias[2] * 7, 0.06625, 1e-15);
  EXPECT_DOUBLE_EQ(spec.actuators.at(1).gain[0], 0.1);
  EXPECT_DOUBLE_EQ(spec.actuators[1].bias[2], -0.04);
  expect_words(joined(spec.warnings), {"saturation of a <dcmotor> is not read"});
}

TEST(Mjcf, IncludedFilesStandInTheirPlace) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "limber_mjcf_include";
  std::filesystem::create_directories(folder / "parts");
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  write("parts/leg.xml",
        "<x><body name='leg'><joint/><include file='parts/foot.xml'/>"
        "<geom size='0.1' class='c'/></body></x>");
  write("parts/foot.xml", "<x><geom size='0.1' mass='2'/>\n<light/></x>");
  write("settings.xml",
        "<mujoco><compiler angle='radian'/><default><default class='c'>"
        "<geom mass='1'/></default></default></mujoco>");
  const std::string main = write("main.xml",
                                 "<mujoco><worldbody><include file='parts/leg.xml'/></worldbody>"
                                 "<include file='settings.xml'/></mujoco>");
  const Spec spec = limber::load_spec(main);
  EXPECT_EQ(spec.bodies.at(0).inertia.m, 3);
  EXPECT_NE(spec.bodies[0].source.file.find("leg.xml"), std::string::npos);
  expect_words(joined(spec.ignored), {"foot.xml:2", "<light>"});
  const auto refusal = [&](const std::string& text) {
    const std::string file = write("bad.xml", text);
    return error_of([&] { limber::load_spec(file); });
  };
  expect_words(
      refusal("<mujoco><include file='settings.xml'/><include file='settings.xml'/></mujoco>"),
      {"bad.xml:1", "second time"});
  expect_words(refusal("<mujoco><include file='bad.xml'/></mujoco>"), {"second time"});
  expect_words(refusal("<mujoco><include file='../x.xml'/></mujoco>"), {"leads out of the folder"});
  expect_words(refusal("<mujoco><include file='/etc/passwd'/></mujoco>"),
               {"leads out of the folder"});
  expect_words(refusal("<mujoco><include file='none.xml'/></mujoco>"),
               {"none.xml", "no such file"});
  expect_words(error_of([] { parse_mjcf("<mujoco><include file='settings.xml'/></mujoco>"); }),
               {"<text>:1", "cannot include"});
  std::filesystem::remove_all(folder);
}

}  // namespace LIMBER_TEST_FILE
