// Rank and mobility against singular values of differenced plain gaps; dead points and branches of
// four-bars against their geometry.
#include <limber/constraint/loop_analysis.hpp>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <limber/model/joint_space.hpp>

#include "support/message.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Mechanism mechanism(const Spec& spec, const std::vector<LoopSpec>& loops) {
  Mechanism m(build(spec));
  for (const LoopSpec& loop : loops) m.add(loop);
  return m;
}

/// Singular values of what the loops demand of positions, by differences; rows of unit length.
int plain_rank(ClosedRobot& c) {
  std::vector<VectorXd> rows;
  const double h = 1e-5;
  const auto gaps = [&](int k, double size) {
    VectorXd step = c.robot.zero(), q = c.robot.q;
    step[k] = size;
    integrate<double>(c.robot.model, in(c.robot.q), in(step), 1,
                      {q.data(), static_cast<std::size_t>(q.size())});
    c.robot.plain.move(q, c.robot.zero(), c.robot.zero());
    VectorXd all(0);
    for (const LoopSpec& loop : c.loops) {
      const VectorXd gap = plain_gap(loop, c.robot.plain);
      all.conservativeResize(all.size() + gap.size());
      all.tail(gap.size()) = gap;
    }
    return all;
  };
  MatrixXd J(gaps(0, 0).size(), c.robot.model.nv);
  for (int k = 0; k < J.cols(); ++k) J.col(k) = (gaps(k, h) - gaps(k, -h)) / (2 * h);
  for (int i = 0; i < J.rows(); ++i)
    if (J.row(i).norm() > 1e-6) J.row(i).normalize();
  Eigen::JacobiSVD<MatrixXd> svd(J);
  return static_cast<int>((svd.singularValues().array() > 1e-5).count());
}

