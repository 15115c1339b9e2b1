#include <limber/scenario/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenario/json.hpp"
#include "scenario/limit_watch.hpp"
#include "scenario/thinned_rows.hpp"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr int saved_version = 4;  // of the file of a saved run

Simulation make_simulation(const Scenario& scenario, const SavedRun* resume) {
  if (resume) return {scenario.make_system(), scenario.simulation, *resume};
  try {
    return {scenario.make_system(), scenario.simulation, scenario.q, scenario.v};
  } catch (const Error& error) {
    // what was doubted when the scenario was read may be the reason
    constexpr std::size_t most = 5;
    const std::vector<std::string>& doubts = scenario.warnings;
    if (doubts.empty()) throw;
    std::string text = error.what();
    for (std::size_t k = 0; k < std::min(most, doubts.size()); ++k)
      text += fmt::format("\n  warning: {}", doubts[k]);
    if (doubts.size() > most) text += fmt::format("\n  … and {} more", doubts.size() - most);
    throw Error(text);
  }
}

// the totals of a saved run, for the columns that this run records
RecordingTotals earlier_totals(const SavedRun& saved, const std::vector<Column>& columns) {
  RecordingTotals totals{saved.totals.rows, std::vector<double>(columns.size()),
                         std::vector<std::uint64_t>(columns.size())};
  for (std::size_t k = 0; k < columns.size() && !saved.totals.largest.empty(); ++k) {
    std::size_t from = k;
    if (k >= saved.columns.size() || saved.columns[k] != columns[k].name)
      from = static_cast<std::size_t>(
          std::find(saved.columns.begin(), saved.columns.end(), columns[k].name) -
          saved.columns.begin());
    if (from == saved.columns.size()) continue;
    totals.largest[k] = saved.totals.largest[from];
    totals.nonzero[k] = saved.totals.nonzero[from];
  }
  return totals;
}

std::optional<Largest> largest_in(const std::vector<Column>& columns, const RecordingTotals& totals,
                                  const std::string& group) {
  std::optional<Largest> largest;
  for (std::size_t k = 0; k < columns.size() && totals.rows > 0; ++k)
    if (columns[k].group == group && (!largest || totals.largest[k] > largest->value))
      largest = {totals.largest[k], columns[k].unit, columns[k].name};
  return largest;
}

// of the instant that the system has evaluated
std::optional<LoopFacts> loop_facts(const System& system, double t, std::span<const double> q,
                                    const std::vector<Column>& columns) {
  const LoopSet* loops = system.loops();
  if (!loops || !loops->any_closed()) return std::nullopt;
  const Mechanism& closed = loops->closed();
  // of all freedoms, those that friction or a prescribed motion holds included
  ClosedDynamics room(closed);
  const std::vector<double> rest(static_cast<std::size_t>(system.velocities()), 0.0);
  closed_velocity<double>(closed, t, q, rest, room);
  const int rank = room.solver.rank;
  LoopFacts facts{closed.loops.count() + closed.custom.count(),
                  closed.rows,
                  rank,
                  system.velocities() - rank,
                  {}};
  const auto first = std::find_if(columns.begin(), columns.end(),
                                  [](const Column& column) { return column.name == "loop_gap"; });
  for (int row = 0; row < loops->all().rows && first != columns.end(); ++row)
    if (!loops->is_determinate(row)) facts.indeterminate.push_back((first + 1 + row)->name);
  return facts;
}

}  // namespace

namespace {

std::optional<ContactFacts> contact_facts(const System& system) {
  for (const auto& part : system.parts())
    if (const auto* contacts = dynamic_cast<const Contacts*>(part.get())) {
      ContactFacts facts{contacts->settings().method, {}};
      if (facts.method != ContactMethod::compliant)
        facts.totals = contacts->totals(system.discrete_of(*contacts));
      return facts;
    }
  return std::nullopt;
}

}  // namespace

namespace {

// Which shorter step holds: the one that the order of the method says, or shorter ones, tried on
// the scenario from its beginning, all together with as many steps as the run had. Rounding and
// switches may need other steps than the order says.
std::string tried_step(const Scenario& scenario, const Run& run, const RunHooks& hooks) {
  constexpr int most_tries = 3;
  constexpr long least_steps = 1000;
  const IntegratorSettings& integrator = scenario.simulation.integrator;
  double step = advised_step(run.accuracy, integrator), tried = step;
  if (step == 0 || hooks.resume) return {};
  double until = 0;
  for (int k = 0; k < most_tries; ++k, step /= 5) {
    Scenario shorter = scenario;
    shorter.simulation.integrator.step = tried = step;
    const double steps = static_cast<double>(std::max(run.cost.steps, least_steps)) / most_tries;
    until = std::min(scenario.simulation.duration, steps * step);
    Simulation trial = make_simulation(shorter, nullptr);
    trial.go_on = [&](double) { return !hooks.go_on || hooks.go_on(run.simulated); };
    const RunStatus status = trial.advance(until);
    if (status == RunStatus::interrupted) return {};
    const bool holds = (status == RunStatus::running || status == RunStatus::finished ||
                        status == RunStatus::stopped) &&
                       error_of_run(trial.accuracy()).empty();
    if (holds)
      return fmt::format("a step of {:g} s does (tried on the first {:.3g} s)", step, trial.t());
  }
  return fmt::format(
      "steps down to {:g} s were tried on the first {:.3g} s and are not accurate either; dopri5 "
      "chooses its steps itself",
      tried, until);
}

}  // namespace

