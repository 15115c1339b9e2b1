// Robots as MJCF and back: the same dynamics, and what MJCF lacks by name.
#include <filesystem>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/messages.hpp"
#include "io/mjcf_text.hpp"
#include "io/same_dynamics.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using limber::Loss;
using limber::parse_mjcf;
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

TEST(WriteMjcf, ShippedRobotsKeepTheirDynamics) {
  for (const char* robot :
       {"pendulum", "double_pendulum", "driven_pendulum", "arm7", "quadruped", "humanoid"}) {
    SCOPED_TRACE(robot);
    const Spec spec = limber::load_spec(robot);
    const WrittenRobot written = write_robot(spec, RobotFormat::mjcf);
    EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
    const Spec back = parse_mjcf(written.text);
    EXPECT_TRUE(back.warnings.empty()) << limber::test::joined(back.warnings);
    expect_same_dynamics(spec, back);
  }
}

TEST(WriteMjcf, RandomRobotsOfEveryKindButScrews) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Spec spec =
        random_robot(seed, {JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                            JointKind::cylindrical, JointKind::planar, JointKind::universal,
                            JointKind::spherical, JointKind::translation});
    const WrittenRobot written = write_robot(spec, RobotFormat::mjcf);
    EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
    const Spec back = parse_mjcf(written.text);
    expect_same_dynamics(spec, back);
    // and once more: what is left of a robot after one way is all there after the next
    const WrittenRobot again = write_robot(back, RobotFormat::mjcf);
    EXPECT_TRUE(compare(back, parse_mjcf(again.text), 1e-12).equal());
  }
}

// a screw and a joint that follows are constraints in MJCF; in the tree without them all is equal
TEST(WriteMjcf, WhatFollowsBecomesACoupling) {
  Spec spec = random_robot(5, {JointKind::revolute, JointKind::prismatic});
  spec.joints.back().mimic = {spec.joints.front().name, -2, 0.3};
  const WrittenRobot written = write_robot(spec, RobotFormat::mjcf);
  const std::string follower = spec.joints.back().name;
  EXPECT_TRUE(
      is_listed(written.losses, Loss::Kind::dynamics, "joint '" + follower + "'", "constraint"));
  const Spec back = parse_mjcf(written.text);
  ASSERT_EQ(back.loops.size(), 1u);
  EXPECT_EQ(back.loops[0].joint, follower);
  EXPECT_EQ(back.loops[0].leader, spec.joints.front().name);
  EXPECT_EQ(back.loops[0].polynomial, (std::array<double, 5>{0.3, -2, 0, 0, 0}));
  spec.joints.back().mimic.reset();
  expect_same_dynamics(spec, back);
}

const char* const loops = R"(
  <equality>
    <connect name="pin" body1="a" body2="b" anchor="0 0 0.1"/>
    <weld name="glue" body1="b" body2="c" active="false" relpose="0 0 1 0.6 0.8 0 0"/>
    <joint name="gear" joint1="ja" joint2="jb" polycoef="1 2 3 4 5"/>
  </equality>
  <actuator>
    <motor name="m" joint="ja" gear="3" ctrlrange="-1 1"/>
    <position name="p" joint="jb" kp="5" kv="2" forcerange="-3 3"/>
    <velocity name="v" joint="jc" kv="0.5"/>
    <general name="g" joint="jc" gainprm="2" biastype="affine" biasprm="1 2 3" dyntype="filter" dynprm="0.3"/>
  </actuator>
  <sensor><jointpos name="s" joint="ja" noise="0.1"/><gyro site="tip"/><framepos objtype="body" objname="b"/></sensor>
  <contact><exclude body1="a" body2="c"/></contact>
  <keyframe><key name="up" time="2" qpos="1 2 3 1 2 3 0.5 0.5 0.5 0.5" qvel="1 2 3 1 2 3 4 5 6" ctrl="1 2 3 4"/></keyframe>)";
const char* const bodies =
    "<body name='a'><geom size='0.1'/><joint name='ja' ref='0.2' pos='0 0.1 0.2' axis='1 1 0' "
    "range='-90 45' damping='0.3' stiffness='2' springref='10' armature='0.1' frictionloss='0.2'/>"
    "<site name='tip' pos='0 0 1' euler='10 20 30'/>"
    "<body name='b' pos='0 0 1'><geom size='0.1' group='3' rgba='1 0 0 1'/><joint name='jb' "
    "type='slide'/>"
    "<body name='c'><geom type='box' size='0.1 0.2 0.3'/><joint name='jc'/></body></body></body>"
    "<body name='d' pos='0 1 2'><geom size='0.2'/><freejoint name='fly'/></body>";

