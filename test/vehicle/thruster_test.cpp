// Thrusters against closed forms: force in still water, lag, inflow, moment, speed of a vessel.
#include <limber/vehicle/thruster.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/message.hpp"
#include "vehicle/vessel.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

ThrusterSettings settings() {
  ThrusterSettings s;
  s.name = "main";
  s.frame = "stern";
  s.forward = 2e-3;
  s.backward = 1.5e-3;
  return s;
}

System with(const ThrusterSettings& s, const Vec3<double>& place = {}, double mass = 10) {
  System system(build(vessel(mass, place)));
  system.add(std::make_unique<Thruster>(s));
  return system;
}

/// The accelerations of the vessel at rest: α, then a, in its axes.
std::vector<double> accelerations(System& system, std::span<const double> v = {}) {
  const std::vector<double> none(6, 0);
  const auto x = system.initial_state(at_place({}), v.empty() ? std::span<const double>(none) : v);
  EXPECT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
  return {system.accelerations().begin(), system.accelerations().end()};
}

TEST(Thruster, PushesWithTheSquareOfItsSpeed) {
  for (const double speed : {100.0, -100.0, 5.0}) {
    ThrusterSettings s = settings();
    s.dead_band = 20;
    s.command = speed;
    System system = with(s);
    const double expected = speed > 20    ? 2e-3 * (speed * speed - 400)
                            : speed < -20 ? -1.5e-3 * (speed * speed - 400)
                                          : 0;
    EXPECT_NEAR(accelerations(system)[3], expected / 10, 1e-14);
  }
}

TEST(Thruster, ActsAtItsFrameWithItsReaction) {
  ThrusterSettings s = settings();
  s.axis = {0.6, 0.8, 0};
  s.torque = 1e-4;
  s.command = 50.0;
  const Vec3<double> place{-1, 0.2, 0.1};
  const double F = 2e-3 * 2500, Q = 1e-4 * 2500;
  for (const Turning turning : {Turning::right, Turning::left}) {
    s.turning = turning;
    System system = with(s, place);
    const Vec3<double> moment =
        cross(place, s.axis * F) + s.axis * (turning == Turning::right ? -Q : Q);
    const std::vector<double> a = accelerations(system);
    const double inertia[] = {2, 3, 4};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(a[i], moment[static_cast<int>(i)] / inertia[i], 1e-14);
      EXPECT_NEAR(a[3 + i], s.axis[static_cast<int>(i)] * F / 10, 1e-14);
    }
    const auto x = system.initial_state(at_place({}), std::vector<double>(6, 0));
    EXPECT_NEAR(recorded(system, 0, x, "main.power"), Q * 50, 1e-12);
    EXPECT_NEAR(recorded(system, 0, x, "main.fy"), 0.8 * F, 1e-12);
  }
}

TEST(Thruster, FollowsItsCommandAsAnExponential) {
  ThrusterSettings s = settings();
  s.command = 80.0;
  s.lag = 0.3;
  System system = with(s);
  const auto start = system.initial_state(at_place({}), std::vector<double>(6, 0));
  const std::vector<double> x = carried(system, start, 0.5);
  EXPECT_NEAR(recorded(system, 0.5, x, "main.speed"), 80 * (1 - std::exp(-0.5 / 0.3)), 1e-9);
  // velocity: the integral of k s²/m
  const double e = std::exp(-0.5 / 0.3), T = 0.3;
  const double integral = 0.5 - 2 * T * (1 - e) + T / 2 * (1 - e * e);
  EXPECT_NEAR(x[7 + 3], 2e-3 * 6400 / 10 * integral, 1e-9);
}

