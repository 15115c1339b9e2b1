#include <limber/scenario/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenario/json.hpp"
#include "scenario/recording_readers.hpp"
#include "scenario/thinned_rows.hpp"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr int saved_version = 2;  // of the file of a saved run

Simulation make_simulation(System& system, const Scenario& scenario, const SavedRun* resume) {
  if (resume) return {system, scenario.simulation, *resume};
  return {system, scenario.simulation, scenario.q, scenario.v};
}

std::optional<Largest> largest_in(const std::vector<Column>& columns, const RecordingTotals& totals,
                                  const std::string& group) {
  std::optional<Largest> largest;
  for (std::size_t k = 0; k < columns.size() && totals.rows > 0; ++k)
    if (columns[k].group == group && (!largest || totals.largest[k] > largest->value))
      largest = {totals.largest[k], columns[k].unit, columns[k].name};
  return largest;
}

void add_largest(const Run& run, const std::string& group, const char* label,
                 std::vector<Fact>& facts) {
  if (const std::optional<Largest> largest = largest_of(run, group))
    facts.push_back({label, fmt::format("{:.3g} {}", largest->value, largest->unit)});
}

}  // namespace

Run run_scenario(const Scenario& scenario, const RunHooks& hooks) {
  System system = scenario.make_system();
  Simulation simulation = make_simulation(system, scenario, hooks.resume);
  Recorder recorder(system, scenario.record);
  Run run;
  run.recording.columns = recorder.columns();
  if (hooks.on_columns) hooks.on_columns(recorder.columns());
  ThinnedRows drawn(recorder.columns().size());
  RecordingMark mark;
  const auto keep = [&](std::span<const double> row) {
    run.totals.add(row);
    mark.add(row);
    if (hooks.keep == KeepRows::drawn) drawn.add(row);
    if (hooks.keep == KeepRows::all)
      run.recording.values.insert(run.recording.values.end(), row.begin(), row.end());
  };
  if (hooks.resume) recorder.go_on_from(hooks.resume->energy_at_start);
  if (hooks.earlier_rows) hooks.earlier_rows(keep);
  simulation.on_record = [&](double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(t, x);
    keep(row);
    if (hooks.on_row) hooks.on_row(row);
  };
  simulation.on_save = [&](SavedRun& saved) {
    saved.energy_at_start = recorder.energy_at_start();
    saved.recorded = mark;
  };
  simulation.go_on = [&](double t) {
    if (hooks.state_due && hooks.state_due()) hooks.on_state(simulation.save());
    return !hooks.go_on || hooks.go_on(t);
  };
  const double begin = simulation.t();
  const Clock::time_point started = Clock::now();
  run.status = simulation.run();
  run.elapsed = std::chrono::duration<double>(Clock::now() - started).count();
  run.simulated = simulation.t() - begin;
  run.message = simulation.message();
  run.happenings = simulation.happenings();
  run.cost = simulation.cost();
  run.end = simulation.save();
  if (hooks.keep == KeepRows::drawn) run.recording.values = drawn.take();
  return run;
}

void expect_beginning(const Scenario& scenario) {
  System system = scenario.make_system();
  make_simulation(system, scenario, nullptr);
  Recorder(system, scenario.record);
}

void RecordingTotals::add(std::span<const double> row) {
  largest.resize(row.size(), 0.0);
  nonzero.resize(row.size(), 0);
  for (std::size_t k = 0; k < row.size(); ++k) {
    largest[k] = std::max(largest[k], std::abs(row[k]));
    nonzero[k] += row[k] != 0;
  }
  ++rows;
}

std::optional<Largest> largest_of(const Recording& recording, const std::string& group) {
  RecordingTotals totals;
  for (std::size_t row = 0; row < recording.rows(); ++row) totals.add(recording.row(row));
  return largest_in(recording.columns, totals, group);
}

std::optional<Largest> largest_of(const Run& run, const std::string& group) {
  return largest_in(run.recording.columns, run.totals, group);
}

