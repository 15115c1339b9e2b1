// Scenario files: what they become, and what is said of mistakes in them.
#include <limber/scenario/scenario.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <limber/dynamics/energy.hpp>
#include <limber/io/load.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/scenario/run.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::string pendulum = R"(duration: 1
robots:
  - model: double_pendulum
    initial:
      position: {shoulder: pi/2, elbow: -0.25}
      velocity: [0.5, 1]
)";

std::string message_of(const std::string& text, std::vector<Override> overrides = {}) {
  try {
    parse_scenario(text, "test.yaml", overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_message(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = message_of(text);
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
}

TEST(Scenario, ReadsRobotStateAndDefaults) {
  const Scenario s = parse_scenario(pendulum, "test.yaml");
  EXPECT_EQ(s.title, "test");
  EXPECT_EQ(s.simulation.integrator.method, "rk4");
  EXPECT_DOUBLE_EQ(s.q[0], M_PI / 2);
  EXPECT_DOUBLE_EQ(s.q[1], -0.25);
  EXPECT_EQ(s.v, (std::vector<double>{0.5, 1}));
}

TEST(Scenario, SeveralRobotsAreOneModelWithPrefixes) {
  const Scenario s = parse_scenario(R"(
duration: 1
robots:
  - {model: double_pendulum, name: left, xyz: [0, -1, 0], rpy: [0, 0, pi/2]}
  - {model: double_pendulum, name: right, xyz: [0, 1, 0], initial: {position: {elbow: 0.3}}}
  - {model: quadruped, name: dog, xyz: [2, 0, 1]}
)",
                                    "test.yaml");
  const Model alone = load("double_pendulum"), dog = load("quadruped");
  EXPECT_EQ(s.model.nv, 2 * alone.nv + dog.nv);
  EXPECT_NEAR(s.model.mass(), 2 * alone.mass() + dog.mass(), 1e-12);
  EXPECT_DOUBLE_EQ(s.q[3], 0.3);
  Workspace ws(s.model), ws_alone(alone);
  const Poses& bodies = forward_kinematics<double>(s.model, s.q, ws);
  const std::vector<double> zero = {0, 0};
  const Poses& bodies_alone = forward_kinematics<double>(alone, zero, ws_alone);
  const Transform<double> own = frame_pose(alone, bodies_alone, alone.frame("lower"));
  const Transform<double> left = frame_pose(s.model, bodies, s.model.frame("left.lower"));
  EXPECT_NEAR(left.p.x, -own.p.y, 1e-12);
  EXPECT_NEAR(left.p.y, own.p.x - 1, 1e-12);
  EXPECT_NEAR(left.p.z, own.p.z, 1e-12);
}

// forces for a drive that has no model of them: told with the drive's line
TEST(Scenario, DrivesThatCannotBeAskedForForcesAreRefusedWithTheirLine) {
  const std::string text = R"(duration: 1
robots: [{model: pendulum}]
trajectories: [{name: stay, segments: [{kind: hold, duration: 1}]}]
controllers: [{kind: LAW, trajectory: stay, kp: 1}]
drives:
  - {joint: JOINT, kind: linear, C: [[-1]], f: [-1], d: [1], velocity_state: 0}
)";
  const std::string joint = load("pendulum").joint_name[1];
  const auto message = [&](const std::string& law) {
    std::string filled = text;
    filled.replace(filled.find("LAW"), 3, law);
    filled.replace(filled.find("JOINT"), 5, joint);
    return message_of(filled);
  };
  EXPECT_NE(message("computed_torque").find("test.yaml:6"), std::string::npos)
      << message("computed_torque");
  EXPECT_NE(message("computed_torque").find("cannot be asked for forces"), std::string::npos);
  EXPECT_EQ(message("pd").find("forces"), std::string::npos) << message("pd");
}

TEST(Scenario, FloatingBasesBeginWhereTheyArePlaced) {
  const Scenario s = parse_scenario(R"(
duration: 1
robots: [{model: arm7, base: floating, xyz: [1, 2, 3], rpy: [0, 0, pi/2]}]
)",
                                    "test.yaml");
  EXPECT_DOUBLE_EQ(s.q[0], 1);
  EXPECT_DOUBLE_EQ(s.q[2], 3);
  EXPECT_NEAR(s.q[5], std::sqrt(0.5), 1e-12);
}

TEST(Scenario, PayloadsAddTheirMassAndMayBeHidden) {
  const Scenario s = parse_scenario(R"(
duration: 1
robots:
  - model: double_pendulum
    payload:
      - {link: lower, mass: 0.5, com: [0, 0, -1]}
      - {link: lower, mass: 0.25, hidden: yes}
    changes: [{link: upper, mass_factor: 2}, {joint: elbow, damping: 0.5}]
)",
                                    "test.yaml");
  EXPECT_NEAR(s.model.mass(), 2 + 1 + 0.75, 1e-12);
  EXPECT_NEAR(s.nominal.mass(), 2 + 1 + 0.5, 1e-12);
  EXPECT_EQ(s.model.dof[1].damping, 0.5);
}