Run run_scenario(const Scenario& scenario, const RunHooks& hooks) {
  Simulation simulation = make_simulation(scenario, hooks.resume);
  Recorder recorder(simulation.system(), scenario.record);
  Run run;
  run.recording.columns = recorder.columns();
  const auto positions = static_cast<std::size_t>(simulation.system().positions());
  run.loops = loop_facts(simulation.system(), simulation.t(), simulation.x().first(positions),
                         recorder.columns());
  run.notices = simulation.system().notices();
  if (const int steps = simulation.system().unsettled_steps(); steps > 0)
    run.notices.push_back(fmt::format(
        "in {} of the steps contacts and drives did not agree on their forces; take shorter steps "
        "(integrator.step)",
        steps));
  run.start_assembly = simulation.system().start_assembly();
  if (run.loops && run.loops->freedoms == 0)
    run.notices.push_back(fmt::format("{} leaves no freedom: the robot cannot move",
                                      simulation.system().loops()->closed().owner_name(0)));
  if (hooks.on_columns) hooks.on_columns(recorder.columns());
  ThinnedRows drawn(recorder.columns().size());
  RecordingMark mark;
  LimitWatch limits(simulation.system());
  const auto keep = [&](std::span<const double> row) {
    limits.update(row[0], row.subspan(1, positions));
    run.totals.add(row);
    mark.add(row);
    if (hooks.keep == KeepRows::drawn) drawn.add(row);
    if (hooks.keep == KeepRows::all)
      run.recording.values.insert(run.recording.values.end(), row.begin(), row.end());
  };
  if (hooks.earlier_rows) hooks.earlier_rows(keep);
  if (hooks.resume && mark.rows == 0)  // they lie elsewhere
    run.totals = earlier_totals(*hooks.resume, recorder.columns());
  simulation.on_record = [&](const System& system, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(system, t, x);
    keep(row);
    if (hooks.on_row) hooks.on_row(row);
  };
  simulation.on_save = [&](SavedRun& saved) {
    saved.recorded = mark;
    for (const Column& column : recorder.columns()) saved.columns.push_back(column.name);
    saved.totals = run.totals;
  };
  simulation.go_on = [&](double t) {
    limits.update(t, simulation.x().first(positions));
    if (hooks.state_due && hooks.state_due()) hooks.on_state(simulation.save());
    return !hooks.go_on || hooks.go_on(t);
  };
  const double begin = simulation.t();
  const Clock::time_point started = Clock::now();
  run.status = simulation.run();
  run.elapsed = std::chrono::duration<double>(Clock::now() - started).count();
  run.simulated = simulation.t() - begin;
  run.message = simulation.message();
  run.events = simulation.events();
  run.cost = simulation.cost();
  run.records = mark.rows;
  run.accuracy = simulation.accuracy();
  if (run.status == RunStatus::finished || run.status == RunStatus::stopped)
    run.inaccuracy = inaccuracy(run.accuracy, scenario.simulation.integrator);
  if (const std::string tried =
          run.inaccuracy.empty() ? std::string() : tried_step(scenario, run, hooks);
      !tried.empty())
    run.inaccuracy = fmt::format("{}; {}", error_of_run(run.accuracy), tried);
  if (run.status == RunStatus::finished && !run.inaccuracy.empty()) {
    run.status = RunStatus::inaccurate;
    run.message = run.inaccuracy;
  }
  run.limits_passed = limits.passed();
  run.contacts = contact_facts(simulation.system());
  run.end = simulation.save();
  if (hooks.keep == KeepRows::drawn) run.recording.values = drawn.take();
  return run;
}

void check_start(const Scenario& scenario) {
  Recorder(make_simulation(scenario, nullptr).system(), scenario.record);
}

std::optional<Largest> largest_of(const Recording& recording, const std::string& group) {
  RecordingTotals totals;
  for (std::size_t row = 0; row < recording.rows(); ++row) totals.add(recording.row(row));
  return largest_in(recording.columns, totals, group);
}

std::optional<Largest> largest_of(const Run& run, const std::string& group) {
  return largest_in(run.recording.columns, run.totals, group);
}

std::string outcome(const Run& run) {
  const bool stopped = run.status == RunStatus::stopped && !run.inaccuracy.empty();
  return fmt::format("{}{}", name(run.status), stopped ? ", inaccurate" : "");
}

