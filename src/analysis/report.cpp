// The tables of an analysis, and the report that it makes with its diagrams.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "analysis/report.hpp"
#include "analysis/figure_units.hpp"

namespace limber {

namespace {

using Cell = ReportTable::Cell;

Cell text(std::string words) { return {std::move(words), std::nullopt}; }
// a number, or words where there is none
Cell number(double value) {
  if (std::isfinite(value)) return {"", value};
  return text(std::isnan(value) ? "not a number" : "without bound");
}
Cell number(const Figures& figures, Figure figure, double factor) {
  const auto found = figures.find(figure);
  return found == figures.end() ? text("") : number(factor * found->second.value);
}

// the wanted figures that any owner has
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
ReportTable figure_table(const Analysis& analysis, const char* title, const char* first,
                         const std::vector<Owner>& owners, std::initializer_list<Figure> wanted,
                         const char* note = "") {
  ReportTable table;
  table.title = title;
  table.note = note;
  table.columns.push_back({first, ""});
  const std::vector<Figure> figures = present(owners, wanted);
  for (const Figure figure : figures)
    table.columns.push_back({shown_label(figure), shown_unit(figure, analysis).unit});
  for (const Owner& one : owners) {
    ReportTable::Row row;
    row.cells.push_back(text(one.name));
    for (const Figure figure : figures)
      row.cells.push_back(number(one.figures, figure, shown_unit(figure, analysis).factor));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable link_table(const Analysis& analysis) {
  const std::vector<LinkAnalysis>& links = analysis.links;
  ReportTable table = figure_table(analysis, "Links", "link", links,
                                   {Figure::stress, Figure::deflection, Figure::twist},
                                   "Slender beams of uniform section; the largest values of all "
                                   "instants. Safety: yield strength over stress.");
  const ReportTable::Head more[] = {{"length", "mm"},
                                    {"beam mass", "kg"},
                                    {"link mass", "kg"},
                                    {"yield strength", "MPa"},
                                    {"safety", ""}};
  table.columns.insert(table.columns.end(), std::begin(more), std::end(more));
  for (std::size_t k = 0; k < links.size(); ++k) {
    const LinkAnalysis& link = links[k];
    for (const double value :
         {1e3 * link.length, link.beam_mass, link.link_mass, 1e-6 * link.yield_strength,
          link.yield_strength / link.figures.at(Figure::stress).value})
      table.rows[k].cells.push_back(number(value));
  }
  return table;
}

ReportTable::State state_of(const LimitCheck& check) {
  return check.violated()       ? ReportTable::State::violation
         : check.margin() < 0.1 ? ReportTable::State::warning
                                : ReportTable::State::ok;
}

// what is not a number is worse than any margin
std::vector<const LimitCheck*> least_margin_first(const std::vector<LimitCheck>& checks) {
  const auto margin = [](const LimitCheck* check) {
    return std::isnan(check->margin()) ? -HUGE_VAL : check->margin();
  };
  std::vector<const LimitCheck*> sorted;
  for (const LimitCheck& check : checks) sorted.push_back(&check);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const LimitCheck* a, const LimitCheck* b) { return margin(a) < margin(b); });
  return sorted;
}

ReportTable limit_table(const Analysis& analysis) {
  ReportTable table;
  table.title = "Limits";
  table.judged = true;
  table.note = "Least margin first. Margin: what is left of the limit.";
  table.columns = {{"figure", ""}, {"of", ""},      {"value", ""}, {"limit", ""},
                   {"unit", ""},   {"margin", "%"}, {"time", "s"}, {"set by", ""}};
  for (const LimitCheck* check : least_margin_first(analysis.checks)) {
    const ShownUnit unit = shown_unit(check->figure, analysis, check->of);
    ReportTable::Row row;
    row.cells = {text(shown_label(check->figure)),
                 text(check->of),
                 number(unit.factor * check->found.value),
                 number(unit.factor * check->limit),
                 text(unit.unit),
                 number(100 * check->margin()),
                 check->found.time ? number(*check->found.time) : text(""),
                 text(check->from)};
    row.state = state_of(*check);
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable scan_table(const Analysis& analysis, const std::vector<ScanSettings>& parameters,
                       const std::vector<ScanPoint>& points) {
  ReportTable table;
  table.title = "Scan";
  table.judged = true;
  table.note = "Largest figure of all joints, motors and links; energies of all together.";
  for (const ScanSettings& one : parameters) table.columns.push_back({one.name, ""});
  const std::vector<Figure> figures = scanned_figures(points);
  for (const Figure figure : figures)
    table.columns.push_back({shown_label(figure), shown_unit(figure, analysis).unit});
  table.columns.push_back({"least margin", "%"});
  table.columns.push_back({"violations", ""});
  table.columns.push_back({"run", ""});
  for (const ScanPoint& point : points) {
    ReportTable::Row row;
    for (const std::string& value : point.values) row.cells.push_back(text(value));
    for (const Figure figure : figures)
      row.cells.push_back(number(point.figures, figure, shown_unit(figure, analysis).factor));
    row.cells.push_back(point.checks.empty()
                            ? text("")
                            : number(100 * least_margin_first(point.checks).front()->margin()));
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
  if (!analysis.checks.empty()) tables.push_back(limit_table(analysis));
  tables.push_back(
      figure_table(analysis, "Joints", "joint", analysis.joints,
                   {Figure::peak_torque, Figure::rms_torque, Figure::mean_torque,
                    Figure::peak_speed, Figure::mean_speed, Figure::peak_power, Figure::mean_power,
                    Figure::energy, Figure::returned_energy, Figure::tracking_error},
                   "What reaches the links: without what the rotors need for themselves."));
  if (!analysis.motors.empty()) {
    tables.push_back(
        figure_table(analysis, "Motors", "joint", analysis.motors,
                     {Figure::motor_torque, Figure::motor_rms_torque, Figure::motor_mean_torque,
                      Figure::motor_speed, Figure::current, Figure::rms_current, Figure::voltage,
                      Figure::electrical_power, Figure::mean_electrical_power, Figure::saturation},
                     "On the motor's own shaft; torque is C_M i."));
    tables.push_back(figure_table(
        analysis, "Energy and heat of the motors", "joint", analysis.motors,
        {Figure::electrical_energy, Figure::recovered_energy, Figure::copper_loss,
         Figure::friction_loss, Figure::gear_loss, Figure::stored_energy,
         Figure::winding_temperature, Figure::final_temperature, Figure::steady_temperature},
        "Steady temperature: if the task is repeated for ever. At rest (slower than 1 % of "
        "its largest speed) a joint's gear is taken to lose against the motor, the worse of its "
        "two directions."));
  }
  tables.push_back(figure_table(
      analysis, "Bearings", "joint", analysis.bearings,
      {Figure::bearing_force, Figure::axial_force, Figure::radial_force, Figure::tilting_moment},
      "Largest loads; moments about the joint's origin."));
  if (!analysis.links.empty()) tables.push_back(link_table(analysis));
  if (!scan.empty()) tables.push_back(scan_table(analysis, scenario.analysis->scan, scan));
}

using Conclusions = std::vector<Conclusion>;

void conclude_limits(const Analysis& analysis, Conclusions& conclusions) {
  if (analysis.checks.empty()) return;
  const std::size_t broken = analysis.violations(), all = analysis.checks.size();
  if (broken > 0)
    conclusions.push_back({fmt::format("{} of {}", broken, all), "limits are violated",
                           ReportTable::State::violation});
  else conclusions.push_back({fmt::format("All {}", all), "limits are kept"});
  const LimitCheck& worst = *least_margin_first(analysis.checks).front();
  const std::string whose =
      fmt::format("{} of '{}', {}", shown_label(worst.figure), worst.of, shown(worst, analysis));
  const std::string share = fmt::format("{:.3g} %", 100 * std::abs(worst.margin()));
  if (worst.violated()) conclusions.push_back({share, "over the limit: " + whose, state_of(worst)});
  else conclusions.push_back({share, "least margin: " + whose, state_of(worst)});
}

// the owner with the largest value of a figure
template <class Owner>
const Owner* largest_owner(const std::vector<Owner>& owners, Figure figure) {
  const Owner* largest = nullptr;
  for (const Owner& one : owners) {
    const auto found = one.figures.find(figure);
    if (found != one.figures.end() &&
        (!largest || found->second.value > largest->figures.at(figure).value))
      largest = &one;
  }
  return largest;
}

// the state of the owner's tightest check of that figure
ReportTable::State state_of(const Analysis& analysis, Figure figure, const std::string& of) {
  for (const LimitCheck* check : least_margin_first(analysis.checks))
    if (check->figure == figure && check->of == of) return state_of(*check);
  return ReportTable::State::ok;
}

template <class Owner>
void conclude_largest(const Analysis& analysis, const std::vector<Owner>& owners, Figure figure,
                      const char* what, Conclusions& conclusions) {
  const Owner* one = largest_owner(owners, figure);
  if (!one) return;
  const ShownUnit unit = shown_unit(figure, analysis, one->name);
  const double value = unit.factor * one->figures.at(figure).value;
  conclusions.push_back(
      {std::isfinite(value) ? fmt::format("{:.3g} {}", value, unit.unit) : "without bound",
       fmt::format("{} '{}'", what, one->name), state_of(analysis, figure, one->name)});
}

void conclude_scan(const std::vector<ScanSettings>& parameters,
                   const std::vector<ScanPoint>& points, Conclusions& conclusions) {
  if (points.empty() || parameters.size() != 1) return;
  std::string good;
  std::size_t count = 0;
  for (const ScanPoint& point : points) {
    if (point.checks.empty() || point.violations > 0) continue;
    good += (count++ > 0 ? ", " : "") + point.values[0];
  }
  conclusions.push_back(
      {fmt::format("{} of {}", count, points.size()),
       count > 0 ? fmt::format("values of {} keep all limits: {}", parameters[0].name, good)
                 : fmt::format("values of {} keep all limits", parameters[0].name),
       count > 0 ? ReportTable::State::ok : ReportTable::State::violation});
}

Conclusions conclusions_of(const Scenario& scenario, const Analysis& analysis,
                           const std::vector<ScanPoint>& scan) {
  Conclusions all;
  conclude_limits(analysis, all);
  conclude_largest(analysis, analysis.motors, Figure::steady_temperature,
                   "hottest winding if the task is repeated for ever: that of", all);
  conclude_largest(analysis, analysis.links, Figure::stress, "largest stress: in", all);
  conclude_largest(analysis, analysis.links, Figure::deflection, "largest deflection: of", all);
  conclude_scan(scenario.analysis->scan, scan, all);
  return all;
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
  if (analysis.violations() > 0)
    report.summary.verdict = fmt::format("{} limit{} violated", analysis.violations(),
                                         analysis.violations() == 1 ? "" : "s");
  report.conclusions = conclusions_of(scenario, analysis, scan);
  report.recording = analysis.run.recording;
  add_tables(scenario, analysis, scan, report.tables);
  add_diagrams(scenario, analysis, scan, report.diagrams);
  return report;
}

}  // namespace limber