RunSummary summary_of(const Scenario& scenario, const Run& run) {
  RunSummary summary;
  summary.status = run.status;
  summary.message = run.message;
  summary.happenings = run.happenings;
  const IntegratorSettings& method = scenario.simulation.integrator;
  summary.facts = {{"Simulated", fmt::format("{:.6g} s", run.simulated)},
                   {"Computed in", fmt::format("{:.3g} s", run.elapsed)},
                   {"Real-time factor", fmt::format("{:.0f}", run.real_time_factor())},
                   {"Integrator", fmt::format("{}, {} steps, {} evaluations", method.method,
                                              run.cost.steps, run.cost.evaluations)}};
  add_largest(run, "Tracking error", "Largest tracking error", summary.facts);
  add_largest(run, "Energy error", "Largest energy error", summary.facts);
  const bool as_told = run.status == RunStatus::stopped;  // by an event, which is listed
  if (!run.message.empty() && !as_told) summary.warnings.push_back(run.message);
  for (std::size_t k = 0; k < run.recording.columns.size(); ++k) {
    const Column& column = run.recording.columns[k];
    if (column.group != "Saturation" || run.totals.rows == 0) continue;
    const std::uint64_t cut = run.totals.nonzero[k];
    if (cut > 0)
      summary.warnings.push_back(
          fmt::format("{}: at its limit for {:.3g} % of the time", column.name,
                      100.0 * static_cast<double>(cut) / static_cast<double>(run.totals.rows)));
  }
  summary.warnings.insert(summary.warnings.end(), scenario.warnings.begin(),
                          scenario.warnings.end());
  return summary;
}

std::string saved_run_text(const Scenario& scenario, const SavedRun& saved) {
  Json happenings = Json::array();
  for (const Happening& one : saved.happenings)
    happenings.push_back({{"time", one.t}, {"text", one.text}});
  const Json data = {{"limber_run", saved_version},
                     {"scenario", scenario.title},
                     {"t", saved.t},
                     {"x", saved.x},
                     {"discrete", saved.discrete},
                     {"integrator", saved.integrator},
                     {"event_values", saved.event_values},
                     {"samples", saved.samples},
                     {"records", saved.records},
                     {"happenings", happenings},
                     {"last_record", saved.last_record},
                     {"last_act", saved.last_act},
                     {"acts_in_a_row", saved.acts_in_a_row},
                     {"energy_at_start", saved.energy_at_start},
                     {"recorded_rows", saved.recorded.rows},
                     {"recorded_digest", saved.recorded.digest}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SavedRun parse_saved_run(const Scenario& scenario, std::string_view text, const std::string& file) {
  const Source place{file, 0, "the saved state of a run"};
  const Json data = parse_json(text, {file, 0, ""});
  if (count_of(data, "limber_run", place) != saved_version)
    throw Error(place, "is of another version of Limber; save the run anew");
  expect_keys(data,
              {"limber_run", "scenario", "t", "x", "discrete", "integrator", "event_values",
               "samples", "records", "happenings", "last_record", "last_act", "acts_in_a_row",
               "energy_at_start", "recorded_rows", "recorded_digest"},
              place);
  if (const std::string from = text_of(data, "scenario", place); from != clean_utf8(scenario.title))
    throw Error(place, fmt::format("was saved from the scenario '{}', not from '{}'", from,
                                   scenario.title));
  SavedRun saved;
  saved.t = number_of(data, "t", place);
  saved.x = numbers_of(data, "x", place);
  saved.discrete = numbers_of(data, "discrete", place);
  saved.integrator = numbers_of(data, "integrator", place);
  saved.event_values = numbers_of(data, "event_values", place);
  saved.samples = counts_of(data, "samples", place);
  saved.records = count_of(data, "records", place);
  for (const auto& one : member(data, "happenings", place))
    saved.happenings.push_back({number_of(one, "time", place), text_of(one, "text", place)});
  saved.last_record = number_of(data, "last_record", place);
  saved.last_act = number_of(data, "last_act", place);
  saved.acts_in_a_row = static_cast<int>(
      std::min<long>(count_of(data, "acts_in_a_row", place), std::numeric_limits<int>::max()));
  saved.energy_at_start = number_of(data, "energy_at_start", place);
  saved.recorded.rows = bits_of(data, "recorded_rows", place);
  saved.recorded.digest = bits_of(data, "recorded_digest", place);
  return saved;
}

}  // namespace limber
