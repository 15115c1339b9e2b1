// limber simulate as a user calls it.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/report/recording_files.hpp>
#include <limber/report/report.hpp>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

// a folder of this test, gone afterwards
class Simulate : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::temp_directory_path() / ("limber_simulate_" + std::to_string(::getpid()) + "_" +
                                     testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  Outcome simulate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--output", in_folder("out")});
    return run_limber(arguments);
  }
  fs::path folder_;
};

TEST_F(Simulate, WithoutAScenarioListsTheShippedOnes) {
  const Outcome outcome = run_limber({"simulate"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* name : {"double_pendulum", "puma_pick_and_place", "elastic_arm", "free_fall"})
    EXPECT_NE(outcome.out.find(name), std::string::npos) << outcome.out;
}

TEST_F(Simulate, LeavesRecordingsAndReport) {
  const Outcome outcome =
      simulate({"puma_pick_and_place", "--set", "duration=0.5", "--set", "record.interval=0.01",
                "--recording", "csv,json,h5", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json summary = outcome.lines().at(0);
  EXPECT_EQ(summary["status"], "finished");
  EXPECT_EQ(summary["simulated"], 0.5);
  EXPECT_EQ(summary["records"], 51);
  const Recording recording = read_csv_recording(in_folder("out/recording.csv"));
  EXPECT_EQ(recording.rows(), 51u);
  EXPECT_EQ(recording.columns[recording.column("shoulder.current")].unit, "A");
  std::ifstream json(in_folder("out/recording.json"));
  EXPECT_EQ(Json::parse(json)["rows"].size(), 51u);
  EXPECT_TRUE(fs::exists(in_folder("out/recording.h5")));
  EXPECT_EQ(fs::exists(in_folder("out/report.html")), reports_available());
}

TEST_F(Simulate, TheSameSeedGivesTheSameFile) {
  const auto text = [&] {
    EXPECT_EQ(simulate({"puma_pd", "--set", "duration=0.3", "--set",
                        "controllers.0.position_noise=1e-4", "--no-report"})
                  .status,
              0);
    std::ifstream file(in_folder("out/recording.csv"));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string first = text();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, text());
}

// every number of every row, also of sensors with noise and delay, and of drives
TEST_F(Simulate, GoesOnFromASavedStateWithTheSameBits) {
  const std::string saved = in_folder("saved.json"), noise = "controllers.0.position_noise=1e-4";
  const auto recording = [&](std::vector<std::string> arguments) {
    arguments.push_back("--no-report");
    const Outcome outcome = simulate(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::ifstream file(in_folder("out/recording.csv"));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const std::vector<std::string>& scenario :
       {std::vector<std::string>{"double_pendulum"},
        {"elastic_arm"},
        {"puma_pd", "--set", noise, "--set", "controllers.0.delay=2"}}) {
    const auto with = [&](const std::vector<std::string>& more) {
      std::vector<std::string> all = scenario;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    const std::string whole = recording(with({"--set", "duration=1"}));
    recording(with({"--set", "duration=0.4567", "--save", saved}));
    EXPECT_TRUE(recording(with({"--set", "duration=1", "--resume", saved})) == whole)
        << scenario[0];
  }
}

TEST_F(Simulate, DivergenceHasStatusOneAndAReadableRecording) {
  const std::string file = in_folder("unstable.yaml");
  std::ofstream(file) << "duration: 5\nrobots: [{model: pendulum, initial: {position: [1]}}]\n"
                         "integrator: {method: euler, step: 1e-2}\n"
                         "trajectories: [{name: rest, segments: []}]\n"
                         "controllers: [{kind: pd, trajectory: rest, kp: 1e6}]\n";
  const Outcome outcome = simulate({file});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("diverged at t = "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("joint '"), std::string::npos) << outcome.err;
  EXPECT_GE(read_csv_recording(in_folder("out/recording.csv")).rows(), 1u);
  EXPECT_EQ(fs::exists(in_folder("out/report.html")), reports_available());
}

TEST_F(Simulate, CtrlCKeepsWhatWasComputed) {
  const Outcome outcome = run_shell(
      "timeout --foreground --preserve-status -s INT 1 $LIMBER simulate double_pendulum --set "
      "duration=100000 "
      "--set record.interval=0.1 --output " +
      in_folder("out"));
  EXPECT_EQ(outcome.status, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted at t = "), std::string::npos) << outcome.err;
  EXPECT_GT(read_csv_recording(in_folder("out/recording.csv")).rows(), 10u);
}

TEST_F(Simulate, MistakesHaveStatusTwoAndARemedy) {
  const auto refused = [&](std::vector<std::string> arguments, const std::string& part) {
    const Outcome outcome = simulate(std::move(arguments));
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({"double_pendlum"}, "did you mean 'double_pendulum'");
  refused({"nowhere.yaml"}, "nowhere.yaml");
  refused({"double_pendulum", "--set", "duration"}, "PATH=VALUE");
  refused({"double_pendulum", "--set", "duratoin=1"}, "did you mean 'duration'");
  refused({"double_pendulum", "--resume", "nowhere.json"}, "nowhere.json");
  refused({"double_pendulum", "--recording", "xls"}, "xls");
  const std::string bad = in_folder("bad.yaml");
  std::ofstream(bad) << "duration: 1\nrobots: [{model: pendulum}]\nintegrater: {}\n";
  refused({bad}, "bad.yaml:3: unknown key 'integrater'");
}

TEST_F(Simulate, OneReportShowsBothControllers) {
  const Outcome outcome = simulate({"puma_pick_and_place", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string fact =
      outcome.lines().at(0)["facts"]["Tracking error of 'PD and gravity compensation'"];
  EXPECT_NE(fact.find("times this one's"), std::string::npos) << fact;
  if (!reports_available()) return;
  std::ifstream file(in_folder("out/report.html"));
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(page.find(R"("compared":["PD and gravity compensation"])"), std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
