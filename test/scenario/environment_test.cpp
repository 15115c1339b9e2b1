// Tasks with an environment from scenario files: writing on a board, a peg in its hole, elastic
// transmissions under force control, and messages.
#include <limber/scenario/run.hpp>

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Series = std::vector<double>;

Series series(const limber::Run& run, const std::string& column) {
  const auto found = run.recording.series(column);
  return {found.begin(), found.end()};
}
double at_end(const limber::Run& run, const std::string& column) {
  return series(run, column).back();
}
double largest(const Series& values) {
  double most = 0;
  for (const double x : values) most = std::fmax(most, std::abs(x));
  return most;
}

// The pen is on the board from where it meets it until it is lifted, presses with 5 N, and follows
// its path; friction of µ N pushes it aside by what the law of the controller says.
TEST(Environment, AnArmWritesOnABoard) {
  const limber::Run run = run_scenario(read_scenario("writing"));
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  const Series t = series(run, "time"), gap = series(run, "ball-board.gap"),
               force = series(run, "ball-board.normal_force"),
               friction = series(run, "ball-board.friction_force"),
               measured = series(run, "hybrid.measured.fz"),
               error = series(run, "hybrid.position_error"),
               turn = series(run, "hybrid.orientation_error");
  double mean = 0, count = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (t[k] < 1.2) {  // free motion
      EXPECT_LT(error[k], 2e-5) << t[k];
    }
    if (t[k] < 1.8 || t[k] >= 8.6) continue;  // it writes
    EXPECT_LT(std::abs(gap[k]), 2e-5) << t[k];
    EXPECT_NEAR(force[k], 5, 0.15) << t[k];
    EXPECT_NEAR(measured[k], force[k], 0.1) << t[k];
    EXPECT_LE(friction[k], 0.2 * force[k] + 1e-4) << t[k];
    EXPECT_LT(error[k], 5e-4) << t[k];
    EXPECT_LT(turn[k], 4e-3) << t[k];
    mean += force[k];
    count += 1;
  }
  EXPECT_NEAR(mean / count, 5, 5e-3);
  EXPECT_GT(gap.back(), 0.05);
  EXPECT_LT(largest(series(run, "energy_error")), 1e-3);
  EXPECT_EQ(largest(series(run, "hybrid.saturated")), 0);
}

// without compensation of the measured force friction counts ten times as much
TEST(Environment, CompensationDividesTheErrorThatFrictionMakes) {
  const auto error = [](const char* share) {
    const std::vector<Override> changes{{"controllers.hybrid.force_compensation", share},
                                        {"duration", "2.4"}};
    const limber::Run run = run_scenario(read_scenario("writing", changes));
    return at_end(run, "hybrid.position_error");
  };
  EXPECT_NEAR(error("0") / error("0.9"), 10, 1);
}

TEST(Environment, APegFindsItsHole) {
  const limber::Run run = run_scenario(read_scenario("peg_in_hole"));
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  const double mouth = 0.31617, x = 0.50929, y = 0.002;
  EXPECT_NEAR(mouth - at_end(run, "peg_end.z"), 0.03, 2e-4);  // its depth
  EXPECT_NEAR(at_end(run, "peg_end.z"), at_end(run, "peg_end.reference.z"), 2e-4);
  // its end is within the play; the reference is not
  const auto beside = [&](const std::string& of) {
    return std::hypot(at_end(run, of + ".x") - x, at_end(run, of + ".y") - y);
  };
  EXPECT_LT(beside("peg_end"), 6e-4);
  EXPECT_GT(beside("peg_end.reference"), 3.5e-3);
  // nothing jams: it follows its reference all the way, and no wall is pressed hard
  const Series z = series(run, "peg_end.z"), wanted = series(run, "peg_end.reference.z");
  for (std::size_t k = 0; k < z.size(); ++k) EXPECT_NEAR(z[k], wanted[k], 1e-3) << k;
  for (int wall = 1; wall <= 8; ++wall)
    EXPECT_LT(largest(series(run, fmt::format("peg_shape-wall{}.normal_force", wall))), 10) << wall;
  // the method's own, of first order where walls are met and left
  EXPECT_LT(largest(series(run, "energy_error")), 1e-4);
  const limber::Run finer = run_scenario(
      read_scenario("peg_in_hole", std::vector<Override>{{"integrator.step", "5e-4"}}));
  EXPECT_LT(largest(series(finer, "energy_error")), 0.6 * largest(series(run, "energy_error")));
}

// an arm that presses on a board that gives way
const std::string press = R"(
duration: 1
robots:
  - model: arm7
    initial: {position: {shoulder_pitch: 0.4, elbow: 1.5, wrist_pitch: 1.0}}
    frames: [{name: tip, link: tool, xyz: [0, 0, 0.12]}]
environments:
  - {name: board, frame: tip, xyz: [0.58, 0, 0.345], normal: [0, 0, 1], stiffness: 8000, damping: 80}
