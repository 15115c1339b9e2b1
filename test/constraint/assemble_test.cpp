// Assembling: positions that close random mechanisms, by plain poses; a four-bar by its closed
// form.
#include <limber/constraint/assemble.hpp>

#include <filesystem>

#include <gtest/gtest.h>

#include <limber/constraint/loop_analysis.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "support/message.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

Mechanism pinned(const FourBar& bar, const Spec& spec) {
  Mechanism m(build(spec));
  m.add(bar.loop(LoopSpec::Kind::connect));
  return m;
}

TEST(Assemble, RandomMechanismsCloseFromNearby) {
  for (int seed = 1; seed <= share_of(200); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed));
    VectorXd step(c.robot.model.nv), q = c.robot.q;
    for (double& x : step) x = random.uniform(-0.05, 0.05);
    const std::span<double> out{q.data(), static_cast<std::size_t>(q.size())};
    integrate<double>(c.robot.model, in(c.robot.q), in(step), 1, out);
    const Assembly found = assemble(*c.mechanism, 0, out);
    ASSERT_TRUE(found.is_closed) << describe(found);
    EXPECT_TRUE(found.open.empty());
    c.robot.plain.move(q, c.robot.zero(), c.robot.zero());
    for (const LoopSpec& loop : c.loops)
      EXPECT_LT(plain_gap(loop, c.robot.plain).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

// the crank is held at any angle; the others begin where the file has them, and stay on its side
TEST(Assemble, FourBarFollowsItsCrankOnTheBranchOfTheModel) {
  const FourBar bar;
  const Mechanism m = pinned(bar, bar.tree());
  AssemblySettings settings;
  settings.held = {"crank"};
  for (double angle = -3; angle < 3.2; angle += 0.1) {
    std::vector<double> q{angle - 0.7, 0, 0};
    const Assembly found = assemble(m, 0, q, settings);
    ASSERT_TRUE(found.is_closed) << describe(found);
    EXPECT_TRUE(found.keeps_branch);
    const std::vector<double> expected = bar.position(angle);
    EXPECT_EQ(q[0], angle - 0.7);
    for (std::size_t k = 1; k < 3; ++k)
      EXPECT_NEAR(std::remainder(q[k] - expected[k], 2 * M_PI), 0, 1e-10) << angle;
    for (const JointMove& move : found.moved) EXPECT_NE(move.name, "crank");
    EXPECT_EQ(compare_branches(m, 0, std::vector<double>{0, 0, 0}, q, {0}), Branch::same);
  }
}

// a guess on the other side that is nearly closed stays there
TEST(Assemble, AGuessNearbyKeepsItsOwnBranch) {
  const FourBar bar;
  const Mechanism m = pinned(bar, bar.tree());
  const std::vector<double> other = bar.position(0.5, -1);
  std::vector<double> q = other;
  q[1] += 0.02;
  AssemblySettings settings;
  settings.held = {"crank"};
  ASSERT_TRUE(assemble(m, 0, q, settings).is_closed);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(q[k], other[k], 1e-10);
  EXPECT_EQ(compare_branches(m, 0, std::vector<double>{0, 0, 0}, q, {0}), Branch::switched);
}

TEST(Assemble, LoopsThatCannotCloseAreNamedWithTheirGaps) {
  FourBar bar;
  const Mechanism m = pinned(bar, bar.tree());
  AssemblySettings settings;
  settings.held = {"rocker"};
  const double start = bar.angles(0.7).rocker;
  std::vector<double> q{0, 0, 0.1 - start};  // the rocker points away from the crank
  const Assembly found = assemble(m, 0, q, settings);
  EXPECT_FALSE(found.is_closed);
  EXPECT_FALSE(found.keeps_branch);
  ASSERT_FALSE(found.open.empty());
  EXPECT_EQ(found.open[0].name.rfind("loop 'pin', force", 0), 0u);
  EXPECT_EQ(found.open[0].unit, "m");
  EXPECT_NE(describe(found).find("loops do not close: loop 'pin', force"), std::string::npos);
  EXPECT_EQ(q[2], 0.1 - start);
  // what is left is the distance that crank and coupler cannot bridge
  const double reach =
      std::hypot(bar.ground + bar.rocker * std::cos(0.1), bar.rocker * std::sin(0.1));
  const double left = reach - bar.crank - bar.coupler;
  double square = 0;
  for (const OpenRow& row : found.open) square += row.gap * row.gap;
  EXPECT_NEAR(std::sqrt(square), left, 1e-6);
}

// all links on one line: no small displacement makes the gap smaller
TEST(Assemble, LinksOnOneLineAreNoDeadEnd) {
  const FourBar bar;
  Spec spec = bar.tree();
  for (JointSpec& joint : spec.joints) joint.placement.R = Mat3<double>::identity();
  const Mechanism m = pinned(bar, spec);
  std::vector<double> q{0, 0, 0};
  const Assembly found = assemble(m, 0, q);
  ASSERT_TRUE(found.is_closed) << describe(found);
  const double x = bar.crank * std::cos(q[0]) + bar.coupler * std::cos(q[0] + q[1]) - bar.ground -
                   bar.rocker * std::cos(q[2]),
               y = bar.crank * std::sin(q[0]) + bar.coupler * std::sin(q[0] + q[1]) -
                   bar.rocker * std::sin(q[2]);
  EXPECT_LT(std::hypot(x, y), 1e-10);
}

TEST(Assemble, LimitsAreRespected) {
  const FourBar bar;
  Spec spec = bar.tree();
  const double wanted = bar.position(1.5)[2];
  spec.joints[2].dof().lower = std::min(wanted / 2, 0.0) - (wanted > 0 ? 1 : 0);
  spec.joints[2].dof().upper = std::max(wanted / 2, 0.0) + (wanted > 0 ? 0 : 1);
  const Mechanism m = pinned(bar, spec);
  AssemblySettings settings;
  settings.held = {"crank"};
  std::vector<double> q{1.5 - 0.7, 0, 0};
  const Assembly found = assemble(m, 0, q, settings);
  EXPECT_FALSE(found.is_closed);
  EXPECT_GE(q[2], m.tree.dof[2].lower);
  EXPECT_LE(q[2], m.tree.dof[2].upper);
}

TEST(Assemble, TheNamedStateIsThePoseWhereItIsNearer) {
  const FourBar bar;
  Spec spec = bar.tree();
  spec.joints[1].placement.R = Mat3<double>::identity();  // neutral is open now
  const std::vector<double> closed = bar.position(0.7);
  spec.keyframes.push_back({"home", 0, {{"coupler", {bar.angles(0.7).coupler - 0.7}}}});
  const Mechanism m = pinned(bar, spec);
  EXPECT_EQ(model_pose(m), m.tree.keyframes[0].q);
}

// a rod between crank and rocker that grows, and a sum of angles, at two instants
TEST(Assemble, TargetsMoveAndConstraintsOfYourOwnCount) {
  const FourBar bar;
  Mechanism m(build(bar.tree()));
  LoopSpec rod = bar.loop(LoopSpec::Kind::distance);
  rod.body_a = "crank";
  rod.placement_a.p = {bar.crank, 0, 0};
  rod.distance = bar.coupler;
  m.add(LoopMotion{m.add(rod), [](double t, std::span<double> out) {
                     out[0] = 0.1 * t, out[1] = 0.1, out[2] = 0;
                   }});
  m.add(CustomConstraint{
      "sum", 1,
      [](double t, std::span<const double> q, std::span<const double>, const CustomRows& out) {
        out.gap[0] = q[0] + q[1] - 0.2 * t;
        out.J[0] = out.J[1] = 1, out.J[2] = 0;
        out.rate[0] = -0.2;
        out.bias[0] = 0;
      }});
  for (const double t : {0.0, 1.5}) {
    std::vector<double> q{0.2, 0, 0};
    AssemblySettings settings;
    settings.held = {"crank"};
    const Assembly found = assemble(m, t, q, settings);
    ASSERT_TRUE(found.is_closed) << describe(found);
    EXPECT_NEAR(q[0] + q[1], 0.2 * t, 1e-10);
    const double crank = q[0] + 0.7, rocker = q[2] + bar.angles(0.7).rocker;
    EXPECT_NEAR(std::hypot(bar.ground + bar.rocker * std::cos(rocker) - bar.crank * std::cos(crank),
                           bar.rocker * std::sin(rocker) - bar.crank * std::sin(crank)),
                bar.coupler + 0.1 * t, 1e-10);
  }
}

TEST(Assemble, RobotsOfTheCollectionCloseFromTheirOwnPose) {
  const std::filesystem::path collection =
      std::filesystem::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots";
  if (!std::filesystem::exists(collection)) GTEST_SKIP() << "no collection beside the sources";
  for (const char* file : {"four_bar_loop.sdf", "cassie.sdf", "cassie.mjcf.xml",
                           "digit_like_2legs.closed_loops.yaml"}) {
    SCOPED_TRACE(file);
    const Mechanism m(load((collection / file).string()));
    std::vector<double> q = model_pose(m);
    const Assembly found = assemble(m, 0, q);
    EXPECT_TRUE(found.is_closed) << describe(found);
    EXPECT_GT(analyse_loops(m, 0, q).mobility, 0);
  }
}

TEST(Assemble, WrongInputIsRefused) {
  const FourBar bar;
  const Mechanism m = pinned(bar, bar.tree());
  std::vector<double> q{0, NAN, 0};
  EXPECT_NE(message_of([&] { assemble(m, 0, q); }).find("joint 'coupler'"), std::string::npos);
  q = {0, 0, 0};
  AssemblySettings settings;
  settings.held = {"crnk"};
  EXPECT_NE(message_of([&] { assemble(m, 0, q, settings); }).find("crank"), std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
