// limber simulate with settings and plug-ins that cannot work: exit status, reason, what is kept.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <limber/report/recording_files.hpp>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

const std::string head =
    "duration: 1\n"
    "robots:\n"
    "  - model: double_pendulum\n"
    "    changes: [{joint: elbow, lower: -1, upper: 1}]\n";

class FailingRun : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  Outcome simulate(const std::string& more) const {
    const std::string file = in_folder("run.yaml");
    std::ofstream(file) << head + more;
    return run_limber({"simulate", file, "--no-report", "--json", "-o", in_folder("out")});
  }
  static std::string plugin(const std::string& fault) {
    return "controllers:\n  - {kind: plugin, name: stranger, file: " FAULTY_PLUGIN
           ", sample_time: 0.1, settings: {fault: '" +
           fault + "', from: 0.45}}\n";
  }

 private:
  fs::path folder_ =
      fs::temp_directory_path() / ("limber_failing_run_" + std::to_string(::getpid()) + "_" +
                                   testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(FailingRun, APluginThatFailsInTheRunHasStatusOneAndKeepsTheRecording) {
  for (const std::string fault : {"int", "exception", "error", "nan"}) {
    const Outcome outcome = simulate(plugin(fault));
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("'stranger'"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("t = 0.5"), std::string::npos) << outcome.err;
    ASSERT_EQ(outcome.lines().size(), 1u);
    EXPECT_EQ(outcome.lines()[0]["status"], "failed");
    EXPECT_GE(read_csv_recording(in_folder("out/recording.csv")).rows(), 50u);  // up to there
  }
}

TEST_F(FailingRun, TheReasonIsPrintedOnce) {
  const std::string file = in_folder("run.yaml");
  std::ofstream(file) << head + plugin("error");
  for (const std::string command : {"simulate", "analyse"}) {
    const Outcome outcome = run_limber({command, file, "--no-report", "-o", in_folder("out")});
    EXPECT_EQ(outcome.status, 1);
    const std::string all = outcome.out + outcome.err, reason = "no command can be given";
    const std::size_t place = all.find(reason);
    ASSERT_NE(place, std::string::npos) << all;
    EXPECT_EQ(all.find(reason, place + 1), std::string::npos) << all;
  }
}

TEST_F(FailingRun, APluginThatMakesNoControllerHasStatusTwo) {
  for (const std::string fault : {"null", "int when made"}) {
    const Outcome outcome = simulate(plugin(fault));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("'stranger'"), std::string::npos) << outcome.err;
  }
}

TEST_F(FailingRun, SettingsThatTakeForEverHaveStatusTwo) {
  for (const std::string setting :
       {"integrator: {step: 1e-300}", "record: {interval: 1e-300}", "record: {interval: 1e-9}",
        "integrator: {event_tolerance: 1e-17}",
        "controllers: [{kind: gravity_compensation, sample_time: 1e-300}]",
        "controllers: [{kind: gravity_compensation, sample_time: 0.1, delay: 1e8}]"}) {
    const Outcome outcome = simulate(setting + "\n");
    EXPECT_EQ(outcome.status, 2) << setting << outcome.err;
    EXPECT_NE(outcome.err.find("run.yaml:5"), std::string::npos) << outcome.err;
  }
}

TEST_F(FailingRun, FinishedMeansComputed) {
  for (const std::string method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    const Outcome outcome = simulate("integrator: {method: " + method + ", max_step: 1e100}\n");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    ASSERT_EQ(outcome.lines().size(), 1u);
    EXPECT_EQ(outcome.lines()[0]["status"], "finished");
    EXPECT_GE(outcome.lines()[0]["steps"], 1);
  }
}

// what is to come is told; the run itself stops at once, beyond a limit
TEST_F(FailingRun, ALongRunIsTold) {
  const Outcome outcome = simulate(
      "    initial: {position: [0, 1.5]}\njoint_limits: {at_limit: stop}\n"
      "integrator: {step: 1e-8}\nrecord: {interval: 1e-4}\n");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("to come: 1e+04 records, 1e+08 steps"), std::string::npos)
      << outcome.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
