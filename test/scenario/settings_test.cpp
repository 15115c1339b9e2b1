// Settings of a scenario that no run can be computed with: refused with the line where they stand.
#include <limber/scenario/scenario.hpp>

#include <gtest/gtest.h>

#include <limber/scenario/run.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::string head = R"(duration: 1
robots:
  - model: double_pendulum
    initial: {position: [0.5, 0.1]}
)";

std::string refusal(const std::string& more, const std::vector<Override>& overrides = {}) {
  return message_of([&] { parse_scenario(head + more, "test.yaml", overrides); });
}

TEST(ScenarioSettings, TimesThatCannotBeResolvedAreToldWithTheirLine) {
  const std::string adaptive = "integrator:\n  method: dopri5\n  ";
  EXPECT_TRUE(
      mentions(refusal("integrator:\n  step: 1e-300\n"), {"test.yaml:6", "step", "1e-300"}));
  EXPECT_TRUE(mentions(refusal(adaptive + "max_step: 1e-300\n"), {"test.yaml:7", "max_step"}));
  EXPECT_TRUE(mentions(refusal(adaptive + "event_tolerance: 1e-17\n"),
                       {"test.yaml:7", "event_tolerance", "1e-17"}));
  EXPECT_TRUE(mentions(refusal(adaptive + "relative_tolerance: 1e-300\n"),
                       {"test.yaml:7", "relative_tolerance", "1e-14"}));
  EXPECT_TRUE(mentions(refusal(adaptive + "absolute_tolerance: 1e300\n"),
                       {"test.yaml:7", "absolute_tolerance"}));
  EXPECT_TRUE(mentions(refusal("record:\n  interval: 1e-300\n"), {"test.yaml:6", "interval"}));
  EXPECT_TRUE(mentions(refusal("controllers:\n  - kind: gravity_compensation\n"
                               "    sample_time: 1e-300\n"),
                       {"test.yaml:7", "sample_time", "1e-300"}));
  EXPECT_TRUE(mentions(refusal("analyse:\n  interval: 1e-300\n"), {"test.yaml:6", "interval"}));
  EXPECT_TRUE(mentions(refusal("joint_limits: {at_limit: bumper, stiffness: -1}\n"),
                       {"test.yaml:5", "stiffness -1"}));
  for (const char* duration : {"1e300", "1e-300", "0", "-1"})
    EXPECT_TRUE(mentions(refusal("", {{"duration", duration}}), {"test.yaml"})) << duration;
}

TEST(ScenarioSettings, MoreThanTheLimitsIsRefusedAndTheLimitsCanBeRaised) {
  const std::string often = "record: {interval: 1e-8}\n", fine = "integrator: {step: 1e-10}\n";
  EXPECT_TRUE(mentions(refusal(often), {"test.yaml:5", "100000001 records", "limits.records"}));
  EXPECT_EQ(refusal(often + "limits: {records: 2e8}\n"), no_error);
  EXPECT_TRUE(mentions(refusal(fine), {"test.yaml:5", "1e+10 steps", "limits.steps"}));
  EXPECT_EQ(refusal(fine + "limits: {steps: 2e10}\n"), no_error);
  EXPECT_TRUE(mentions(refusal("limits: {steps: 0}\n"), {"test.yaml:5", "steps", "at least 1"}));
  EXPECT_TRUE(mentions(refusal("controllers: [{kind: gravity_compensation, sample_time: 1e-10}]\n"),
                       {"test.yaml:5", "sample_time", "1e+10 samples", "limits.steps"}));
}

TEST(ScenarioSettings, ADelayThatFillsTheMemoryIsRefused) {
  for (const char* delay : {"1e8", "3e6", "2.5"})
    EXPECT_TRUE(mentions(refusal("controllers:\n  - kind: gravity_compensation\n"
                                 "    sample_time: 0.01\n    delay: " +
                                 std::string(delay) + "\n"),
                         {"test.yaml:", "delay"}))
        << delay;
  EXPECT_EQ(refusal("controllers: [{kind: gravity_compensation, sample_time: 0.01, delay: 100}]\n"),
            no_error);
}

