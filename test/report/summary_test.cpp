// What a report says of a run, on recordings made by hand: largest values, time at a limit, and
// the curves of another run beside it.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limber/io/load.hpp>
#include <limber/report/report.hpp>

#include "report/unpacked.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Json = nlohmann::json;

Recording recording_of(const std::vector<Column>& columns, const std::vector<double>& values) {
  Recording recording;
  recording.columns = columns;
  recording.values = values;
  return recording;
}

const Column time_column{"time", "s", ""}, shoulder{"shoulder.error", "rad", "Tracking error"},
    slide{"slide.error", "m", "Tracking error"}, elbow{"elbow.position", "rad", "Positions"};

TEST(LargestOf, IsTheLargestMagnitudeOfTheGroup) {
  const Recording recording =
      recording_of({time_column, shoulder, elbow, slide},
                   {0.0, 0.2, 9, 0.1, 0.1, -0.7, -9, 0.3, 0.2, 0.4, 9, -0.5});
  const std::optional<Largest> largest = largest_of(recording, "Tracking error");
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->value, 0.7);
  EXPECT_EQ(largest->unit, "rad");
  EXPECT_EQ(largest->column, "shoulder.error");
  EXPECT_FALSE(largest_of(recording, "Energy error"));
}

TEST(LargestOf, IsTheLastColumnsTooWhereItIsLargest) {
  const Recording recording =
      recording_of({time_column, shoulder, slide}, {0, 0.2, 0.1, 1, 0.3, -0.4});
  const std::optional<Largest> largest = largest_of(recording, "Tracking error");
  ASSERT_TRUE(largest);
  EXPECT_EQ(largest->value, 0.4);
  EXPECT_EQ(largest->unit, "m");
}

// a run that is broken off, saved in a file and continued elsewhere says of all its rows what one
// says that was not
TEST(LargestOf, ARunThatWasResumedCountsFromItsBeginning) {
  const auto scenario = [](const std::string& duration, const std::string& record) {
    return parse_scenario("title: swing\nduration: " + duration + R"(
robots: [{model: double_pendulum, initial: {position: {shoulder: 2.0, elbow: 0.7}}}]
integrator: {method: rk4, step: 0.05}
record: {interval: 0.01)" + record +
                              "}\n",
                          "swing.yaml");
  };
  const limber::Run whole = run_scenario(scenario("2", ""));
  const Largest all = largest_of(whole, "Energy error").value();
  for (const std::string record : {"", ", forces: no"}) {  // the saved run may record other columns
    const Scenario half = scenario("1.2", record), rest = scenario("2", "");
    const SavedRun saved =
        parse_saved_run(rest, saved_run_text(half, run_scenario(half).end), "saved.json");
    RunHooks hooks;
    hooks.resume = &saved;
    hooks.earlier_rows = [](const auto&) {};  // this folder has none
    const limber::Run continued = run_scenario(rest, hooks);
    const Largest found = largest_of(continued, "Energy error").value();
    EXPECT_EQ(found.value, all.value);
    EXPECT_EQ(found.column, all.column);
    EXPECT_LT(largest_of(continued.recording, "Energy error").value().value, all.value);
    EXPECT_EQ(continued.totals.rows, whole.totals.rows);
    EXPECT_EQ(continued.records, continued.recording.rows());
    const auto last = [](const limber::Run& run) {
      return run.recording.series("energy_error").back();
    };
    EXPECT_EQ(last(continued), last(whole));
  }
  // energies that were not recorded before the break are known all the same
  const Scenario half = scenario("1.2", ", energy: no");
  const SavedRun saved = run_scenario(half).end;
  RunHooks hooks;
  hooks.resume = &saved;
  EXPECT_EQ(run_scenario(scenario("2", ""), hooks).recording.series("energy_error").back(),
            whole.recording.series("energy_error").back());
}

