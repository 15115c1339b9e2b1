// Efforts with loops: forward dynamics of the result gives the motion; shares of redundant
// actuators by the conditions of a minimum; limits by trying all sets of efforts at their limits.
#include <limber/constraint/closed_inverse.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/constraint/loop_analysis.hpp>

#include "constraint/bounded_efforts.hpp"
#include "support/message.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd accelerations(ClosedRobot& c, const VectorXd& tau) {
  return matrix(closed_forward_dynamics<double>(*c.mechanism, 0, in(c.robot.q), in(c.robot.v),
                                                in(tau), *c.closed));
}
ClosedEfforts efforts(ClosedRobot& c, const VectorXd& a, const ActuationSettings& settings) {
  return closed_inverse_dynamics(*c.mechanism, 0, in(c.robot.q), in(c.robot.v), in(a), settings,
                                 *c.closed);
}

/// A four-bar in motion.
struct MovingFourBar : ClosedRobot {
  MovingFourBar() : ClosedRobot(FourBar().tree(), 1) {
    robot.q = Eigen::Map<const VectorXd>(FourBar().position(1.1).data(), 3);
    add_loops({FourBar().loop(LoopSpec::Kind::connect)});
  }
};

TEST(ClosedInverse, ForwardDynamicsOfTheEffortsGivesTheMotion) {
  int checked = 0;
  for (int seed = 1; seed <= share_of(200); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    if (seed % 3 == 0) c.add_loops({c.loops[0]});
    const VectorXd a = accelerations(c, c.robot.tau);
    // all actuated: no larger than the efforts that the motion comes from
    const ClosedEfforts all = efforts(c, a, {});
    EXPECT_TRUE(near(accelerations(c, matrix(all.tau)), a, 1e-7));
    EXPECT_LE(matrix(all.tau).norm(), c.robot.tau.norm() * (1 + 1e-9));
    const LoopAnalysis loops = analyse_loops(*c.mechanism, 0, in(c.robot.q));
    if (loops.mobility == 0) continue;
    ActuationSettings settings;
    settings.actuated = loops.independent;
    const ClosedEfforts found = efforts(c, a, settings);
    EXPECT_TRUE(found.is_determinate);
    for (const int k : loops.dependent) EXPECT_EQ(found.tau[static_cast<std::size_t>(k)], 0);
    EXPECT_TRUE(near(accelerations(c, matrix(found.tau)), a, 1e-6));
    EXPECT_TRUE(near(matrix(found.loop_force), matrix(c.closed->solver.force), 1e-6));
    ++checked;
    if (HasFailure()) return;
  }
  EXPECT_GT(checked, share_of(150));
}

TEST(ClosedInverse, RedundantActuatorsShareByTheirWeights) {
  MovingFourBar c;
  const VectorXd a = accelerations(c, c.robot.tau);
  // v spans the motions: vᵀ u = power is all that counts, so u = W⁻¹ v · power / (vᵀ W⁻¹ v)
  const double power = c.robot.v.dot(c.robot.tau);
  const VectorXd weight = (VectorXd(3) << 1, 4, 0.5).finished();
  ActuationSettings settings;
  settings.weight = {1, 4, 0.5};
  const ClosedEfforts found = efforts(c, a, settings);
  EXPECT_FALSE(found.is_determinate);
  const VectorXd share = c.robot.v.array() / weight.array();
  EXPECT_TRUE(near(matrix(found.tau), share * (power / c.robot.v.dot(share)), 1e-10));
  EXPECT_EQ(found.is_force_determinate, (std::vector<std::uint8_t>{1, 1, 0}));
}

