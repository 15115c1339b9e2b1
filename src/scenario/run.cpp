#include <limber/scenario/run.hpp>

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenario/json.hpp"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

Simulation make_simulation(System& system, const Scenario& scenario, const SavedRun* resume) {
  if (resume) return {system, scenario.simulation, *resume};
  return {system, scenario.simulation, scenario.q, scenario.v};
}

void add_largest(const Recording& recording, const std::string& group, const char* label,
                 std::vector<Fact>& facts) {
  if (const std::optional<Largest> largest = largest_of(recording, group))
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
  simulation.on_record = [&](double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(t, x);
    run.recording.values.insert(run.recording.values.end(), row.begin(), row.end());
    if (hooks.on_row) hooks.on_row(row);
  };
  simulation.go_on = hooks.go_on;
  const double begin = simulation.t();
  const Clock::time_point started = Clock::now();
  run.status = simulation.run();
  run.elapsed = std::chrono::duration<double>(Clock::now() - started).count();
  run.simulated = simulation.t() - begin;
  run.message = simulation.message();
  run.happenings = simulation.happenings();
  run.cost = simulation.cost();
  run.end = simulation.save();
  return run;
}

std::optional<Largest> largest_of(const Recording& recording, const std::string& group) {
  std::optional<Largest> largest;
  for (std::size_t k = 0; k < recording.columns.size(); ++k) {
    if (recording.columns[k].group != group) continue;
    for (std::size_t row = 0; row < recording.rows(); ++row) {
      const double value = std::abs(recording.row(row)[k]);
      if (!largest || value > largest->value)
        largest = {value, recording.columns[k].unit, recording.columns[k].name};
    }
  }
  return largest;
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
  add_largest(run.recording, "Tracking error", "Largest tracking error", summary.facts);
  add_largest(run.recording, "Energy error", "Largest energy error", summary.facts);
  if (!run.message.empty()) summary.warnings.push_back(run.message);
  for (std::size_t k = 0; k < run.recording.columns.size(); ++k) {
    const Column& column = run.recording.columns[k];
    if (column.group != "Saturation" || run.recording.rows() == 0) continue;
    std::size_t cut = 0;
    for (std::size_t row = 0; row < run.recording.rows(); ++row)
      cut += run.recording.row(row)[k] != 0;
    if (cut > 0)
      summary.warnings.push_back(fmt::format(
          "{}: at its limit for {:.3g} % of the time", column.name,
          100.0 * static_cast<double>(cut) / static_cast<double>(run.recording.rows())));
  }
  summary.warnings.insert(summary.warnings.end(), scenario.warnings.begin(),
                          scenario.warnings.end());
  return summary;
}

std::string saved_run_text(const Scenario& scenario, const SavedRun& saved) {
  Json happenings = Json::array();
  for (const Happening& one : saved.happenings)
    happenings.push_back({{"time", one.t}, {"text", one.text}});
  const Json data = {{"limber_run", 1},
                     {"scenario", scenario.title},
                     {"t", saved.t},
                     {"x", saved.x},
                     {"discrete", saved.discrete},
                     {"integrator", saved.integrator},
                     {"event_values", saved.event_values},
                     {"samples", saved.samples},
                     {"records", saved.records},
                     {"happenings", happenings}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SavedRun parse_saved_run(const Scenario& scenario, std::string_view text, const std::string& file) {
  const Source place{file, 0, "the saved state of a run"};
  const Json data = parse_json(text, {file, 0, ""});
  if (count_of(data, "limber_run", place) != 1)
    throw Error(place, "is of another version of Limber");
  expect_keys(data,
              {"limber_run", "scenario", "t", "x", "discrete", "integrator", "event_values",
               "samples", "records", "happenings"},
              place);
  if (const std::string from = text_of(data, "scenario", place); from != scenario.title)
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
  return saved;
}

}  // namespace limber
