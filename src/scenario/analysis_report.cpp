// The tables of an analysis, and the report that it makes with its diagrams.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenario/analysis_report.hpp"

namespace limber {

namespace {

using Cell = ReportTable::Cell;

Cell text(std::string words) { return {std::move(words), std::nullopt}; }
// a number, or words where there is none
Cell number(double value) {
  if (std::isfinite(value)) return {"", value};
  return text(std::isnan(value) ? "not a number" : "without bound");
}
Cell number(const Figures& figures, Figure figure) {
  const auto found = figures.find(figure);
  return found == figures.end() ? text("") : number(found->second.value);
}

// the wanted figures that anybody has
template <class Owner>
std::vector<Figure> present(const std::vector<Owner>& owners,
                            std::initializer_list<Figure> wanted) {
  std::vector<Figure> result;
  for (const Figure figure : wanted)
    if (std::any_of(owners.begin(), owners.end(),
                    [&](const Owner& one) { return one.figures.contains(figure); }))
      result.push_back(figure);
  return result;
}

template <class Owner>
ReportTable figure_table(const char* title, const char* first, const std::vector<Owner>& owners,
                         std::initializer_list<Figure> wanted, const char* note = "") {
  ReportTable table;
  table.title = title;
  table.note = note;
  table.columns.push_back({first, ""});
  const std::vector<Figure> figures = present(owners, wanted);
  for (const Figure figure : figures) table.columns.push_back({label(figure), unit(figure)});
  for (const Owner& one : owners) {
    ReportTable::Row row;
    row.cells.push_back(text(one.name));
    for (const Figure figure : figures) row.cells.push_back(number(one.figures, figure));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable link_table(const std::vector<LinkAnalysis>& links) {
  ReportTable table =
      figure_table("Links", "link", links, {Figure::stress, Figure::deflection, Figure::twist},
                   "Slender beams of uniform section; the largest values of all "
                   "instants. Safety: yield strength over stress.");
  const ReportTable::Head more[] = {{"length", "m"},
                                    {"beam mass", "kg"},
                                    {"link mass", "kg"},
                                    {"yield strength", "Pa"},
                                    {"safety", ""}};
  table.columns.insert(table.columns.end(), std::begin(more), std::end(more));
  for (std::size_t k = 0; k < links.size(); ++k) {
    const LinkAnalysis& link = links[k];
    for (const double value : {link.length, link.beam_mass, link.link_mass, link.yield_strength,
                               link.yield_strength / link.figures.at(Figure::stress).value})
      table.rows[k].cells.push_back(number(value));
  }
  return table;
}

ReportTable limit_table(const std::vector<LimitCheck>& checks) {
  ReportTable table;
  table.title = "Limits";
  table.columns = {{"figure", ""}, {"of", ""},      {"value", ""}, {"limit", ""},
                   {"unit", ""},   {"margin", "%"}, {"time", "s"}, {"set by", ""}};
  std::vector<const LimitCheck*> sorted;
  for (const LimitCheck& check : checks) sorted.push_back(&check);
  std::stable_sort(sorted.begin(), sorted.end(), [](const LimitCheck* a, const LimitCheck* b) {
    return a->violated() > b->violated();
  });
  for (const LimitCheck* check : sorted) {
    ReportTable::Row row;
    row.cells = {text(label(check->figure)),
                 text(check->of),
                 number(check->found.value),
                 number(check->limit),
                 text(unit(check->figure)),
                 number(100 * check->margin()),
                 check->found.time ? number(*check->found.time) : text(""),
                 text(check->from)};
    row.state = check->violated()       ? ReportTable::State::violation
                : check->margin() < 0.1 ? ReportTable::State::warning
                                        : ReportTable::State::ok;
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable scan_table(const std::vector<ScanSettings>& parameters,
                       const std::vector<ScanPoint>& points) {
  ReportTable table;
  table.title = "Scan";
  table.note = "Largest figure of all joints, motors and links; energies of all together.";
  for (const ScanSettings& one : parameters) table.columns.push_back({one.name, ""});
  const std::vector<Figure> figures = scanned_figures(points);
  for (const Figure figure : figures) table.columns.push_back({label(figure), unit(figure)});
  table.columns.push_back({"violations", ""});
  table.columns.push_back({"run", ""});
  for (const ScanPoint& point : points) {
    ReportTable::Row row;
    for (const std::string& value : point.values) row.cells.push_back(text(value));
    for (const Figure figure : figures) row.cells.push_back(number(point.figures, figure));
    const bool began = point.status != RunStatus::running;
    row.cells.push_back(began ? number(static_cast<double>(point.violations)) : text(""));
    row.cells.push_back(text(began ? name(point.status) : point.message));
    const bool fine = point.status == RunStatus::finished || point.status == RunStatus::stopped;
    row.state =
        fine && point.violations == 0 ? ReportTable::State::ok : ReportTable::State::violation;
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_tables(const Scenario& scenario, const Analysis& analysis,
                const std::vector<ScanPoint>& scan, std::vector<ReportTable>& tables) {
  if (!analysis.checks.empty()) tables.push_back(limit_table(analysis.checks));
  tables.push_back(
      figure_table("Joints", "joint", analysis.joints,
                   {Figure::peak_torque, Figure::rms_torque, Figure::mean_torque,
                    Figure::peak_speed, Figure::mean_speed, Figure::peak_power, Figure::mean_power,
                    Figure::energy, Figure::returned_energy, Figure::tracking_error},
                   "What reaches the links: without what the rotors need for themselves."));
  if (!analysis.motors.empty()) {
    tables.push_back(
        figure_table("Motors", "joint", analysis.motors,
                     {Figure::motor_torque, Figure::motor_rms_torque, Figure::motor_mean_torque,
                      Figure::motor_speed, Figure::current, Figure::rms_current, Figure::voltage,
                      Figure::electrical_power, Figure::mean_electrical_power, Figure::saturation},
                     "On the motor's own shaft; torque is C_M i."));
    tables.push_back(figure_table(
        "Energy and heat of the motors", "joint", analysis.motors,
        {Figure::electrical_energy, Figure::recovered_energy, Figure::copper_loss,
         Figure::friction_loss, Figure::gear_loss, Figure::stored_energy,
         Figure::winding_temperature, Figure::final_temperature, Figure::steady_temperature},
        "Steady temperature: if the task is repeated for ever."));
  }
  tables.push_back(figure_table(
      "Bearings", "joint", analysis.bearings,
      {Figure::bearing_force, Figure::axial_force, Figure::radial_force, Figure::tilting_moment},
      "Largest loads; moments about the joint's origin."));
  if (!analysis.links.empty()) tables.push_back(link_table(analysis.links));
  if (!scan.empty()) tables.push_back(scan_table(scenario.analysis->scan, scan));
}

}  // namespace

std::vector<Figure> scanned_figures(const std::vector<ScanPoint>& points) {
  std::vector<Figure> figures;
  for (const Figure figure : all_figures())
    if (std::any_of(points.begin(), points.end(),
                    [&](const ScanPoint& point) { return point.figures.contains(figure); }))
      figures.push_back(figure);
  return figures;
}

Report analysis_report(const Scenario& scenario, const Analysis& analysis,
                       const std::vector<ScanPoint>& scan) {
  Report report;
  report.summary = summary_of(scenario, analysis.run);
  if (scenario.analysis->reference)
    report.summary.facts = {{"Motion", "the reference, not simulated"},
                            {"Time", fmt::format("{:.6g} s", analysis.run.simulated)}};
  report.summary.facts.push_back(
      {"Limits",
       fmt::format("{} checked, {} violated", analysis.checks.size(), analysis.violations())});
  report.summary.warnings.insert(report.summary.warnings.end(), analysis.warnings.begin(),
                                 analysis.warnings.end());
  report.recording = analysis.run.recording;
  add_tables(scenario, analysis, scan, report.tables);
  add_diagrams(scenario, analysis, scan, report.diagrams);
  return report;
}

}  // namespace limber