TEST(ClosedInverse, LimitsMoveTheLoadToOtherActuators) {
  MovingFourBar c;
  const VectorXd a = accelerations(c, c.robot.tau);
  const ClosedEfforts free = efforts(c, a, {});
  ActuationSettings settings;
  settings.upper = settings.lower = std::vector<double>(3, 1e3);
  for (double& x : settings.lower) x = -x;
  EXPECT_TRUE(near(matrix(efforts(c, a, settings).tau), matrix(free.tau), 1e-10));
  const double half = std::abs(free.tau[0]) / 2;
  settings.lower[0] = -half, settings.upper[0] = half;
  const ClosedEfforts found = efforts(c, a, settings);
  EXPECT_EQ(found.at_limit, std::vector<int>{0});
  EXPECT_NEAR(std::abs(found.tau[0]), half, 1e-12);
  EXPECT_TRUE(near(accelerations(c, matrix(found.tau)), a, 1e-9));
  // a limit on one side alone
  ActuationSettings one_side;
  (free.tau[0] > 0 ? one_side.upper : one_side.lower) = {free.tau[0] / 2,
                                                         free.tau[0] > 0 ? HUGE_VAL : -HUGE_VAL,
                                                         free.tau[0] > 0 ? HUGE_VAL : -HUGE_VAL};
  EXPECT_TRUE(near(matrix(efforts(c, a, one_side).tau), matrix(found.tau), 1e-9));
  for (std::size_t k = 0; k < 3; ++k) settings.lower[k] = -1e-3, settings.upper[k] = 1e-3;
  const std::string refused = message_of([&] { efforts(c, a, settings); });
  EXPECT_TRUE(mentions(refused, {"limits of the efforts", "is missing at freedom '", "'crank'"}));
}

// every set of efforts at their limits is tried: the best one that satisfies all conditions
TEST(ClosedInverse, EffortsWithinLimitsAreTheSmallest) {
  int feasible = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const int rows = random.integer(1, 2), n = random.integer(rows, 5);
    Dense C(rows, n);
    for (double& x : C.data) x = random.uniform();
    Numbers d, weight, lower, upper, u;
    for (int i = 0; i < rows; ++i) d.push_back(random.uniform(-1.5, 1.5));
    for (int k = 0; k < n; ++k) {
      weight.push_back(random.uniform(0.2, 3));
      lower.push_back(random.uniform(-1, 0));
      upper.push_back(random.uniform(0, 1));
    }
    const Eigen::Map<const VectorXd> target(d.data(), rows);
    double best = HUGE_VAL;
    int sets = 1;
    for (int k = 0; k < n; ++k) sets *= 3;
    for (int set = 0; set < sets; ++set) {
      VectorXd x(n);
      std::vector<int> free;
      for (int k = 0, rest = set; k < n; ++k, rest /= 3) {
        const auto i = static_cast<std::size_t>(k);
        x[k] = rest % 3 == 1 ? lower[i] : rest % 3 == 2 ? upper[i] : 0;
        if (rest % 3 == 0) free.push_back(k);
      }
      MatrixXd all(rows, n);
      for (int i = 0; i < rows; ++i)
        for (int k = 0; k < n; ++k) all(i, k) = C(i, k);
      MatrixXd part(rows, static_cast<int>(free.size()));
      for (int k = 0; k < part.cols(); ++k)
        part.col(k) =
            all.col(free[static_cast<std::size_t>(k)]) /
            std::sqrt(weight[static_cast<std::size_t>(free[static_cast<std::size_t>(k)])]);
      const VectorXd left = target - all * x;
      if (part.cols() > 0) {
        const VectorXd y = part.completeOrthogonalDecomposition().solve(left);
        for (int k = 0; k < part.cols(); ++k) {
          const int at = free[static_cast<std::size_t>(k)];
          x[at] = y[k] / std::sqrt(weight[static_cast<std::size_t>(at)]);
        }
      }
      if ((all * x - target).norm() > 1e-9) continue;
      double cost = 0;
      bool inside = true;
      for (int k = 0; k < n; ++k) {
        const auto i = static_cast<std::size_t>(k);
        inside = inside && x[k] >= lower[i] - 1e-12 && x[k] <= upper[i] + 1e-12;
        cost += weight[i] * x[k] * x[k];
      }
      if (inside) best = std::min(best, cost);
    }
    const double missing = bounded_efforts(C, d, weight, lower, upper, u);
    double cost = 0;
    for (std::size_t k = 0; k < u.size(); ++k) {
      EXPECT_GE(u[k], lower[k]);
      EXPECT_LE(u[k], upper[k]);
      cost += weight[k] * u[k] * u[k];
    }
    if (std::isfinite(best)) {
      ++feasible;
      EXPECT_LT(missing, 1e-9) << seed;
      EXPECT_NEAR(cost, best, 1e-8) << seed;
    } else {
      ++refused;
      EXPECT_GT(missing, 1e-6) << seed;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(feasible, 50);
  EXPECT_GT(refused, 20);
}

// where only one choice is left, as in the corner of the limits
TEST(ClosedInverse, EffortsInACornerOfTheLimitsAreFound) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const int rows = random.integer(1, 4), n = rows + random.integer(0, 5);
    Dense C(rows, n);
    for (double& x : C.data) x = random.uniform();
    Numbers weight, lower, upper, corner, u;
    for (int k = 0; k < n; ++k) {
      weight.push_back(random.uniform(0.2, 3));
      lower.push_back(random.uniform(-1, 0));
      upper.push_back(random.uniform(0, 1));
      corner.push_back(random.integer(0, 3) == 0   ? random.uniform(lower.back(), upper.back())
                       : random.integer(0, 1) == 0 ? lower.back()
                                                   : upper.back());
    }
    EXPECT_LT(bounded_efforts(C, C * corner, weight, lower, upper, u), 1e-9) << seed;
  }
}

