// What a run says of itself: stopped and inaccurate at once, limits passed by followers, starts.
#include <gtest/gtest.h>

#include <limber/report/report.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(HonestRun, AStoppedRunMayBeInaccurateToo) {
  const Scenario scenario = parse_scenario(R"(duration: 10
robots: [{model: double_pendulum, initial: {position: [2.0, 0.7]}}]
integrator: {step: 0.1}
events: [{value: shoulder.position, crosses: -2, then: stop}]
)",
                                           "test.yaml");
  const limber::Run run = run_scenario(scenario);
  ASSERT_EQ(run.status, RunStatus::stopped) << run.message;
  EXPECT_EQ(outcome(run), "stopped by an event, inaccurate");
  const RunSummary summary = summary_of(scenario, run);
  EXPECT_EQ(summary.status, RunStatus::inaccurate);
  EXPECT_EQ(summary.headline, outcome(run));
  EXPECT_TRUE(mentions(summary.warnings, {"a step of", "does (tried on"}));
}

TEST(HonestRun, LimitsThatAreStoppedAtAreNotPassed) {
  const Scenario scenario = parse_scenario(R"(duration: 2
robots: [{model: pendulum, initial: {position: [1]}, changes: [{joint: pivot, lower: -0.5}]}]
joint_limits: {at_limit: stop}
)",
                                           "test.yaml");
  const limber::Run run = run_scenario(scenario);
  EXPECT_EQ(run.status, RunStatus::stopped);
  EXPECT_TRUE(run.limits_passed.empty());
}

// a pendulum falls through a range that nothing enforces: from 1 to −1 rad, 0.5 beyond its limit
TEST(HonestRun, TellsHowFarALimitWasPassed) {
  const Scenario scenario = parse_scenario(R"(duration: 3
robots:
  - model: pendulum
    initial: {position: [1]}
    changes: [{joint: pivot, lower: -0.5, damping: 0}]
joint_limits: {at_limit: watch}
)",
                                           "test.yaml");
  const limber::Run run = run_scenario(scenario);
  ASSERT_EQ(run.limits_passed.size(), 1u);
  EXPECT_EQ(run.limits_passed[0].joint, "pivot");
  EXPECT_NEAR(run.limits_passed[0].depth, 0.5, 1e-4);
  EXPECT_TRUE(mentions(summary_of(scenario, run).warnings,
                       {"'pivot' passed its lower limit of -0.5 rad by up to 0.5 rad", "nothing"}));
}

TEST(HonestRun, ATooFastStartIsToldAndAnIgnoredLimitIsNot) {
  const std::string robot = R"(duration: 0.01
robots:
  - model: pendulum
    initial: {position: [1.2], velocity: [3]}
    changes: [{joint: pivot, upper: 1, velocity_limit: 2}]
)";
  const Scenario told = parse_scenario(robot, "test.yaml");
  EXPECT_TRUE(mentions(told.warnings, {"where the run begins", "'pivot'", "1.2", "limit of 1 "}));
  EXPECT_TRUE(mentions(told.warnings, {"3 rad/s", "velocity limit of 2 rad/s"}));
  const Scenario ignored =
      parse_scenario(robot + "joint_limits: {at_limit: ignore}\n", "test.yaml");
  ASSERT_EQ(ignored.warnings.size(), 1u);
  EXPECT_TRUE(mentions(ignored.warnings, {"velocity limit"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
