// What scenarios say about inputs, force elements and recordings: read, run against closed forms,
// and refused with file, line, reason and remedy.
#include <limber/scenario/scenario.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include <limber/analysis/analysis.hpp>
#include <limber/scenario/run.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::string head = R"(duration: 1
robots: [{model: double_pendulum}]
)";
const std::string motor = "motor: {torque_constant: 0.1, resistance: 2}";

std::string refusal(const std::string& more) {
  return message_of([&] { parse_scenario(head + more, "test.yaml"); });
}

Run run(const std::string& text) {
  const Scenario scenario = parse_scenario(text, testing::TempDir() + "test.yaml");
  RunHooks hooks;
  hooks.keep = KeepRows::all;
  return run_scenario(scenario, hooks);
}

TEST(ScenarioInputs, AreWhatTheFileSays) {
  std::ofstream(testing::TempDir() + "u.csv") << "time,u\n0,0\n1,4\n";
  const limber::Run r = run(head + R"(inputs:
  - {joint: shoulder, torque: 2*sin(2*pi*t)}
  - {joint: elbow, voltage: {file: u.csv}}
drives: [{joint: elbow, input: voltage, )" +
                            motor + "}]\n");
  const auto t = r.recording.series("time");
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(r.recording.series("shoulder.input")[i], 2 * std::sin(2 * std::numbers::pi * t[i]),
                1e-12);
    EXPECT_NEAR(r.recording.series("shoulder.force")[i], r.recording.series("shoulder.input")[i],
                1e-12);
    EXPECT_NEAR(r.recording.series("elbow.input")[i], 4 * t[i], 1e-12);
    EXPECT_NEAR(r.recording.series("elbow.voltage")[i], 4 * t[i], 1e-12);
  }
  EXPECT_EQ(r.recording.columns[r.recording.column("elbow.input")].unit, "V");
  EXPECT_EQ(r.recording.columns[r.recording.column("shoulder.input")].unit, "N m");
  EXPECT_EQ(r.status, RunStatus::finished);
  std::remove((testing::TempDir() + "u.csv").c_str());
}

TEST(ScenarioInputs, WhatDoesNotFitIsRefusedWithItsLine) {
  const std::string drive = "drives: [{joint: elbow, input: current, " + motor + "}]\n";
  const auto input = [](const std::string& rest) { return "inputs:\n  - " + rest + "\n"; };
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: 5*sin(t}")),
                       {"test.yaml:4", "torque", "column 8", "parenthesis"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: sine(t)}")),
                       {"test.yaml:4", "'sine'", "sin"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, voltage: 3}")),
                       {"test.yaml:4", "no drive", "drives"}));
  EXPECT_TRUE(mentions(refusal(drive + input("{joint: elbow, voltage: 3}")),
                       {"test.yaml:5", "line 3", "takes a current", "input: voltage"}));
  EXPECT_TRUE(mentions(refusal(drive + input("{joint: elbow, torque: 3}")),
                       {"test.yaml:5", "takes a current"}));
  EXPECT_EQ(refusal(drive + input("{joint: elbow, current: 3}")), no_error);
  EXPECT_TRUE(
      mentions(refusal(input("{joint: elbow, force: 3}")), {"test.yaml:4", "turns", "torque"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbwo, torque: 3}")),
                       {"test.yaml:4", "did you mean 'elbow'"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow}")), {"test.yaml:4", "0 inputs", "torque"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: 1, current: 1}")),
                       {"test.yaml:4", "2 inputs"}));
  EXPECT_TRUE(
      mentions(refusal(input("{joint: [elbow, elbow], torque: 1}")), {"test.yaml:4", "already"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: {times: [0, 1]}}")),
                       {"test.yaml:4", "'values' is missing"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: {times: [1, 0], values: [1, 2]}}")),
                       {"test.yaml:4", "increase"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: {file: nowhere.csv}}")),
                       {"test.yaml:4", "nowhere.csv", "no such file"}));
  EXPECT_TRUE(mentions(refusal(input("{joint: elbow, torque: {times: [0, 1], values: [1, 2], "
                                     "interpolation: quintic}}")),
                       {"test.yaml:4", "linear, hold, cubic"}));
  EXPECT_TRUE(mentions(refusal("trajectories: [{name: x, segments: [{kind: hold, duration: 1}]}]\n"
                               "prescribed: [{joints: [elbow], trajectory: x}]\n" +
                               input("{joint: elbow, torque: 1}")),
                       {"test.yaml:6", "prescribed"}));
}