TEST(ClosedInverse, MotionsThatCannotBeAreRefused) {
  // two freedoms, one actuator
  ClosedRobot c(generate_chain(2), 1);
  c.mechanism = std::make_unique<Mechanism>(c.robot.model);
  c.closed = std::make_unique<ClosedDynamics>(*c.mechanism);
  ActuationSettings settings;
  settings.actuated = {0};
  const VectorXd a = accelerations(c, c.robot.tau);
  EXPECT_TRUE(mentions(message_of([&] { efforts(c, a, settings); }),
                       {"1 actuators cannot produce the motion", "N m is missing at freedom '",
                        c.robot.model.joint_name[2]}));
  // a motion that opens the loop
  MovingFourBar bar;
  const VectorXd wrong = accelerations(bar, bar.robot.tau) + VectorXd::Unit(3, 1) * 0.01;
  EXPECT_TRUE(mentions(message_of([&] { efforts(bar, wrong, {}); }),
                       {"a does not satisfy loop 'pin', force", "misses by"}));
  settings.actuated = {0, 0};
  EXPECT_TRUE(mentions(message_of([&] { efforts(bar, wrong, settings); }), {"stands twice"}));
}

TEST(ClosedInverse, HybridDynamicsTakesForcesAndAccelerations) {
  for (int seed = 1; seed <= share_of(100); ++seed) {
    SCOPED_TRACE("mechanism " + std::to_string(seed));
    ClosedRobot c(static_cast<std::uint64_t>(seed));
    const int nv = c.robot.model.nv;
    const VectorXd a = accelerations(c, c.robot.tau);
    const LoopAnalysis loops = analyse_loops(*c.mechanism, 0, in(c.robot.q));
    std::vector<Known> known(static_cast<std::size_t>(nv), Known::force);
    VectorXd given = c.robot.tau;
    Random random(static_cast<std::uint64_t>(seed));
    for (const int k : loops.independent)
      if (random.integer(0, 1) == 0) {
        known[static_cast<std::size_t>(k)] = Known::acceleration;
        given[k] = a[k];
      }
    const ClosedHybrid found = closed_hybrid_dynamics(*c.mechanism, 0, in(c.robot.q), in(c.robot.v),
                                                      known, in(given), *c.closed);
    EXPECT_TRUE(found.is_determinate);
    EXPECT_TRUE(near(matrix(found.a), a, 1e-7));
    EXPECT_TRUE(near(matrix(found.tau), c.robot.tau, 1e-6));
    if (HasFailure()) return;
  }
}

TEST(ClosedInverse, AccelerationsThatContradictTheLoopsAreRefused) {
  MovingFourBar c;
  const VectorXd a = accelerations(c, c.robot.tau);
  std::vector<Known> known(3, Known::acceleration);
  const auto run = [&](const VectorXd& given) {
    return closed_hybrid_dynamics(*c.mechanism, 0, in(c.robot.q), in(c.robot.v), known, in(given),
                                  *c.closed);
  };
  const ClosedHybrid found = run(a);
  EXPECT_FALSE(found.is_determinate);
  EXPECT_TRUE(near(accelerations(c, matrix(found.tau)), a, 1e-9));
  EXPECT_TRUE(mentions(message_of([&] { run(a + VectorXd::Unit(3, 2)); }),
                       {"contradict each other", "misses by"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