TEST(Thruster, IsWeakenedByTheWaterThatComesTowardsIt) {
  // a propeller of the handbook, by its own formula
  const double rho = 1026, D = 0.14, n = 20, J = 0.4;
  ThrusterSettings s = settings();
  set_propeller({D, 0.45, 0.07, 0.66, 0.18, 0.03}, rho, s);
  s.wake = 0.056;
  s.deduction = 0.1;
  s.command = 2 * std::numbers::pi * n;
  const double V = J * n * D / (1 - s.wake);
  const double K_T = 0.45 + (0.18 - 0.45) / 0.66 * J, K_Q = 0.07 + (0.03 - 0.07) / 0.66 * J;
  System system = with(s);
  const std::vector<double> a = accelerations(system, std::vector<double>{0, 0, 0, V, 0, 0});
  EXPECT_NEAR(a[3], 0.9 * rho * std::pow(D, 4) * K_T * n * n / 10, 1e-12);
  EXPECT_NEAR(a[0], -rho * std::pow(D, 5) * K_Q * n * n / 2, 1e-12);
  // the same in a current towards a vessel at rest; none when it comes from behind
  auto water = std::make_shared<Water>();
  water->current = constant_current({-V, 0, 0});
  s.water = water;
  System held = with(s);
  EXPECT_NEAR(accelerations(held)[3], a[3], 1e-12);
  water->current = constant_current({V, 0, 0});
  System pushed = with(s);
  EXPECT_NEAR(accelerations(pushed)[3], 0.9 * rho * std::pow(D, 4) * 0.45 * n * n / 10, 1e-12);
}

TEST(Thruster, AVesselReachesTheSpeedWhereThrustIsDrag) {
  // k s² (1 − u/(p s)) = c u²
  ThrusterSettings s = settings();
  s.advance = 0.05;
  s.command = 100.0;
  const double c = 8, k = s.forward, p = s.advance, n = 100;
  const double u = (-k * n / p + std::sqrt(k * n / p * k * n / p + 4 * c * k * n * n)) / (2 * c);
  System system = with(s);
  system.add(std::make_unique<SurgeDrag>(c));
  const auto start = system.initial_state(at_place({}), std::vector<double>(6, 0));
  EXPECT_NEAR(carried(system, start, 30)[7 + 3], u, 1e-9);
}

TEST(Thruster, WorkIsItsForceTimesTheWay) {
  ThrusterSettings s = settings();
  s.command = 60.0;
  s.lag = 0.2;
  s.advance = 0.1;
  s.torque = 1e-4;
  s.axis = {0.6, 0, 0.8};
  System system = with(s, {-0.4, 0.1, 0.2});
  const auto start = system.initial_state(at_place({}), std::vector<double>(6, 0));
  const std::vector<double> x = carried(system, start, 2);
  ASSERT_EQ(system.evaluate(2, x), Evaluated::ok);
  const EnergyBalance energy = system.energy(x);
  EXPECT_GT(energy.kinetic, 1);
  EXPECT_NEAR(energy.work, energy.kinetic, 1e-8 * energy.kinetic);
}

TEST(Thruster, CommandsByForceAndByTable) {
  ThrusterSettings s = settings();
  s.dead_band = 10;
  s.deduction = 0.05;
  s.input = ThrusterInput::force;
  s.lower = -12;
  s.upper = 30;
  for (const double force : {20.0, -7.0, 0.0, 50.0}) {
    s.command = force;
    System system = with(s);
    EXPECT_NEAR(accelerations(system)[3], std::min(force, 30.0) / 10, 1e-13);
  }
  EXPECT_NEAR(Thruster(s).most_force(), 30, 1e-12);
  EXPECT_NEAR(Thruster(s).least_force(), -12, 1e-12);
  // a table with a flat piece about zero
  ThrusterSettings t;
  t.name = "table";
  t.frame = "stern";
  t.input = ThrusterInput::ratio;
  t.speeds = {-1, -0.1, 0.1, 0.5, 1};
  t.forces = {-40, 0, 0, 20, 50};
  const Thruster table(t);
  EXPECT_NEAR(table.still_force(0.75), 35, 1e-13);
  EXPECT_NEAR(table.still_force(3), 50, 1e-13);
  for (const double force : {-40.0, -11.0, 0.0, 1.0, 20.0, 49.0})
    EXPECT_NEAR(table.still_force(table.command_for(force)), force, 1e-12);
  EXPECT_EQ(table.command_for(0), 0);
}

