// URDF beyond the tree of its joints: loops, actuators, what <gazebo> says, and xacro.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

using limber::JointKind;
using limber::load_spec;
using limber::LoopSpec;
using limber::parse_urdf;
using limber::Spec;
using limber::Transform;
using limber::Vec3;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;

// base, and a and b that hang from it by joints ja and jb; c on a by jc
std::string robot(const std::string& more) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision>"
           "<geometry><sphere radius='1'/></geometry></collision><visual><geometry><sphere "
           "radius='1'/></geometry></visual></link>";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& x) {
    return "<joint name='" + name + "' type='revolute'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin xyz='" + x +
           " 0 0'/><axis xyz='0 0 1'/><limit lower='-1' upper='2' effort='3' velocity='4'/>"
           "<dynamics damping='5'/></joint>";
  };
  return "<robot name='r'>" + link("base") + link("a") + link("b") + link("c") +
         joint("ja", "base", "a", "0") + joint("jb", "base", "b", "1") +
         joint("jc", "a", "c", "0.5") + "\n" + more + "</robot>";
}

// --- elements ---

std::string loop(const std::string& type, const std::string& axis = "<axis xyz='0 0 2'/>") {
  return "<loop name='close' type='" + type +
         "'><predecessor link='c'><origin xyz='1 0 0' rpy='0 0 1.5'/></predecessor><successor "
         "link='b'><origin xyz='0 1 0'/></successor>" +
         axis + "</loop>";
}

TEST(UrdfLoops, ElementsOfUrdfPlus) {
  const Spec spec = parse_urdf(robot(loop("revolute")));
  ASSERT_EQ(spec.loops.size(), 1u);
  const LoopSpec& one = spec.loops[0];
  EXPECT_EQ(one.name, "close");
  EXPECT_EQ(one.kind, LoopSpec::Kind::joint);
  EXPECT_EQ(one.joint_kind, JointKind::revolute);
  EXPECT_EQ(one.body_a, "c");
  EXPECT_EQ(one.body_b, "b");
  EXPECT_EQ(one.placement_a.p.x, 1);
  EXPECT_NEAR(one.placement_a.R.row(0)[0], std::cos(1.5), 1e-15);
  EXPECT_EQ(one.placement_b.p.y, 1);
  const limber::Model model = build(spec);
  EXPECT_EQ(model.nv, 3);
  ASSERT_EQ(model.loops.count(), 1);
  EXPECT_EQ(model.loops[0].axis.z, 1);
  EXPECT_EQ(parse_urdf(robot(loop("prismatic"))).loops[0].joint_kind, JointKind::prismatic);
  EXPECT_EQ(parse_urdf(robot(loop("continuous", ""))).loops[0].axis.x, 1);
  EXPECT_EQ(parse_urdf(robot(loop("fixed"))).loops[0].kind, LoopSpec::Kind::weld);
  EXPECT_EQ(parse_urdf(robot(loop("spherical"))).loops[0].kind, LoopSpec::Kind::connect);
  // closed to the world, which need not be declared
  const Spec world = parse_urdf(
      robot("<loop name='w' type='fixed'><predecessor link='world'/><successor link='b'/></loop>"));
  EXPECT_EQ(world.loops[0].body_a, "");
  EXPECT_EQ(build(world).loops[0].body_a, 0);
}

TEST(UrdfLoops, OlderElements) {
  const Spec spec = parse_urdf(
      robot("<loop_joint name='close' type='continuous'><link1 link='c' xyz='1 2 3' rpy='0 0 0'/>"
            "<link2 link='b' xyz='0 0 4'/><axis xyz='0 1 0'/></loop_joint>"));
  ASSERT_EQ(spec.loops.size(), 1u);
  EXPECT_EQ(spec.loops[0].body_a, "c");
  EXPECT_EQ(spec.loops[0].placement_a.p.y, 2);
  EXPECT_EQ(spec.loops[0].placement_b.p.z, 4);
  EXPECT_EQ(spec.loops[0].axis.y, 1);
}

