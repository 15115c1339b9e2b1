// Closed mechanisms in scenario files: from the robot's file, from the scenario, for a while.
#include <limber/scenario/run.hpp>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/io/write.hpp>
#include <limber/report/report.hpp>

#include "support/four_bar.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Cut = MovingFourBar::Cut;
const MovingFourBar bars;
constexpr double theta0 = 0.7, rate0 = 3;

class ScenarioLoops : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    Spec closed = bars.spec(Cut::tip), open = closed;
    open.loops.clear();
    std::ofstream(folder_ / "closed.yaml") << write_robot(closed, RobotFormat::yaml).text;
    std::ofstream(folder_ / "open.yaml") << write_robot(open, RobotFormat::yaml).text;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Scenario scenario(const std::string& robot, const std::string& more) const {
    const std::vector<double> q = bars.q(Cut::tip, theta0), v = bars.v(Cut::tip, theta0, rate0);
    return parse_scenario(
        fmt::format("duration: 1\nrecord: {{interval: 0.1}}\nrobots: [{{model: {}, initial: "
                    "{{position: [{:.17g}, {:.17g}, {:.17g}], velocity: [{:.17g}, {:.17g}, "
                    "{:.17g}]}}}}]\n{}",
                    robot, q[0], q[1], q[2], v[0], v[1], v[2], more),
        (folder_ / "scenario.yaml").string());
  }
  std::string message(const std::string& robot, const std::string& more) const {
    return message_of([&] { run_scenario(scenario(robot, more)); });
  }

  const fs::path folder_ =
      fs::temp_directory_path() / (std::string("limber_scenario_loops_") +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

const std::string tip =
    "{name: tip, kind: joint, joint_kind: revolute, axis: [0, -1, 0], body_a: coupler, xyz_a: "
    "[0.9, 0, 0], body_b: rocker, xyz_b: [0.7, 0, 0]}";

TEST_F(ScenarioLoops, AreClosedAndKeptClosedAsTheScenarioSays) {
  const double expected = bars.moved({theta0, rate0}, 1, 10000).theta;
  for (const std::string& more :
       {std::string(), std::string("loops: project\n"), std::string("loops: baumgarte\n"),
        std::string("loops: independent\n"),
        std::string("loops: {drift: baumgarte, rate: 50, tolerance: 1e-10}\n")}) {
    SCOPED_TRACE(more);
    const limber::Run run = run_scenario(scenario("closed.yaml", more));
    ASSERT_EQ(run.status, RunStatus::finished) << run.message;
    EXPECT_NEAR(run.recording.series("crank_hinge.position").back(), expected, 1e-7);
    ASSERT_TRUE(run.loops);
    EXPECT_EQ(run.loops->loops, 1);
    EXPECT_EQ(run.loops->rows, 5);
    EXPECT_EQ(run.loops->rank, 2);
    EXPECT_EQ(run.loops->freedoms, 1);
    EXPECT_LT(largest_of(run, "Loop gap")->value, 1e-7);
    EXPECT_GT(largest_of(run, "Loop forces")->value, 1);
  }
}

TEST_F(ScenarioLoops, TheScenarioMayCloseThem) {
  const limber::Run own = run_scenario(scenario("closed.yaml", ""));
  const limber::Run given =
      run_scenario(scenario("open.yaml", "loops: {closures: [" + tip + "]}\n"));
  EXPECT_EQ(own.recording.values, given.recording.values);
}

TEST_F(ScenarioLoops, OpenOnesAreOpen) {
  const limber::Run run = run_scenario(scenario("closed.yaml, loops: open", ""));
  EXPECT_FALSE(run.loops);
  const limber::Run open = run_scenario(scenario("open.yaml", ""));
  EXPECT_EQ(run.recording.values, open.recording.values);
}

TEST_F(ScenarioLoops, GraspsCloseThemForAWhile) {
  const limber::Run own = run_scenario(scenario("closed.yaml", ""));
  const limber::Run grasped =
      run_scenario(scenario("open.yaml", "grasps: [{closure: " + tip + ", until: 0.5}]\n"));
  ASSERT_EQ(grasped.status, RunStatus::finished) << grasped.message;
  const auto place = [](const limber::Run& run, std::size_t k) {
    return run.recording.series("rocker_hinge.position")[k];
  };
  EXPECT_NEAR(place(grasped, 4), place(own, 4), 1e-9);
  EXPECT_GT(std::abs(place(grasped, 9) - place(own, 9)), 1e-2);
  ASSERT_EQ(grasped.events.size(), 1u);
  EXPECT_TRUE(mentions(grasped.events[0].text, {"loop 'tip' opened"}));
}

TEST_F(ScenarioLoops, TheSummarySaysWhatTheyAre) {
  Scenario moved = scenario("closed.yaml", "");
  moved.q[1] += 1e-5;
  const limber::Run run = run_scenario(moved);
  const RunSummary summary = summary_of(moved, run);
  std::string all;
  for (const Fact& fact : summary.facts) all += fact.label + ": " + fact.value + "\n";
  EXPECT_TRUE(
      mentions(all, {"Closed loops: 1 loop with 5 rows of rank 2: 1 freedom, 3 redundant",
                     "Indeterminate loop forces: tip.", "Largest loop gap", "Largest loop force"}));
  EXPECT_TRUE(mentions(summary.warnings, {"loop 'tip' is open by", "closed"}));
}

// a mapping names the crank alone: the loop decides about the others
TEST_F(ScenarioLoops, AStartThatIsOpenIsAssembledAroundTheJointsThatItNames) {
  const Scenario named = parse_scenario(
      "duration: 0.1\nrobots: [{model: closed.yaml, initial: {position: {crank_hinge: 0.7, "
      "coupler_hinge: 0.3, rocker_hinge: 1.5}, velocity: {crank_hinge: 3}}}]\n",
      (folder_ / "scenario.yaml").string());
  EXPECT_EQ(named.simulation.loops.chosen_positions.size(), 3u);
  EXPECT_EQ(named.simulation.loops.chosen_velocities, std::vector<std::string>{"crank_hinge"});
  const limber::Run run = run_scenario(named);
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  const std::vector<double> q = bars.q(Cut::tip, theta0), v = bars.v(Cut::tip, theta0, rate0);
  EXPECT_EQ(run.recording.series("crank_hinge.position").front(), theta0);
  EXPECT_NEAR(run.recording.series("rocker_hinge.position").front(), q[2], 1e-10);
  EXPECT_NEAR(run.recording.series("crank_hinge.position").back(),
              bars.moved({theta0, rate0}, 0.1, 1000).theta, 1e-8);
  ASSERT_TRUE(run.start_assembly);
  EXPECT_EQ(run.start_assembly->freed, (std::vector<std::string>{"coupler_hinge", "rocker_hinge"}));
  const RunSummary summary = summary_of(named, run);
  std::string all;
  for (const Fact& fact : summary.facts) all += fact.label + ": " + fact.value + "\n";
  EXPECT_TRUE(mentions(all, {"Assembled at the start: ", "coupler_hinge by "}));
  EXPECT_TRUE(mentions(summary.warnings, {"assembled by moving", "rocker_hinge by"}));
}

TEST_F(ScenarioLoops, WhatIsWrongIsNamed) {
  EXPECT_TRUE(mentions(message("closed.yaml", "loops: weld\n"), {"loops", "project"}));
  EXPECT_TRUE(mentions(message("closed.yaml", "loops: {rate: 3}\n"), {"rate", "baumgarte"}));
  EXPECT_TRUE(mentions(message("closed.yaml", "loops: {drift: baumgarte, rate: 1e5}\n"),
                       {"rate", "stable"}));
  EXPECT_TRUE(
      mentions(message("closed.yaml", "loops: independent\nintegrator: {method: midpoint}\n"),
               {"midpoint"}));
  EXPECT_TRUE(mentions(message("open.yaml", "grasps: [{from: 1}]\n"), {"closure"}));
  EXPECT_TRUE(mentions(message("open.yaml",
                               "grasps: [{closure: {name: x, kind: weld, body_a: nail, body_b: "
                               "rocker}}]\n"),
                       {"nail"}));
  const std::string far = message_of([&] {
    Scenario moved = scenario("closed.yaml", "loops: {start: as_given}\n");
    moved.q[1] += 0.4;
    run_scenario(moved);
  });
  EXPECT_TRUE(mentions(far, {"loop 'tip' is open by", "loops: open"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