// a pendulum of gravity turned off, held by a spring from the world: its energy stays
TEST(ScenarioForces, ASpringBetweenFramesKeepsTheEnergy) {
  const limber::Run r = run(R"(duration: 2
robots:
  - {model: double_pendulum, name: a, initial: {position: [0.4, 0.3]}}
  - {model: pendulum, name: b, xyz: [0.5, 0, 0]}
force_elements:
  - {name: coupling, from: a.lower, to: b.rod, to_point: [0, 0, -0.5], stiffness: 20, rest_length: 0.3}
  - {name: rope, to: a.upper, to_point: [0, 0, -1], from_point: [1, 0, 0], lengths: [0, 1, 2], forces: [0, 0, 30]}
record: {reactions: all, frame_velocities: [a.lower], frame_accelerations: [b.rod]}
)");
  EXPECT_EQ(r.status, RunStatus::finished);
  const auto energy = r.recording.series("total_energy"), work = r.recording.series("work");
  EXPECT_GT(*std::max_element(energy.begin(), energy.end()) -
                *std::min_element(energy.begin(), energy.end()),
            -1);
  for (std::size_t i = 0; i < energy.size(); ++i) {
    EXPECT_NEAR(energy[i], energy[0], 1e-6);
    EXPECT_NEAR(work[i], 0, 1e-9);
  }
  EXPECT_NO_THROW(r.recording.column("b.pivot.reaction.mz"));
  EXPECT_NO_THROW(r.recording.column("a.lower.velocity.x"));
  EXPECT_NO_THROW(r.recording.column("b.rod.angular_acceleration.y"));
}

TEST(ScenarioForces, PluginsAndSignals) {
  const limber::Run r =
      run(head + "force_elements:\n  - {kind: plugin, name: wind, file: " + WIND_PLUGIN +
          ", settings: {frame: lower, drag: 0.3, x: 4}}\n" +
          R"--(external_forces:
  - {name: push, frame: lower, force: ["3*step(t-0.25)", 0, {times: [0, 1], values: [0, 2]}]}
)--");
  EXPECT_EQ(r.status, RunStatus::finished);
  EXPECT_NEAR(r.recording.series("wind.fx")[0], 0.3 * 16, 1e-12);
  EXPECT_EQ(r.recording.series("push.fx")[20], 0);
  EXPECT_EQ(r.recording.series("push.fx")[30], 3);
  EXPECT_NEAR(r.recording.series("push.fz")[50], 1, 1e-9);
}

// `motion: reference` looks at instants without integrating between them; jumps happen all the same
TEST(ScenarioForces, JumpsHappenInReferenceMotionsToo) {
  const Scenario scenario =
      parse_scenario(head + R"--(trajectories: [{name: x, segments: [{kind: hold, duration: 1}]}]
external_forces:
  - {name: push, frame: lower, force: ["3*step(t-0.25)-5*step(t-0.75)", {times: [0, 0.1, 0.11, 0.9], values: [1, 2, 3, 4], interpolation: hold}, 0]}
analyse: {motion: reference, trajectory: x, interval: 0.1}
)--",
                     "test.yaml");
  const Recording recording = analyse(scenario, {}).run.recording;
  const auto t = recording.series("time"), x = recording.series("push.fx"),
             y = recording.series("push.fy");
  ASSERT_GE(t.size(), 11U);
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_EQ(x[i], t[i] < 0.25 ? 0 : t[i] < 0.75 ? 3 : -2) << t[i];
    if (i != 1 && i != 9) {
      EXPECT_EQ(y[i], t[i] < 0.1 ? 1 : t[i] < 0.9 ? 3 : 4) << t[i];
    }
  }
}

TEST(ScenarioForces, WhatDoesNotFitIsRefusedWithItsLine) {
  const auto element = [](const std::string& rest) {
    return refusal("force_elements:\n  - " + rest + "\n");
  };
  EXPECT_TRUE(mentions(element("{to: lowr, stiffness: 1}"), {"test.yaml:4", "lowr", "lower"}));
  EXPECT_TRUE(mentions(element("{to: lower}"), {"test.yaml:4", "no force"}));
  EXPECT_TRUE(mentions(element("{to: lower, force: 3*lenght}"),
                       {"test.yaml:4", "force", "column 3", "'lenght'", "length, rate, t"}));
  EXPECT_TRUE(mentions(element("{to: lower, stiffnes: 3}"), {"test.yaml:4", "stiffness"}));
  EXPECT_TRUE(mentions(element("{kind: spring, to: lower}"), {"test.yaml:4", "line, plugin"}));
  EXPECT_TRUE(mentions(element("{to: base, stiffness: 1}"), {"test.yaml:4", "same body"}));
  EXPECT_TRUE(mentions(element("{kind: plugin, file: nowhere.so}"),
                       {"test.yaml:4", "nowhere.so", "no such file"}));
  EXPECT_TRUE(mentions(element(std::string("{kind: plugin, file: ") + WIND_PLUGIN +
                               ", settings: {frame: lower, dragg: 1}}"),
                       {"test.yaml:4", "drag"}));
  EXPECT_TRUE(mentions(refusal("external_forces: [{frame: lower, force: [t+, 0, 0]}]\n"),
                       {"test.yaml:3", "force", "column 3"}));
  EXPECT_TRUE(mentions(refusal("force_elements:\n  - {to: lower, stiffness: 1}\n"
                               "  - {to: upper, damping: 1}\n"),
                       {"test.yaml:5", "'line'", "name"}));
  EXPECT_TRUE(
      mentions(refusal("record: {reactions: [elbwo]}\n"), {"test.yaml:3", "reactions", "'elbow'"}));
  EXPECT_TRUE(mentions(refusal("record: {frame_velocities: [lowr]}\n"),
                       {"test.yaml:3", "frame_velocities", "'lower'"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
