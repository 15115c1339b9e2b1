// limber analyse: the design report of a scenario.
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/analysis/analysis.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "output_folder.hpp"
#include "progress.hpp"
#include "report_files.hpp"
#include "scenario_options.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

struct AnalyseOptions {
  ScenarioOptions scenario;
  std::string output = "out";
  bool json = false, strict = false, no_report = false, no_scan = false;
  int threads = 0;
};

Analysis analyse_one(const Scenario& scenario) {
  Progress progress("analysing");
  const double duration = scenario.simulation.duration;
  return analyse(scenario, [&](double t) {
    progress.show(t / duration);
    return !interrupted();
  });
}

std::vector<ScanPoint> scan(const AnalyseOptions& options, const Scenario& scenario) {
  if (options.no_scan || scenario.analysis->scan.empty()) return {};
  const std::vector<Override> own = overrides_of(options.scenario);
  const auto read = [&](std::span<const Override> point) {
    std::vector<Override> all = own;
    all.insert(all.end(), point.begin(), point.end());
    return read_scenario(options.scenario.file, all);
  };
  Progress progress("scanning ");
  ScanHooks hooks;
  hooks.threads = options.threads;
  hooks.on_point = [&](std::size_t done, std::size_t count) {
    progress.show(static_cast<double>(done) / static_cast<double>(count));
  };
  hooks.go_on = [] { return !interrupted(); };
  return run_scan(scenario.analysis->scan, read, hooks);
}

// --- text ---

// rounding noise of SI quantities is shown as 0
std::string cell_text(const ReportTable::Cell& cell) {
  if (!cell.number) return cell.text;
  return fmt::format("{:.4g}", std::abs(*cell.number) < 1e-12 ? 0.0 : *cell.number);
}
std::string head_text(const ReportTable::Head& head) {
  return head.unit.empty() ? head.name : fmt::format("{} [{}]", head.name, head.unit);
}

// words to the left, numbers to the right
Table::Align align(const ReportTable& table, std::size_t column) {
  for (const ReportTable::Row& row : table.rows)
    if (row.cells[column].number) return Table::Align::right;
  return Table::Align::left;
}

const char* state_text(ReportTable::State state) {
  switch (state) {
    case ReportTable::State::ok:
      return "";
    case ReportTable::State::warning:
      return "close";
    case ReportTable::State::violation:
      return "violated";
  }
  return "";
}

std::string straight(const ReportTable& table) {
  std::vector<Table::Column> columns;
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    columns.push_back({head_text(table.columns[k]), align(table, k)});
  columns.push_back({"", Table::Align::left});
  Table result(columns);
  for (const ReportTable::Row& row : table.rows) {
    std::vector<std::string> cells;
    for (const ReportTable::Cell& cell : row.cells) cells.push_back(cell_text(cell));
    cells.push_back(state_text(row.state));
    result.add(std::move(cells));
  }
  return result.text();
}

// rows as columns
std::string turned(const ReportTable& table) {
  std::vector<Table::Column> columns = {{table.columns[0].name, Table::Align::left}};
  for (const ReportTable::Row& row : table.rows) columns.push_back({cell_text(row.cells[0])});
  Table result(columns);
  for (std::size_t k = 1; k < table.columns.size(); ++k) {
    std::vector<std::string> cells = {head_text(table.columns[k])};
    for (const ReportTable::Row& row : table.rows) cells.push_back(cell_text(row.cells[k]));
    result.add(std::move(cells));
  }
  return result.text();
}

// wide tables with few rows fit a terminal better when they are turned
std::string table_text(const ReportTable& table) {
  constexpr std::size_t wide = 9, few = 8;
  const bool turn = table.columns.size() > wide && table.rows.size() <= few;
  return fmt::format("\n{}\n{}", table.title, turn ? turned(table) : straight(table));
}

std::string analysis_text(const Scenario& scenario, const Report& report,
                          const std::vector<std::string>& files) {
  std::string text = fmt::format("{}: {}\n", scenario.title, report.summary.headline);
  for (const Fact& fact : report.summary.facts)
    text += fmt::format("  {:<28} {}\n", fact.label, fact.value);
  for (const std::string& warning : report.summary.warnings)
    if (warning != report.summary.message)  // which ends the command as an error
      text += fmt::format("  warning: {}\n", warning);
  for (const ReportTable& table : report.tables) text += table_text(table);
  if (!files.empty()) text += fmt::format("\nwrote {}\n", fmt::join(files, ", "));
  return text;
}

// --- JSON ---

// null: without bound
Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json figures_json(const Figures& figures) {
  Json all = Json::object();
  for (const auto& [figure, measured] : figures) all[name(figure)] = number_json(measured.value);
  return all;
}

