// Limits of joints: where the run begins, on joints that follow others, and of speeds.
#include <limber/sim/joint_limits.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace {

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
  std::vector<Happening> happenings;
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
  return {run.status(), run.message(), run.t(), run.happenings(), {run.x().begin(), run.x().end()}};
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
      EXPECT_EQ(end.happenings.size(), 1u);
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
  ASSERT_EQ(outside.happenings.size(), 1u);
  EXPECT_EQ(outside.happenings[0].t, 0);
  const Outcome through = go(track(), AtLimit::watch, -1.5, 3, GetParam());
  ASSERT_EQ(through.happenings.size(), 2u);  // begins below, leaves above at t = 2.5 / 3
  EXPECT_NEAR(through.happenings[1].t, 2.5 / 3, 1e-8);
  EXPECT_TRUE(mentions(through.happenings[1].text, {"'slide'", "upper"}));
  const Outcome once = go(track(), AtLimit::watch, 0, 2, GetParam());
  ASSERT_EQ(once.happenings.size(), 1u);
  EXPECT_NEAR(once.happenings[0].t, 0.5, 1e-8);
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
  EXPECT_EQ(end.happenings.size(), 1u);
}

TEST(JointLimits, TellsWhichLimitsAPositionLiesBeyond) {
  Model model = build(pair());
  JointLimits limits({});
  limits.attach(model);
  EXPECT_TRUE(limits.violations(std::vector<double>{0.2}).empty());
  EXPECT_TRUE(limits.violations(std::vector<double>{1}).empty());
  const std::vector<std::string> beyond = limits.violations(std::vector<double>{1.25});
  ASSERT_EQ(beyond.size(), 2u);
  EXPECT_TRUE(mentions(beyond[0], {"'slide'", "1.25", "upper limit of 1"}));
  EXPECT_TRUE(mentions(beyond[1], {"'follower'", "-2", "lower limit of -1.5"}));
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
    system.add(std::make_unique<FunctionPart>("push", Stage::world, [](Evaluation& at) {
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

}  // namespace
}  // namespace limber::test
