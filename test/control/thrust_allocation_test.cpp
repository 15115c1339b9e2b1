// Sharing a force among thrusters: against all sets of limits on small problems.
#include <limber/control/thrust_allocation.hpp>

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "support/message.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Problem {
  MatrixXd B;
  VectorXd f, weights, effort, lower, upper;

  Problem(Random& random, int n) : B(6, n), f(6), weights(6), effort(n), lower(n), upper(n) {
    for (int i = 0; i < 6; ++i) {
      f[i] = random.uniform(-3, 3);
      weights[i] = random.uniform(0.5, 2);
      for (int j = 0; j < n; ++j) B(i, j) = random.uniform(-1, 1);
    }
    for (int j = 0; j < n; ++j) {
      effort[j] = random.uniform(0.01, 0.1);
      lower[j] = -random.uniform(0, 1);
      upper[j] = random.uniform(0, 1);
    }
  }
  double price(const VectorXd& u) const {
    return (weights.asDiagonal() * (B * u - f)).squaredNorm() +
           (effort.asDiagonal() * u).squaredNorm();
  }
  /// The best u among all ways to be free or at a limit.
  VectorXd best() const {
    const int n = static_cast<int>(B.cols());
    int sets = 1;
    for (int j = 0; j < n; ++j) sets *= 3;
    VectorXd found;
    double least = HUGE_VAL;
    for (int set = 0; set < sets; ++set) {
      VectorXd u(n);
      std::vector<int> free;
      for (int j = 0, rest = set; j < n; ++j, rest /= 3) {
        if (rest % 3 == 0) free.push_back(j);
        u[j] = rest % 3 == 1 ? lower[j] : rest % 3 == 2 ? upper[j] : 0;
      }
      // least squares of the stacked rows for the free ones
      const auto k = static_cast<Eigen::Index>(free.size());
      MatrixXd A = MatrixXd::Zero(6 + k, k);
      VectorXd right(6 + k);
      right << weights.asDiagonal() * (f - B * u), VectorXd::Zero(k);
      for (Eigen::Index c = 0; c < k; ++c) {
        const int j = free[static_cast<std::size_t>(c)];
        A.block(0, c, 6, 1) = weights.asDiagonal() * B.col(j);
        A(6 + c, c) = effort[j];
      }
      if (k > 0) {
        const VectorXd solved = A.colPivHouseholderQr().solve(right);
        for (Eigen::Index c = 0; c < k; ++c) u[free[static_cast<std::size_t>(c)]] = solved[c];
      }
      const bool inside =
          ((u - lower).array() > -1e-12).all() && ((upper - u).array() > -1e-12).all();
      if (inside && price(u) < least) least = price(u), found = u;
    }
    return found;
  }
};

std::span<const double> view(const VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

VectorXd solve(const Problem& p, ThrustAllocation& allocation) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> B = p.B;
  const auto u = allocation.solve({{B.data(), static_cast<std::size_t>(B.size())},
                                   view(p.f),
                                   view(p.weights),
                                   view(p.effort),
                                   view(p.lower),
                                   view(p.upper)});
  return Eigen::Map<const VectorXd>(u.data(), p.B.cols());
}

TEST(ThrustAllocation, IsTheBestOfAllSetsOfLimits) {
  Random random(31);
  int limited = 0;
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + round % 6;
    const Problem p(random, n);
    ThrustAllocation allocation(n);
    const VectorXd u = solve(p, allocation), best = p.best();
    EXPECT_LT((u - best).norm(), 1e-9) << "round " << round;
    limited += ((u - p.lower).array() < 1e-12).any() || ((p.upper - u).array() < 1e-12).any();
  }
  EXPECT_GT(limited, 20);
}

TEST(ThrustAllocation, GivesTheWantedForceWhereItCan) {
  Random random(8);
  Problem p(random, 8);
  p.effort.setConstant(1e-6);
  p.lower.setConstant(-100);
  p.upper.setConstant(100);
  ThrustAllocation allocation(8);
  EXPECT_LT((p.B * solve(p, allocation) - p.f).norm(), 1e-8);
}

TEST(ThrustAllocation, Refusals) {
  Random random(9);
  const Problem p(random, 5);
  ThrustAllocation allocation(5);
  const Eigen::Matrix<double, 6, 5, Eigen::RowMajor> B = p.B;
  AllocationProblem problem{{B.data(), 30}, view(p.f),     view(p.weights),
                            view(p.effort), view(p.lower), view(p.upper)};
  problem.B = problem.B.first(29);
  EXPECT_TRUE(mentions(message_of([&] { allocation.solve(problem); }), {"B has 29", "30"}));
  problem.B = {B.data(), 30};
  std::swap(problem.lower, problem.upper);
  EXPECT_TRUE(mentions(message_of([&] { allocation.solve(problem); }), {"bounds must rise"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
