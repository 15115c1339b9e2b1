// MJCF: <attach>. What comes along, under which names and by whose settings; what is refused.
// Numbers are compared with MuJoCo's own in mjcf_oracle_test.cpp.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "io/messages.hpp"
#include "io/mjcf_text.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using limber::Spec;
using limber::test::error_of;
using limber::test::expect_words;
using limber::test::joined;
using namespace limber::test::mjcf;
using Names = std::vector<std::string>;

const fs::path files = fs::path(LIMBER_SOURCE_DIR) / "test/io/mjcf_attach";

Spec load(const char* name) { return limber::load_spec((files / name).string()); }

template <class List>
Names names_of(const List& list) {
  Names names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

// a folder with files, removed in the end
class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  Spec load(const std::string& text) const {
    write("main.xml", text);
    return limber::load_spec((path_ / "main.xml").string());
  }
  std::string refusal(const std::string& text) const {
    return error_of([&] { load(text); });
  }

 private:
  fs::path path_ = fs::path(testing::TempDir()) / "limber_mjcf_attach";
};

std::string with_models(const std::string& models, const std::string& world) {
  return "<mujoco model='m'>\n<asset>" + models + "</asset>\n<worldbody>" + world +
         "</worldbody></mujoco>";
}
const std::string model = "<model name='arm' file='arm.xml'/>";
const std::string arm =
    "<mujoco model='own'><worldbody><body name='a'><joint name='j'/><geom size='0.1'/></body>"
    "<body name='b'><joint name='k'/><geom size='0.1'/></body></worldbody></mujoco>";

TEST(MjcfAttach, NamesGetThePrefixAndTheOrderIsMuJoCos) {
  const Spec spec = load("twice.xml");
  Names bodies;
  for (const limber::BodySpec& body : spec.bodies)
    if (!body.is_between_joints) bodies.push_back(body.name);
  EXPECT_EQ(bodies, (Names{"base", "head", "right_upper", "right_lower", "unnamed_body_5",
                           "left_upper", "left_lower", "unnamed_body_8", "tail"}));
  EXPECT_EQ(names_of(spec.actuators),
            (Names{"left_elbow_motor", "first", "right_servo", "right_elbow_general", "right_winch",
                   "left_servo", "left_elbow_general", "left_winch"}));
  EXPECT_EQ(names_of(spec.loops), (Names{"own", "right_tie", "right_pin", "right_held", "left_tie",
                                         "left_pin", "left_held"}));
  EXPECT_EQ(names_of(spec.sensors), (Names{"right_angle", "right_imu", "right_effort", "right_time",
                                           "left_angle", "left_imu", "left_effort", "left_time"}));
  EXPECT_EQ(names_of(spec.keyframes),
            (Names{"qpos0", "all", "right_home", "right_rest", "left_home", "left_rest"}));
  EXPECT_EQ(spec.exclusions.size(), 4u);
  EXPECT_EQ(spec.exclusions.at(0), (std::array<std::string, 2>{"right_upper", "right_lower"}));
  expect_words(joined(spec.ignored), {"<motor> that refers to joint 'drift', which is not attached",
                                      "<weld> that refers to body 'cart'"});
}

TEST(MjcfAttach, SettingsAndClassesAreThoseOfTheAttachedFile) {
  const Spec spec = load("twice.xml");
  const auto joint = [&](const std::string& name) {
    for (const limber::JointSpec& one : spec.joints)
      if (one.name == name) return one;
    throw limber::Error("no joint " + name);
  };
  const limber::DofSpec dof = joint("right_shoulder").dofs.at(0);
  EXPECT_EQ(dof.lower, -1.2);  // radians
  EXPECT_EQ(dof.rotor_inertia, 0.03);
  EXPECT_EQ(dof.damping, 0.2);
  EXPECT_EQ(spec.gravity.z, -9.81);
  EXPECT_EQ(spec.timestep, 0.002);
  double total = 0;
  for (const limber::BodySpec& body : spec.bodies) total += body.inertia.m;
  EXPECT_NEAR(total, 50, 1e-12);
  // the frame around the body in its own file does not move it, that around <attach> does
  expect_near(joint("left_shoulder").placement.p, {0.3, 0, 0.1}, 1e-15);
}

TEST(MjcfAttach, StatesAreThoseOfTheAttachedJoints) {
  const Spec spec = load("twice.xml");
  const limber::KeyframeSpec& key = spec.keyframes.at(4);
  EXPECT_EQ(key.time, 2);
  const double expected[] = {20 * degree, 0, 0.3, 0, 0, 0.1, 0.2, 0.3, 0};
  ASSERT_EQ(key.position.size(), 9u);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_DOUBLE_EQ(key.position[k].values.at(0), expected[k]);
  ASSERT_EQ(key.control.size(), 3u);
  EXPECT_EQ(key.control[1].name, "left_elbow_general");
  EXPECT_EQ(key.control[1].values.at(0), 6);
  EXPECT_EQ(spec.keyframes.at(5).velocity.at(2).values.at(0), 3);
}

