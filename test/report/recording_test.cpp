// Recordings under hostile names, killed writers and full disks.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <limber/report/recording_files.hpp>
#include <limber/report/report.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Recordings : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("limber_recordings_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  fs::path folder_;
};

std::string contents(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

const std::vector<Column> plain = {{"time", "s", ""}, {"a", "rad", "A"}, {"b", "", "B"}};

// values that tell which row and column they belong to
std::vector<double> row_of(int k, std::size_t columns) {
  std::vector<double> row;
  for (std::size_t c = 0; c < columns; ++c)
    row.push_back(1.0 / 3 + k + 0.1 * static_cast<double>(c));
  return row;
}

void write_rows(RecordingFile& recording, int from, int to, std::size_t columns) {
  for (int k = from; k < to; ++k) recording.add(row_of(k, columns));
}

// every row is the one that was written; their number
int count_right_rows(const Recording& recording) {
  for (std::size_t k = 0; k < recording.rows(); ++k) {
    const auto row = recording.row(k);
    EXPECT_EQ(std::vector<double>(row.begin(), row.end()),
              row_of(static_cast<int>(k), recording.columns.size()))
        << "row " << k;
  }
  return static_cast<int>(recording.rows());
}

const std::vector<std::string> odd_names = {
    "=1+1", "+a",  "-b",        "@c",   "\td", "\re",      "f\rg", "h\ni", "j, \"k\"",
    "'l",   "'=m", "n [o]",     "",     "p/q", "/",        ".",    "..",   "%41",
    "r",    "r",   "</script>", "\x01", "ü",   "\xff\xfe", "é\xc3"};

std::vector<Column> odd_columns() {
  std::vector<Column> columns = {{"time", "s", ""}};
  for (const std::string& name : odd_names) {
    columns.push_back({name, "", "Odd"});
    columns.push_back({name, "N m", "Odd"});
  }
  return columns;
}

TEST_F(Recordings, CsvTakesAnyNameAndNoneIsAFormula) {
  const std::vector<Column> columns = odd_columns();
  const auto recording = open_recording(file("a.csv"), columns);
  write_rows(*recording, 0, 3, columns.size());
  recording->close();
  const Recording read = read_csv_recording(file("a.csv"));
  ASSERT_EQ(read.columns.size(), columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    EXPECT_EQ(read.columns[k].name, columns[k].name);
    EXPECT_EQ(read.columns[k].unit, columns[k].unit);
  }
  EXPECT_EQ(count_right_rows(read), 3);
  // cells as a spreadsheet sees them
  const std::string text = contents(file("a.csv"));
  bool inside = false, begins = true;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (!inside && c == '\n') break;  // the end of the names
    if (c == '"') {
      inside = !inside;
      continue;
    }
    if (begins) {
      EXPECT_EQ(std::string("=+-@\t\r").find(c), std::string::npos) << "at " << k;
    }
    EXPECT_TRUE(inside || (c != '\r' && c != '\t')) << "at " << k;
    begins = c == ',' && !inside;
  }
}

