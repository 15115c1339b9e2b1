#include <limber/scenario/run.hpp>

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
  return data.dump();
}

SavedRun parse_saved_run(const Scenario& scenario, std::string_view text, const std::string& file) {
  try {
    const Json data = Json::parse(text);
    if (data.at("limber_run") != 1) throw Error({file, 0, ""}, "is of another version of Limber");
    if (data.at("scenario") != scenario.title)
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
    return saved;
  } catch (const Json::exception& error) {
    throw Error({file, 0, ""}, fmt::format("is not the saved state of a run: {}", error.what()));
  }
}

}  // namespace limber
