// limber simulate: runs a scenario; leaves a recording and a report.
#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/report/support.hpp>
#include <limber/scenario/run.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "io/text_file.hpp"
#include "output.hpp"
#include "output_folder.hpp"
#include "progress.hpp"
#include "recording_set.hpp"
#include "report_files.hpp"
#include "scenario_options.hpp"

namespace limber::app {

namespace {

struct SimulateOptions {
  ScenarioOptions scenario;
  std::string output = "out";
  std::vector<std::string> recordings = {"csv"};
  bool no_report = false, json = false, keys = false;
  std::string save, resume;  ///< files; empty: none
  double save_every = 0;     ///< of wall-clock time; 0: at the end only [s]
};

// the files of a run; everything that can be checked before it has been
struct Files {
  std::vector<std::string> recordings;
  std::string report, save;  ///< empty: none
};

Run run_one(const Scenario& scenario, const std::string& what, RunHooks hooks) {
  Progress progress(what);
  const double duration = scenario.simulation.duration;
  const auto more = hooks.go_on;
  hooks.go_on = [&](double t) {
    progress.show(t / duration);
    return !interrupted() && (!more || more(t));
  };
  return run_scenario(scenario, hooks);
}

std::vector<Scenario> read_comparisons(const Scenario& scenario, const ScenarioOptions& options) {
  std::vector<Scenario> all;
  for (const std::string& file : scenario.compare) {
    try {
      all.push_back(read_scenario(file, mesh_overrides(options)));
      check_start(all.back());
    } catch (const Error& error) {
      throw Error(fmt::format("compare: {}", error.what()));
    }
  }
  return all;
}

// runs the others, with their tracking errors beside that of this run
void add_comparisons(const std::vector<Scenario>& others, const Run& own, KeepRows keep,
                     Report& report) {
  const std::optional<Largest> error = largest_of(own, "Tracking error");
  for (const Scenario& other : others) {
    if (interrupted()) return;
    RunHooks hooks;
    hooks.keep = keep;
    Run run = run_one(other, "comparing ", hooks);
    remark(fmt::format("compared with '{}': {}", other.title, outcome(run)));
    const std::optional<Largest> theirs = largest_of(run, "Tracking error");
    if (error && theirs)
      report.summary.facts.push_back({fmt::format("Tracking error of '{}'", other.title),
                                      fmt::format("{:.3g}, {:.3g} times this one's", theirs->value,
                                                  theirs->value / error->value)});
    report.comparisons.push_back(
        {other.title, std::move(run.recording), std::make_shared<const Scenario>(other)});
  }
}

Json limits_json(const Run& run) {
  Json all = Json::array();
  for (const LimitPassed& one : run.limits_passed)
    all.push_back(
        {{"joint", one.joint}, {"limit", one.limit}, {"time", one.time}, {"depth", one.depth}});
  return all;
}

// null: no loop is closed
Json loops_json(const Run& run, const Recording& recording) {
  if (!run.loops) return nullptr;
  const std::optional<Largest> gap = largest_of(recording, "Loop gap");
  Json assembled = nullptr;
  if (run.start_assembly) {
    Json moved = Json::object();
    for (const JointMove& move : run.start_assembly->moved) moved[move.name] = move.distance;
    assembled = {{"moved", moved},
                 {"freed", run.start_assembly->freed},
                 {"keeps_branch", run.start_assembly->keeps_branch}};
  }
  return {{"loops", run.loops->loops},
          {"rows", run.loops->rows},
          {"rank", run.loops->rank},
          {"freedoms", run.loops->freedoms},
          {"indeterminate", run.loops->indeterminate},
          {"assembled", assembled},
          {"largest_gap", gap ? Json(gap->value) : Json(nullptr)}};
}

Json summary_json(const Scenario& scenario, const Run& run, const Report& report,
                  const std::vector<std::string>& files) {
  Json facts = Json::object();
  for (const Fact& fact : report.summary.facts) facts[fact.label] = fact.value;
  Json events = Json::array();
  for (const Event& one : run.events) events.push_back({{"time", one.t}, {"text", one.text}});
  return {{"scenario", scenario.title},
          {"status", outcome(run)},
          {"message", run.message},
          {"limits_passed", limits_json(run)},
          {"closed_loops", loops_json(run, report.recording)},
          {"accuracy",
           {{"steps_checked", run.accuracy.steps_checked},
            {"step_error", run.accuracy.step_error},
            {"energy_error", run.accuracy.energy_error},
            {"energy_exchanged", run.accuracy.energy_exchanged}}},
          {"simulated", run.simulated},
          {"elapsed", run.elapsed},
          {"real_time_factor", run.real_time_factor()},
          {"steps", run.cost.steps},
          {"evaluations", run.cost.evaluations},
          {"records", run.records},
          {"facts", facts},
          {"events", events},
          {"warnings", report.summary.warnings},
          {"files", files}};
}

std::string summary_text(const Scenario& scenario, const Report& report,
                         const std::vector<std::string>& files) {
  std::string text = fmt::format("{}: {}\n", scenario.title, report.summary.headline);
  for (const Fact& fact : report.summary.facts)
    text += fmt::format("  {:<28} {}\n", fact.label, fact.value);
  for (const Event& one : report.summary.events)
    text += fmt::format("  at {:.6g} s: {}\n", one.t, one.text);
  // the message of a run that was not computed to its end is the error that ends the command
  const bool computed = report.summary.status == RunStatus::inaccurate;
  for (const std::string& warning : report.summary.warnings)
    if (computed || warning != report.summary.message)
      text += fmt::format("  warning: {}\n", warning);
  if (!files.empty()) text += fmt::format("wrote {}\n", fmt::join(files, ", "));
  return text;
}

void list_scenarios() {
  std::string text = "Scenarios that ship with Limber:\n";
  for (const std::string& shipped : shipped_scenarios())
    text += fmt::format("  {:<28} {}\n", shipped, read_scenario(shipped).title);
  write(text +
        "Run one with `limber simulate NAME`; docs/scenario.md explains how to write your own.\n");
}

// of a run that will take a while
void print_estimate(const Scenario& scenario) {
  constexpr double many_records = 1e6, many_steps = 1e7;
  const RunEstimate size = estimate_run(scenario.simulation, scenario.make_system());
  if (size.records > many_records || size.steps > many_steps)
    remark(fmt::format("to come: {:.3g} records, {:.3g} steps or more", size.records, size.steps));
}

std::vector<std::string> inputs_of(const Scenario& scenario, const std::vector<Scenario>& others) {
  std::vector<std::string> inputs = scenario.files;
  for (const Scenario& other : others)
    inputs.insert(inputs.end(), other.files.begin(), other.files.end());
  return inputs;
}

// Throws Error for a file that could not be written when the run is over, or that it reads. The
// saved state may replace the one that the run goes on from.
Files check_files(const SimulateOptions& options, const OutputFolder& folder,
                  std::vector<std::string> inputs) {
  Files files;
  if (!options.save.empty()) {
    expect_writable(options.save, inputs);
    files.save = options.save;
  }
  if (!options.resume.empty()) inputs.push_back(options.resume);
  for (const std::string& kind : options.recordings) {
    const std::string file = folder.file("recording." + kind);
    const bool named =
        std::find(files.recordings.begin(), files.recordings.end(), file) != files.recordings.end();
    if (kind != "none" && !named) files.recordings.push_back(file);
  }
  if (!options.no_report && reports_available()) files.report = folder.file("report.html");
  std::vector<std::string> all;
  for (const std::string& file : files.recordings)
    all.insert(all.end(), {file, file + ".part", file + ".new", file + ".killed"});
  if (!files.report.empty()) all.push_back(files.report);
  for (const std::string& file : all) {
    expect_writable(file, inputs);
    if (!files.save.empty() && same_file(file, files.save))
      throw Error({file, 0, ""}, "is named with --save, but is a recording or the report");
  }
  return files;
}

// Runs, records, and saves the state now and then. A write that fails ends the run.
class Recorded {
 public:
  Recorded(const Scenario& scenario, const SimulateOptions& options, const Files& files)
      : scenario_(scenario),
        save_(files.save),
        save_every_(options.save_every),
        recordings_(files.recordings) {}

