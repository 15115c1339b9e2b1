// Robot files of the field, where a collection lies beside the source tree: good ones load, bad
// ones are refused or warned of with a message that names their defect.
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

using limber::Error;
using limber::load;
using limber::Model;
using limber::test::expect_words;
using limber::test::joined;

const fs::path collection = fs::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots";

// the error, or all warnings
std::string complaint(const fs::path& file) {
  try {
    return joined(load(file.string()).warnings);
  } catch (const Error& error) {
    return error.what();
  }
}

// bodies with the world excluded, freedoms as the collection counts them
struct Size {
  std::size_t links;
  int nv;
};

TEST(Collection, GoodFilesLoad) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const std::map<std::string, Size> robots = {{"anymal_c.urdf", {78, 12}},
                                              {"digit_like_2legs.urdf", {46, 30}},
                                              {"g1_29dof_with_hand.urdf", {53, 43}},
                                              {"go2.urdf", {42, 12}},
                                              {"husky.urdf", {11, 4}},
                                              {"iiwa14.urdf", {11, 7}},
                                              {"panda.urdf", {13, 8}},
                                              {"pr2.urdf", {82, 34}},
                                              {"romeo.urdf", {82, 33}},
                                              {"ur5.urdf", {11, 6}},
                                              {"wam.urdf", {9, 7}},
                                              {"underwater/bluerov2_reach_alpha.urdf", {11, 5}}};
  for (const auto& [file, size] : robots) {
    SCOPED_TRACE(file);
    EXPECT_EQ(limber::load_spec((collection / file).string()).bodies.size(), size.links);
    EXPECT_EQ(load((collection / file).string()).nv, size.nv);
    EXPECT_EQ(load((collection / file).string(), limber::Base::floating).nv, size.nv + 6);
  }
}

TEST(Collection, MjcfFilesLoad) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const std::map<std::string, Size> robots = {{"cassie.mjcf.xml", {25, 32}},
                                              {"talos.mjcf.xml", {45, 50}},
                                              {"shadow_hand_right.mjcf.xml", {25, 24}},
                                              {"large/100_humanoids.mjcf.xml", {1600, 2700}}};
  for (const auto& [file, size] : robots) {
    SCOPED_TRACE(file);
    const limber::Spec spec = limber::load_spec((collection / file).string());
    std::size_t bodies = 0;
    for (const limber::BodySpec& body : spec.bodies) bodies += body.is_between_joints ? 0 : 1;
    EXPECT_EQ(bodies, size.links);
    EXPECT_EQ(limber::build(spec).nv, size.nv);
  }
  EXPECT_EQ(limber::load_spec((collection / "cassie.mjcf.xml").string()).loops.size(), 4u);
  EXPECT_EQ(limber::load_spec((collection / "talos.mjcf.xml").string()).loops.size(), 6u);
  // two bodies have no inertia but that of a mesh, whose file is not there
  expect_words(complaint(collection / "tidybot.mjcf.xml"),
               {"tidybot.mjcf.xml:", "right_silicone_pad", "mesh 'silicone_pad'", "not found in",
                "--meshes", "<inertial>"});
}

TEST(Collection, BadFilesAreNamed) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const std::map<std::string, std::vector<std::string>> words = {
      {"nasty/bullet_humanoid_massless.urdf", {"no mass", "link1_2", "axis"}},
      {"nasty/double_pendulum_point_mass.urdf", {"'world'", "not declared"}},
      {"nasty/fail_pr2_desc_loop.urdf", {"cycle", "base_link", "fl_caster_rotation_link"}},
      {"nasty/fail_pr2_desc_two_trees.urdf",
       {"fl_caster_rotation_joint", "'base_link' does not exist"}},
      {"nasty/fail_pr2_desc_parent_itself.urdf", {"fl_caster_rotation_joint", "itself"}},
      {"nasty/fail_pr2_desc_bracket.urdf", {":9:", "fl_caster_rotation_joint", "rpy", "'}'"}},
      {"nasty/singularity.urdf", {":1:", "verison"}},
      {"nasty/realman_rxl_izz_typo.urdf", {"triangle inequality"}},
      {"nasty/joint_parsing_test.urdf", {":110:", "drake:joint", "ball_joint"}},
      {"nasty/synthetic_self_joint.urdf", {"gripper_to_gripper", "itself"}},
      {"underwater/bluerov2.hydro.urdf", {"bluerov2", "no <link>"}}};
  for (const auto& [file, expected] : words) {
    SCOPED_TRACE(file);
    const std::string message = complaint(collection / file);
    expect_words(message, expected);
    expect_words(message, {fs::path(file).filename().string()});
  }
}

TEST(Collection, OtherFormatsAreRefusedByName) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  expect_words(complaint(collection / "cassie.sdf"), {"<sdf>", "SDF"});
  expect_words(complaint(collection / "underwater/rexrov_hydro.gazebo.xacro"), {"xacro"});
}

}  // namespace LIMBER_TEST_FILE