TEST(SavedRun, DamagedTotalsAreRefused) {
  const Scenario scenario =
      parse_scenario("duration: 0.1\nrobots: [{model: pendulum}]\n", "swing.yaml");
  Json data = Json::parse(saved_run_text(scenario, run_scenario(scenario).end));
  data["largest"].erase(0);
  try {
    parse_saved_run(scenario, data.dump(), "saved.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
  }
}

std::vector<std::string> warnings_of(const Scenario& scenario) {
  return summary_of(scenario, run_scenario(scenario)).warnings;
}

// A law of motion turns the joint from 0 to 1 rad within 1 s; the controller wants it back at 0
// with a command in proportion to the angle, which is cut off from the angle `angle` on.
std::string cut_off_beyond(double angle) {
  return R"(duration: 1
robots: [{model: pendulum}]
record: {interval: 0.001}
trajectories:
  - {name: stay, segments: [{kind: hold, duration: 1}]}
  - {name: turn, segments: [{kind: move, to: [1], law: trapezoidal, duration: 1}]}
prescribed: [{joints: [pivot], trajectory: turn}]
controllers: [{kind: pd, name: puller, trajectory: stay, kp: 100, command_limit: )" +
         std::to_string(100 * angle) + "}]\n";
}

// a trapezoid with ramps of a quarter has made 1/6 of its way at 1/4 of its time, half at half;
// the angles lie just before those of a record
TEST(Saturation, IsToldAsThePartOfTheTimeAtTheLimit) {
  for (const auto& [angle, text] : {std::pair{0.4995, "50 %"}, {0.1665, "75 %"}}) {
    const std::vector<std::string> warnings =
        warnings_of(parse_scenario(cut_off_beyond(angle), "test.yaml"));
    ASSERT_EQ(warnings.size(), 1u) << text;
    EXPECT_EQ(warnings[0],
              "puller.saturated: at its limit for " + std::string(text) + " of the time");
  }
}

TEST(Saturation, IsNotToldWhereNothingIsCutOff) {
  EXPECT_TRUE(warnings_of(parse_scenario(cut_off_beyond(2), "test.yaml")).empty());
}

// the weight of a rod that is held at 1 rad
TEST(Saturation, OfTheWholeTimeIsHundredPercent) {
  const std::vector<std::string> warnings = warnings_of(parse_scenario(R"(duration: 0.1
robots: [{model: pendulum, initial: {position: [1]}}]
trajectories: [{name: stay, segments: [{kind: hold, duration: 1}]}]
prescribed: [{joints: [pivot], trajectory: stay}]
controllers: [{kind: gravity_compensation, name: lifter, command_limit: 0.1}]
)",
                                                                       "test.yaml"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "lifter.saturated: at its limit for 100 % of the time");
}

Scenario pendulum() {
  Scenario scenario;
  scenario.title = "pendulum";
  scenario.spec = load_spec("pendulum");
  scenario.model = build(scenario.spec);
  return scenario;
}

const std::vector<Column> angle = {time_column, {"pivot.position", "rad", "Positions"}};

// the curve named `name` in the report's data, of the run with this number; a constant is a number
std::vector<float> curve(const Json& data, const std::string& name, int run = 0) {
  for (const Json& group : data["groups"])
    for (const Json& series : group["series"]) {
      if (series["name"] != name || series.value("run", 0) != run) continue;
      if (!series["data"].is_number()) return unpacked(series["data"]);
      return std::vector<float>(unpacked(data["time"]).size(), series["data"].get<float>());
    }
  ADD_FAILURE() << "no curve " << name;
  return {};
}

// plots of nothing but rounding are left out; energy errors are small, and numbers that are not
// finite are no zeros
TEST(ReportData, SaysWhichGroupsAreZeroButForRounding) {
  Report report;
  report.recording = recording_of({time_column,
                                   {"a.position", "rad", "Positions"},
                                   {"a.velocity", "rad/s", "Velocities"},
                                   {"b.velocity", "rad/s", "Velocities"},
                                   {"a.force", "N m", "Forces"},
                                   {"energy_error", "J", "Energy error"}},
                                  {0, 1e-15, 1e-15, 0, NAN, 1e-13,  //
                                   1, -1e-14, 0, 1e-3, NAN, 1e-14});
  const Json data = Json::parse(report_data(pendulum(), report));
  for (const Json& group : data["groups"])
    EXPECT_EQ(group.value("zero", false), group["title"] == "Positions") << group["title"];
  EXPECT_EQ(data["groups"].size(), 4u);
}

// the angle of the other run is its time: its curve reads off the newest row at each instant
TEST(Comparison, CurvesAreThoseOfTheSameInstant) {
  Report report;
  report.recording.columns = angle;
  Comparison other{"other", {}};
  other.recording.columns = angle;
  for (int k = 0; k <= 50; ++k)
    report.recording.values.insert(report.recording.values.end(), {0.02 * k, 7.0});
  for (int k = 0; k <= 100; ++k)
    other.recording.values.insert(other.recording.values.end(), {0.01 * k, 0.01 * k});
  report.comparisons.push_back(other);
  const Json data = Json::parse(report_data(pendulum(), report));
  const std::vector<float> values = curve(data, "pivot.position", 1);
  EXPECT_EQ(data["compared"], Json({"other"}));
  ASSERT_EQ(values.size(), 51u);
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_NEAR(values[k], 0.02 * static_cast<double>(k), 1e-6);
}

// rows further apart than the report's, and an end before it: what was there last
TEST(Comparison, CurvesHoldBetweenRowsAndAfterTheEnd) {
  Report report;
  report.recording.columns = angle;
  for (int k = 0; k <= 10; ++k)
    report.recording.values.insert(report.recording.values.end(), {0.1 * k, 7.0});
  Comparison other{"other", recording_of(angle, {0, 1, 0.25, 2, 0.5, 3})};
  report.comparisons.push_back(other);
  const Json data = Json::parse(report_data(pendulum(), report));
  EXPECT_EQ(curve(data, "pivot.position", 1),
            (std::vector<float>{1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(curve(data, "pivot.position"), std::vector<float>(11, 7.0f));
}

// a peak of one row in ten thousand, in both runs, is drawn whatever the number of rows
TEST(ReportRows, LongRecordingsKeepTheirPeaks) {
  Report report;
  report.recording.columns = angle;
  Comparison other{"other", {}};
  other.recording.columns = angle;
  constexpr int rows = 10000;
  for (int k = 0; k < rows; ++k) {
    const double t = 1e-3 * k;
    report.recording.values.insert(report.recording.values.end(), {t, k == 7123 ? 19.0 : t});
    other.recording.values.insert(other.recording.values.end(), {t, k == 41 ? -9.0 : 1.0});
  }
  report.comparisons.push_back(other);
  for (const std::size_t most : {100U, 37U, 2U}) {
    const Json data = Json::parse(report_data(pendulum(), report, most));
    const std::vector<float> times = unpacked(data["time"]), own = curve(data, "pivot.position");
    ASSERT_EQ(times.size(), most / 2 * 2);
    EXPECT_EQ(times.front(), 0);
    EXPECT_EQ(times.back(), 9.999f);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    EXPECT_EQ(*std::max_element(own.begin(), own.end()), 19);
    const std::vector<float> theirs = curve(data, "pivot.position", 1);
    EXPECT_EQ(*std::min_element(theirs.begin(), theirs.end()), -9);
    // where nothing but the peak turns, the curve is exact
    for (std::size_t k = 0; k < own.size(); ++k)
      if (std::max(own[k], own[k ^ 1U]) < 19) {
        EXPECT_EQ(own[k], times[k]);
      }
    EXPECT_EQ(unpacked(data["poses"]).size() % times.size(), 0U);
  }
}

// sixty seconds at 1 kHz with hundreds of columns: fewer rows, a page of bounded size
TEST(ReportRows, ManyColumnsAreDrawnWithFewerRows) {
  Report report;
  report.recording.columns = angle;
  for (int k = 0; k < 400; ++k)
    report.recording.columns.push_back({fmt::format("x{}", k), "N", "Joint forces"});
  for (int row = 0; row < 12000; ++row)
    for (std::size_t k = 0; k < report.recording.columns.size(); ++k)
      report.recording.values.push_back(k == 0 ? 1e-3 * row
                                               : std::sin(row * (1 + static_cast<double>(k))));
  const std::string text = report_data(pendulum(), report);
  EXPECT_LT(text.size(), 12e6);
  EXPECT_GT(text.size(), 9e6);
}

TEST(ReportGroups, StandInTheirSections) {
  const Scenario scenario = parse_scenario(
      "duration: 0.01\nrobots: [{model: pendulum}]\nrecord: {accelerations: yes, momentum: yes}\n",
      "test.yaml");
  Report report;
  report.recording = run_scenario(scenario).recording;
  report.recording.columns.push_back({"a.b", "N m", "Made up"});
  report.recording.columns.push_back({"c.d", "furlong", "Also made up"});
  Recording wider;
  wider.columns = report.recording.columns;
  const std::size_t had = wider.columns.size() - 2;
  for (std::size_t at = 0; at < report.recording.values.size(); at += had) {
    wider.values.insert(wider.values.end(), report.recording.values.begin() + static_cast<long>(at),
                        report.recording.values.begin() + static_cast<long>(at + had));
    wider.values.insert(wider.values.end(), {1, 2});
  }
  report.recording = wider;
  const Json data = Json::parse(report_data(scenario, report));
  std::map<std::string, Json> sections;
  std::vector<std::string> titles;
  for (const Json& group : data["groups"]) {
    sections[group["title"]] = group["sections"];
    titles.push_back(group["title"]);
  }
  EXPECT_EQ(titles.front(), "Positions");
  EXPECT_EQ(sections["Accelerations"], Json({"Motion"}));
  EXPECT_EQ(sections["Joint forces"], Json({"Forces"}));
  EXPECT_EQ(sections["Energy error"], Json({"Energy"}));
  EXPECT_EQ(sections["Made up"], Json({"Forces"}));
  EXPECT_EQ(sections["Also made up"], Json({"More"}));
}

TEST(ReportSummary, BriefFactsAreForTheFirstLine) {
  const Scenario scenario = parse_scenario(
      "duration: 0.01\nrobots: [{model: pendulum}]\n"
      "trajectories: [{name: t, segments: [{kind: move, to: [1], duration: 0.01}]}]\n"
      "controllers: [{kind: pd, trajectory: t, kp: 1, kd: 1}]\n"
      "integrator: {method: rk4, step: 5e-4}\n",
      "test.yaml");
  Report report;
  report.summary = summary_of(scenario, run_scenario(scenario));
  const Json data = Json::parse(report_data(scenario, report));
  std::map<std::string, Json> brief;
  for (const Json& fact : data["summary"]["facts"])
    if (fact.contains("brief")) brief[fact["brief"]["label"]] = fact["brief"]["value"];
  EXPECT_EQ(brief["simulated"], "0.01 s");
  EXPECT_EQ(brief["0.5 ms"], "rk4");
  EXPECT_TRUE(brief.contains("energy error"));
  EXPECT_TRUE(brief.contains("tracking"));
}

// a run slower than real time is not "0 times" as fast
TEST(ReportSummary, SmallFactorsHaveTwoDigits) {
  limber::Run run;
  run.simulated = 1;
  const auto factor = [&](double elapsed) {
    run.elapsed = elapsed;
    const RunSummary summary = summary_of(pendulum(), run);
    for (const Fact& fact : summary.facts)
      if (fact.label == "Real-time factor") return fact.value;
    return std::string();
  };
  EXPECT_EQ(factor(5.2), "0.19");
  EXPECT_EQ(factor(0.31), "3.2");
  EXPECT_EQ(factor(0.1), "10");
  EXPECT_EQ(factor(0.0043), "233");
}

// however well the run ended, a design that breaks its limits is not fine
TEST(ReportSummary, AVerdictStandsForTheStatus) {
  Report report;
  report.summary.verdict = "2 limits violated";
  const Json data = Json::parse(report_data(pendulum(), report));
  EXPECT_EQ(data["summary"]["status"], "2 limits violated");
  EXPECT_EQ(data["summary"]["ok"], false);
}

TEST(ReportGroups, CarryTheUnitsOfTheirColumns) {
  const Scenario scenario = parse_scenario(
      "duration: 0.01\nrobots: [{model: pendulum}]\nrecord: {accelerations: yes}\n", "test.yaml");
  Report report;
  report.recording = run_scenario(scenario).recording;
  const Json data = Json::parse(report_data(scenario, report));
  std::map<std::string, std::string> units;
  for (const Json& group : data["groups"]) units[group["title"]] = group["unit"];
  EXPECT_EQ(units["Positions"], "rad");
  EXPECT_EQ(units["Velocities"], "rad/s");
  EXPECT_EQ(units["Accelerations"], "rad/s²");
  EXPECT_EQ(units["Joint forces"], "N m");
  EXPECT_EQ(units["Energy"], "J");
  EXPECT_EQ(units["Power"], "W");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
