// limber simulate: runs a scenario; leaves a recording and a report.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/scenario/recording_files.hpp>
#include <limber/scenario/run.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "io/text_file.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report_files.hpp"
#include "scenario_options.hpp"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct Options {
  ScenarioOptions scenario;
  std::string output = "out";
  std::vector<std::string> recordings = {"csv"};
  bool no_report = false, json = false, keys = false;
  std::string save, resume;  ///< files; empty: none
};

// the recordings that were asked for, all in one folder
class RecordingFiles {
 public:
  RecordingFiles(const Options& options) : options_(options) {}
  void open(const std::vector<Column>& columns) {
    for (const std::string& kind : options_.recordings) {
      if (kind == "none") continue;
      names_.push_back((fs::path(options_.output) / ("recording." + kind)).string());
      files_.push_back(open_recording(names_.back(), columns));
    }
  }
  void add(std::span<const double> row) {
    for (const auto& file : files_) file->add(row);
  }
  void close() {
    for (const auto& file : files_) file->close();
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  const Options& options_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<RecordingFile>> files_;
};

Run run_one(const Scenario& scenario, const std::string& what, RunHooks hooks) {
  Progress progress(what);
  const double duration = scenario.simulation.duration;
  hooks.go_on = [&](double t) {
    progress.show(t / duration);
    return !interrupted();
  };
  return run_scenario(scenario, hooks);
}

std::vector<Comparison> run_comparisons(const Scenario& scenario) {
  std::vector<Comparison> all;
  for (const std::string& file : scenario.compare) {
    const Scenario other = read_scenario(file);
    const Run run = run_one(other, "comparing ", {});
    remark(fmt::format("compared with '{}': {}", other.title, name(run.status)));
    all.push_back({other.title, run.recording});
  }
  return all;
}

// tracking errors of this run beside those of the others
void add_comparison_facts(const Report& report, std::vector<Fact>& facts) {
  const std::optional<Largest> own = largest_of(report.recording, "Tracking error");
  for (const Comparison& other : report.comparisons)
    if (const std::optional<Largest> theirs = largest_of(other.recording, "Tracking error");
        own && theirs)
      facts.push_back({fmt::format("Tracking error of '{}'", other.title),
                       fmt::format("{:.3g}, {:.3g} times this one's", theirs->value,
                                   theirs->value / own->value)});
}

Json summary_json(const Scenario& scenario, const Run& run, const Report& report,
                  const std::vector<std::string>& files) {
  Json facts = Json::object();
  for (const Fact& fact : report.summary.facts) facts[fact.label] = fact.value;
  Json happenings = Json::array();
  for (const Happening& one : run.happenings)
    happenings.push_back({{"time", one.t}, {"text", one.text}});
  return {{"scenario", scenario.title},
          {"status", name(run.status)},
          {"message", run.message},
          {"simulated", run.simulated},
          {"elapsed", run.elapsed},
          {"real_time_factor", run.real_time_factor()},
          {"steps", run.cost.steps},
          {"evaluations", run.cost.evaluations},
          {"records", run.recording.rows()},
          {"facts", facts},
          {"events", happenings},
          {"warnings", report.summary.warnings},
          {"files", files}};
}

std::string summary_text(const Scenario& scenario, const Report& report,
                         const std::vector<std::string>& files) {
  std::string text = fmt::format("{}: {}\n", scenario.title, name(report.summary.status));
  for (const Fact& fact : report.summary.facts)
    text += fmt::format("  {:<28} {}\n", fact.label, fact.value);
  for (const Happening& one : report.summary.happenings)
    text += fmt::format("  at {:.6g} s: {}\n", one.t, one.text);
  for (const std::string& warning : report.summary.warnings)
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
void tell_size(const Scenario& scenario) {
  constexpr double many_records = 1e6, many_steps = 1e7;
  const RunEstimate size = estimate_run(scenario.simulation, scenario.make_system());
  if (size.records > many_records || size.steps > many_steps)
    remark(fmt::format("to come: {:.3g} records, {:.3g} steps or more", size.records, size.steps));
}

void simulate(const Options& options) {
  const Scenario scenario = load_scenario(options.scenario);
  std::optional<SavedRun> resume;
  if (!options.resume.empty())
    resume = parse_saved_run(scenario, read_text_file(options.resume), options.resume);
  tell_size(scenario);
  make_folder(options.output);
  watch_for_interrupt();
  RecordingFiles recordings(options);
  RunHooks hooks;
  hooks.on_columns = [&](const std::vector<Column>& columns) { recordings.open(columns); };
  hooks.on_row = [&](std::span<const double> row) { recordings.add(row); };
  if (resume) hooks.resume = &*resume;
  const Run run = run_one(scenario, "simulating", hooks);
  recordings.close();
  Report report;
  report.summary = summary_of(scenario, run);
  report.recording = run.recording;
  if (!interrupted()) report.comparisons = run_comparisons(scenario);
  add_comparison_facts(report, report.summary.facts);
  std::vector<std::string> files = recordings.names();
  if (!options.no_report)
    write_report(fs::path(options.output) / "report.html", scenario, report, files);
  if (!options.save.empty()) {
    write_file(options.save, saved_run_text(scenario, run.end));
    files.push_back(options.save);
  }
  if (options.json) write_line(summary_json(scenario, run, report, files));
  else write(summary_text(scenario, report, files));
  if (run.status == RunStatus::diverged || run.status == RunStatus::failed ||
      run.status == RunStatus::interrupted)
    throw RunFailure(run.message);
}

void run(const Options& options) {
  if (options.keys) return write(scenario_document());
  if (options.scenario.file.empty()) return list_scenarios();
  simulate(options);
}

}  // namespace

void add_simulate_command(Command& limber) {
  auto options = std::make_shared<Options>();
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
      .add_option("--resume", options->resume, "Go on from a saved state; use with --set duration")
      ->type_name("FILE");
  command.add_flag("--keys", options->keys, "Print every key that a scenario file may have");
  command.footer(
      R"(Without SCENARIO: lists the scenarios that ship with Limber. Ctrl-C ends the run; what was
computed so far is written. Exit status: 0 done, 1 the run diverged, failed or was interrupted (its
recording and report are there), 2 bad input. More records or steps than `limits` of the scenario
allows are refused.

Examples:
  limber simulate
  limber simulate puma_pick_and_place
  limber simulate my.yaml -o results --recording csv,h5
  limber simulate double_pendulum --set integrator.method=rk4 --set duration=60)");
  command.callback([options] { run(*options); });
}

}  // namespace limber::app
