// Limits of joints: where the run begins, on joints that follow others, and of speeds.
#include <limber/sim/joint_limits.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// a mass without weight whose range is ±1
Spec track() {
  Spec spec = slider(1);
  spec.gravity = {};
  spec.joints[0].dof().lower = -1;
  spec.joints[0].dof().upper = 1;
  return spec;
}

// and one that moves with it: position −2 q + 0.5, range −1.5 to 10
Spec pair() {
  Spec spec = track();
  spec.add_body("second", 1, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  JointSpec& follower = spec.add_joint("follower", JointKind::prismatic, "", "second", {1, 0, 0});
  follower.mimic = MimicSpec{"slide", -2, 0.5};
  follower.dof().lower = -1.5;
  follower.dof().upper = 10;
  return spec;
}

struct Outcome {
  RunStatus status;
  std::string message;
  double t;
  std::vector<Event> events;
  std::vector<double> x;
};

Outcome go(const Spec& spec, AtLimit at_limit, double q, double v,
           const std::string& method = "rk4") {
  System system(build(spec));
  system.add(std::make_unique<JointLimits>(JointLimitSettings{at_limit, 1e4, 0}));
  SimulationSettings settings;
  settings.integrator.method = method;
  Simulation run(system, settings, std::vector<double>{q}, std::vector<double>{v});
  run.run();
  return {run.status(), run.message(), run.t(), run.events(), {run.x().begin(), run.x().end()}};
}

class LimitMethods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, LimitMethods,
                         testing::Values("euler", "rk4", "dopri5", "midpoint", "pece_b3",
                                         "cvode_adams", "cvode_bdf"),
                         [](const auto& test) { return test.param; });

TEST_P(LimitMethods, ARunThatBeginsBeyondALimitStopsThere) {
  for (const double side : {1.0, -1.0})
    for (const double v : {1.0, 0.0}) {
      const Outcome end = go(track(), AtLimit::stop, side * 1.5, side * v, GetParam());
      EXPECT_EQ(end.status, RunStatus::stopped);
      EXPECT_EQ(end.t, 0);
      EXPECT_TRUE(mentions(end.message, {"'slide'", side > 0 ? "upper limit of 1" : "lower limit",
                                         "where the run begins"}));
      EXPECT_EQ(end.events.size(), 1u);
    }
}

TEST_P(LimitMethods, ARunThatBeginsAtALimitStopsOnlyIfItMovesOutwards) {
  const Outcome out = go(track(), AtLimit::stop, 1, 0.5, GetParam());
  EXPECT_EQ(out.status, RunStatus::stopped) << out.message;
  EXPECT_LT(out.t, 0.01);
  const Outcome in = go(track(), AtLimit::stop, 1, -0.5, GetParam());
  EXPECT_EQ(in.status, RunStatus::finished) << in.message;
  EXPECT_EQ(go(track(), AtLimit::stop, 1, 0, GetParam()).status, RunStatus::finished);
}

TEST_P(LimitMethods, WatchingListsTheBeginningAndEveryCrossingOnce) {
  const Outcome outside = go(track(), AtLimit::watch, 1.5, 1, GetParam());
  EXPECT_EQ(outside.status, RunStatus::finished);
  ASSERT_EQ(outside.events.size(), 1u);
  EXPECT_EQ(outside.events[0].t, 0);
  const Outcome through = go(track(), AtLimit::watch, -1.5, 3, GetParam());
  ASSERT_EQ(through.events.size(), 2u);  // begins below, leaves above at t = 2.5 / 3
  EXPECT_NEAR(through.events[1].t, 2.5 / 3, 1e-8);
  EXPECT_TRUE(mentions(through.events[1].text, {"'slide'", "upper"}));
  const Outcome once = go(track(), AtLimit::watch, 0, 2, GetParam());
  ASSERT_EQ(once.events.size(), 1u);
  EXPECT_NEAR(once.events[0].t, 0.5, 1e-8);
}

