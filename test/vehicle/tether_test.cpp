// Tethers: tension, drag and weight by closed forms, energy.
#include <limber/vehicle/tether.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vehicle/vessel.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TetherSettings cable() {
  TetherSettings s;
  s.frame = "stern";
  s.anchor = {0, 0, 5};
  s.length = 10;
  s.stiffness = 200;
  s.damping = 30;
  return s;
}

/// Its force on the vessel's stern, which is at the vessel's origin.
Vec3<double> force(const TetherSettings& s, const Vec3<double>& place, const Vec3<double>& v) {
  System system(build(vessel(1)));
  system.add(std::make_unique<Tether>(s));
  const auto x = system.initial_state(at_place(place), std::vector<double>{0, 0, 0, v.x, v.y, v.z});
  return {recorded(system, 0, x, "tether.fx"), recorded(system, 0, x, "tether.fy"),
          recorded(system, 0, x, "tether.fz")};
}

TEST(Tether, PullsOnlyWhenTaut) {
  EXPECT_EQ(norm(force(cable(), {0, 0, -4}, {0, 0, -1})), 0);
  EXPECT_NEAR(force(cable(), {0, 0, -5.5}, {0, 0, -1}).z, 200 * 0.5 + 30, 1e-12);
  EXPECT_NEAR(force(cable(), {0, 0, -5.5}, {0, 0, 2}).z, 200 * 0.5 - 60, 1e-12);
  EXPECT_EQ(force(cable(), {0, 0, -5.5}, {0, 0, 10}).z, 0);
  const Vec3<double> f = force(cable(), {12, 0, 0}, {});  // 13 m
  EXPECT_NEAR(f.x, -600 * 12.0 / 13, 1e-11);
  EXPECT_NEAR(f.z, 600 * 5.0 / 13, 1e-11);
}

TEST(Tether, IsDraggedByCurrentAndMotion) {
  TetherSettings s = cable();
  s.diameter = 0.02;
  s.drag_coefficient = 1.1;
  s.skin_coefficient = 0.02;
  const double l = 8, across = 0.5 * 1025 * 1.1 * 0.02,
               along = 0.5 * 1025 * 0.02 * std::numbers::pi * 0.02;
  // the vessel moves: ∫ s (s v)² ds = v²/4
  EXPECT_NEAR(force(s, {0, 0, -3}, {0.7, 0, 0}).x, -across * l * 0.49 / 4, 1e-12);
  EXPECT_NEAR(force(s, {0, 0, -3}, {0, 0, -0.5}).z, along * l * 0.25 / 4, 1e-12);
  // the water moves: the vessel bears half of it
  auto water = std::make_shared<Water>();
  water->current = constant_current({0, 0.6, 0});
  s.water = water;
  EXPECT_NEAR(force(s, {0, 0, -3}, {}).y, across * l * 0.36 / 2, 1e-12);
}

TEST(Tether, Weighs) {
  TetherSettings s = cable();
  s.weight = 0.8;
  EXPECT_NEAR(force(s, {0, 0, -3}, {}).z, -0.8 * 8 / 2, 1e-12);
}

TEST(Tether, KeepsItsEnergy) {
  TetherSettings s = cable();
  s.diameter = 0.02;
  System system(build(vessel(20)));
  system.add(std::make_unique<Tether>(s));
  // taut all the time: the balance has no corner
  const auto start =
      system.initial_state(at_place({0, 0, -8}), std::vector<double>{0, 0, 0, 0.5, 0, 0});
  ASSERT_EQ(system.evaluate(0, start), Evaluated::ok);
  const double before = system.energy(start).total();
  const std::vector<double> x = carried(system, start, 0.3);
  ASSERT_EQ(system.evaluate(0.3, x), Evaluated::ok);
  const EnergyBalance energy = system.energy(x);
  EXPECT_LT(energy.work, -10);
  EXPECT_NEAR(energy.total() - energy.work, before, 1e-9 * before);
}

TEST(Tether, Refusals) {
  System system(build(vessel(20)));
  TetherSettings s = cable();
  s.length = 0;
  EXPECT_TRUE(mentions(message_of([&] { Tether made(s); }), {"tether 'tether'", "length"}));
  s = cable();
  s.frame = "anywhere";
  EXPECT_TRUE(mentions(message_of([&] { system.add(std::make_unique<Tether>(s)); }), {"tether"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