TEST(MjcfAttach, FilesAttachFilesBesideThem) {
  const Spec spec = load("nested.xml");
  EXPECT_EQ(names_of(spec.actuators),
            (Names{"own", "l_turn", "l_pinch", "l_thumb_pull", "l_index_pull", "r_turn", "r_pinch",
                   "r_thumb_pull", "r_index_pull"}));
  EXPECT_EQ(names_of(spec.loops), (Names{"l_grip", "r_grip"}));
  EXPECT_EQ(spec.sensors.at(1).object, "r_thumb_pull");
  EXPECT_EQ(spec.bodies.at(2).name, "l_thumb_bone");
  EXPECT_NE(spec.bodies[2].source.file.find("finger.xml"), std::string::npos);
}

TEST(MjcfAttach, WhatCannotBeIsRefused) {
  const Folder folder;
  folder.write("arm.xml", arm);
  const auto refused = [&](const std::string& models, const std::string& world,
                           const Names& words) {
    SCOPED_TRACE(models + world);
    expect_words(folder.refusal(with_models(models, world)), words);
  };
  const std::string own = "<attach model='arm' body='a' prefix=''/>";
  refused(model, "<attach model='arms' body='a' prefix='x'/>",
          {"main.xml:3", "model 'arms'", "did you mean 'arm'"});
  refused(model, "<attach model='arm' body='c' prefix='x'/>",
          {"main.xml:3", "body 'c'", "arm.xml"});
  refused(model, "<attach model='arm' body='world' prefix='x'/>", {"main.xml:3", "leave body out"});
  refused(model, own + own, {"arm.xml:1", "a second body 'a'"});
  refused(model, "<body name='z'><joint name='j'/><geom size='1'/></body>" + own,
          {"arm.xml:1", "a second joint 'j'"});
  refused(model + model, own, {"main.xml:2", "a second model 'arm'"});
  refused("<model file='../arm.xml'/>", own, {"main.xml:2", "leads out of the folder"});
  refused("<model file='none.xml'/>", own, {"none.xml", "no such file"});
  refused("<model file='main.xml'/>", own, {"main.xml:2", "attaches itself"});
  folder.write("round.xml", with_models("<model file='round2.xml'/>", ""));
  folder.write("round2.xml", with_models("<model file='round.xml'/>", ""));
  refused("<model file='round.xml'/>", own, {"round2.xml:2", "attaches itself"});
  folder.write("robot.xml", "<robot name='r'/>");
  refused("<model file='robot.xml'/>", own, {"robot.xml:1", "<robot>", "<mujoco>"});
  folder.write("free.xml",
               "<mujoco><worldbody><body name='f'><freejoint/></body></worldbody></mujoco>");
  refused("<model name='f' file='free.xml'/>",
          "<body name='z'><geom size='1'/><attach model='f' body='f' prefix='x'/></body>",
          {"free.xml:1", "free joint", "'z'"});
  folder.write("tied.xml",
               "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='1'/></body>"
               "</worldbody><actuator><motor name='m' joint='j'/></actuator></mujoco>");
  refused("<model name='t' file='tied.xml'/>",
          "<replicate count='2'><attach model='t' body='a' prefix='x'/></replicate>",
          {"tied.xml:1", "joint 'xj'", "<replicate>"});
}

TEST(MjcfAttach, DeepAndManyFilesAreRefused) {
  const Folder folder;
  for (int k = 0; k < 20; ++k)
    folder.write("f" + std::to_string(k) + ".xml",
                 with_models("<model name='n' file='f" + std::to_string(k + 1) + ".xml'/>", ""));
  expect_words(folder.refusal(with_models("<model file='f0.xml'/>", "")),
               {"f9.xml:2", "each of which attaches the next"});
  std::string many;
  for (int k = 0; k < 150; ++k) {
    folder.write("m" + std::to_string(k) + ".xml", "<mujoco/>");
    many += "<model file='m" + std::to_string(k) + ".xml'/>";
  }
  expect_words(folder.refusal(with_models(many, "")),
               {"main.xml:2", "more than 100 attached files"});
  // copies of copies
  folder.write("g0.xml", arm);
  for (int k = 1; k < 10; ++k) {
    std::string world;
    for (int j = 0; j < 10; ++j) world += "<attach model='n' prefix='" + std::to_string(j) + "'/>";
    folder.write("g" + std::to_string(k) + ".xml",
                 with_models("<model name='n' file='g" + std::to_string(k - 1) + ".xml'/>", world));
  }
  expect_words(folder.refusal(with_models("<model name='n' file='g9.xml'/>",
                                          "<attach model='n' prefix='x'/>")),
               {"500000"});
}

TEST(MjcfAttach, AModelHasItsOwnNameUnlessTheAssetSaysAnother) {
  const Folder folder;
  folder.write("sub/arm.xml", arm);
  const Spec spec = folder.load(
      with_models("<model file='sub/arm.xml'/>", "<attach model='own' body='b' prefix='x'/>"));
  EXPECT_EQ(spec.bodies.at(0).name, "xb");
  EXPECT_EQ(spec.bodies.size(), 1u);
}

}  // namespace LIMBER_TEST_FILE