TEST(UrdfLoops, Couplings) {
  const auto coupling = [](const std::string& first, const std::string& second) {
    return robot("<coupling name='gear'><predecessor link='" + first + "'/><successor link='" +
                 second + "'/><ratio value='6'/></coupling>");
  };
  const Spec spec = parse_urdf(coupling("a", "b"));
  EXPECT_EQ(spec.loops.at(0).kind, LoopSpec::Kind::coupling);
  EXPECT_EQ(spec.loops[0].leader, "ja");
  EXPECT_EQ(spec.loops[0].joint, "jb");
  EXPECT_EQ(spec.loops[0].polynomial[1], 6);
  EXPECT_EQ(build(spec).loops.count(), 1);
  expect_words(error_of([&] { parse_urdf(coupling("c", "b"), "x.urdf"); }),
               {"x.urdf:2", "coupling 'gear'", "'c'", "several joints"});
  expect_words(error_of([&] { parse_urdf(coupling("base", "b")); }),
               {"no joint carries", "'base'"});
}

TEST(UrdfLoops, DefectsAreNamed) {
  const auto message = [](const std::string& more) {
    return error_of([&] { build(parse_urdf(robot(more), "bad.urdf")); });
  };
  expect_words(message(loop("planer")), {"bad.urdf:2", "loop 'close'", "planer", "revolute"});
  expect_words(message(loop("revolute", "<axis xyz='0 0 0'/>")), {"loop 'close'", "axis"});
  expect_words(message("<loop name='l' type='fixed'><predecessor link='a'/></loop>"),
               {"loop 'l'", "no <successor>"});
  expect_words(message("<loop name='l' type='fixed'><predecessor/><successor link='a'/></loop>"),
               {"loop 'l'", "link"});
  expect_words(
      message("<loop name='l' type='fixed'><predecessor link='aa'/><successor link='b'/></loop>"),
      {"loop 'l'", "'aa' does not exist"});
  expect_words(message("<loop type='fixed'/>"), {"bad.urdf:2", "name"});
}

// --- a YAML file beside the URDF ---

class Beside : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  Spec with(const std::string& yaml) const {
    write("r.urdf", robot("<frame name='f' link='a' xyz='0 0 7'/>"));
    return load_spec(write("r.closed_loops.yaml", yaml));
  }
  const fs::path folder_ =
      fs::temp_directory_path() / (std::string("limber_beside_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Beside, LoopsMotorsAndJointKinds) {
  const Spec spec = with(
      "closed_loop: [[c, b], [f, b]]\ntype: [6d, 3D]\nname_mot: [jb]\njoint_name: [ja, jc]\n"
      "joint_type: [SPHERICAL, UJOINT_ZX]\n");
  ASSERT_EQ(spec.loops.size(), 2u);
  EXPECT_EQ(spec.loops[0].kind, LoopSpec::Kind::weld);
  EXPECT_EQ(spec.loops[0].body_a, "c");
  EXPECT_EQ(spec.loops[0].body_b, "b");
  EXPECT_EQ(spec.loops[1].kind, LoopSpec::Kind::connect);
  EXPECT_EQ(spec.joints[0].kind, JointKind::spherical);
  EXPECT_EQ(spec.joints[0].dofs.at(0).lower, -HUGE_VAL);
  EXPECT_EQ(spec.joints[0].dofs.at(0).damping, 5);
  EXPECT_EQ(spec.joints[1].dofs.at(0).lower, -1);
  EXPECT_EQ(spec.joints[2].kind, JointKind::universal);
  EXPECT_EQ(spec.joints[2].axis.z, 1);
  EXPECT_EQ(spec.joints[2].axis2.x, 1);
  ASSERT_EQ(spec.actuators.size(), 1u);
  EXPECT_EQ(spec.actuators[0].joint, "jb");
  expect_words(spec.format, {"URDF", "r.closed_loops.yaml"});
  const limber::Model model = build(spec);
  EXPECT_EQ(model.nv, 3 + 1 + 2);
  // a loop may end at a frame
  ASSERT_EQ(model.loops.count(), 2);
  EXPECT_EQ(model.loops[1].body_a, model.body("a"));
  // without types all of them are welds; the URDF alone is a tree, and says where the loops are
  EXPECT_EQ(with("closed_loop: [[c, b]]").loops.at(0).kind, LoopSpec::Kind::weld);
  EXPECT_EQ(with("joint_name: [ja]\njoint_type: [FIXED]").joints[0].kind, JointKind::fixed);
  const Spec alone = load_spec((folder_ / "r.urdf").string());
  EXPECT_TRUE(alone.loops.empty());
  EXPECT_EQ(alone.joints[0].kind, JointKind::revolute);
  ASSERT_FALSE(alone.warnings.empty());
  expect_words(alone.warnings.back(), {"r.urdf", "'r.closed_loops.yaml'", "left out"});
  EXPECT_TRUE(load_spec(write("other.urdf", robot(""))).warnings.empty());
  EXPECT_TRUE(parse_urdf(robot(""), (folder_ / "r.urdf").string()).loops.empty());
}

TEST_F(Beside, DefectsAreNamed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"closed_lop: []", {"unknown key 'closed_lop'", "closed_loop"}},
      {"\nclosed_loop: [[c, d]]", {"yaml:2", "'d' does not exist", "r.urdf"}},
      {"closed_loop: [c, b]", {"pair of links"}},
      {"closed_loop: [[c, b, a]]", {"pair of links"}},
      {"closed_loop: [[c, b]]\ntype: [6d, 6d]", {"yaml:2", "type", "2", "1"}},
      {"closed_loop: [[c, b]]\ntype: [5d]", {"'5d'", "3d", "6d"}},
      {"name_mot: [x]", {"joint 'x' does not exist"}},
      {"name_mot: [[x]]", {"list of names"}},
      {"joint_name: [ja]", {"joint_type", "one type"}},
      {"joint_name: [ja]\njoint_type: [BALL]", {"'BALL'", "SPHERICAL", "UJOINT_XY"}},
      {"joint_name: [ja]\njoint_type: [UJOINT_XX]", {"'UJOINT_XX'"}},
      {"[", {"r.closed_loops.yaml"}}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.first);
    const std::string message = error_of([&] { with(one.first); });
    expect_words(message, one.second);
    expect_words(message, {"r.closed_loops.yaml"});
  }
}

