// Robot files of hostile and clumsy authors: very many of something, links that lead out of the
// folder, wrong counts of numbers, wrong units. Each is read as it stands, refused, or warned of.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <unistd.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/messages.hpp"
#include "io/mjcf_text.hpp"
#include "io/sdf_text.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using limber::load_spec;
using limber::parse_mjcf;
using limber::parse_sdf;
using limber::parse_urdf;
using limber::parse_yaml;
using limber::RobotFormat;
using limber::Spec;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::mjcf::body;
using limber::test::mjcf::parse;

class Strangers : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(top_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(top_); }
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  const fs::path top_ =
      fs::temp_directory_path() / (std::string("limber_strangers_") + std::to_string(getpid()) +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path folder_ = top_ / "robot";
};

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

bool is_warned(const std::vector<std::string>& warnings, const std::string& words) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
    return warning.find(words) != std::string::npos;
  });
}
bool is_warned(const Spec& spec, const std::string& words) {
  return is_warned(spec.warnings, words) || is_warned(build(spec).warnings, words);
}

const std::string hinge = body("name='a'", "<joint name='j'/>");

// --- very many ---

TEST_F(Strangers, ThousandsOfActuatorsWithoutNamesGetNumbers) {
  const int count = 20'000;
  const Spec spec = parse(hinge, "",
                          "<actuator>" + repeated("<motor joint='j'/>", count / 2) + "</actuator>" +
                              repeated("<actuator><motor joint='j'/></actuator>", count / 2));
  ASSERT_EQ(spec.actuators.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(spec.actuators[0].name, "j_motor");
  EXPECT_EQ(spec.actuators[1].name, "j_motor_2");
  EXPECT_EQ(spec.actuators.back().name, "j_motor_20000");
}

TEST_F(Strangers, NumbersThatFilesGiveThemselvesAreLeftOut) {
  const Spec spec = parse(hinge, "",
                          "<actuator>" + repeated("<motor joint='j'/>", 3) +
                              "<motor name='j_motor_2' joint='j'/></actuator><actuator><motor "
                              "name='j_motor' joint='j'/></actuator>");
  std::vector<std::string> names;
  for (const limber::ActuatorSpec& actuator : spec.actuators) names.push_back(actuator.name);
  EXPECT_EQ(names, (std::vector<std::string>{"j_motor_3", "j_motor_4", "j_motor_5", "j_motor_2",
                                             "j_motor"}));
}

TEST_F(Strangers, ThousandsOfLoopsOfOneNameAreWritten) {
  const int count = 20'000;
  const Spec spec =
      parse(hinge + body("name='b'", "<joint name='k'/>"), "",
            "<equality>" + repeated("<connect body1='a' body2='b' anchor='0 0 0'/>", count) +
                "</equality>");
  for (const RobotFormat format : {RobotFormat::mjcf, RobotFormat::sdf, RobotFormat::urdf}) {
    const Spec back = [&] {
      const std::string text = write_robot(spec, format).text;
      return format == RobotFormat::mjcf  ? parse_mjcf(text)
             : format == RobotFormat::sdf ? parse_sdf(text)
                                          : parse_urdf(text);
    }();
    std::set<std::string> names;
    for (const limber::LoopSpec& loop : back.loops) names.insert(loop.name);
    EXPECT_EQ(names.size(), static_cast<std::size_t>(count)) << name(format);
  }
}

TEST_F(Strangers, NamesThatSdfMakesAlikeStayDifferent) {
  // '::' becomes '_', which makes 4096 names one
  std::string bodies = "bodies:\n";
  for (int k = 0; k < 4096; ++k) {
    std::string name = "a";
    for (int bit = 0; bit < 12; ++bit) name += (k >> bit & 1) != 0 ? "::" : "_";
    bodies += "  - {name: \"" + name + "a\", mass: 1, inertia: [1, 1, 1]}\n";
  }
  const Spec back = parse_sdf(write_robot(parse_yaml(bodies), RobotFormat::sdf).text);
  std::set<std::string> names;
  for (const limber::BodySpec& one : back.bodies) names.insert(one.name);
  EXPECT_EQ(names.size(), 4096U);
}

TEST_F(Strangers, StatesAreLimitedByTheirNumbers) {
  // 2000 joints with two numbers each, in 1300 states that say nothing
  std::string bodies, list = "bodies:\n", joints = "joints:\n", states = "keyframes:\n";
  for (int k = 0; k < 2000; ++k) {
    const std::string number = std::to_string(k);
    bodies += body("name='b" + number + "'", "<joint/>");
    list += "  - {name: b" + number + ", mass: 1, inertia: [1, 1, 1]}\n";
    joints +=
        "  - {name: j" + number + ", kind: revolute, parent: world, child: b" + number + "}\n";
  }
  for (int k = 0; k < 1300; ++k) states += "  - {name: k" + std::to_string(k) + "}\n";
  const std::vector<std::string> words{"4000 numbers each", "5000000", "leave some out"};
  expect_words(
      error_of([&] { parse(bodies, "", "<keyframe>" + repeated("<key/>", 1300) + "</keyframe>"); }),
      words);
  expect_words(error_of([&] { parse_yaml(list + joints + states); }),
               {"6000 numbers each", "5000000"});
  // a robot described in C++
  Spec spec = parse_yaml(list + joints);
  spec.keyframes.resize(1300);
  for (std::size_t k = 0; k < spec.keyframes.size(); ++k)
    spec.keyframes[k].name = "k" + std::to_string(k);
  expect_words(error_of([&] { build(spec); }), words);
}

TEST_F(Strangers, DefaultsOfOneClassAreLimited) {
  const auto with = [](int count) {
    return parse(hinge, repeated("<default><geom density='500'/></default>", count));
  };
  EXPECT_NEAR(with(100).bodies.at(0).inertia.m, 500 * 4.0 / 3 * M_PI * 1e-3, 1e-9);
  expect_words(error_of([&] { with(101); }), {"'main'", "101", "at most 100", "<geom>"});
}

TEST_F(Strangers, TheSearchForAttachedBodiesEnds) {
  std::string many, attach;
  for (int k = 0; k < 30'000; ++k)
    many += "<body name='b" + std::to_string(k) + "'><geom size='1'/></body>";
  for (int k = 0; k < 400; ++k)
    attach += "<attach model='m' body='b29999' prefix='p" + std::to_string(k) + "_'/>";
  write("many.xml", "<mujoco><worldbody>" + many + "</worldbody></mujoco>");
  const std::string file =
      write("main.xml", "<mujoco><asset><model name='m' file='many.xml'/></asset><worldbody>" +
                            attach + "</worldbody></mujoco>");
  expect_words(error_of([&] { load_spec(file); }), {"many.xml", "take too long to find"});
}

// --- links ---

TEST_F(Strangers, LinksDoNotLeadOutOfTheFolder) {
  fs::create_directories(top_ / "outside");
  std::ofstream(top_ / "outside" / "part.xml")
      << "<mujoco><worldbody><body name='b'><geom size='0.1'/></body></worldbody></mujoco>";
  std::ofstream(top_ / "outside" / "model.sdf")
      << "<sdf version='1.9'><model name='p'><link name='l'/></model></sdf>";
  fs::create_symlink(top_ / "outside" / "part.xml", folder_ / "part.xml");
  fs::create_symlink(top_ / "outside" / "model.sdf", folder_ / "part.sdf");
  fs::create_directory_symlink(top_ / "outside", folder_ / "part");
  const std::vector<std::string> words{"link", "leads", "out of the folder"};
  for (const char* element :
       {"<include file='part.xml'/><worldbody/>", "<include file='part/part.xml'/><worldbody/>",
        "<asset><model name='m' file='part.xml'/></asset><worldbody><attach model='m' "
        "prefix='p'/></worldbody>"}) {
    const std::string file = write("main.xml", std::string("<mujoco>") + element + "</mujoco>");
    expect_words(error_of([&] { load_spec(file); }), {"part.xml", "link", "leads out"});
  }
  for (const char* uri : {"part.sdf", "part", "part/model.sdf"}) {
    const std::string file =
        write("main.sdf",
              limber::test::sdf::model("<include><uri>" + std::string(uri) + "</uri></include>"));
    expect_words(error_of([&] { load_spec(file); }), {uri, "by a link", "out of the folder"});
  }
}

TEST_F(Strangers, AFolderOfLinksIsReadWhole) {
  // as a build tool installs a package: each file is a link to the one beside it in the source
  write("main.xml", "<mujoco><include file='part.xml'/><worldbody/></mujoco>");
  write("part.xml",
        "<mujoco><worldbody><body name='b'><geom size='0.1'/></body></worldbody></mujoco>");
  fs::create_directories(top_ / "installed");
  for (const char* name : {"main.xml", "part.xml"})
    fs::create_symlink(folder_ / name, top_ / "installed" / name);
  EXPECT_EQ(load_spec((top_ / "installed" / "main.xml").string()).bodies.at(0).name, "b");
}

// --- numbers ---

TEST_F(Strangers, ListsOfMujocoAreWholeWhereMujocoWantsThemWhole) {
  const auto joint = [](const std::string& attributes) {
    return body("name='a'", "<joint name='j' " + attributes + "/>");
  };
  expect_words(error_of([&] { parse(joint("range='90'")); }),
               {"range=\"90\"", "1 number", "2 are"});
  expect_words(error_of([&] { parse("<geom size='1' rgba='1 1 1'/>" + hinge); }),
               {"rgba", "3 numbers", "4 are"});
  const auto after = [](const std::string& text) { return parse(hinge, "", text); };
  for (const char* range : {"ctrlrange", "forcerange"})
    expect_words(error_of([&] {
                   after("<actuator><motor joint='j' " + std::string(range) + "='1'/></actuator>");
                 }),
                 {range, "1 number"});
  expect_words(error_of([&] { after("<equality><weld body1='a' relpose='0 0 1'/></equality>"); }),
               {"relpose", "3 numbers", "7 are"});
  // what MuJoCo takes in part
  EXPECT_EQ(parse("<geom size='1' friction='0.5'/>" + hinge).world_shapes.at(0).friction.x, 0.5);
  EXPECT_EQ(parse(joint("range=''")).joints.at(0).dofs.size(), 1U);
  for (const char* attribute : {"noise", "cutoff"})
    expect_words(
        error_of([&] {
          after("<sensor><jointpos joint='j' " + std::string(attribute) + "='-1'/></sensor>");
        }),
        {"noise and cutoff", "negative"});
}

TEST_F(Strangers, RangesThatFallAndStepsBackwardsAreToldOf) {
  const Spec joint = parse(body("name='a'", "<joint name='j' range='90 -90'/>"));
  EXPECT_TRUE(is_warned(joint, "range=\"90 -90\" falls"));
  const Spec motor = parse(hinge, "", "<actuator><motor joint='j' ctrlrange='1 -1'/></actuator>");
  EXPECT_TRUE(is_warned(motor, "ctrlrange=\"1 -1\" falls"));
  const Spec step = parse(hinge, "<option timestep='-1'/>");
  EXPECT_TRUE(is_warned(step, "timestep=\"-1\" is not positive"));
  EXPECT_EQ(step.timestep, 0);
  const Spec world = parse_sdf(
      "<sdf version='1.9'><world name='w'><physics "
      "type='ode'><max_step_size>0</max_step_size></physics><model name='m'><link "
      "name='a'/></model></world></sdf>");
  EXPECT_TRUE(is_warned(world, "<max_step_size> is not positive"));
  EXPECT_EQ(world.timestep, 0);
}

TEST_F(Strangers, AFullInertiaOfNoBodyDoesNotHideBehindItsBound) {
  const auto with = [](const std::string& numbers, const std::string& compiler) {
    return parse("<body name='a'><joint/><inertial pos='0 0 0' mass='1' fullinertia='" + numbers +
                     "'/></body>",
                 compiler);
  };
  const std::string bound = "<compiler boundinertia='0.1'/>";
  for (const char* numbers : {"-1 1 1 0 0 0", "1 1 1 0 0 5", "0 0 0 0 0 0"})
    EXPECT_TRUE(is_warned(with(numbers, bound), "not positive")) << numbers;
  EXPECT_FALSE(is_warned(with("1 1 1 0 0 0.5", bound), "not positive"));
  EXPECT_FALSE(build(with("-1 1 1 0 0 0", "")).warnings.empty());
}

// --- units ---

TEST_F(Strangers, DegreesForRadiansAreToldOf) {
  const auto urdf = [](const std::string& rpy, const std::string& limit) {
    const std::string inertial =
        "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial>";
    return parse_urdf("<robot name='r'><link name='a'/><link name='b'>" + inertial +
                      "</link><joint name='j' type='revolute'><origin rpy='" + rpy +
                      "'/><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit " + limit +
                      " effort='1' velocity='1'/></joint></robot>");
  };
  const Spec degrees = urdf("90 0 0", "lower='-90' upper='90'");
  EXPECT_TRUE(is_warned(degrees, "an angle of 90 rad, more than a whole turn"));
  EXPECT_TRUE(is_warned(degrees, "limits of -90 to 90 rad are 14.3 turns"));
  const Spec radians = urdf("6.2832 0 -6.2832", "lower='-6.2832' upper='1e9'");
  EXPECT_FALSE(is_warned(radians, "turn"));

  using limber::test::sdf::link_of;
  using limber::test::sdf::pose;
  const auto sdf = [](const std::string& attributes) {
    return limber::test::sdf::parse(link_of("a", pose("0 0 0 0 0 90", attributes)));
  };
  EXPECT_TRUE(is_warned(sdf(""), "an angle of 90 rad"));
  EXPECT_FALSE(is_warned(sdf("degrees='true'"), "an angle of 90 rad"));
}

TEST_F(Strangers, RadiansForDegreesAreToldOf) {
  const auto with = [](const std::string& range, const std::string& compiler) {
    return parse(body("name='a'", "<joint range='" + range + "'/>"), compiler);
  };
  EXPECT_TRUE(is_warned(with("-1.57 1.57", ""), "more than 1.57°"));
  EXPECT_FALSE(is_warned(with("-90 90", ""), "were radians meant"));
  EXPECT_FALSE(is_warned(with("-1.57 1.57", "<compiler angle='radian'/>"), "were radians meant"));
  // a hinge with little play beside another one
  EXPECT_FALSE(is_warned(parse(body("name='a'", "<joint range='-1 1'/>") +
                               body("name='b'", "<joint range='-90 90'/>")),
                         "were radians meant"));
}

// --- inertia of meshes in SDF ---

// a tetrahedron with edges of 1 along the axes: volume 1/6, centre 1/4
const std::string tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST_F(Strangers, SdfTakesTheInertiaOfMeshes) {
  const auto with = [&](const std::string& mesh, const std::string& more = "") {
    return write("robot.sdf",
                 "<sdf version='1.11'><model name='m'><link name='a'><inertial auto='true'/>"
                 "<collision name='c'>" +
                     more + "<geometry><mesh>" + mesh +
                     "</mesh></geometry></collision></link></model></sdf>");
  };
  write("part.obj", tetrahedron);
  write("open.obj", tetrahedron.substr(0, tetrahedron.rfind("f 2")));
  const Spec spec = load_spec(with("<uri>part.obj</uri><scale>2 2 2</scale>",
                                   "<pose>0 0 3 0 0 0</pose><density>600</density>"));
  const limber::Inertia<double>& inertia = spec.bodies.at(0).inertia;
  EXPECT_NEAR(inertia.m, 800, 1e-9);
  const limber::Vec3<double> com = inertia.com();
  EXPECT_NEAR(com.x, 0.5, 1e-12);
  EXPECT_NEAR(com.z, 3.5, 1e-12);
  // of a tetrahedron with edges of length a: 3/80 m a² · 2 about an axis through its centre
  EXPECT_NEAR(inertia.rotational_about_com().xx, 2 * 3.0 / 80 * 800 * 4, 1e-9);
  expect_words(error_of([&] { load_spec(with("<uri>open.obj</uri>")); }),
               {"auto=\"true\"", "open.obj", "write mass and inertia"});
  expect_words(error_of([&] { load_spec(with("<uri>none.obj</uri>")); }),
               {"none.obj", "not found in"});
  expect_words(
      error_of([&] { load_spec(with("<uri>part.obj</uri><submesh><name>x</name></submesh>")); }),
      {"<submesh>", "write mass and inertia"});
  // the folders that the user names count
  write("far/away.obj", tetrahedron);
  const std::string far = with("<uri>model://x/away.obj</uri>");
  EXPECT_NEAR(load_spec(far, {{(folder_ / "far").string()}}).bodies.at(0).inertia.m, 1000.0 / 6,
              1e-9);
}

// --- what writers and comparisons owe ---

TEST_F(Strangers, LimitsOnOneSideSurviveMjcf) {
  Spec spec = parse_yaml(
      "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n  - {name: b, mass: 1, inertia: [1, 1, "
      "1]}\njoints:\n  - {name: j, kind: prismatic, parent: world, child: a, limits: [-0.5, inf]}\n"
      "  - {name: k, kind: prismatic, parent: world, child: b, limits: [-inf, 0.5]}\n");
  const Spec back = parse_mjcf(write_robot(spec, RobotFormat::mjcf).text);
  EXPECT_EQ(back.joints.at(0).dofs.at(0).lower, -0.5);
  EXPECT_EQ(back.joints.at(1).dofs.at(0).upper, 0.5);
}

TEST_F(Strangers, TheAxisOfAFixedJointDoesNotCount) {
  Spec a = parse_yaml(
      "bodies:\n  - {name: a, mass: 1}\njoints:\n  - {name: j, kind: fixed, parent: world, child: "
      "a}\n");
  Spec b = a;
  b.joints.at(0).axis = {1, 0, 0};
  EXPECT_TRUE(limber::compare(a, b).equal());
}

TEST_F(Strangers, AQuaternionAndItsNegativeAreOneState) {
  const Spec spec = parse(body("name='a'", "<freejoint name='j'/>"), "",
                          "<keyframe><key name='k' qpos='1 2 3 0.5 0.5 0.5 0.5'/></keyframe>");
  Spec other = spec;
  ASSERT_EQ(other.keyframes.at(1).position.at(0).values.size(), 7U);
  for (std::size_t k = 3; k < 7; ++k) other.keyframes[1].position[0].values[k] *= -1;
  EXPECT_TRUE(limber::compare(spec, other).equal());
  other.keyframes[1].position[0].values[0] *= -1;
  EXPECT_EQ(limber::compare(spec, other).numbers.size(), 1U);
}

TEST_F(Strangers, FreedomsOfClosingJointsAreCompared) {
  const Spec spec = parse_yaml(
      "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\njoints:\n  - {name: j, kind: revolute, "
      "parent: world, child: a}\nloops:\n  - {name: l, kind: joint, joint_kind: universal, body_a: "
      "a, body_b: world, axis: [1, 0, 0], axis2: [0, 1, 0], dofs: [{damping: 1}, {damping: 2}]}\n");
  ASSERT_TRUE(limber::compare(spec, spec).equal());
  Spec damped = spec, turned = spec;
  damped.loops.at(0).dofs.at(1).damping = 3;
  EXPECT_EQ(limber::compare(spec, damped).numbers.size(), 1U);
  turned.loops.at(0).axis2 = {0, 0, 1};
  EXPECT_EQ(limber::compare(spec, turned).numbers.size(), 1U);
}

TEST_F(Strangers, AMimicJointAndALoopOfItsNameAreTwoEqualities) {
  Spec spec = parse_yaml(
      "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n  - {name: b, mass: 1, inertia: [1, 1, "
      "1]}\njoints:\n  - {name: j, kind: revolute, parent: world, child: a}\n  - {name: k, kind: "
      "revolute, parent: world, child: b, mimic: {joint: j}}\nloops:\n  - {name: k_mimic, kind: "
      "connect, body_a: a, body_b: b}\n");
  const std::string text = write_robot(spec, RobotFormat::mjcf).text;
  expect_words(text, {"name=\"k_mimic\"", "name=\"k_mimic_2\""});
}

TEST_F(Strangers, AnEmptyFileIsNoYamlFile) {
  const std::string empty = write("empty.xml", " \n"), wide = write("wide.xml", {'<', '\0', 'm'});
  const std::string message = error_of([&] { load_spec(empty); });
  expect_words(message, {"is empty; a robot file is expected"});
  expect_words(error_of([&] { load_spec(wide); }), {"UTF-16", "a robot file in UTF-8"});
}

}  // namespace LIMBER_TEST_FILE
