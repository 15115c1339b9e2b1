// Fins: lift and drag by their formulas, rate and lag of the angle, turning.
#include <limber/vehicle/fin.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vehicle/vessel.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double rho = 1025, area = 0.02, slope = 3;

FinSettings rudder() {
  FinSettings s;
  s.name = "rudder";
  s.frame = "stern";
  s.area = area;
  s.slope = slope;
  s.drag_coefficient = 0.02;
  s.induced_drag = 0.1;
  return s;
}

TEST(Fin, LiftAndDragByTheAngleToTheFlow) {
  const Fin fin(rudder());
  for (const double angle : {0.1, -0.25, 0.7})
    for (const double U : {2.0, 0.5}) {
      // a flow from ahead: the angle of attack is the angle of the fin
      const Vec3<double> f = fin.force({U, 0, 0}, angle);
      const double C_L = slope * std::sin(angle) * std::cos(angle);
      const double q = 0.5 * rho * area * U * U;
      EXPECT_NEAR(f.y, q * C_L, 1e-12);
      EXPECT_NEAR(f.x, -q * (0.02 + 0.1 * C_L * C_L), 1e-12);
      EXPECT_EQ(f.z, 0);
      // turned with the flow it does the same
      const double turn = 0.4;
      const Vec3<double> g = fin.force({U * std::cos(turn), U * std::sin(turn), 0}, angle + turn);
      EXPECT_NEAR(g.x, f.x * std::cos(turn) - f.y * std::sin(turn), 1e-12);
      EXPECT_NEAR(g.y, f.x * std::sin(turn) + f.y * std::cos(turn), 1e-12);
    }
  EXPECT_EQ(norm(fin.force({}, 0.3)), 0);
  EXPECT_EQ(norm(fin.force({0, 0, 3}, 0.3)), 0);  // along the span
}

TEST(Fin, Stalls) {
  FinSettings s = rudder();
  s.most_lift = 0.6;
  const double q = 0.5 * rho * area;
  EXPECT_NEAR(Fin(s).force({1, 0, 0}, 0.1).y, q * 3 * std::sin(0.1) * std::cos(0.1), 1e-12);
  EXPECT_NEAR(Fin(s).force({1, 0, 0}, 0.4).y, q * 0.6, 1e-12);
  EXPECT_NEAR(Fin(s).force({1, 0, 0}, -0.4).y, -q * 0.6, 1e-12);
}

TEST(Fin, AngleRunsWithItsRateAndThenAsAnExponential) {
  FinSettings s = rudder();
  s.command = 0.5;
  s.upper = 0.3;
  s.rate = 0.4;
  s.lag = 0.1;
  System system(build(vessel(10)));
  system.add(std::make_unique<Fin>(s));
  const auto start = system.initial_state(at_place({}), std::vector<double>(6, 0));
  // until rate · lag is missing: (0.3 − 0.04)/0.4 s
  const double until = 0.65;
  EXPECT_NEAR(recorded(system, 0.5, carried(system, start, 0.5), "rudder.angle"), 0.2, 1e-9);
  EXPECT_NEAR(recorded(system, 1, carried(system, start, 1), "rudder.angle"),
              0.3 - 0.04 * std::exp(-(1 - until) / 0.1), 1e-6);
}

TEST(Fin, TurnsAndDampsAVessel) {
  // at x = −l it pushes to the side by the flow there, which a turn of the vessel changes
  const double l = 1.2, U = 2, r = 0.3, angle = 0.2;
  FinSettings s = rudder();
  s.command = angle;
  System system(build(vessel(10, {-l, 0, 0})));
  system.add(std::make_unique<Fin>(s));
  const auto x = system.initial_state(at_place({}), std::vector<double>{0, 0, r, U, 0, 0});
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  const double side = -r * l, V2 = U * U + side * side;
  // the flow comes from the side: the leading edge is at `angle`, the motion at −r l/U
  const double attack = angle - std::atan2(side, U);
  const double C_L = slope * std::sin(attack) * std::cos(attack), C_D = 0.02 + 0.1 * C_L * C_L;
  const double q = 0.5 * rho * area * V2, way = std::atan2(side, U);
  const double f_y = q * (C_L * std::cos(way) - C_D * std::sin(way));
  EXPECT_NEAR(system.accelerations()[2], -l * f_y / 4, 1e-12);
  EXPECT_NEAR(recorded(system, 0, x, "rudder.lift"), q * C_L, 1e-11);
  EXPECT_NEAR(recorded(system, 0, x, "rudder.drag"), q * C_D, 1e-11);
}

TEST(Fin, FeelsTheCurrentAndNotTheAir) {
  FinSettings s = rudder();
  auto water = std::make_shared<Water>();
  water->current = constant_current({-1.5, 0, 0});
  water->level = 0.0;
  s.water = water;
  s.command = 0.1;
  System system(build(vessel(10)));
  system.add(std::make_unique<Fin>(s));
  const auto lift = [&](double z) {
    const auto x = system.initial_state(at_place({0, 0, z}), std::vector<double>(6, 0));
    return recorded(system, 0, x, "rudder.fy");
  };
  EXPECT_NEAR(lift(-1), 0.5 * rho * area * 2.25 * slope * std::sin(0.1) * std::cos(0.1), 1e-12);
  EXPECT_EQ(lift(1), 0);
}

TEST(Fin, Refusals) {
  const auto refused = [](auto&& change) {
    FinSettings s = rudder();
    change(s);
    return message_of([&] { Fin made(s); });
  };
  EXPECT_TRUE(mentions(refused([](auto& s) { s.area = 0; }), {"fin 'rudder'", "area"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.rate = 1; }), {"rate", "lag"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.span = {1, 0, 0}; }), {"perpendicular"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.most_lift = 0; }), {"most_lift"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