TEST(Scenario, OverridesReplaceValues) {
  const std::vector<Override> overrides = {{"integrator.step", "2e-3"},
                                           {"robots.double_pendulum.initial.position.elbow", "1"},
                                           {"robots.0.initial.velocity", "[0, 2]"},
                                           {"duration", "3"}};
  const Scenario s = parse_scenario(pendulum, "test.yaml", overrides);
  EXPECT_EQ(s.simulation.integrator.step, 2e-3);
  EXPECT_EQ(s.q[1], 1);
  EXPECT_EQ(s.v[1], 2);
  EXPECT_EQ(s.simulation.duration, 3);
  EXPECT_NE(message_of(pendulum, {{"robots.7.model", "x"}}).find("no entry '7'"),
            std::string::npos);
  EXPECT_NE(message_of(pendulum, {{"duratoin", "1"}}).find("did you mean 'duration'"),
            std::string::npos);
}

TEST(Scenario, MistakesAreToldWithLineAndRemedy) {
  expect_message("duratoin: 1\n", {"test.yaml:1", "duratoin", "did you mean 'duration'"});
  expect_message("robots: [{model: pendulum}]\n", {"duration"});
  expect_message("duration: -1\nrobots: [{model: pendulum}]\n", {"test.yaml:1", "positive"});
  expect_message("duration: 1\n", {"robots"});
  expect_message("duration: 1\nrobots: [{model: pendulm}]\n", {"pendulm", "pendulum"});
  expect_message("duration: 1\nrobots: [{model: nowhere.urdf}]\n", {"nowhere.urdf"});
  expect_message("duration: 1\nrobots:\n  - {model: pendulum}\n  - {model: pendulum}\n",
                 {"several robots", "name"});
  expect_message(pendulum + "integrator: {method: rk5}\n", {"test.yaml:7", "rk5", "rk4"});
  expect_message(pendulum + "integrator: {step: 0}\n", {"test.yaml:7", "step"});
  expect_message(pendulum + "events: [{value: elbo.position}]\n",
                 {"test.yaml:7", "elbow.position"});
  expect_message(pendulum + "record: {frames: [lowr]}\n", {"test.yaml:7", "lower"});
  expect_message(pendulum + "controllers: [{kind: pdd}]\n", {"test.yaml:7", "pdd", "pd"});
  expect_message(pendulum + "controllers: [{kind: pd, trajectory: t}]\n",
                 {"test.yaml:7", "no trajectory"});
  expect_message(pendulum + "drives: [{joint: elbw, motor: {torque_constant: 1, resistance: 1}}]\n",
                 {"test.yaml:7", "elbow"});
  expect_message(pendulum + "drives: [{joint: elbow, motor: {torque_constant: 1}}]\n",
                 {"test.yaml:7", "resistance"});
  expect_message(pendulum +
                     "drives:\n  - {joint: elbow, motor: {torque_constant: 1, resistance: 1}}\n" +
                     "  - {joint: elbow, motor: {torque_constant: 1, resistance: 1}}\n",
                 {"elbow"});
}

TEST(Scenario, ImpossibleTasksAreTold) {
  const std::string arm = R"(duration: 1
robots: [{model: arm7, initial: {position: [0.3, 0.5, 0, -1.2, 0, 0.8, 0]}}]
trajectories:
  - name: reach
    segments:
)";
  expect_message(arm + "      - {kind: line, frame: tool, by: [5, 0, 0], duration: 1}\n",
                 {"test.yaml:6", "out of reach"});
  expect_message(arm + "      - {kind: move, to: [9, 0, 0, 0, 0, 0, 0], duration: 1}\n",
                 {"test.yaml:6", "limit"});
  expect_message(arm + "      - {kind: jump}\n", {"test.yaml:6", "jump", "move"});
}

TEST(Scenario, TheDocumentIsWrittenFromTheTable) {
  std::ifstream file(LIMBER_SOURCE_DIR "/docs/scenario.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), scenario_document())
      << "write it anew: limber simulate --keys > docs/scenario.md";
}

class Shipped : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Scenarios, Shipped, testing::ValuesIn(shipped_scenarios()),
                         [](const auto& test) { return test.param; });

