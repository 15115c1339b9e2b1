#include <limber/scenario/run.hpp>

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
  if (!run.message.empty()) summary.warnings.push_back(run.message);
  for (std::size_t k = 0; k < run.recording.columns.size(); ++k) {
    const Column& column = run.recording.columns[k];
    if (column.group != "Saturation" || run.totals.rows == 0) continue;
    const std::uint64_t cut = run.totals.nonzero[k];
    if (cut > 0)
      summary.warnings.push_back(
          fmt::format("{}: at its limit for {:.2g} % of the time", column.name,
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
  try {
    const Json data = Json::parse(text);
    if (data.at("limber_run") != saved_version)
      throw Error({file, 0, ""}, "is of another version of Limber; save the run anew");
    if (data.at("scenario") != clean_utf8(scenario.title))
      throw Error({file, 0, ""},
                  fmt::format("was saved from the scenario '{}', not from '{}'",
                              data.at("scenario").get<std::string>(), scenario.title));
    SavedRun saved;
    data.at("t").get_to(saved.t);
    data.at("x").get_to(saved.x);
    data.at("discrete").get_to(saved.discrete);
    data.at("integrator").get_to(saved.integrator);
    data.at("event_values").get_to(saved.event_values);
    data.at("samples").get_to(saved.samples);
    data.at("records").get_to(saved.records);
    for (const auto& one : data.at("happenings"))
      saved.happenings.push_back({one.at("time"), one.at("text")});
    data.at("last_record").get_to(saved.last_record);
    data.at("last_act").get_to(saved.last_act);
    data.at("acts_in_a_row").get_to(saved.acts_in_a_row);
    data.at("energy_at_start").get_to(saved.energy_at_start);
    data.at("recorded_rows").get_to(saved.recorded.rows);
    data.at("recorded_digest").get_to(saved.recorded.digest);
    return saved;
  } catch (const Json::exception& error) {
    throw Error({file, 0, ""}, fmt::format("is not the saved state of a run: {}", error.what()));
  }
}

}  // namespace limber
