// Andrews' squeezer, seven bodies and three loops, stiff by its spring: Test Set for IVP Solvers
// (Mazzia and Magherini), "Andrews' squeezing mechanism".
#include <array>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "support/closed_run.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::array<const char*, 7> angles{"beta",  "Theta", "gamma",  "Phi",
                                        "delta", "Omega", "epsilon"};
constexpr double torque = 0.033, stiffness = 4530, rest = 0.07785;

// the end of the spring on K3, from its pin, and what the spring does there
struct Spring {
  double x, y, length;
  explicit Spring(double gamma) {
    const double sc = 0.018, sd = 0.02;
    x = -0.03635 + sc * std::sin(gamma) + sd * std::cos(gamma) - 0.014;
    y = 0.03273 - sc * std::cos(gamma) + sd * std::sin(gamma) - 0.072;
    length = std::hypot(x, y);
  }
  double energy() const { return stiffness / 2 * (length - rest) * (length - rest); }
};

struct Squeezer : ClosedRun {
  Squeezer() : ClosedRun(load("squeezer"), "start") {
    const int beta = index("beta"), gamma = q_index("gamma"), K3 = tree().body("K3");
    act = [=](const Eigen::VectorXd& at, const Eigen::VectorXd&, Eigen::VectorXd& tau,
              std::vector<Force<double>>& on) {
      tau[beta] = torque;
      const Spring spring(at[gamma]);
      const double pull = -stiffness * (spring.length - rest) / spring.length;
      // into the axes of K3, about its pin
      const double c = std::cos(at[gamma]), s = std::sin(at[gamma]);
      const double fx = pull * (c * spring.x + s * spring.y),
                   fy = pull * (c * spring.y - s * spring.x);
      on[static_cast<std::size_t>(K3)] = {{0, 0, 0.02 * fy + 0.018 * fx}, {fx, fy, 0}};
    };
  }
  double total() { return energy() + Spring(position("gamma")).energy(); }
};

TEST(PublishedSqueezer, FirstAccelerations) {
  Squeezer run;
  EXPECT_LT(run.gap(), 1e-9);
  const Eigen::VectorXd a = run.acceleration(0, run.q, run.v);
  EXPECT_NEAR(a[run.index("beta")] / 14222.4439199541, 1, 1e-9);
  EXPECT_NEAR(a[run.index("Theta")] / -10666.8329399656, 1, 1e-9);
  EXPECT_EQ(run.closed.solver.rank, 6);
}

TEST(PublishedSqueezer, AfterThirtyMilliseconds) {
  Squeezer run;
  const double energy = run.total(), beta = run.position("beta");
  double worst = 0;
  while (run.t < 0.03 - 1e-9) {
    run.run(run.t + 0.001, 5e-6);
    worst =
        std::fmax(worst, std::abs(run.total() - energy - torque * (run.position("beta") - beta)));
  }
  const std::array<double, 7> q{15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                1.048080741042263};
  const std::array<double, 7> v{1139.920302151208, -1424.379294994111, 11.03291221937134,
                                19.29337464421385, 0.5735699284790808, -19.29337464421385,
                                0.3231791658026955};
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(run.position(angles[k]), q[k], 1e-6) << angles[k];
    EXPECT_NEAR(run.rate(angles[k]), v[k], 2e-4) << angles[k];
  }
  EXPECT_LT(worst, 1e-9 * energy);
  EXPECT_LT(run.largest_gap, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