TEST(Thruster, PushesNothingInTheAir) {
  ThrusterSettings s = settings();
  auto water = std::make_shared<Water>();
  water->level = 0.0;
  s.water = water;
  s.command = 100.0;
  s.diameter = 0.2;
  System system = with(s);
  const auto force = [&](double z) {
    const auto x = system.initial_state(at_place({0, 0, z}), std::vector<double>(6, 0));
    return recorded(system, 0, x, "main.force");
  };
  EXPECT_NEAR(force(-1), 20, 1e-12);
  EXPECT_NEAR(force(0.05), 5, 1e-12);  // a quarter is wet
  EXPECT_NEAR(force(0.2), 0, 1e-12);
}

TEST(Thruster, JumpsOfItsCommandAreEvents) {
  ThrusterSettings s = settings();
  s.command = Signal::table({0, 0.31, 1}, {0, 50, 0}, Interpolation::hold);
  SimulationSettings run;
  run.duration = 1.5;
  run.integrator = {"rk4", 0.1};
  System system = with(s);
  Simulation simulation(std::move(system), run, at_place({}), std::vector<double>(6, 0));
  EXPECT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
  EXPECT_NEAR(simulation.x()[7 + 3], 2e-3 * 2500 / 10 * (1 - 0.31), 1e-12);
}

TEST(Thruster, InputChangesItsCommand) {
  SimulationSettings run;
  run.duration = 1;
  run.integrator = {"rk4", 0.1};
  System system = with(settings());
  Simulation simulation(std::move(system), run, at_place({}), std::vector<double>(6, 0));
  simulation.change([](StateEdit& edit) { edit.set("main.offset", 30); });
  EXPECT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
  EXPECT_NEAR(simulation.x()[7 + 3], 2e-3 * 900 / 10, 1e-12);
}

TEST(Thruster, Refusals) {
  const auto refused = [](auto&& change) {
    ThrusterSettings s = settings();
    change(s);
    return message_of([&] { Thruster made(s); });
  };
  EXPECT_TRUE(mentions(refused([](auto& s) { s.axis = {1, 1, 0}; }), {"'main'", "axis", "unit"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.lag = -1; }), {"'main'", "lag"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.lower = 1, s.upper = 0; }), {"limits must rise"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.backward = 0; }), {"both forward and backward"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.forward = s.backward = 0; }),
                       {"how its speed pushes is missing", "a table"}));
  EXPECT_TRUE(mentions(refused([](auto& s) {
                         s.forward = s.backward = 0;
                         s.input = ThrusterInput::force;
                         s.advance = 1;
                       }),
                       {"belong to a speed"}));
  EXPECT_TRUE(mentions(refused([](auto& s) {
                         s.speeds = {0, 1}, s.forces = {0, 1};
                       }),
                       {"not both"}));
  const auto table = [&](std::vector<double> speeds, std::vector<double> forces) {
    return refused([&](auto& s) {
      s.forward = s.backward = 0;
      s.speeds = std::move(speeds);
      s.forces = std::move(forces);
    });
  };
  EXPECT_TRUE(mentions(table({0, 1}, {0}), {"2 speeds", "1 forces"}));
  EXPECT_TRUE(mentions(table({0, 1, 2}, {0, 2, 1}), {"entry 3", "must not fall"}));
  EXPECT_TRUE(mentions(table({-1, 1}, {-1, 2}), {"at rest"}));
  EXPECT_TRUE(mentions(table({-1, 1}, {1, 2}), {"sign"}));
  EXPECT_TRUE(mentions(refused([](auto& s) { s.deduction = 1; }), {"deduction"}));
  ThrusterSettings elsewhere = settings();
  elsewhere.frame = "bow";
  EXPECT_TRUE(mentions(message_of([&] { with(elsewhere); }), {"thruster 'main'", "bow"}));
  ThrusterSettings s;
  EXPECT_TRUE(mentions(message_of([&] {
                         set_propeller({0.1, 0.4, 0, 0.6, 0.5, 0}, 1000, s);
                       }),
                       {"thrust_then", "less than"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