TEST_F(Recordings, JsonIsValidForAnyNameAndNumber) {
  const std::vector<Column> columns = odd_columns();
  const auto recording = open_recording(file("a.json"), columns);
  std::vector<double> row = row_of(0, columns.size());
  recording->add(row);
  row[1] = INFINITY;
  row[2] = NAN;
  recording->add(row);
  recording->close();
  const Json data = Json::parse(contents(file("a.json")));  // throws for what is not valid
  EXPECT_EQ(data["columns"][1]["name"], "=1+1");
  EXPECT_EQ(data["columns"][47]["name"], "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_TRUE(data["rows"][1][1].is_null());
  EXPECT_TRUE(data["rows"][1][2].is_null());
  EXPECT_EQ(data["rows"][1][3], row[3]);
  EXPECT_TRUE(std::isnan(read_recording(file("a.json")).row(1)[1]));
}

TEST_F(Recordings, Hdf5TakesAnyName) {
  const std::vector<Column> columns = odd_columns();
  const auto recording = open_recording(file("a.h5"), columns);
  write_rows(*recording, 0, 3, columns.size());
  recording->close();
  const Recording read = read_recording(file("a.h5"));
  ASSERT_EQ(read.columns.size(), columns.size());
  EXPECT_EQ(count_right_rows(read), 3);
  for (std::size_t k = 0; k < 40; ++k) EXPECT_EQ(read.columns[k].name, columns[k].name) << k;
  const hid_t id = H5Fopen(file("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (const char* name : {"time", "p%2Fq", "r", "r (2)", "r (3)", "%2541", "%2E", "%"}) {
    const hid_t dataset = H5Dopen2(id, name, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << name;
    H5Dclose(dataset);
  }
  H5Fclose(id);
}

// cut anywhere, as a killed program may leave it: complete rows, and never a wrong one
TEST_F(Recordings, ATornTextIsReadToItsLastCompleteRow) {
  for (const char* kind : {"csv", "json"}) {
    const std::string name = file(std::string("a.") + kind), torn = name + ".part";
    const auto recording = open_recording(name, plain);
    write_rows(*recording, 0, 5, plain.size());
    recording->close();
    const std::string text = contents(name);
    const std::size_t names_end = text.find(kind == std::string("csv") ? "\n" : "[\n") + 1;
    int least = 0;
    for (std::size_t size = names_end; size < text.size(); ++size) {
      std::ofstream(torn, std::ios::binary) << text.substr(0, size);
      const Recording read = read_recording(torn);
      const int rows = count_right_rows(read);
      EXPECT_GE(rows, least);
      EXPECT_LE(rows, 5);
      least = rows;
      const bool complete = text[size - 1] == '\n' && kind == std::string("csv");
      EXPECT_EQ(read.notice.empty(), complete || text.substr(0, size).ends_with("]}")) << size;
    }
    EXPECT_GE(least, 4);
    EXPECT_TRUE(read_recording(name).notice.empty());
  }
}

// runs `work` in a process of its own, which `limit` may end; its status
template <class F>
int in_a_process(F&& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(Recordings, WhatWasFlushedSurvivesAKilledProgram) {
  for (const char* kind : {"csv", "json", "h5"}) {
    const std::string name = file(std::string("k.") + kind);
    std::ofstream(name) << "an earlier recording";
    const int status = in_a_process([&] {
      const auto recording = open_recording(name, plain);
      write_rows(*recording, 0, 1500, plain.size());
      recording->flush();
      write_rows(*recording, 1500, 1510, plain.size());
      std::raise(SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(contents(name), "an earlier recording");
    EXPECT_GE(count_right_rows(read_recording(name + ".part")), 1500) << kind;
    // the next recording keeps it
    open_recording(name, plain)->close();
    EXPECT_EQ(read_recording(name).rows(), 0u);
    EXPECT_GE(count_right_rows(read_recording(name + ".killed")), 1500) << kind;
  }
}

// in the middle of writing
TEST_F(Recordings, Hdf5IsReadableWheneverItsWriterIsKilled) {
  std::mt19937 random(7);
  const std::vector<Column> columns = [] {
    std::vector<Column> all;
    for (int k = 0; k < 12; ++k) all.push_back({"c" + std::to_string(k), "", ""});
    return all;
  }();
  for (int round = 0; round < 10; ++round) {
    const std::string name = file("r" + std::to_string(round) + ".h5");
    const pid_t child = ::fork();
    if (child == 0) {
      const auto recording = open_recording(name, columns);
      recording->flush();
      std::ofstream(name + ".begun");
      for (int k = 0;; ++k) {
        recording->add(row_of(k, columns.size()));
        if (k % 7 == 0) recording->flush();
      }
    }
    while (!fs::exists(name + ".begun")) ::usleep(1000);
    ::usleep(std::uniform_int_distribution<useconds_t>(0, 100000)(random));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    count_right_rows(read_recording(name + ".part"));
  }
}

// neither crashes nor waits for a writer that will not come
TEST_F(Recordings, TruncatedHdf5IsRefused) {
  const auto recording = open_recording(file("t.h5"), plain);
  write_rows(*recording, 0, 3000, plain.size());
  recording->close();
  const std::string text = contents(file("t.h5"));
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{50}, std::size_t{195},
                                 std::size_t{703}, std::size_t{5000}, text.size() / 2}) {
    std::ofstream(file("cut.h5"), std::ios::binary) << text.substr(0, size);
    EXPECT_THROW(read_recording(file("cut.h5")), Error) << size;
  }
}

TEST_F(Recordings, AFullDiskLeavesCompleteRowsAndNoZeros) {
  for (const char* kind : {"csv", "json", "h5"}) {
    const std::string name = file(std::string("f.") + kind);
    const int status = in_a_process([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{3000001, 3000001};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      const auto recording = open_recording(name, plain);
      try {
        write_rows(*recording, 0, 10000000, plain.size());
      } catch (const Error& error) {
        const bool said = std::string(error.what()).find("File too large") != std::string::npos;
        recording->close();
        ::_exit(said ? 7 : 8);
      }
    });
    EXPECT_EQ(WEXITSTATUS(status), 7) << kind;
    EXPECT_GT(count_right_rows(read_recording(name)), 10000) << kind;
    if (kind == std::string("json")) {
      EXPECT_NO_THROW(read_recording(name));
    }
  }
}

TEST_F(Recordings, ARecordingGoesOnOnlyInItsOwnRun) {
  for (const char* kind : {"csv", "json", "h5"}) {
    const std::string whole = file(std::string("whole.") + kind),
                      name = file(std::string("pieces.") + kind);
    RecordingMark mark;
    for (int k = 0; k < 1200; ++k) mark.add(row_of(k, plain.size()));
    EXPECT_EQ(find_recording(name, plain, mark), std::nullopt);
    {
      const auto all = open_recording(whole, plain);
      write_rows(*all, 0, 3000, plain.size());
      const auto first = open_recording(name, plain);
      write_rows(*first, 0, 1234, plain.size());
    }
    const auto earlier = find_recording(name, plain, mark);
    ASSERT_TRUE(earlier);
    int received = 0;
    {
      const auto second = continue_recording(name, plain, *earlier, mark,
                                             [&](std::span<const double>) { ++received; });
      write_rows(*second, 1200, 3000, plain.size());
    }
    EXPECT_EQ(received, 1200);
    EXPECT_EQ(count_right_rows(read_recording(name)), 3000);
    if (kind != std::string("h5")) {
      EXPECT_EQ(contents(name), contents(whole));
    }
    RecordingMark other = mark;
    other.digest ^= 1;
    EXPECT_THROW(find_recording(name, plain, other), Error);
    mark.rows = 5000;
    EXPECT_THROW(find_recording(name, plain, mark), Error);
    EXPECT_THROW(find_recording(name, {plain[0], plain[1]}, other), Error);
  }
}

// more rows than are kept: few of them in memory, with the extremes of all
TEST(Rows, LongRunsAreThinnedOnTheWay) {
  Scenario scenario = read_scenario("double_pendulum");
  scenario.simulation.integrator.method = "euler";
  scenario.simulation.integrator.step = 1e-4;
  scenario.simulation.record_interval = 1e-4;
  scenario.simulation.duration = 12;
  RunHooks hooks;
  hooks.keep = KeepRows::drawn;
  const limber::Run thin = run_scenario(scenario, hooks), all = run_scenario(scenario);
  EXPECT_EQ(all.recording.rows(), 120001u);
  EXPECT_EQ(thin.totals.rows, 120001u);
  EXPECT_LE(thin.recording.rows(), most_rows_drawn);
  EXPECT_GT(thin.recording.rows(), most_rows_drawn / 2);
  for (const Column& column : all.recording.columns) {
    const auto a = all.recording.series(column.name), b = thin.recording.series(column.name);
    EXPECT_EQ(*std::max_element(a.begin(), a.end()), *std::max_element(b.begin(), b.end()));
    EXPECT_EQ(*std::min_element(a.begin(), a.end()), *std::min_element(b.begin(), b.end()));
    EXPECT_EQ(a.front(), b.front());
    EXPECT_EQ(a.back(), b.back());
  }
  const auto times = thin.recording.series("time");
  for (std::size_t k = 1; k < times.size(); ++k) EXPECT_LT(times[k - 1], times[k]);
  hooks.keep = KeepRows::none;
  scenario.simulation.duration = 0.1;
  const limber::Run none = run_scenario(scenario, hooks);
  EXPECT_EQ(none.recording.rows(), 0u);
  EXPECT_EQ(none.totals.rows, 1001u);
}

TEST(Rows, OrdinaryRunsAreDrawnFromAllRows) {
  const Scenario scenario = read_scenario("double_pendulum");
  RunHooks hooks;
  hooks.keep = KeepRows::drawn;
  EXPECT_EQ(run_scenario(scenario, hooks).recording.values,
            run_scenario(scenario).recording.values);
}

// names from a stranger's file within the page
TEST(ReportNames, AreHarmless) {
  if (!reports_available()) GTEST_SKIP() << "built without npm";
  const Scenario scenario = read_scenario("double_pendulum");
  Report report;
  report.recording = run_scenario(scenario).recording;
  for (const std::string& name : odd_names) {
    report.recording.columns[1].name = name + "<!--<script>";
    report.summary.facts.push_back({name, name});
    report.summary.warnings.push_back(name);
  }
  const std::string page = report_page(scenario, report);
  const std::string open = "<script type=\"application/json\" id=\"report\">";
  const std::size_t start = page.find(open) + open.size();
  const std::string data = page.substr(start, page.find("</script>", start) - start);
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_EQ(std::count_if(data.begin(), data.end(), [](char c) { return c >= 0 && c < 32; }), 0);
  const Json parsed = Json::parse(data);
  EXPECT_EQ(parsed["summary"]["warnings"].size(), odd_names.size());
  EXPECT_EQ(parsed["summary"]["warnings"][20], "</script>");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
