// Robots by name and by file; what floats and what cannot.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::Base;
using limber::JointKind;
using limber::load;
using limber::load_spec;
using limber::Model;
using limber::test::error_of;
using limber::test::expect_words;

// a folder of its own for each test, removed afterwards
class Load : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("limber_load_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    unsetenv("LIMBER_ROBOTS");
    std::filesystem::remove_all(folder_);
  }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

const char* const tiny_urdf = "<robot name=\"tiny\"><link name=\"a\"/></robot>";
const char* const tiny_yaml = "bodies: [{name: a}]";

const char* const tiny_sdf =
    "<sdf version='1.6'><model name='slight'><link name='a'/></model></sdf>";
const char* const tiny_mjcf =
    "<mujoco model='small'><worldbody><body name='a'/></worldbody></mujoco>";

TEST_F(Load, TheRootElementDecides) {
  for (const char* extension : {".urdf", ".XML", ".yaml", ".txt"}) {
    const std::string name = std::string("x") + extension;
    EXPECT_EQ(load_spec(write(name, tiny_urdf)).name, "tiny");
    EXPECT_EQ(load_spec(write(name, tiny_mjcf)).name, "small");
    EXPECT_EQ(load_spec(write(name, tiny_yaml)).name, "x");
    EXPECT_EQ(load_spec(write(name, tiny_sdf)).name, "slight");
    expect_words(error_of([&] { load_spec(write(name, "<html/>")); }),
                 {name, "<html>", "<robot>", "<sdf>", "<mujoco>", "YAML"});
    expect_words(error_of([&] { load_spec(write(name, "<!-- nothing -->")); }),
                 {name, "no XML element"});
  }
  const std::string before =
      "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <mujoco> > -->\n<!DOCTYPE robot>";
  EXPECT_EQ(limber::load_spec(write("x.urdf", before + tiny_urdf)).format, "URDF 1.0");
  EXPECT_EQ(load_spec(write("x", tiny_mjcf)).name, "small");
}

TEST_F(Load, TheFormatIsTold) {
  EXPECT_EQ(load_spec(write("x.urdf", tiny_urdf)).format, "URDF 1.0");
  EXPECT_EQ(
      load_spec(write("x.urdf", "<robot name='r' version='1.2'><link name='a'/></robot>")).format,
      "URDF 1.2");
  EXPECT_EQ(load_spec("puma560").format, "YAML, a DH table");
  EXPECT_EQ(load_spec("every_joint").format, "YAML, bodies and joints");
  expect_words(load_spec(write("x.xml", tiny_mjcf)).format, {"MJCF"});
}

TEST_F(Load, WhatIsPassedOverIsListedOnceForEachKind) {
  const limber::Spec spec =
      load_spec(write("x.urdf",
                      "<robot name='r'>\n<gazebo/>\n<link "
                      "name='a'/>\n<gazebo/><gazebo/>\n<ros2_control/></robot>"));
  ASSERT_EQ(spec.ignored.size(), 2u);
  expect_words(spec.ignored[0], {"x.urdf:2", "<gazebo> in <robot>", "2 more"});
  expect_words(spec.ignored[1], {"x.urdf:5", "<ros2_control>"});
  EXPECT_TRUE(spec.warnings.empty());
}

TEST_F(Load, MissingFilesAndFolders) {
  expect_words(error_of([&] { load_spec("no/such/robot.urdf"); }),
               {"no/such/robot.urdf", "no such file"});
  expect_words(error_of([&] { load_spec("no/such/robot.sdf"); }),
               {"no/such/robot.sdf", "no such file"});
  expect_words(error_of([&] { load_spec(folder_.string()); }), {folder_.string(), "folder"});
}

TEST_F(Load, AWrongNameListsTheShippedRobots) {
  expect_words(error_of([] { load_spec("puma56"); }),
               {"'puma56'", "arm7", "every_joint", "puma560", "did you mean 'puma560'"});
}

TEST_F(Load, TheUsersOwnFolderComesFirst) {
  write("pendulum.urdf", tiny_urdf);
  write("my_robot.yaml", tiny_yaml);
  setenv("LIMBER_ROBOTS", folder_.c_str(), 1);
  EXPECT_EQ(load_spec("pendulum").name, "tiny");
  EXPECT_EQ(load_spec("my_robot").bodies.size(), 1u);
  EXPECT_EQ(load_spec("double_pendulum").name, "double_pendulum");
  const std::vector<std::string> names = limber::shipped_robots();
  EXPECT_NE(std::find(names.begin(), names.end(), "my_robot"), names.end());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST_F(Load, FloatingOnRequest) {
  const Model fixed = load("arm7"), floating = load("arm7", Base::floating);
  EXPECT_EQ(fixed.nv, 7);
  EXPECT_EQ(floating.nv, 13);
  EXPECT_EQ(floating.nq, 14);
  EXPECT_EQ(floating.joint_name[1], "root");
}

TEST_F(Load, WhatFloatsAlreadyStaysAsItIs) {
  EXPECT_EQ(load("quadruped").nv, 18);
  EXPECT_EQ(load("quadruped", Base::floating).nv, 18);
}

TEST_F(Load, ThreeWaysToBeBoltedToTheWorldFloatAlike) {
  const std::string arm =
      "<link name=\"base\"><inertial><mass value=\"4\"/></inertial></link>"
      "<link name=\"arm\"><inertial><mass value=\"1\"/></inertial></link>"
      "<joint name=\"turn\" type=\"continuous\"><parent link=\"base\"/><child "
      "link=\"arm\"/></joint>";
  const std::string bolts =
      "<joint name=\"bolts\" type=\"fixed\"><parent link=\"world\"/><child link=\"base\"/></joint>";
  for (const std::string& text : {arm, arm + bolts, "<link name=\"world\"/>" + arm + bolts}) {
    const std::string file = write("bolted.urdf", "<robot name=\"x\">" + text + "</robot>");
    const Model model = load(file, Base::floating);
    EXPECT_EQ(load(file).nv, 1);
    EXPECT_EQ(model.nv, 7);
    EXPECT_EQ(model.mass(), 5);
    EXPECT_EQ(model.joint_name[1], "root");
    EXPECT_EQ(load(file, Base::fixed).nv, 1);
  }
}

TEST_F(Load, FixedWeldsWhatTheFileLetsFloat) {
  const Model model = load("quadruped", Base::fixed);
  EXPECT_EQ(model.nv, 12);
  EXPECT_DOUBLE_EQ(model.mass(), load("quadruped").mass());
}

TEST_F(Load, WhatIsTiedToTheWorldCannotFloat) {
  const std::string file = write("tied.yaml",
                                 "bodies: [{name: a, mass: 1}]\njoints:\n"
                                 "- {name: foot, kind: revolute, parent: world, child: a}\n");
  EXPECT_EQ(load(file).nv, 1);
  expect_words(error_of([&] { load(file, Base::floating); }),
               {"tied.yaml:3", "joint 'foot'", "ties it to the world"});
}

}  // namespace LIMBER_TEST_FILE