trajectories:
  - {name: rest, frame: tip, segments: [{kind: hold, duration: 1}]}
controllers:
  - {kind: hybrid, frame: tip, trajectory: rest, force: {fz: -5}, kp: 200, kd: 40, force_kp: 0.2, force_ki: 4, posture_kd: 10}
record: {frames: [tip]}
integrator: {method: dopri5, relative_tolerance: 1e-6, absolute_tolerance: 1e-8}
)";

limber::Run run_text(const std::string& text, const std::vector<Override>& changes = {}) {
  return run_scenario(parse_scenario(text, "task.yaml", changes));
}

TEST(Environment, ElasticTransmissionsReachTheWantedForce) {
  const std::string drives = R"(
drives:
  - joint: [shoulder_yaw, shoulder_pitch, shoulder_roll, elbow]
    kind: elastic
    initial_load: gravity
    motor: {torque_constant: 0.1, resistance: 0.4, rotor_inertia: 2e-5, voltage_limit: 96, current_limit: 60}
    stages: [{ratio: 100, input_inertia: 1e-5, output_inertia: 0.01, stiffness: 20000, damping: 60}]
  - joint: [wrist_yaw, wrist_pitch, wrist_roll]
    kind: elastic
    initial_load: gravity
    motor: {torque_constant: 0.05, resistance: 0.4, rotor_inertia: 2e-6, voltage_limit: 96, current_limit: 60}
    stages: [{ratio: 50, input_inertia: 1e-6, output_inertia: 0.001, stiffness: 4000, damping: 6}]
)";
  const limber::Run run = run_text(press + drives, {{"duration", "6"}});
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_NEAR(at_end(run, "board.force"), 5, 1e-2);
  EXPECT_NEAR(at_end(run, "hybrid.measured.fz"), -5, 1e-2);
  EXPECT_LT(at_end(run, "hybrid.position_error"), 2e-3);
  EXPECT_EQ(at_end(run, "board.in_contact"), 1);
  EXPECT_NEAR(at_end(run, "board.z"), -5.0 / 8000, 1e-5);
}

// at rest an impedance gives way by f/K
TEST(Environment, ImpedanceInContactGivesWay) {
  std::string text = press;
  const auto from = text.find("  - {kind: hybrid");
  text = text.substr(0, from) +
         "  - {kind: impedance, frame: tip, trajectory: down, kp: [40, 800], kd: [2, 60], "
         "posture_kd: 10}\n" +
         text.substr(text.find("integrator"));
  const std::string hold = "{name: rest, frame: tip, segments: [{kind: hold, duration: 1}]}";
  text.replace(
      text.find(hold), hold.size(),
      "{name: down, frame: tip, segments: [{kind: line, by: [0, 0, -0.02], duration: 1}]}");
  const limber::Run run = run_text(text, {{"duration", "4"}});
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  // springs of 800 N/m and 8000 N/m in series
  const double z = at_end(run, "tip.reference.z") - 0.345;
  ASSERT_LT(z, -0.01);
  EXPECT_NEAR(at_end(run, "board.force"), -z / (1 / 800.0 + 1 / 8000.0), 2e-3);
  EXPECT_NEAR(at_end(run, "impedance.position_error"), at_end(run, "board.force") / 800, 1e-5);
}

TEST(Environment, MessagesNamePlaceAndWayOut) {
  const auto refusal = [](const std::string& key, const std::string& value) {
    return message_of([&] {
      parse_scenario(press, "task.yaml", std::vector<Override>{{key, value}});
    });
  };
  EXPECT_TRUE(mentions(refusal("environments.board.frame", "tp"), {"task.yaml", "tp", "tip"}));
  EXPECT_TRUE(mentions(refusal("environments.board.on", "table"), {"task.yaml", "table"}));
  EXPECT_TRUE(mentions(refusal("environments.board.normal", "[0, 0, 0]"), {"normal", "direction"}));
  EXPECT_TRUE(mentions(refusal("environments.board.stiffness", "0"), {"stiffness", "rigid"}));
  EXPECT_TRUE(mentions(refusal("environments.board.kind", "wall"), {"wall", "surface"}));
  EXPECT_TRUE(mentions(refusal("controllers.hybrid.force", "{fw: 3}"), {"fw"}));
  EXPECT_TRUE(mentions(refusal("controllers.hybrid.force", "{}"), {"none found"}));
  EXPECT_TRUE(
      mentions(refusal("controllers.hybrid.force", "{mx: 0, my: 0, mz: 0, fx: 0, fy: 0, fz: 1}"),
               {"none is free"}));
  EXPECT_TRUE(mentions(refusal("controllers.hybrid.frame", "tp"), {"tp"}));
  EXPECT_TRUE(mentions(refusal("controllers.hybrid.from", "press"), {"no segment", "press"}));
  EXPECT_TRUE(mentions(refusal("controllers.hybrid.task_frame", "table"), {"table"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
