// Mistakes do not pass silently: doubtful states, joint limits, inaccurate runs, strange inertias.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include <limber/scenario/scenario.hpp>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(DoubtfulState, IsToldOnStandardErrorByEverySubcommand) {
  for (const char* command : {"id", "fd", "mass", "hybrid", "kinematics"}) {
    const Outcome fine = run_limber({command, "puma560", "--json"}, R"({"q":[0,0.8,2.2,0,1,0]})");
    EXPECT_EQ(fine.err, "") << command;
    const Outcome odd = run_limber({command, "puma560", "--json"}, R"({"q":[0,0.8,3.0,0,60,0]})");
    EXPECT_EQ(odd.status, 0);
    EXPECT_EQ(odd.lines().size(), 1u) << odd.out;
    EXPECT_TRUE(has(odd.err,
                    "standard input:1: warning: joint 'elbow' stands at 3 rad, beyond its "
                    "upper limit of 2.35619 rad"))
        << odd.err;
    EXPECT_TRUE(has(odd.err, "60° are 1.0472 rad")) << odd.err;
  }
}

TEST(DoubtfulState, ManyOfThemAreCounted) {
  std::string states;
  for (int k = 0; k < 25; ++k) states += "{\"q\":[9,0,0,0,0,0]}\n";
  const Outcome outcome = run_limber({"mass", "puma560", "--json"}, states);
  EXPECT_EQ(outcome.lines().size(), 25u);
  EXPECT_TRUE(has(outcome.err, "standard input:10: warning")) << outcome.err;
  EXPECT_FALSE(has(outcome.err, "standard input:11: warning")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "and 15 more warnings like these")) << outcome.err;
}

TEST(DoubtfulState, FastOnesToo) {
  const std::string robot = temporary_file(
      R"(<robot name="r"><link name="b"/><link name="l"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="revolute"><parent link="b"/><child link="l"/><axis xyz="0 0 1"/>
      <limit lower="-1" upper="1" velocity="2" effort="9"/></joint></robot>)",
      ".urdf");
  const Outcome outcome = run_limber({"id", robot, "--json"}, R"({"q":[0],"v":[2.5]})");
  EXPECT_TRUE(has(outcome.err, "'j' moves with 2.5 rad/s, beyond its velocity limit of 2 rad/s"))
      << outcome.err;
}

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// states and commands that the README, the pages, the demo and --help show, of shipped robots
TEST(DoubtfulState, NoneIsShownToUsers) {
  const fs::path source = LIMBER_SOURCE_DIR;
  std::vector<fs::path> files = {source / "README.md", source / "scripts/demo.sh"};
  for (const char* folder : {"docs", "app"})
    for (const auto& entry : fs::directory_iterator(source / folder))
      if (entry.path().extension() == ".md" || entry.path().extension() == ".cpp")
        files.push_back(entry.path());
  const std::regex shown(
      "(?:echo|show_for_state) '(\\{[^']*\\})' *\\|?\n? *(?:limber )?"
      "(id|fd|mass|hybrid|kinematics|jacobian) "
      "(puma560|pendulum|double_pendulum|arm7|quadruped|humanoid)\\b");
  int count = 0;
  for (const fs::path& file : files) {
    const std::string text = contents(file);
    for (std::sregex_iterator at(text.begin(), text.end(), shown), end; at != end; ++at, ++count) {
      std::vector<std::string> words = {(*at)[2], (*at)[3]};
      if (words[0] == "jacobian") words[0] = "mass";
      const bool is_the_point = has(at->suffix().str().substr(0, 200), "warning: ");
      if (is_the_point) continue;
      const std::string err = run_limber(words, (*at)[1]).err;
      EXPECT_FALSE(has(err, "warning")) << file << ": " << at->str() << "\n" << err;
    }
  }
  EXPECT_GE(count, 15);
}

class HonestRun : public testing::Test {
 protected:
  Outcome simulate(const std::string& scenario, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"simulate", scenario,   "--recording",
                                      "none",     "--output", (folder_ / "out").string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_limber(words);
  }
  // a build without npm writes none
  void expect_report(const std::string& words) const {
    const fs::path file = folder_ / "out/report.html";
    if (fs::exists(file)) {
      EXPECT_TRUE(has(contents(file), words)) << words;
    }
  }
  ~HonestRun() override { fs::remove_all(folder_); }

