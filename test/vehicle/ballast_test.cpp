// Ballast: what it weighs and how it is moved, how fast it changes, and its energy.
#include <limber/vehicle/ballast.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vehicle/vessel.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

BallastSettings tank() {
  BallastSettings s;
  s.name = "tank";
  s.frame = "stern";
  s.initial = 4;
  s.upper = 10;
  return s;
}

System with(const BallastSettings& s, const Vec3<double>& gravity = {0, 0, -10}) {
  Spec spec = vessel(20, {-0.5, 0, 0.1});
  spec.gravity = gravity;
  System system(build(spec));
  system.add(std::make_unique<Ballast>(s));
  return system;
}

/// The same vessel with a body of this mass welded to its stern.
System welded(double mass, const Vec3<double>& gravity) {
  Spec spec = vessel(20);
  spec.gravity = gravity;
  spec.add_body("weight", mass);
  spec.add_joint("weld", JointKind::fixed, "hull", "weight", {0, 0, 1},
                 Transform<double>::translation({-0.5, 0, 0.1}));
  return System(build(spec));
}

TEST(Ballast, MovesAsABodyOfItsMass) {
  BallastSettings s = tank();
  s.command = 4.0;
  System system = with(s), other = welded(4, {0, 0, -10});
  const std::vector<double> q{0.1, 0.2, 0.3, 0.1, -0.2, 0.3, 0.9}, v{0.4, -0.3, 0.5, 1, 2, -1};
  const auto x = system.initial_state(q, v), y = other.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
  ASSERT_EQ(other.evaluate(0, y), Evaluated::ok);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(system.accelerations()[k], other.accelerations()[k], 1e-12);
  EXPECT_NEAR(system.energy(x).total(), other.energy(y).total(), 1e-11);
}

TEST(Ballast, WeightAloneDoesNotResist) {
  BallastSettings s = tank();
  s.acts = BallastActs::weight;
  s.lower = -6;
  s.initial = -6;
  s.frame = "hull";
  System system = with(s);
  const auto x = system.initial_state(at_place({}), std::vector<double>(6, 0));
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  EXPECT_NEAR(system.accelerations()[5], -10 + 60.0 / 20, 1e-13);
}

TEST(Ballast, IsPumpedWithItsRateWithinItsLimits) {
  BallastSettings s = tank();
  s.command = 20.0;
  s.rate = 2;
  s.lag = 0.5;
  System system = with(s, {});
  const auto start = system.initial_state(at_place({}), std::vector<double>(6, 0));
  EXPECT_NEAR(recorded(system, 1, carried(system, start, 1), "tank.mass"), 6, 1e-9);
  // from rate · lag before the limit on as an exponential
  const double until = (10 - 1 - 4) / 2.0;
  EXPECT_NEAR(recorded(system, 4, carried(system, start, 4), "tank.mass"),
              10 - std::exp(-(4 - until) / 0.5), 1e-5);
}

TEST(Ballast, EnergyThatFlowsInIsWork) {
  BallastSettings s = tank();
  s.command = 9.0;
  System system = with(s);
  const auto start =
      system.initial_state(at_place({0, 0, 3}), std::vector<double>{0.3, 0.2, -0.4, 1, 0, 2});
  ASSERT_EQ(system.evaluate(0, start), Evaluated::ok);
  const double before = system.energy(start).total();
  const std::vector<double> x = carried(system, start, 1);
  ASSERT_EQ(system.evaluate(1, x), Evaluated::ok);
  const EnergyBalance energy = system.energy(x);
  EXPECT_GT(std::abs(energy.work), 1);
  EXPECT_NEAR(energy.total() - energy.work, before, 1e-8 * std::abs(before));
}

TEST(Ballast, Refusals) {
  const auto refused = [](auto&& change) {
    BallastSettings s = tank();
    change(s);
    return message_of([&] { Ballast made(s); });
  };
  EXPECT_TRUE(mentions(refused([](auto& s) { s.lag = 0; }), {"ballast 'tank'", "lag"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.lower = -1; }), {"only a weight"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.initial = 11; }), {"begins with 11"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.rate = 0; }), {"rate"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