std::string saved_run_text(const Scenario& scenario, const SavedRun& saved) {
  std::vector<double> largest = saved.totals.largest;  // JSON has no infinity
  for (double& value : largest) value = std::min(value, std::numeric_limits<double>::max());
  Json events = Json::array(), changes = Json::array();
  for (const Event& one : saved.events) events.push_back({{"time", one.t}, {"text", one.text}});
  for (const Change& one : saved.changes) {
    Json values = Json::array();
    for (const Change::Value& value : one.values)
      values.push_back({{"name", value.name}, {"value", value.value}});
    changes.push_back({{"time", one.t}, {"step", one.step}, {"values", values}});
  }
  const Json data = {{"limber_run", saved_version},
                     {"scenario", scenario.title},
                     {"t", saved.t},
                     {"x", saved.x},
                     {"discrete", saved.discrete},
                     {"inputs", saved.inputs},
                     {"integrator", saved.integrator},
                     {"event_values", saved.event_values},
                     {"samples", saved.samples},
                     {"records", saved.records},
                     {"steps", saved.steps},
                     {"events", events},
                     {"changes", changes},
                     {"last_record", saved.last_record},
                     {"last_act", saved.last_act},
                     {"acts_in_a_row", saved.acts_in_a_row},
                     {"energy_at_start", saved.energy_at_start},
                     {"recorded_rows", saved.recorded.rows},
                     {"recorded_digest", saved.recorded.digest},
                     {"columns", saved.columns},
                     {"total_rows", saved.totals.rows},
                     {"largest", largest},
                     {"nonzero", saved.totals.nonzero}};
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SavedRun parse_saved_run(const Scenario& scenario, std::string_view text, const std::string& file) {
  const Source place{file, 0, "the saved state of a run"};
  const Json data = parse_json(text, {file, 0, ""});
  if (count_of(data, "limber_run", place) != saved_version)
    throw Error(place, "is of another version of Limber; save the run anew");
  expect_keys(data,
              {"limber_run",
               "scenario",
               "t",
               "x",
               "discrete",
               "inputs",
               "integrator",
               "event_values",
               "samples",
               "records",
               "steps",
               "events",
               "changes",
               "last_record",
               "last_act",
               "acts_in_a_row",
               "energy_at_start",
               "recorded_rows",
               "recorded_digest",
               "columns",
               "total_rows",
               "largest",
               "nonzero"},
              place);
  if (const std::string from = text_of(data, "scenario", place); from != clean_utf8(scenario.title))
    throw Error(place, fmt::format("was saved from the scenario '{}', not from '{}'", from,
                                   scenario.title));
  SavedRun saved;
  saved.t = number_of(data, "t", place);
  saved.x = numbers_of(data, "x", place);
  saved.discrete = numbers_of(data, "discrete", place);
  saved.inputs = numbers_of(data, "inputs", place);
  saved.integrator = numbers_of(data, "integrator", place);
  saved.event_values = numbers_of(data, "event_values", place);
  saved.samples = counts_of(data, "samples", place);
  saved.records = count_of(data, "records", place);
  saved.steps = count_of(data, "steps", place);
  for (const auto& one : member(data, "events", place))
    saved.events.push_back({number_of(one, "time", place), text_of(one, "text", place)});
  for (const auto& one : member(data, "changes", place)) {
    saved.changes.push_back({number_of(one, "time", place), count_of(one, "step", place), {}});
    for (const auto& value : member(one, "values", place))
      saved.changes.back().values.push_back(
          {text_of(value, "name", place), number_of(value, "value", place)});
  }
  saved.last_record = number_of(data, "last_record", place);
  saved.last_act = number_of(data, "last_act", place);
  saved.acts_in_a_row = static_cast<int>(
      std::min<long>(count_of(data, "acts_in_a_row", place), std::numeric_limits<int>::max()));
  saved.energy_at_start = number_of(data, "energy_at_start", place);
  saved.recorded.rows = bits_of(data, "recorded_rows", place);
  saved.recorded.digest = bits_of(data, "recorded_digest", place);
  saved.columns = texts_of(data, "columns", place);
  saved.totals.rows = bits_of(data, "total_rows", place);
  saved.totals.largest = numbers_of(data, "largest", place);
  for (const long count : counts_of(data, "nonzero", place))
    saved.totals.nonzero.push_back(static_cast<std::uint64_t>(count));
  const std::size_t known = saved.totals.largest.size();
  if ((known != 0 && known != saved.columns.size()) || saved.totals.nonzero.size() != known)
    throw Error(place, fmt::format("`columns`, `largest` and `nonzero` have {}, {} and {} entries, "
                                   "and should have as many each; it is damaged",
                                   saved.columns.size(), known, saved.totals.nonzero.size()));
  return saved;
}

}  // namespace limber
