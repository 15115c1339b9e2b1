// Dry friction in all hinges of a closed linkage, which has fewer freedoms than hinges that stick:
// against the closed form of one freedom.
#include <limber/drive/joint_friction.hpp>

#include <gtest/gtest.h>

#include <limber/sim/simulation.hpp>

#include "support/four_bar.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Cut = MovingFourBar::Cut;
const MovingFourBar bars;
constexpr double theta0 = 0.7;
const char* const hinges[] = {"crank_hinge", "coupler_hinge", "rocker_hinge"};
const double shares[] = {1, 2, 0.7};

// what friction in all hinges can bear or takes, on the crank
double capacity(double level, double theta) {
  const std::vector<double> rates = bars.v(Cut::tip, theta, 1);
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += level * shares[k] * std::abs(rates[k]);
  return sum;
}

Simulation with_friction(double level, double duration, double static_ratio = 1,
                         LoopSpec::Kind kind = LoopSpec::Kind::joint) {
  System system(build(bars.spec(Cut::tip, kind)));
  for (std::size_t k = 0; k < 3; ++k) {
    FrictionSettings friction;
    friction.forward = friction.backward = level * shares[k];
    friction.static_ratio = static_ratio;
    friction.stribeck_velocity = 0;
    system.add(std::make_unique<JointFriction>(JointFrictionSettings{hinges[k], friction}));
  }
  SimulationSettings settings;
  settings.duration = duration;
  return {std::move(system), settings, bars.q(Cut::tip, theta0), std::vector<double>(3, 0.0)};
}

double energy_error(const Simulation& run) {
  System system(run.system());
  const std::vector<double> x(run.x().begin(), run.x().end());
  EXPECT_EQ(system.evaluate(run.t(), x), Evaluated::ok);
  return system.energy(x).error();
}

TEST(ClosedFriction, AllHingesTogetherHoldTheLinkage) {
  const double needed = std::abs(bars.torque(theta0, 0, 0));
  const double level = needed / capacity(1, theta0);
  for (const auto kind : {LoopSpec::Kind::joint, LoopSpec::Kind::connect}) {
    Simulation held = with_friction(1.001 * level, 0.5, 1, kind);
    EXPECT_EQ(held.run(), RunStatus::finished) << held.message();
    EXPECT_EQ(std::vector<double>(held.x().begin(), held.x().begin() + 3),
              bars.q(Cut::tip, theta0));
    // each bears what it can
    System system(held.system());
    const std::vector<double> x(held.x().begin(), held.x().end());
    ASSERT_EQ(system.evaluate(held.t(), x), Evaluated::ok);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LE(std::abs(system.joint_forces()[k]), 1.001 * level * shares[k] + 1e-12);
    Simulation loose = with_friction(0.99 * level, 0.5, 1, kind);
    EXPECT_EQ(loose.run(), RunStatus::finished) << loose.message();
    EXPECT_GT(std::abs(loose.x()[0] - theta0), 1e-3);
  }
}

// θ and θ̇ by Runge and Kutta's method; friction opposes the motion, and holds at rest if it can
MovingFourBar::State moved(double level, double time, int steps) {
  MovingFourBar::State s{theta0, 0};
  const double h = time / steps;
  const auto acceleration = [&](double theta, double rate) {
    const double pull = -bars.torque(theta, rate, 0), most = capacity(level, theta);
    const double way = rate != 0 ? rate : pull;
    if (rate == 0 && std::abs(pull) <= most) return 0.0;
    return (pull - (way > 0 ? most : -most)) / bars.mu(theta);
  };
  for (int i = 0; i < steps; ++i) {
    const MovingFourBar::State before = s;
    const double a1 = acceleration(s.theta, s.rate);
    const double r2 = s.rate + h / 2 * a1, a2 = acceleration(s.theta + h / 2 * s.rate, r2);
    const double r3 = s.rate + h / 2 * a2, a3 = acceleration(s.theta + h / 2 * r2, r3);
    const double r4 = s.rate + h * a3, a4 = acceleration(s.theta + h * r3, r4);
    s.theta += h / 6 * (s.rate + 2 * r2 + 2 * r3 + r4);
    s.rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (before.rate * s.rate < 0) s.rate = 0;  // comes to rest within a step
  }
  return s;
}

TEST(ClosedFriction, TheLinkageSwingsAsItsClosedFormAndStays) {
  const double level = 0.25 * std::abs(bars.torque(theta0, 0, 0)) / capacity(1, theta0);
  for (const double time : {0.3, 1.0, 2.5}) {
    Simulation run = with_friction(level, time);
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    const MovingFourBar::State expected = moved(level, time, static_cast<int>(2e5 * time));
    EXPECT_NEAR(run.x()[0], expected.theta, 1e-4) << time;
    EXPECT_NEAR(run.x()[3], expected.rate, 1e-3) << time;
    EXPECT_LT(std::abs(energy_error(run)), 1e-6);
  }
  for (const double ratio : {1.0, 1.4}) {
    Simulation run = with_friction(level, 12, ratio);
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    for (std::size_t k = 3; k < 6; ++k) EXPECT_NEAR(run.x()[k], 0, 1e-9);
    EXPECT_LE(std::abs(bars.torque(run.x()[0], 0, 0)), ratio * capacity(level, run.x()[0]));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
