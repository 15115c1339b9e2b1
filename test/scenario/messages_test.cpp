// Mistakes in scenario files: every message names file, line, reason and remedy.
#include <limber/scenario/scenario.hpp>

#include <limber/report/report.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::string refusal(const std::string& text, const std::vector<Override>& overrides = {}) {
  return message_of([&] { parse_scenario(text, "test.yaml", overrides); });
}

TEST(ScenarioMessages, TwoDrivesOnOneJoint) {
  const std::string drive = "  - joint: elbow\n    motor: {torque_constant: 0.1, resistance: 1}\n";
  EXPECT_TRUE(mentions(
      refusal("duration: 1\nrobots: [{model: double_pendulum}]\ndrives:\n" + drive + drive),
      {"test.yaml:6", "'elbow' has a drive already", "line 4", "remove"}));
}

TEST(ScenarioMessages, MissingFiles) {
  const std::string robot = "duration: 1\nrobots:\n  - model: nowhere.urdf\n";
  EXPECT_TRUE(mentions(refusal(robot), {"test.yaml:3", "nowhere.urdf", "no such file", "check"}));
  EXPECT_TRUE(mentions(message_of([&] { parse_scenario(robot, "/folder/test.yaml"); }),
                       {"/folder/test.yaml:3", "/folder/nowhere.urdf"}));
  // names that no file can have
  const std::string endless(500, 'x');
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots:\n  - model: " + endless + ".urdf\n"),
                       {"test.yaml:3", endless}));
  EXPECT_TRUE(
      mentions(refusal("duration: 1\nrobots: [{model: pendulum}]\ncompare: [" + endless + "]\n"),
               {"test.yaml:3", endless}));
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots: [{model: pendulum}]\n"
                               "inputs: [{joint: pivot, torque: {file: " +
                               endless + ".csv}}]\n"),
                       {"test.yaml:3", endless}));
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots:\n  - model: pum560\n"),
                       {"test.yaml:3", "'pum560'", "did you mean 'puma560'"}));
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots: [{model: double_pendulum}]\n"
                               "trajectories:\n  - name: x\n    segments:\n"
                               "      - {kind: csv, file: nowhere.csv}\n"),
                       {"test.yaml:6", "nowhere.csv", "no such file", "check"}));
}

TEST(ScenarioMessages, AScenarioToCompareWithThatIsNotThere) {
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots: [{model: double_pendulum}]\n"
                               "compare: [free_fal]\n"),
                       {"test.yaml:3", "'free_fal'", "did you mean 'free_fall'"}));
  EXPECT_EQ(refusal("duration: 1\nrobots: [{model: double_pendulum}]\ncompare: [free_fall]\n"),
            no_error);
}

TEST(ScenarioMessages, AnEmptyFile) {
  const std::string message = refusal(" \n");
  EXPECT_TRUE(mentions(message, {"test.yaml", "is empty; a scenario (YAML) file is expected"}));
}

TEST(ScenarioMessages, ATabInTheIndentation) {
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots:\n\t- model: double_pendulum\n"),
                       {"test.yaml:3", "tab", "spaces"}));
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots:\n  - model: double_pendulum\n    initial:\n"
                               "\t  position: [1, 2]\n"),
                       {"test.yaml:5", "tab", "spaces"}));
  // elsewhere a tab is white space
  EXPECT_EQ(refusal("duration:\t1\nrobots: [{model: double_pendulum}]\n"), no_error);
}

TEST(ScenarioMessages, TheNearestJointOfSeveralRobots) {
  const std::string head =
      "duration: 1\nrobots:\n  - {model: pendulum, name: left}\n  - {model: pendulum, name: "
      "right}\n";
  EXPECT_TRUE(mentions(refusal(head + "inputs: [{joint: pivot, torque: 1}]\n"),
                       {"test.yaml:5", "'pivot'", "did you mean 'left.pivot'"}));
  EXPECT_TRUE(mentions(refusal(head + "drives:\n  - {joint: right.pivto, motor: {torque_constant: "
                                      "1, resistance: 1}}\n"),
                       {"test.yaml:6", "did you mean 'right.pivot'"}));
  EXPECT_TRUE(
      mentions(refusal(head + "trajectories: [{name: x, segments: [{kind: hold, duration: 1}]}]\n"
                              "prescribed:\n  - {joints: [left.pivo], trajectory: x}\n"),
               {"test.yaml:7", "'left.pivo'", "did you mean 'left.pivot'"}));
}

TEST(ScenarioMessages, PartsOfTheSameName) {
  EXPECT_TRUE(mentions(refusal("duration: 1\nrobots: [{model: double_pendulum}]\ncontrollers:\n"
                               "  - kind: gravity_compensation\n  - kind: gravity_compensation\n"),
                       {"test.yaml:5", "'gravity_compensation'", "`name`"}));
}

TEST(ScenarioMessages, AValueFromTheCommandLineOrAScanHasItsPlace) {
  const std::string text =
      "duration: 1\nrobots: [{model: double_pendulum}]\n"
      "trajectories: [{name: x, segments: [{kind: hold, duration: 1}]}]\n"
      "controllers:\n  - kind: pd\n    trajectory: x\n    kp: 10\n";
  EXPECT_TRUE(mentions(refusal(text, {{"controllers.pd.kp", "bad"}}),
                       {"test.yaml:7", "'bad'", "(with controllers.pd.kp=bad)"}));
  EXPECT_TRUE(mentions(refusal(text, {{"controllers.pd.kd", "bad"}}), {"test.yaml:5", "'bad'"}));
  EXPECT_TRUE(mentions(refusal(text, {{"integrator.step", "0"}}), {"integrator.step=0"}));
  EXPECT_TRUE(mentions(refusal(text, {{"duration", "[1"}}), {"duration", "[1", "well-formed"}));
}

TEST(ScenarioMessages, AnEventThatStopsTheRunIsNoWarning) {
  const Scenario scenario = parse_scenario(R"(duration: 1
robots: [{model: double_pendulum, initial: {position: {elbow: 1}}}]
events: [{value: elbow.position, crosses: 0.5, then: stop, text: half way}]
)",
                                           "test.yaml");
  const limber::Run run = run_scenario(scenario, {});
  ASSERT_EQ(run.status, RunStatus::stopped);
  const RunSummary summary = summary_of(scenario, run);
  ASSERT_EQ(summary.events.size(), 1U);
  EXPECT_EQ(summary.events[0].text, "half way");
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