// the follower reaches −1.5 where q = 1, together with its master; −2 q + 0.5 = 10 never; with a
// lower limit of −1 it is first, at q = 0.75
TEST_P(LimitMethods, AFollowersOwnLimitStopsTheRun) {
  Spec spec = pair();
  spec.joints[1].dof().lower = -1;
  const Outcome end = go(spec, AtLimit::stop, 0, 1, GetParam());
  EXPECT_EQ(end.status, RunStatus::stopped);
  EXPECT_NEAR(end.t, 0.75, 1e-8);
  EXPECT_TRUE(mentions(end.message, {"'follower'", "lower limit of -1"}));
  const Outcome begin = go(spec, AtLimit::stop, 0.9, 0, GetParam());
  EXPECT_EQ(begin.t, 0);
  EXPECT_TRUE(mentions(begin.message, {"'follower'", "where the run begins"}));
}

// the follower's bumper is felt through its ratio: a spring of ratio² · stiffness from q = 0.75 on.
// Both masses together weigh 1 + 2² · 1 at the slide.
TEST(JointLimits, AFollowersBumperTurnsTheMotionBack) {
  Spec spec = pair();
  spec.joints[1].dof().lower = -1;
  const Outcome end = go(spec, AtLimit::bumper, 0, 1, "dopri5");
  ASSERT_EQ(end.status, RunStatus::finished) << end.message;
  const double pressed = M_PI / std::sqrt(4 * 1e4 / 5);  // half a swing of the spring
  EXPECT_NEAR(end.x[1], -1, 1e-6);
  EXPECT_NEAR(end.x[0], 0.75 - (1 - 0.75 - pressed), 1e-6);
  EXPECT_EQ(end.events.size(), 1u);
}

// Blows of a mass against a bumper of the part's own choice, by every method: it stays near its
// limit, is thrown back slower than it came, and the method's step is short enough.
class OwnBumper : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, OwnBumper,
                         testing::Values("euler", "semi_implicit_euler", "rk4", "dopri5",
                                         "midpoint", "pece_b1", "pece_b2", "pece_b3", "pece_b4",
                                         "cvode_adams", "cvode_bdf"),
                         [](const auto& test) { return test.param; });

TEST_P(OwnBumper, HoldsLightAndHeavyMassesByTheirInertia) {
  for (const double mass : {1e-3, 1.0, 1e4})
    for (const double step : {1e-2, 1e-3}) {
      Spec spec = track();
      spec.bodies[0].inertia = Inertia<double>::from_com(mass, {}, {0.1, 0.1, 0.1, 0, 0, 0});
      SimulationSettings settings;
      settings.duration = 2;
      settings.integrator.method = GetParam();
      settings.integrator.step = step;
      JointLimitSettings limits;
      limits.frequency = bumper_frequency(settings.integrator);
      EXPECT_LE(limits.frequency, 300);
      System system(build(spec));
      system.add(std::make_unique<JointLimits>(limits));
      Simulation run(system, settings, std::vector<double>{0.0}, std::vector<double>{2.0});
      double furthest = 0;
      run.go_on = [&](double) {
        furthest = std::max(furthest, run.x()[0]);
        return true;
      };
      ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
      EXPECT_GT(furthest, 1);
      EXPECT_LT(furthest, 1 + 2 / limits.frequency);  // less than without a damper
      EXPECT_LT(run.x()[1], -0.1);
      EXPECT_GT(run.x()[1], -1.6);
    }
}

TEST(JointLimits, AChosenBumperHasTheFrequencyWhateverItsRatioAndMass) {
  Spec spec = pair();
  spec.joints[1].dof().lower = -1;  // reached at q = 0.75; inertia of both at the slide: 1 + 2²
  JointLimitSettings settings;
  settings.frequency = 50;
  settings.damping = 0;  // half a swing, and back with the speed it came with
  System system(build(spec));
  system.add(std::make_unique<JointLimits>(settings));
  SimulationSettings run_settings;
  run_settings.integrator.method = "dopri5";
  Simulation run(system, run_settings, std::vector<double>{0.0}, std::vector<double>{1.0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[1], -1, 1e-6);
  EXPECT_NEAR(run.x()[0], 0.75 - (1 - 0.75 - M_PI / 50), 1e-6);
}

// two links on one axis, the second light: the inertia that counts is that of the joint while the
// other is free, here of both links in series
TEST(JointLimits, AChosenBumperCountsWhatMovesWithTheJoint) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("first", 1, {}, {1, 1, 3, 0, 0, 0});
  spec.add_body("second", 1, {}, {1, 1, 2, 0, 0, 0});
  spec.add_joint("base", JointKind::revolute, "", "first");
  spec.add_joint("top", JointKind::revolute, "first", "second").dof().upper = 0;
  JointLimitSettings settings;
  settings.frequency = 40;
  settings.damping = 0;
  System system(build(spec));
  system.add(std::make_unique<JointLimits>(settings));
  SimulationSettings run_settings;
  run_settings.integrator.method = "dopri5";
  run_settings.duration = M_PI / 40 + 0.5;
  Simulation run(system, run_settings, std::vector<double>{0, -0.1}, std::vector<double>{0, 0.5});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[3], -0.5, 1e-6);
  EXPECT_NEAR(run.x()[1], -0.5 * 0.3, 1e-6);
}