// --- actuators ---

TEST(UrdfActuators, ATransmissionNamesItsActuator) {
  const Spec spec = parse_urdf(
      robot("<transmission name='t'><joint name='ja'/><actuator name='m'><mechanicalReduction>50"
            "</mechanicalReduction></actuator></transmission><transmission name='u'><joint "
            "name='jb'/><actuator/></transmission>"));
  ASSERT_EQ(spec.actuators.size(), 2u);
  EXPECT_EQ(spec.actuators[0].name, "m");
  EXPECT_EQ(spec.actuators[0].joint, "ja");
  EXPECT_EQ(spec.actuators[0].gear[0], 50);
  EXPECT_EQ(spec.actuators[1].name, "jb");
  EXPECT_EQ(spec.actuators[1].gear[0], 1);
}

TEST(UrdfActuators, OfRos2Control) {
  const Spec spec = parse_urdf(
      robot("<ros2_control name='sys' type='system'><hardware><plugin>x</plugin></hardware>"
            "<joint name='ja'><command_interface name='position'><param name='min'>-1</param>"
            "<param name='max'>2</param></command_interface><command_interface name='effort'/>"
            "<state_interface name='position'/></joint>"
            "<joint name='jb'><state_interface name='position'/></joint>"
            "<joint name='jc'><command_interface name='effort'/><param name='mimic'>ja</param>"
            "</joint><joint name='none'><command_interface name='effort'/></joint>"
            "<transmission name='t'><plugin>transmission_interface/SimpleTransmission</plugin>"
            "<actuator name='motor_a' role='actuator1'><mechanical_reduction>2"
            "</mechanical_reduction></actuator><joint name='ja' role='joint1'>"
            "<mechanical_reduction>-30</mechanical_reduction></joint></transmission>"
            "<sensor name='force'><param name='frame_id'>c</param></sensor></ros2_control>"));
  ASSERT_EQ(spec.actuators.size(), 2u);
  EXPECT_EQ(spec.actuators[0].name, "motor_a");
  EXPECT_EQ(spec.actuators[0].kind, "position");
  EXPECT_EQ(spec.actuators[0].control_lower, -1);
  EXPECT_EQ(spec.actuators[0].control_upper, 2);
  EXPECT_EQ(spec.actuators[0].gear[0], -60);
  EXPECT_EQ(spec.joints[0].dofs.at(0).gear_ratio, -60);
  EXPECT_EQ(spec.actuators[1].joint, "jc");
  EXPECT_EQ(spec.actuators[1].kind, "effort");
  ASSERT_EQ(spec.sensors.size(), 1u);
  EXPECT_EQ(spec.sensors[0].object, "c");
  expect_words(joined(spec.warnings), {"'none' does not exist", "mimic"});
  expect_words(joined(spec.ignored), {"<ros2_control>"});
  expect_words(error_of([] {
                 parse_urdf(robot(
                     "<ros2_control name='s'><transmission name='t'><actuator name='m'/><joint "
                     "name='ja'><mechanical_reduction>0</mechanical_reduction></joint>"
                     "</transmission></ros2_control>"));
               }),
               {"transmission 't'", "zero"});
}