 private:
  fs::path folder_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(HonestRun, ThatIsInaccurateSaysSoWithAStepThatWouldDo) {
  const std::vector<std::string> coarse = {"--set", "integrator.method=rk4", "--set",
                                           "integrator.step=0.1"};
  const Outcome outcome = simulate("double_pendulum", coarse);
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "Double pendulum: finished, inaccurate\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "J exchanged")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "a step of 0.01 s does (tried on the first ")) << outcome.out;
  expect_report(R"x("status":"finished, inaccurate","ok":false)x");
  std::vector<std::string> json = coarse;
  json.insert(json.end(), {"--json", "--no-report"});
  const Outcome line = simulate("double_pendulum", json);
  EXPECT_EQ(line.status, 3);
  ASSERT_EQ(line.lines().size(), 1u);
  EXPECT_EQ(line.lines()[0]["status"], "finished, inaccurate");
  EXPECT_GT(line.lines()[0]["accuracy"]["energy_error"], 5);
  json[3] = "integrator.step=0.01";
  EXPECT_EQ(simulate("double_pendulum", json).status, 0);
}

TEST_F(HonestRun, ThatPassedALimitSaysSoOnTop) {
  const std::string file = temporary_file(R"(title: fall
duration: 2
robots:
  - {model: double_pendulum, initial: {position: [1, 0]}, changes: [{joint: shoulder, lower: -0.5}]}
)",
                                          ".yaml");
  const Outcome bumped = simulate(file, {});
  EXPECT_EQ(bumped.status, 0) << bumped.err;
  EXPECT_TRUE(bumped.out.starts_with("fall: finished, joint limits passed (shoulder)\n"))
      << bumped.out;
  EXPECT_TRUE(has(bumped.out, "joint 'shoulder' passed its lower limit of -0.5 rad by up to 0.0"));
  EXPECT_TRUE(has(bumped.out, "its bumper pushed back")) << bumped.out;
  expect_report(R"x("status":"finished, joint limits passed (shoulder)","ok":true)x");
  const Outcome watched = simulate(file, {"--set", "joint_limits={at_limit: watch}", "--json"});
  ASSERT_EQ(watched.lines().size(), 1u);
  const Json limits = watched.lines()[0]["limits_passed"];
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_EQ(limits[0]["joint"], "shoulder");
  EXPECT_GT(limits[0]["depth"], 0.3);
}

TEST_F(HonestRun, ThatBeginsInDegreesSaysSo) {
  const std::string file = temporary_file(R"(duration: 0.1
robots: [{model: double_pendulum, initial: {position: [45, 0]}}]
)",
                                          ".yaml");
  const Outcome outcome = simulate(file, {"--no-report"});
  EXPECT_TRUE(has(outcome.out, "warning: where the run begins: joint 'shoulder' stands at 45 rad"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "45° are 0.785398 rad")) << outcome.out;
}

TEST_F(HonestRun, OfEveryShippedScenarioIsPlainlyFinished) {
  for (const std::string& name : shipped_scenarios()) {
    std::vector<std::string> options{"--no-report", "--json", "--set", "compare=[]"};
    if (read_scenario(name).contacts)  // for a short while
      options.insert(options.end(),
                     {"--set", name == "balls_in_box" ? "duration=0.02" : "duration=0.2"});
    const Outcome outcome = simulate(name, options);
    EXPECT_EQ(outcome.status, 0) << name << outcome.err;
    ASSERT_EQ(outcome.lines().size(), 1u);
    EXPECT_EQ(outcome.lines()[0]["status"], "finished") << name;
    EXPECT_TRUE(outcome.lines()[0]["limits_passed"].empty()) << name;
    for (const Json& warning : outcome.lines()[0]["warnings"])
      EXPECT_FALSE(has(warning, "where the run begins")) << warning;
  }
}

TEST(InfoCommand, WarnsOfInertiasThatDoNotFit) {
  const std::string robot = temporary_file(
      R"(<robot name="r"><link name="base"/><link name="arm"><inertial><origin xyz="0 0 0.2"/><mass value="2"/>
      <inertia ixx="0.5" iyy="0.5" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="tip"/>
      <joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="1 0 0"/></joint>
      <joint name="end" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="0 0 0.24"/></joint></robot>)",
      ".urdf");
  EXPECT_TRUE(has(run_limber({"info", robot}).out,
                  "link 'arm': inertia has a radius of gyration of 0.5 m"));
  const Outcome json = run_limber({"info", robot, "--json"});
  ASSERT_EQ(json.lines().size(), 1u);
  EXPECT_EQ(json.lines()[0]["warnings"].size(), 1u);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
