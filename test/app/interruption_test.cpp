// What ends a run: signals, kill -9, a full disk; what is left then, and how it goes on. With
// LIMBER_KILLS=100 in the environment a hundred runs are killed instead of ten.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Columns = std::vector<std::vector<double>>;

std::string contents(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// the command as a process of its own, which can be sent signals
class Command {
 public:
  explicit Command(const Words& arguments, rlim_t largest_file = RLIM_INFINITY,
                   const std::string& messages = "/dev/null") {
    Words words = arguments;
    words.insert(words.begin(), {LIMBER_COMMAND, "simulate"});
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    child_ = ::fork();
    if (child_ != 0) return;
    const int out = ::open("/dev/null", O_WRONLY),
              err = ::open(messages.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, 1);
    ::dup2(err, 2);
    const rlimit limit{largest_file, largest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  void send(int signal) const { ::kill(child_, signal); }
  /// Waits for a file of the run; false: the run ended without it.
  bool makes(const std::string& file) const {
    while (!fs::exists(file)) {
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid != 0) return fs::exists(file);
      ::usleep(1000);
    }
    return true;
  }
  pid_t process() const { return child_; }
  /// Exit status; minus the signal that ended it.
  int wait() {
    int status = 0;
    ::wait4(child_, &status, 0, &usage_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  long peak_kilobytes() const { return usage_.ru_maxrss; }

 private:
  pid_t child_ = -1;
  rusage usage_{};
};

// the datasets of a file in the order of their names, also of one that was left open
Columns read_hdf5(const fs::path& file) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) id = H5Fopen(file.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  EXPECT_GE(id, 0) << file << " cannot be opened";
  Columns columns;
  const auto read = [](hid_t group, const char* name, const H5L_info_t*, void* to) {
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(dataset);
    hsize_t size = 0;
    H5Sget_simple_extent_dims(space, &size, nullptr);
    std::vector<double> values(size);
    if (size > 0) {
      EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                0);
    }
    static_cast<Columns*>(to)->push_back(std::move(values));
    H5Sclose(space);
    H5Dclose(dataset);
    return herr_t{0};
  };
  H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, read, &columns);
  H5Fclose(id);
  return columns;
}

class Interruption : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("limber_interruption_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  // a recording that is complete or was left behind; none at all: an empty path
  fs::path left(const std::string& folder, const std::string& kind) const {
    const fs::path file = folder_ / folder / ("recording." + kind);
    const fs::path part = file.string() + ".part";
    return fs::exists(part) ? part : fs::exists(file) ? file : fs::path();
  }

  // Every complete row of a text is that of the whole run, but for the last one: an interrupted run
  // records where it ended.
  void expect_beginning_of(const std::string& whole, std::string text, const std::string& end) {
    if (text.ends_with("\n]}\n")) text.resize(text.size() - 4);
    text.erase(std::min(text.rfind(end), text.size()));
    const std::size_t last = text.rfind('\n');
    if (last == std::string::npos) return;
    EXPECT_TRUE(text.substr(0, last) == whole.substr(0, last)) << "up to byte " << last;
  }
  void expect_beginnings(const std::string& folder) {
    if (const fs::path csv = left(folder, "csv"); !csv.empty())
      expect_beginning_of(contents(folder_ / "whole/recording.csv"), contents(csv), "\n");
    if (const fs::path json = left(folder, "json"); !json.empty())
      expect_beginning_of(contents(folder_ / "whole/recording.json"), contents(json), "]");
    const fs::path hdf5 = left(folder, "h5");
    if (hdf5.empty()) return;
    const Columns some = read_hdf5(hdf5), all = read_hdf5(folder_ / "whole/recording.h5");
    ASSERT_EQ(some.size(), all.size());
    std::size_t rows = some[0].size();
    for (const auto& column : some) rows = std::min(rows, column.size());
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t row = 0; row + 1 < rows; ++row)
        ASSERT_EQ(some[k][row], all[k].at(row)) << "column " << k << ", row " << row;
  }
  void expect_same(const std::string& folder) {
    for (const char* name : {"recording.csv", "recording.json"})
      EXPECT_TRUE(contents(folder_ / folder / name) == contents(folder_ / "whole" / name)) << name;
    EXPECT_TRUE(read_hdf5(folder_ / folder / "recording.h5") ==
                read_hdf5(folder_ / "whole/recording.h5"));
  }
  fs::path folder_;
};

int kills_wanted() {
  const char* text = std::getenv("LIMBER_KILLS");
  return text ? std::max(std::atoi(text), 1) : 10;
}