// hard contact for a short while: tests of its own look at it
TEST_P(Shipped, RunsToItsEnd) {
  Scenario scenario = read_scenario(GetParam());
  if (scenario.contacts) {
    scenario.simulation.duration = GetParam() == "balls_in_box" ? 0.02 : 0.2;
    scenario.simulation.record_interval = scenario.simulation.duration / 100;
  }
  EXPECT_FALSE(scenario.description.empty());
  const limber::Run run = run_scenario(scenario);
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_GT(run.recording.rows(), 50u);
  // energy, work and the motion belong together as well as the integrator keeps them
  const auto error = largest_of(run.recording, "Energy error");
  const auto energy = largest_of(run.recording, "Energy");
  ASSERT_TRUE(error && energy);
  EXPECT_LT(error->value, 1e-3 * energy->value);
}

TEST(ShippedScenario, ComputedTorqueTracksTwentyTimesBetterThanPdOfTheSameBandwidth) {
  const limber::Run computed = run_scenario(read_scenario("puma_pick_and_place"));
  const limber::Run pd = run_scenario(read_scenario("puma_pd"));
  const auto small = largest_of(computed.recording, "Tracking error");
  const auto large = largest_of(pd.recording, "Tracking error");
  ASSERT_TRUE(small && large);
  EXPECT_GT(large->value, 20 * small->value) << large->value << " and " << small->value;
  // the rival is a good one: it follows by a few milliradians, and its wrist does not chatter
  EXPECT_LT(large->value, 5e-3);
  const std::vector<double> command = pd.recording.series("wrist_bend.force");
  int turns = 0;
  for (std::size_t k = 2; k < command.size(); ++k)
    turns += (command[k] - command[k - 1]) * (command[k - 1] - command[k - 2]) < -1e-6;
  EXPECT_LT(turns, static_cast<int>(command.size()) / 10);
}

TEST(ShippedScenario, AngularMomentumStaysZeroInFreeFlightWhileTheBodyTurns) {
  const limber::Run run = run_scenario(read_scenario("free_fall"));
  const auto angular = largest_of(run.recording, "Angular momentum");
  ASSERT_TRUE(angular);
  EXPECT_LT(angular->value, 1e-7);
  double turn = 0;
  for (const double qy : run.recording.series("root.qy.position"))
    turn = std::max(turn, 2 * std::asin(std::abs(qy)));
  EXPECT_GT(turn, 0.1);  // [rad], without any moment
}

TEST(ShippedScenario, TheShakenPendulumStaysUpright) {
  const limber::Run run = run_scenario(read_scenario("driven_pendulum"));
  for (const double angle : run.recording.series("swing.position")) EXPECT_NEAR(angle, M_PI, 0.8);
}

// the midpoint rule makes an error of second order that stays where it is
TEST(ShippedScenario, TheDoublePendulumKeepsItsEnergy) {
  const limber::Run run = run_scenario(read_scenario("double_pendulum"));
  const std::vector<double> error = run.recording.series("energy_error");
  double early = 0, late = 0;
  for (std::size_t k = 0; k < error.size(); ++k) {
    double& largest = k < error.size() / 2 ? early : late;
    largest = std::max(largest, std::abs(error[k]));
  }
  EXPECT_LT(early, 3e-3);
  EXPECT_LT(late, 2 * early);
}

TEST(ScenarioWarnings, OfOneFileAreSaidOnceForAllItsRobots) {
  const auto count = [](const std::string& robots) {
    const Scenario scenario =
        parse_scenario("duration: 1\nrobots: [" + robots + "]\n", "test.yaml");
    return std::count_if(
        scenario.warnings.begin(), scenario.warnings.end(),
        [](const std::string& one) { return one.find("triangle") != std::string::npos; });
  };
  const auto alone = count("{model: puma560}");
  EXPECT_GT(alone, 0);
  EXPECT_EQ(count("{model: puma560, name: a}, {model: puma560, name: b, xyz: [2, 0, 0]}"), alone);
}

TEST(SavedRun, SurvivesAsText) {
  const std::vector<Override> half = {{"duration", "0.5"}}, whole = {{"duration", "1"}};
  const Scenario first = read_scenario("puma_pick_and_place", half);
  const Scenario second = read_scenario("puma_pick_and_place", whole);
  const limber::Run begun = run_scenario(first);
  const SavedRun saved = parse_saved_run(second, saved_run_text(first, begun.end), "saved.json");
  RunHooks hooks;
  hooks.resume = &saved;
  const limber::Run continued = run_scenario(second, hooks), at_once = run_scenario(second);
  EXPECT_EQ(continued.end.x, at_once.end.x);
  EXPECT_THROW(parse_saved_run(second, "{}", "saved.json"), Error);
  EXPECT_THROW(parse_saved_run(second, "no json", "saved.json"), Error);
  const Scenario other = read_scenario("double_pendulum");
  EXPECT_THROW(parse_saved_run(other, saved_run_text(first, begun.end), "saved.json"), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