TEST(LoopAnalysis, RankIsThatOfPlainGaps) {
  int redundant = 0;
  for (int seed = 1; seed <= share_of(150); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    if (seed % 3 == 0) c.add_loops({c.loops[0]});
    const LoopAnalysis found = analyse_loops(*c.mechanism, 0, in(c.robot.q));
    EXPECT_EQ(c.robot.model.nv - found.position_mobility, plain_rank(c));
    EXPECT_EQ(found.mobility, c.robot.model.nv - found.rank);
    EXPECT_EQ(static_cast<int>(found.redundant_rows.size()), c.mechanism->rows - found.rank);
    EXPECT_EQ(static_cast<int>(found.independent.size()), found.mobility);
    EXPECT_LT(found.largest_gap, 1e-12);
    redundant += found.redundant_rows.empty() ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(redundant, share_of(50));
}

TEST(LoopAnalysis, PlanarLinksWithSpatialClosuresHaveRedundantRows) {
  const FourBar bar;
  const std::vector<double> q(3);
  const LoopSpec pin = bar.loop(LoopSpec::Kind::joint), ball = bar.loop(LoopSpec::Kind::connect);
  const Mechanism once = mechanism(bar.tree(), {ball});
  LoopAnalysis found = analyse_loops(once, 0, q);
  EXPECT_EQ(found.mobility, 1);
  ASSERT_EQ(found.redundant_rows, std::vector<int>{2});
  EXPECT_EQ(once.row_name(2), "loop 'pin', force z");
  EXPECT_EQ(describe(once, found)[1], "redundant: loop 'pin', force z");
  EXPECT_EQ(found.is_determinate, (std::vector<std::uint8_t>{1, 1, 0}));
  found = analyse_loops(mechanism(bar.tree(), {pin}), 0, q);
  EXPECT_EQ(found.mobility, 1);
  EXPECT_EQ(found.redundant_rows.size(), 3u);
  found = analyse_loops(mechanism(bar.tree(), {ball, ball}), 0, q);
  EXPECT_EQ(found.mobility, 1);
  EXPECT_EQ(found.redundant_rows, (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(found.is_determinate, std::vector<std::uint8_t>(6, 0));
}

TEST(LoopAnalysis, NoFreedomIsSaid) {
  const FourBar bar;
  const Mechanism m = mechanism(bar.tree(), {bar.loop(LoopSpec::Kind::weld)});
  const LoopAnalysis found = analyse_loops(m, 0, std::vector<double>(3));
  EXPECT_TRUE(found.is_immobile());
  EXPECT_EQ(found.locked, (std::vector<int>{0, 1, 2}));
  EXPECT_NE(describe(m, found)[1].find("no freedom"), std::string::npos);
}

TEST(LoopAnalysis, RollingHoldsVelocitiesThatLeavePositionsFree) {
  Spec spec;
  spec.add_body("ball", 1, {}, Sym3<double>::identity());
  spec.add_joint("root", JointKind::free, "", "ball");
  LoopSpec ground;
  ground.name = "ground";
  ground.kind = LoopSpec::Kind::rolling;
  ground.body_b = "ball";
  ground.rim = 0.5;
  const Mechanism m = mechanism(spec, {ground});
  const LoopAnalysis found = analyse_loops(m, 0, std::vector<double>{0, 0, 0.5, 0, 0, 0, 1});
  EXPECT_EQ(found.mobility, 3);
  EXPECT_EQ(found.position_mobility, 5);
}

// driven by the rocker, a four-bar is dead where crank and coupler lie in one line
TEST(LoopAnalysis, DeadPointOfTheRockerIsWhereCrankAndCouplerAlign) {
  const FourBar bar;
  const Mechanism m = mechanism(bar.tree(), {bar.loop(LoopSpec::Kind::connect)});
  const auto crank_there = [&](double reach, double sign) {  // law of cosines
    return sign * std::acos((reach * reach + bar.ground * bar.ground - bar.rocker * bar.rocker) /
                            (2 * reach * bar.ground));
  };
  DeadPointSettings settings;
  settings.independent = {2};
  for (const double sign : {1.0, -1.0}) {
    const DeadPoint found =
        dead_point_ahead(m, 0, std::vector<double>(3), std::vector<double>{sign, 0, 0}, settings);
    ASSERT_EQ(found.kind, DeadPoint::Kind::dead_point);
    const double stretched = crank_there(bar.crank + bar.coupler, 1);
    const double folded = M_PI + crank_there(bar.coupler - bar.crank, 1);
    const double expected = sign > 0 ? folded : stretched;
    const double crank = found.q[0] + 0.7;
    EXPECT_NEAR(std::remainder(crank - expected, 2 * M_PI), 0, 1e-7);
    EXPECT_GT(found.singular_value, 1e-3);
    EXPECT_GT(found.distance, 0.01);
  }
  // near it the estimate from the rate is good
  const double stretched = crank_there(bar.crank + bar.coupler, 1);
  const std::vector<double> before = bar.position(stretched + 0.02);
  const DeadPoint near = dead_point_ahead(m, 0, before, std::vector<double>{-1, 0, 0}, settings);
  EXPECT_NEAR(near.estimate, near.distance, 0.05 * near.distance);
  EXPECT_LT(near.rate, 0);
}

TEST(LoopAnalysis, ACrankThatTurnsFullyHasNoDeadPoint) {
  const FourBar bar;
  const Mechanism m = mechanism(bar.tree(), {bar.loop(LoopSpec::Kind::connect)});
  DeadPointSettings settings;
  settings.independent = {0};
  const DeadPoint found =
      dead_point_ahead(m, 0, std::vector<double>(3), std::vector<double>{1, 0, 0}, settings);
  EXPECT_EQ(found.kind, DeadPoint::Kind::none);
  EXPECT_GT(found.singular_value, 0);
}

TEST(LoopAnalysis, AParallelogramBranchesWhereItIsFlat) {
  FourBar bar;
  bar.crank = bar.rocker = 1, bar.coupler = bar.ground = 3;
  const Mechanism m = mechanism(bar.tree(), {bar.loop(LoopSpec::Kind::connect)});
  const DeadPoint found =
      dead_point_ahead(m, 0, std::vector<double>(3), std::vector<double>{-1, 0, 0});
  ASSERT_EQ(found.kind, DeadPoint::Kind::singular);
  EXPECT_NEAR(found.q[0], -0.7, 1e-3);  // paths branch: the root of rounding
}

TEST(LoopAnalysis, OpenPositionsAndWrongChoicesAreRefused) {
  const FourBar bar;
  const Mechanism m = mechanism(bar.tree(), {bar.loop(LoopSpec::Kind::connect)});
  const std::vector<double> v{1, 0, 0};
  const std::string open = message_of([&] {
    dead_point_ahead(m, 0, std::vector<double>{0.5, 0, 0}, v);
  });
  EXPECT_NE(open.find("loop 'pin', force"), std::string::npos) << open;
  DeadPointSettings settings;
  settings.independent = {0, 1};
  const std::string two =
      message_of([&] { dead_point_ahead(m, 0, std::vector<double>(3), v, settings); });
  EXPECT_NE(two.find("mobility 1"), std::string::npos) << two;
  EXPECT_EQ(compare_branches(m, 0, std::vector<double>(3), bar.position(0.7, -1)),
            Branch::switched);
  EXPECT_EQ(compare_branches(m, 0, std::vector<double>(3), bar.position(2.0)), Branch::same);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