// --- gazebo ---

TEST(UrdfGazebo, SpringsFrictionAndSelfCollision) {
  const Spec spec = parse_urdf(
      robot("<gazebo reference='a'><mu1>0.3</mu1><mu2>0.2</mu2><selfCollide>false</selfCollide>"
            "<material>Gazebo/Red</material></gazebo>"
            "<gazebo reference='b'><mu1 value='0.7'/><selfCollide>true</selfCollide>"
            "<turnGravityOff>true</turnGravityOff></gazebo>"
            "<gazebo reference='ja'><springStiffness>40</springStiffness><springReference>0.5"
            "</springReference><implicitSpringDamper>1</implicitSpringDamper></gazebo>"
            "<gazebo reference='nobody'><mu1>1</mu1></gazebo><gazebo><plugin name='p'/></gazebo>"));
  EXPECT_EQ(spec.bodies[1].family, 1);
  EXPECT_EQ(spec.bodies[2].family, 0);
  EXPECT_EQ(spec.bodies[0].family, 0);
  for (const limber::ShapeSpec& shape : spec.bodies[1].shapes)
    EXPECT_EQ(shape.friction.x, shape.role == limber::ShapeSpec::Role::collision ? 0.3 : 1.0);
  for (const limber::ShapeSpec& shape : spec.bodies[2].shapes)
    EXPECT_EQ(shape.friction.x, shape.role == limber::ShapeSpec::Role::collision ? 0.7 : 1.0);
  EXPECT_EQ(spec.joints[0].dofs.at(0).stiffness, 40);
  EXPECT_EQ(spec.joints[0].dofs.at(0).spring_reference, 0.5);
  EXPECT_EQ(spec.joints[0].dofs.at(0).damping, 5);
  expect_words(joined(spec.warnings),
               {"gazebo 'nobody'", "no link and no joint", "turnGravityOff"});
  expect_words(joined(spec.ignored), {"<mu2> in <gazebo>", "<material> in <gazebo>",
                                      "<implicitSpringDamper> in <gazebo>", "<gazebo> in <robot>"});
  expect_words(
      error_of([] { parse_urdf(robot("<gazebo reference='a'><mu1>much</mu1></gazebo>")); }),
      {"gazebo 'a'", "<mu1>much</mu1>"});
  expect_words(
      error_of([] {
        parse_urdf(robot("<gazebo reference='a'><selfCollide>maybe</selfCollide></gazebo>"));
      }),
      {"gazebo 'a'", "maybe", "neither true nor false"});
}

// --- xacro ---

TEST(UrdfXacro, TheMessageHasTheCommand) {
  const auto message = [](const std::string& file) {
    return error_of([&] { parse_urdf(robot("<xacro:include filename='x'/>"), file); });
  };
  expect_words(message("robots/arm.urdf.xacro"), {"`xacro arm.urdf.xacro > arm.urdf`"});
  expect_words(message("arm.xacro"), {"`xacro arm.xacro > arm.urdf`"});
  expect_words(message("arm.urdf"), {"`xacro arm.urdf > arm.expanded.urdf`"});
}

}  // namespace LIMBER_TEST_FILE
