// MJCF that Limber writes against MuJoCo itself. Skipped where node or the package is absent
// (scripts/deps.sh --peers installs it).
#include <fstream>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>

#include "io/mujoco.hpp"
#include "io/same_dynamics.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using namespace limber::test::mujoco;

// what Limber writes: MuJoCo loads it, and finds the dynamics of the robot as it was before
void expect_written_like_mujoco(const std::string& name, const limber::Spec& spec) {
  SCOPED_TRACE(name);
  const limber::WrittenRobot written = write_robot(spec, limber::RobotFormat::mjcf);
  const fs::path file = fs::path(testing::TempDir()) / (name + ".xml");
  std::ofstream(file) << written.text;
  Json mujoco = ask_mujoco(file);
  fs::remove(file);
  ASSERT_FALSE(mujoco.is_null()) << "MuJoCo does not load this file\n" << written.text;
  // bodies in the frames of joints are new
  const limber::Model model = build(spec);
  for (Json& body : mujoco["bodies"])
    if (!model.find_frame(body.get<std::string>())) body = "";
  const Worst worst = compare_states(spec, mujoco);
  EXPECT_LT(worst.mass_matrix, 1e-9);
  EXPECT_LT(worst.bias, 1e-9);
  EXPECT_LT(worst.acceleration, 1e-9);
  EXPECT_LT(worst.places, 1e-9);
}

// true if MuJoCo would refuse it: inertias that no body has, or moving bodies without mass
bool mujoco_refuses(const limber::Spec& spec) {
  for (const limber::BodySpec& body : spec.bodies)
    if (physical_defect(body.inertia) != limber::InertiaDefect::none) return true;
  return !limber::build(spec).singular_reason.empty();
}

TEST(MujocoOracle, WrittenFiles) {
  if (!is_mujoco_there()) GTEST_SKIP() << "no node with @mujoco/mujoco";
  for (const char* robot : {"pendulum", "double_pendulum", "arm7", "quadruped", "humanoid"})
    expect_written_like_mujoco(robot, limber::load_spec(robot));
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    expect_written_like_mujoco(
        "random" + std::to_string(seed),
        limber::test::random_robot(seed,
                                   {JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                                    JointKind::cylindrical, JointKind::planar, JointKind::universal,
                                    JointKind::spherical, JointKind::translation}));
  if (!fs::exists(collection)) return;
  for (const char* robot :
       {"iiwa14", "ur5", "go2", "anymal_c", "g1_29dof_with_hand", "wam", "husky"}) {
    const limber::Spec spec =
        limber::load_spec((collection / (std::string(robot) + ".urdf")).string());
    if (!mujoco_refuses(spec)) expect_written_like_mujoco(robot, spec);
    else std::printf("%s: MuJoCo refuses its inertias\n", robot);
  }
}

}  // namespace LIMBER_TEST_FILE