template <class Owner>
Json owners_json(const std::vector<Owner>& owners) {
  Json all = Json::array();
  for (const Owner& one : owners)
    all.push_back({{"name", one.name}, {"figures", figures_json(one.figures)}});
  return all;
}

Json checks_json(const std::vector<LimitCheck>& checks) {
  Json all = Json::array();
  for (const LimitCheck& check : checks)
    all.push_back({{"figure", name(check.figure)},
                   {"of", check.of},
                   {"value", number_json(check.found.value)},
                   {"limit", check.limit},
                   {"time", check.found.time ? Json(*check.found.time) : Json(nullptr)},
                   {"set_by", check.from},
                   {"violated", check.violated()}});
  return all;
}

Json scan_json(const std::vector<ScanSettings>& parameters, const std::vector<ScanPoint>& points) {
  Json all = Json::array();
  for (const ScanPoint& point : points) {
    Json values = Json::object();
    for (std::size_t k = 0; k < parameters.size(); ++k)
      values[parameters[k].path] = point.values[k];
    all.push_back({{"values", values},
                   {"status", point.status == RunStatus::running ? "not run" : name(point.status)},
                   {"message", point.message},
                   {"violations", point.violations},
                   {"figures", figures_json(point.figures)}});
  }
  return all;
}

Json summary_json(const Scenario& scenario, const Analysis& analysis, const Report& report,
                  const std::vector<ScanPoint>& points, const std::vector<std::string>& files) {
  return {{"scenario", scenario.title},
          {"status", outcome(analysis.run)},
          {"message", analysis.run.message},
          {"violations", analysis.violations()},
          {"limits", checks_json(analysis.checks)},
          {"joints", owners_json(analysis.joints)},
          {"motors", owners_json(analysis.motors)},
          {"bearings", owners_json(analysis.bearings)},
          {"links", owners_json(analysis.links)},
          {"scan", scan_json(scenario.analysis->scan, points)},
          {"warnings", report.summary.warnings},
          {"files", files}};
}

void run_analyse(const AnalyseOptions& options) {
  const Scenario scenario = load_scenario(options.scenario);
  const OutputFolder folder(options.output);
  const std::string page = folder.file("analysis.html");
  if (!options.no_report) expect_writable(page, scenario.files);
  watch_for_interrupt();
  const Analysis analysis = analyse_one(scenario);
  const std::vector<ScanPoint> points = scan(options, scenario);
  const Report report = analysis_report(scenario, analysis, points);
  std::vector<std::string> files;
  if (!options.no_report) write_report(page, scenario, report, files);
  if (options.json) write_line(summary_json(scenario, analysis, report, points, files));
  else write(analysis_text(scenario, report, files));
  if (analysis.run.status == RunStatus::diverged || analysis.run.status == RunStatus::failed ||
      analysis.run.status == RunStatus::interrupted)
    throw RunFailure(analysis.run.message);
  if (interrupted()) throw RunFailure("interrupted; the scan is not complete");
  if (options.strict && analysis.violations() > 0)
    throw RunFailure(
        fmt::format("{} of {} limits are violated", analysis.violations(), analysis.checks.size()));
  if (!analysis.run.inaccuracy.empty())
    throw InaccurateRun("the run is inaccurate: " + analysis.run.inaccuracy);
}

}  // namespace

void add_analyse_command(Command& limber) {
  auto options = std::make_shared<AnalyseOptions>();
  Command& command = *limber.add_subcommand(
      "analyse", "Design report of a scenario: torques, motors, heat, bearings, stress, limits");
  add_scenario_options(command, options->scenario);
  command.get_option("SCENARIO")->required();
  command.add_option("-o,--output", options->output, "Folder for the report")
      ->capture_default_str();
  command.add_flag("--json", options->json, "Print everything as one line of JSON");
  command.add_flag("--strict", options->strict, "Exit with status 1 if a limit is violated");
  command.add_flag("--no-report", options->no_report, "Write no analysis.html");
  command.add_flag("--no-scan", options->no_scan, "Leave the parameter scan out");
  command.add_option("--threads", options->threads, "For the scan; 0: one for each core")
      ->range(0, 256)
      ->capture_default_str();
  command.footer(
      R"(Runs the scenario, or takes its reference motion, as the scenario's `analyse` says, and shows what
the task requires of motors, bearings and links, with the limits that are violated. docs/analysis.md
explains. Exit status: 0 done, 1 the run failed or, with --strict, a limit is violated, 2 bad input,
3 the run finished, but is inaccurate.

Examples:
  limber analyse arm_design
  limber analyse puma_pick_and_place -o results
  limber analyse my.yaml --set drives.elbow.gear.ratio=80 --strict --json)");
  command.callback([options] { run_analyse(*options); });
}

}  // namespace limber::app