  Run run(const std::optional<SavedRun>& resume, KeepRows keep) {
    RunHooks hooks;
    hooks.keep = keep;
    if (resume) {
      hooks.resume = &*resume;
      hooks.on_columns = [&](const auto& columns) {
        recordings_.find_earlier(columns, resume->recorded);
      };
      hooks.earlier_rows = [&](const RowReceiver& add) { recordings_.go_on(add); };
    } else {
      hooks.on_columns = [&](const auto& columns) { recordings_.begin(columns); };
    }
    hooks.on_row = [&](std::span<const double> row) { recordings_.add(row); };
    hooks.state_due = [&] { return save_every_ > 0 && seconds_since(saved_) >= save_every_; };
    hooks.on_state = [&](const SavedRun& state) { save(state); };
    hooks.go_on = [&](double) {
      recordings_.flush_if_due();
      return failure().empty();
    };
    Run run = run_one(scenario_, "simulating", hooks);
    recordings_.close();
    if (!save_.empty()) save(run.end);
    if (!failure().empty()) {
      run.status = RunStatus::interrupted;
      run.message = fmt::format("{} (at t = {:.6g} s)", failure(), run.end.t);
    }
    return run;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all = recordings_.names();
    if (!save_.empty() && failure().empty()) all.push_back(save_);
    return all;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  const std::string& failure() const {
    return recordings_.failure().empty() ? failure_ : recordings_.failure();
  }
  // the rows that belong to a state are on the disk before it
  void save(const SavedRun& state) {
    saved_ = Clock::now();
    recordings_.flush();
    if (!failure().empty()) return;
    try {
      write_file(save_, saved_run_text(scenario_, state));
    } catch (const RunFailure& error) {
      failure_ = error.what();
    }
  }

  const Scenario& scenario_;
  std::string save_;
  double save_every_;
  RecordingSet recordings_;
  std::string failure_;
  Clock::time_point saved_ = Clock::now();
};

void simulate(const SimulateOptions& options) {
  if (options.save_every > 0 && options.save.empty())
    throw Error("--save-every says how often, but not where; add --save FILE");
  const FilesRead read;
  const Scenario scenario = load_scenario(options.scenario);
  const std::vector<Scenario> others = read_comparisons(scenario, options.scenario);
  std::vector<std::string> inputs = inputs_of(scenario, others);
  inputs.insert(inputs.end(), read.names().begin(), read.names().end());
  std::optional<SavedRun> resume;
  if (!options.resume.empty())
    resume = parse_saved_run(scenario, read_text_file(options.resume), options.resume);
  print_estimate(scenario);
  const OutputFolder folder(options.output);
  const Files files = check_files(options, folder, inputs);
  watch_for_interrupt();
  const KeepRows keep = files.report.empty() ? KeepRows::none : KeepRows::drawn;
  Recorded recorded(scenario, options, files);
  Run run = recorded.run(resume, keep);
  std::vector<std::string> written = recorded.names();
  Report report;
  report.summary = summary_of(scenario, run);
  if (resume)
    report.summary.facts.push_back({"Continued from", fmt::format("{:.6g} s", resume->t)});
  add_comparisons(others, run, keep, report);
  report.recording = std::move(run.recording);
  std::string failure = run.message;
  try {
    if (!options.no_report) report.diagrams = support_diagrams(scenario, report.recording);
    if (!options.no_report) write_report(folder.file("report.html"), scenario, report, written);
  } catch (const RunFailure& error) {
    run.status = RunStatus::interrupted;
    failure += fmt::format("{}{}", failure.empty() ? "" : "; ", error.what());
  }
  if (options.json) write_line(summary_json(scenario, run, report, written));
  else write(summary_text(scenario, report, written));
  if (run.status == RunStatus::diverged || run.status == RunStatus::failed ||
      run.status == RunStatus::interrupted)
    throw RunFailure(failure);
  if (!run.inaccuracy.empty())
    throw InaccurateRun("the run is inaccurate: its first warning says why and what would do");
}

void run_simulate(const SimulateOptions& options) {
  if (options.keys) return write(scenario_document());
  if (options.scenario.file.empty()) return list_scenarios();
  simulate(options);
}

}  // namespace

void add_simulate_command(Command& limber) {
  auto options = std::make_shared<SimulateOptions>();
  Command& command = *limber.add_subcommand(
      "simulate", "Run a scenario; leave a recording and a report with a 3-D replay");
  add_scenario_options(command, options->scenario);
  command.add_option("-o,--output", options->output, "Folder for recording and report")
      ->capture_default_str();
  command
      .add_option("--recording", options->recordings,
                  "Kinds of recordings: csv, json, h5 (HDF5, for long ones), or none")
      ->separated_by_commas()
      ->one_of({"csv", "json", "h5", "none"})
      ->capture_default_str();
  command.add_flag("--no-report", options->no_report, "Write no report.html");
  command.add_flag("--json", options->json, "Print the summary as one line of JSON");
  command.add_option("--save", options->save, "Save the state at the end, to go on from")
      ->type_name("FILE");
  command
      .add_option("--save-every", options->save_every,
                  "Save the state as often while the run goes on, in seconds of computing")
      ->type_name("SECONDS")
      ->positive();
  command
      .add_option("--resume", options->resume,
                  "Go on from a saved state, and with its recording where the folder has it; use "
                  "with --set duration")
      ->type_name("FILE");
  command.add_flag("--keys", options->keys, "Print every key that a scenario file may have");
  command.footer(
      R"(Without SCENARIO: lists the scenarios that ship with Limber. Ctrl-C, SIGTERM and SIGHUP end the run;
what was computed so far is written. Exit status: 0 done, 1 the run diverged, failed, was interrupted
or could not write (what it computed is there), 2 bad input, 3 finished, but inaccurate. More records
or steps than `limits` of the scenario allows are refused.

Examples:
  limber simulate
  limber simulate puma_pick_and_place
  limber simulate my.yaml -o results --recording csv,h5
  limber simulate my.yaml --save state.json --save-every 60
  limber simulate my.yaml --resume state.json
  limber simulate double_pendulum --set integrator.method=rk4 --set duration=60)");
  command.callback([options] { run_simulate(*options); });
}

}  // namespace limber::app