// runs are ended at random instants, go on, are ended again, and in the end have recorded the same
// as a run that nothing has happened to
TEST_F(Interruption, NothingIsLostAndNoBitIsAnother) {
  std::mt19937 random(11);
  const Words methods = {"rk4", "dopri5", "cvode_adams", "pece_b2", "midpoint", "cvode_bdf"};
  const int kills = kills_wanted();
  for (int round = 0, done = 0; done < kills; ++round) {
    const std::string method = methods[static_cast<std::size_t>(round) % methods.size()];
    Words common = {"double_pendulum", "--no-report", "--recording", "csv,json,h5"};
    for (const std::string& setting :
         {"integrator.method=" + method, std::string("integrator.step=2e-4"),
          std::string("duration=20.00003"), std::string("record.interval=2e-3")})
      common.insert(common.end(), {"--set", setting});
    const auto with = [&](const Words& more) {
      Words all = common;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    fs::remove_all(folder_ / "whole");
    fs::remove_all(folder_ / "out");
    fs::remove(in_folder("state"));
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(Command(with({"--output", in_folder("whole")})).wait(), 0);
    const auto length = std::chrono::steady_clock::now() - begin;
    // ended by kill -9, SIGTERM and a full disk in turn, until a piece reaches the end
    int status = 1;
    for (int piece = 0; status != 0; ++piece) {
      const bool saved = fs::exists(in_folder("state"));
      Words arguments = with(
          {"--output", in_folder("out"), "--save", in_folder("state"), "--save-every", "0.01"});
      if (saved) arguments.insert(arguments.end(), {"--resume", in_folder("state")});
      const int how = piece > 3 ? 3 : (round + piece) % 3;
      const rlim_t most =
          how == 2 ? std::uniform_int_distribution<rlim_t>(20000, 2000000)(random) : RLIM_INFINITY;
      Command command(arguments, most);
      if (how < 2) {
        std::uniform_real_distribution<double> part(0, 0.7);
        std::this_thread::sleep_for(length * part(random));
        command.send(how == 0 ? SIGKILL : SIGTERM);
      }
      status = command.wait();
      done += status != 0;
      ASSERT_TRUE(status == 0 || status == 1 || status == -SIGKILL || status == -SIGTERM)
          << status << ", " << method;
      ASSERT_NO_FATAL_FAILURE(expect_beginnings("out")) << method << ", piece " << piece;
      ASSERT_LT(piece, 10);
    }
    ASSERT_NO_FATAL_FAILURE(expect_same("out")) << method;
    ASSERT_FALSE(testing::Test::HasFailure()) << method << ", round " << round;
  }
}

TEST_F(Interruption, SignalsEndTheRunAndKeepEverything) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string out = in_folder("s" + std::to_string(signal));
    Command command({"double_pendulum", "--set", "duration=5e3", "--output", out, "--save",
                     in_folder("state")});
    ASSERT_TRUE(command.makes(out + "/recording.csv.part"));
    ::usleep(300000);
    command.send(signal);
    EXPECT_EQ(command.wait(), 1);
    const std::string text = contents(out + "/recording.csv");
    EXPECT_TRUE(text.ends_with('\n'));
    EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 2);
    EXPECT_FALSE(fs::exists(out + "/recording.csv.part"));
    EXPECT_TRUE(Json::parse(contents(in_folder("state"))).contains("integrator"));
  }
}

TEST_F(Interruption, OneRunAtATimeWritesIntoAFolder) {
  const std::string out = in_folder("out"), messages = in_folder("messages");
  Command first({"double_pendulum", "--set", "duration=5e3", "--output", out});
  ASSERT_TRUE(first.makes(out + "/recording.csv.part"));
  EXPECT_EQ(Command({"double_pendulum", "--output", out}, RLIM_INFINITY, messages).wait(), 2);
  EXPECT_NE(contents(messages).find("process " + std::to_string(first.process())),
            std::string::npos)
      << contents(messages);
  first.send(SIGKILL);
  EXPECT_EQ(first.wait(), -SIGKILL);
  // the lock died with its owner
  EXPECT_EQ(Command({"double_pendulum", "--set", "duration=0.1", "--output", out}).wait(), 0);
  EXPECT_FALSE(fs::exists(out + "/.limber.lock"));
}

TEST_F(Interruption, AFullDiskIsToldAndLeavesWhatWasWritten) {
  for (const char* kind : {"csv", "json", "h5"}) {
    const std::string out = in_folder(kind), messages = in_folder("messages_" + std::string(kind));
    Command command({"double_pendulum", "--no-report", "--set", "duration=5e3", "--set",
                     "record.interval=1e-3", "--recording", kind, "--output", out},
                    2000000, messages);
    EXPECT_EQ(command.wait(), 1) << kind;
    EXPECT_NE(contents(messages).find("File too large"), std::string::npos) << contents(messages);
    EXPECT_FALSE(fs::exists(left(kind, kind).string() + ".part"));
    EXPECT_GT(fs::file_size(left(kind, kind)), 200000u);
  }
  const std::string csv = contents(in_folder("csv/recording.csv"));
  EXPECT_TRUE(csv.ends_with('\n'));
  EXPECT_GT(Json::parse(contents(in_folder("json/recording.json")))["rows"].size(), 100u);
  const Columns columns = read_hdf5(in_folder("h5/recording.h5"));
  for (const auto& column : columns) EXPECT_EQ(column.size(), columns[0].size());
  const std::vector<double>& times = columns.at(10);  // in the order of the names
  EXPECT_GT(times.size(), 100u);
  EXPECT_EQ(std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()), times.end());
}