TEST_P(OwnBumper, ThrowsNothingThatBeginsOutside) {
  SimulationSettings settings;
  settings.duration = 1.5;
  settings.integrator.method = GetParam();
  JointLimitSettings limits;
  limits.frequency = bumper_frequency(settings.integrator);
  System system(build(track()));
  system.add(std::make_unique<JointLimits>(limits));
  Simulation still(system, settings, std::vector<double>{1.5}, std::vector<double>{0.0});
  ASSERT_EQ(still.run(), RunStatus::finished) << still.message();
  EXPECT_NEAR(still.x()[0], 1.5, 1e-9);
  Simulation outwards(system, settings, std::vector<double>{1.5}, std::vector<double>{1.0});
  ASSERT_EQ(outwards.run(), RunStatus::finished) << outwards.message();
  EXPECT_LT(outwards.x()[1], -0.1);
  // back inside, and out again: the bumper is at the limit now
  System shaken(build(track()));
  shaken.add(std::make_unique<JointLimits>(limits));
  shaken.add(std::make_unique<FunctionPart>(
      "push", Role::world, [](Evaluation& at) { at.tau[0] += at.t < 0.5 ? -8 : 20; }));
  settings.duration = 5;
  Simulation back(shaken, settings, std::vector<double>{1.5}, std::vector<double>{0.0});
  ASSERT_EQ(back.run(), RunStatus::finished) << back.message();
  EXPECT_NEAR(back.x()[0], 1 + 20 / (limits.frequency * limits.frequency), 1e-3);
}

TEST(JointLimits, ARangeWithoutExtentIsNotEnforced) {
  Spec spec = track();
  spec.joints[0].dof().lower = 2;
  EXPECT_NEAR(go(spec, AtLimit::bumper, 0, 3).x[0], 3, 1e-9);
}

TEST(SpeedLimit, CountsForEveryJointForFollowersAndAtTheBeginning) {
  for (const double v : {60.0, -60.0}) {
    System system(build(pair()));
    SimulationSettings settings;
    settings.speed_limit = 100;
    const std::string message = message_of(
        [&] { Simulation(system, settings, std::vector<double>{0}, std::vector<double>{v}); });
    EXPECT_TRUE(mentions(message, {"'follower'", "120", "speed limit of 100", "begins"}));
  }
  // two masses that speed up: the second, and the follower, pass the limit first
  for (const bool followed : {true, false}) {
    Spec spec = pair();
    if (!followed) spec.joints[1].mimic.reset();
    System system(build(spec));
    system.add(std::make_unique<FunctionPart>("push", Role::world, [](Evaluation& at) {
      for (std::size_t k = 0; k < at.tau.size(); ++k) at.tau[k] = 500 * static_cast<double>(k + 1);
    }));
    SimulationSettings settings;
    settings.speed_limit = 100;
    const std::vector<double> zeros(static_cast<std::size_t>(system.velocities()), 0);
    Simulation run(system, settings, zeros, zeros);
    EXPECT_EQ(run.run(), RunStatus::diverged);
    EXPECT_TRUE(mentions(run.message(), {"'follower'", "limit of 100"}));
    // accelerations of the follower: 2 · 500 / (1 + 2²), or 1000
    EXPECT_NEAR(run.t(), followed ? 0.5 : 0.1, 2e-3);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
