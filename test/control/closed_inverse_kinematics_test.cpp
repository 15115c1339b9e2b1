// Inverse kinematics with loops: poses that a random closed mechanism has at another position are
// reached, with its loops closed by plain poses; a four-bar's coupler by its closed form.
#include <limber/control/closed_inverse_kinematics.hpp>

#include <gtest/gtest.h>

#include <limber/constraint/assemble.hpp>
#include <limber/model/joint_space.hpp>

#include "support/message.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

TEST(ClosedInverseKinematics, PosesOfRandomMechanismsAreReachedWithLoopsClosed) {
  int reached = 0, tried = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(seed);
    if (c.robot.model.nv > 25) continue;
    Random random(seed);
    VectorXd step(c.robot.model.nv), there = c.robot.q;
    for (double& x : step) x = random.uniform(-0.1, 0.1);
    const std::span<double> out{there.data(), static_cast<std::size_t>(there.size())};
    integrate<double>(c.robot.model, in(c.robot.q), in(step), 1, out);
    if (!assemble(*c.mechanism, 0, out).is_closed) continue;
    const std::string frame = c.robot.model.frames[c.robot.model.frames.count() - 1].name;
    const Poses& bodies = forward_kinematics<double>(c.robot.model, in(there), c.robot.ws);
    const Transform<double> goal = frame_pose(c.robot.model, bodies, c.robot.model.frame(frame));
    InverseKinematicsSettings settings;
    settings.restarts = 0;
    for (const JointPlace& joint : joint_places(c.robot.model))
      settings.joints.push_back(c.robot.model.joint_name[joint.body]);
    const InverseKinematicsResult found =
        inverse_kinematics(*c.mechanism, 0, frame, goal, in(c.robot.q), settings);
    ++tried;
    reached += found.reached ? 1 : 0;
    const VectorXd q = matrix(found.q);
    c.robot.plain.move(q, c.robot.zero(), c.robot.zero());
    for (const LoopSpec& loop : c.loops)
      EXPECT_LT(plain_gap(loop, c.robot.plain).lpNorm<Eigen::Infinity>(), 1e-9);
  }
  EXPECT_GT(tried, 15);
  EXPECT_GE(reached, tried * 9 / 10);
}

TEST(ClosedInverseKinematics, TheCouplerGoesAsFarAsTheLoopLetsIt) {
  const FourBar bar;
  Mechanism m(build(bar.tree()));
  m.add(bar.loop(LoopSpec::Kind::connect));
  InverseKinematicsSettings settings;
  settings.rows = TaskRows::position;
  const std::vector<double> start(3), expected = bar.position(2.0);
  Transform<double> goal;
  goal.p = {bar.crank * std::cos(2.0), bar.crank * std::sin(2.0), 0};
  const InverseKinematicsResult found = inverse_kinematics(m, 0, "coupler", goal, start, settings);
  EXPECT_TRUE(found.reached);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(std::remainder(found.q[k] - expected[k], 2 * M_PI), 0, 1e-9);
  // out of reach: the nearest point of the crank's circle, the loop closed
  goal.p = {0, 3, 0};
  const InverseKinematicsResult far = inverse_kinematics(m, 0, "coupler", goal, start, settings);
  EXPECT_FALSE(far.reached);
  EXPECT_NEAR(far.distance_left, 3 - bar.crank, 1e-6);
  const std::vector<double> top = bar.position(M_PI / 2);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(std::remainder(far.q[k] - top[k], 2 * M_PI), 0, 1e-4);
}

TEST(ClosedInverseKinematics, ALoopThatCannotCloseIsNamed) {
  const FourBar bar;
  Mechanism m(build(bar.tree()));
  LoopSpec loop = bar.loop(LoopSpec::Kind::connect);
  loop.placement_a.p = {50, 0, 0};
  m.add(loop);
  EXPECT_TRUE(
      mentions(message_of([&] { inverse_kinematics(m, 0, "coupler", {}, std::vector<double>(3)); }),
               {"at the start loops do not close", "loop 'pin', force"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