TEST(WriteMjcf, LoopsActuatorsSensorsAndStatesComeBack) {
  const Spec spec =
      limber::test::mjcf::parse(bodies, "<option timestep='0.005' gravity='0 0 -3'/>", loops);
  const WrittenRobot written = write_robot(spec, RobotFormat::mjcf);
  EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
  const Spec back = parse_mjcf(written.text);
  expect_same_dynamics(spec, back);
  const limber::RobotDifferences found = compare(spec, back, 1e-12);
  // readers take the zero position for the reference; the frames of the loops are new
  for (const auto& one : found.structure)
    EXPECT_TRUE(one.element == "state 'qpos0_given'" || one.element.starts_with("frame '") ||
                one.what.find("of 'fly'") != std::string::npos)
        << one.element << ": " << one.what << ": " << one.a << " | " << one.b;
  for (const auto& one : found.numbers)
    EXPECT_TRUE(one.element == "state 'qpos0'" || one.element == "loop 'gear'")
        << one.element << ": " << one.what;
  EXPECT_TRUE(is_listed(written.losses, Loss::Kind::description, "state 'qpos0'", "qpos0_given"));
  // y − 0.2 = p(x): the same curve
  ASSERT_EQ(back.loops.size(), 3u);
  const limber::LoopSpec& gear = back.loops[2];
  EXPECT_EQ(gear.joint_reference, 0);
  EXPECT_NEAR(gear.polynomial[0], 1 + spec.loops[2].joint_reference, 1e-15);
  EXPECT_EQ(gear.polynomial[4], 5);
}

TEST(WriteMjcf, WhatMjcfLacksIsNamed) {
  using Kind = Loss::Kind;
  const std::vector<Loss> losses =
      write_robot(limber::load_spec("every_joint"), RobotFormat::mjcf).losses;
  EXPECT_TRUE(is_listed(losses, Kind::dynamics, "joint 'follow'", "constraint"));
  EXPECT_TRUE(is_listed(losses, Kind::dynamics, "joint 'screw_slide'", "constraint"));
  EXPECT_TRUE(is_listed(losses, Kind::description, "joint 'hinge'", "'hinge_angle1'"));
  EXPECT_TRUE(is_listed(losses, Kind::description, "joint 'fly'", "from the world"));
  Spec spec = limber::load_spec("arm7");
  limber::LoopSpec rod;
  rod.name = "rod";
  rod.kind = limber::LoopSpec::Kind::distance;
  rod.body_b = spec.bodies.back().name;
  rod.distance = 0.5;
  spec.loops = {rod};
  spec.joints[1].dof().rotor_mount = spec.bodies[0].name;
  spec.joints[1].dof().rotor_inertia = 1e-6;
  const std::vector<Loss> more = write_robot(spec, RobotFormat::mjcf).losses;
  EXPECT_TRUE(is_listed(more, Kind::dynamics, "loop 'rod'", "distance"));
  EXPECT_TRUE(is_listed(more, Kind::dynamics, "joint '" + spec.joints[1].name + "'", "gyroscopic"));
  EXPECT_TRUE(is_listed(more, Kind::description, "joint 'tool_mount'", "no name"));
  // a sensor of another format, which has the name of one of MuJoCo's
  spec.sensors = {{"north", "magnetometer", "body", "tool", 0, 0, {}}};
  const WrittenRobot written = write_robot(spec, RobotFormat::mjcf);
  EXPECT_TRUE(is_listed(written.losses, Kind::description, "sensor 'north'", "body 'tool'"));
  EXPECT_TRUE(parse_mjcf(written.text).sensors.empty());
  // free bodies hang from the world, and bodies do not nest without end
  spec = limber::load_spec("arm7");
  spec.add_body("bird", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("fly", JointKind::free, "tool", "bird");
  expect_words(error_of([&] { write_robot(spec, RobotFormat::mjcf); }), {"joint 'fly'", "'tool'"});
  expect_words(error_of([] { write_robot(limber::generate_chain(200), RobotFormat::mjcf); }),
               {"95 deep"});
}

}  // namespace LIMBER_TEST_FILE
