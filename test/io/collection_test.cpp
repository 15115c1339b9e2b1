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
  const std::map<std::string, Size> robots = {
      {"anymal_c.urdf", {78, 12}},
      {"digit_like_2legs.urdf", {46, 30}},
      {"digit_like_2legs.closed_loops.yaml", {46, 30 + 6 * 2 + 6}},
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

TEST(Collection, LoopsOfAUrdfFileComeWithTheYamlFileBesideIt) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const limber::Spec spec =
      limber::load_spec((collection / "digit_like_2legs.closed_loops.yaml").string());
  ASSERT_EQ(spec.loops.size(), 6u);
  EXPECT_EQ(spec.loops[0].body_a, "closedloop1_B");
  EXPECT_EQ(spec.actuators.size(), 12u);
  const Model model = limber::build(spec);
  EXPECT_EQ(model.loops.count(), 6);
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

TEST(Collection, SdfFilesLoad) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  struct Numbers {
    std::size_t bodies, loops;
    int nv;
  };
  // what nothing carries is free: six freedoms more than the joints of the file have
  const std::map<std::string, Numbers> robots = {
      {"cassie.sdf", {35, 16, 6 + 32 + 6}},
      {"four_bar_loop.sdf", {3, 1, 3}},
      {"underwater/rexrov.sdf", {13, 0, 6 + 8}},
      {"underwater/bluerov2_heavy.sdf", {11, 0, 6 + 8}},
      {"underwater/added_mass_ellipsoids.sdf", {3, 0, 18}}};
  for (const auto& [file, size] : robots) {
    SCOPED_TRACE(file);
    const limber::Spec spec = limber::load_spec((collection / file).string());
    EXPECT_EQ(spec.bodies.size(), size.bodies);
    EXPECT_EQ(spec.loops.size(), size.loops);
    EXPECT_EQ(limber::build(spec).nv, size.nv);
  }
  expect_words(complaint(collection / "four_bar_loop.sdf"), {"'Wd'", "only the link"});
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
      {"nasty/joint_axis_xyz_normalization.sdf", {":35:", "joint4", "axis is zero"}},
      {"nasty/inertial_invalid.sdf", {"link 'link'", "mass is -1 kg"}},
      {"nasty/synthetic_nan_inertia.sdf", {":12:", "head_2_link", "nan"}},
      {"underwater/bluerov2.hydro.urdf", {"no <link>", "one body 'bluerov2'"}}};
  for (const auto& [file, expected] : words) {
    SCOPED_TRACE(file);
    const std::string message = complaint(collection / file);
    expect_words(message, expected);
    expect_words(message, {fs::path(file).filename().string()});
  }
}

// all that are refused, with the reason; every other SDF and URDF file loads
TEST(Collection, EveryFileLoadsOrIsRefusedWithItsReason) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  const std::map<std::string, std::string> refused = {
      {"nasty/fail_pr2_desc_bracket.urdf", "'}' is not a finite number"},
      {"nasty/fail_pr2_desc_loop.urdf", "cycle without a root"},
      {"nasty/fail_pr2_desc_parent_itself.urdf", "to itself"},
      {"nasty/fail_pr2_desc_two_trees.urdf", "'base_link' does not exist"},
      {"nasty/inertial_invalid.sdf", "mass is -1 kg"},
      {"nasty/joint_axis_xyz_normalization.sdf", "axis is zero"},
      {"nasty/joint_parsing_test.urdf", "<drake:joint"},
      {"nasty/synthetic_nan_inertia.sdf", "'nan' is not a finite number"},
      {"nasty/synthetic_self_joint.urdf", "to itself"}};
  std::size_t loaded = 0, named = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(collection)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".urdf" && extension != ".sdf") continue;
    const std::string name = entry.path().lexically_relative(collection).generic_string();
    SCOPED_TRACE(name);
    const auto reason = refused.find(name);
    if (reason == refused.end()) {
      EXPECT_NO_THROW(load(entry.path().string()));
      ++loaded;
    } else {
      EXPECT_THROW(load(entry.path().string()), Error);
      expect_words(complaint(entry.path()),
                   {entry.path().filename().string() + ":", reason->second});
      ++named;
    }
  }
  EXPECT_EQ(named, refused.size());
  EXPECT_GE(loaded, 20u);
}

TEST(Collection, XacroIsRefusedByName) {
  if (!fs::exists(collection)) GTEST_SKIP() << "no collection beside the source tree";
  expect_words(complaint(collection / "underwater/rexrov_hydro.gazebo.xacro"),
               {"`xacro rexrov_hydro.gazebo.xacro > rexrov_hydro.gazebo.urdf`"});
}

}  // namespace LIMBER_TEST_FILE