TEST(ScenarioSettings, APathThatTakesForEverIsRefused) {
  for (const char* duration : {"1e5", "1e12", "1e300"}) {
    const std::string message = message_of([&] {
      parse_scenario(R"(duration: 1
robots: [{model: arm7, initial: {position: [0.3, 0.5, 0, -1.2, 0, 0.8, 0]}}]
trajectories:
  - name: reach
    segments:
      - {kind: line, frame: tool, by: [0.01, 0, 0], duration: )" +
                         std::string(duration) + "}\n",
                     "test.yaml");
    });
    EXPECT_TRUE(mentions(message, {"test.yaml:6", "points", "1000000"}));
  }
}

TEST(ScenarioSettings, ChangesAreCheckedLikeTheRobotsFile) {
  const std::string robot = "duration: 1\nrobots:\n  - model: double_pendulum\n    changes:\n";
  const auto change = [&](const std::string& what) {
    return message_of([&] { parse_scenario(robot + "      - " + what + "\n", "test.yaml"); });
  };
  EXPECT_TRUE(
      mentions(change("{joint: elbow, gear_ratio: 0}"), {"test.yaml:5", "gear_ratio", "zero"}));
  EXPECT_TRUE(mentions(change("{joint: elbow, lower: 2, upper: 1}"), {"test.yaml:5", "lower"}));
  EXPECT_TRUE(mentions(change("{joint: elbow, damping: -1}"), {"test.yaml:5", "damping"}));
  EXPECT_TRUE(
      mentions(change("{link: upper, mass_factor: 1e308, mass: 1e300}"), {"test.yaml:5", "mass"}));
  EXPECT_TRUE(mentions(change("{link: upper, mass: 0}"), {"test.yaml:5", "mass"}));
  EXPECT_EQ(change("{joint: elbow, gear_ratio: -20}"), no_error);
}

TEST(ScenarioSettings, QuaternionsOfAnotherLengthAreTold) {
  const auto turned = [](const std::string& turn) {
    return message_of([&] {
      parse_scenario(
          "duration: 1\nrobots:\n  - model: quadruped\n    initial:\n"
          "      position: {root: [0, 0, 1, " +
              turn + "]}\n",
          "test.yaml");
    });
  };
  EXPECT_TRUE(mentions(turned("0, 3, 0, 4"), {"test.yaml:5", "'root'", "length 5", "divide"}));
  EXPECT_TRUE(mentions(turned("0, 0, 0, 0"), {"test.yaml:5", "length 0"}));
  EXPECT_EQ(turned("0.707, 0, 0, 0.707"), no_error);
}

// a plug-in of a stranger: refused when it is loaded, or the run ends and keeps its recording
TEST(ScenarioSettings, APluginThatFailsLeavesItsRecording) {
  const auto plugin = [](const std::string& fault) {
    return head +
           "controllers:\n  - kind: plugin\n    name: stranger\n    file: " FAULTY_PLUGIN
           "\n    sample_time: 0.1\n    settings: {fault: " +
           fault + ", from: 0.45}\n";
  };
  const limber::Run run = run_scenario(parse_scenario(plugin("int"), "test.yaml"));
  EXPECT_EQ(run.status, RunStatus::failed);
  EXPECT_TRUE(mentions(run.message, {"'stranger'", "t = 0.5"}));
  EXPECT_EQ(run.recording.rows(), 51u);
  EXPECT_TRUE(mentions(message_of([&] { parse_scenario(plugin("'null'"), "test.yaml"); }),
                       {"faulty", "'stranger'"}));
}

TEST(ScenarioSettings, ARunThatBeginsBeyondALimitSaysSo) {
  const std::string robot =
      "duration: 1\nrobots: [{model: double_pendulum, changes: [{joint: "
      "elbow, lower: -1, upper: 1}], initial: {position: [0, 1.5]}}]\n";
  const Scenario scenario = parse_scenario(robot + "joint_limits: {at_limit: stop}\n", "test.yaml");
  EXPECT_TRUE(mentions(scenario.warnings, {"'elbow'", "1.5", "upper limit of 1"}));
  const limber::Run run = run_scenario(scenario);
  EXPECT_EQ(run.status, RunStatus::stopped);
  EXPECT_EQ(run.simulated, 0);
  EXPECT_EQ(run.recording.rows(), 1u);
  const Scenario ignored =
      parse_scenario(robot + "joint_limits: {at_limit: ignore}\n", "test.yaml");
  EXPECT_TRUE(ignored.warnings.empty());
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