// rows go to the disk, not into memory: 400 000 of 12 columns would take 38 MB
TEST_F(Interruption, ALongRunTakesNoMoreMemoryThanAShortOne) {
  const auto peak = [&](const char* duration) {
    Command command({"double_pendulum", "--recording", "none", "--no-report", "--set",
                     "integrator.method=rk4", "--set", "record.interval=1e-3", "--set", duration,
                     "--output", in_folder("out")});
    EXPECT_EQ(command.wait(), 0);
    return command.peak_kilobytes();
  };
  const long brief = peak("duration=1"), lengthy = peak("duration=400");
  EXPECT_LT(lengthy, brief + 15000);
}

TEST_F(Interruption, AStateGoesOnInAnotherFolderAndIsRefusedForAnotherRecording) {
  const Words run = {"double_pendulum", "--no-report", "--output"};
  const auto with = [&](const std::string& out, const Words& more) {
    Words all = run;
    all.push_back(in_folder(out));
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string state = in_folder("state"), messages = in_folder("messages");
  ASSERT_EQ(Command(with("a", {"--set", "duration=0.5", "--save", state})).wait(), 0);
  ASSERT_EQ(Command(with("b", {"--set", "duration=0.5", "--set", "gravity=[0,0,-1]"})).wait(), 0);
  const std::string before = contents(in_folder("b/recording.csv"));
  EXPECT_EQ(Command(with("b", {"--resume", state}), RLIM_INFINITY, messages).wait(), 2);
  EXPECT_NE(contents(messages).find("another folder"), std::string::npos) << contents(messages);
  EXPECT_EQ(contents(in_folder("b/recording.csv")), before);
  EXPECT_EQ(Command(with("c", {"--resume", state})).wait(), 0);
  EXPECT_EQ(contents(in_folder("c/recording.csv")).find("\n0,"), std::string::npos);
}

TEST_F(Interruption, WhatIsReadIsNeverOverwrittenAndMistakesAreSeenBeforeTheRun) {
  const std::string out = in_folder("out");
  fs::create_directories(out);
  const std::string scenario = "duration: 0.1\nrobots: [{model: pendulum}]\n";
  const auto refused = [&](const Words& arguments, const std::string& why) {
    const std::string messages = in_folder("messages");
    fs::remove(messages);
    Words all = arguments;
    all.insert(all.end(), {"--output", out});
    EXPECT_EQ(Command(all, RLIM_INFINITY, messages).wait(), 2) << why;
    EXPECT_NE(contents(messages).find(why), std::string::npos) << contents(messages);
    EXPECT_TRUE(left("out", "h5").empty());
  };
  std::ofstream(out + "/report.html") << scenario;
  refused({out + "/report.html", "--recording", "h5"}, "this run reads it");
  EXPECT_EQ(contents(out + "/report.html"), scenario);
  fs::remove(out + "/report.html");
  std::ofstream(out + "/recording.csv") << scenario;
  refused({out + "/recording.csv"}, "this run reads it");
  EXPECT_EQ(contents(out + "/recording.csv"), scenario);
  fs::remove(out + "/recording.csv");
  const std::string file = in_folder("a.yaml"), robot = in_folder("robot.urdf");
  fs::copy_file(two_link_urdf(), robot);
  std::ofstream(file) << "duration: 0.1\nrobots: [{model: robot.urdf}]\n";
  refused({file, "--recording", "h5", "--save", robot}, "this run reads it");
  refused({file, "--recording", "h5", "--save", file}, "this run reads it");
  refused({file, "--recording", "h5", "--save", in_folder("nowhere/state")}, "there is no folder");
  refused({file, "--recording", "h5", "--save", out}, "is a folder");
  refused({file, "--recording", "h5", "--save", "/dev/null"}, "is a device");
  refused({file, "--recording", "h5", "--save", out + "/recording.h5"}, "--save");
  refused({file, "--recording", "h5", "--save-every", "1"}, "add --save");
  ASSERT_EQ(
      Command({file, "--recording", "none", "--output", out, "--save", out + "/recording.json"})
          .wait(),
      0);
  const std::string state = contents(out + "/recording.json");
  refused({file, "--set", "duration=1", "--recording", "json", "--resume", out + "/recording.json"},
          "this run reads it");
  EXPECT_EQ(contents(out + "/recording.json"), state);
  fs::remove(out + "/recording.json");
  std::ofstream(file) << "duration: 0.1\nrobots: [{model: pendulum}]\ncompare: [nowhere]\n";
  refused({file, "--recording", "h5"}, "compare: there is no file");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
