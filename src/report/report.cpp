// The report: its data as JSON, put into the page that the viewer was built to.
#include <limber/report/report.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "report/drawn_rows.hpp"
#include "report/embedded_viewer.hpp"
#include "report/scene.hpp"
#include "report/sections.hpp"
#include "report/script_text.hpp"

namespace limber {

namespace {

// one number stands for a column that never changes
Json packed_column(std::span<const double> values) {
  const bool constant =
      !values.empty() && std::isfinite(values[0]) &&
      std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
  if (constant) return values[0];
  return packed(values);
}

struct Group {
  std::string title, unit;
  Json series = Json::array();
  bool zero = true;  // but for rounding
};

// what is smaller is what rounding has left of zero
constexpr double most_rounding = 1e-12;

// "elbow.reference" belongs to "elbow.position"
bool is_reference(const std::string& name) { return name.ends_with(".reference"); }
std::string partner(const std::string& name) {
  return name.substr(0, name.size() - std::string(".reference").size()) + ".position";
}
class Groups {
 public:
  // run 0 is the report's own, others are compared with it
  void add(const Column& column, std::size_t run, std::span<const double> values) {
    if (column.group.empty()) return;
    Group& group = find(column);
    Json series = {{"name", column.name}, {"data", packed_column(values)}};
    if (is_reference(column.name)) series["dashed"] = true;
    if (run > 0) series["run"] = run;
    const std::string pair = is_reference(column.name) ? partner(column.name) : column.name;
    const auto found = colors_.find(column.group + pair);
    if (found != colors_.end()) series["color"] = found->second;
    else colors_[column.group + pair] = static_cast<int>(group.series.size());
    group.series.push_back(std::move(series));
    const auto is_rounding = [](double value) { return std::abs(value) < most_rounding; };
    group.zero = group.zero && std::all_of(values.begin(), values.end(), is_rounding);
  }
  Json to_json() const {
    std::vector<const Group*> sorted;
    for (const Group& group : groups_) sorted.push_back(&group);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Group* a, const Group* b) {
      return plot_rank(a->title) < plot_rank(b->title);
    });
    Json all = Json::array();
    for (const Group* group : sorted) {
      all.push_back({{"title", group->title},
                     {"unit", group->unit},
                     {"sections", sections_of(group->title, group->unit)},
                     {"series", group->series}});
      // energy errors are meant to be small
      if (group->zero && group->title != "Energy error") all.back()["zero"] = true;
    }
    return all;
  }

 private:
  // values of one group with different units are drawn apart
  Group& find(const Column& column) {
    const auto same = [&](const Group& g) {
      return g.title == column.group && g.unit == column.unit;
    };
    const auto found = std::find_if(groups_.begin(), groups_.end(), same);
    if (found != groups_.end()) return *found;
    groups_.push_back({column.group, column.unit, Json::array(), true});
    return groups_.back();
  }
  std::vector<Group> groups_;
  std::map<std::string, int> colors_;
};

Json groups_of(const Report& report, const DrawnRows& rows) {
  const Recording& own = report.recording;
  Groups groups;
  for (std::size_t k = 0; k < own.columns.size(); ++k)
    groups.add(own.columns[k], 0, rows.column(k));
  for (std::size_t run = 0; run < report.comparisons.size(); ++run) {
    const Recording& other = report.comparisons[run].recording;
    for (std::size_t k = 0; k < other.columns.size() && other.rows() > 0; ++k)
      if (!is_reference(other.columns[k].name))
        groups.add(other.columns[k], run + 1, rows.column_of(other, k));
  }
  return groups.to_json();
}

// how many numbers a row of the report has
std::size_t numbers_in_row(const Scenario& scenario, const Report& report) {
  const std::size_t poses = 7 * static_cast<std::size_t>(scenario.model.bodies()) + 3;
  std::size_t count = poses + report.recording.columns.size();
  for (const Comparison& other : report.comparisons)
    count += poses + other.recording.columns.size();
  return count;
}

Json summary_json(const RunSummary& summary) {
  Json facts = Json::array();
  for (const Fact& fact : summary.facts) {
    facts.push_back({{"label", fact.label}, {"value", fact.value}});
    if (fact.brief)
      facts.back()["brief"] = {{"value", fact.brief->value}, {"label", fact.brief->label}};
  }
  const bool fine = summary.status == RunStatus::finished || summary.status == RunStatus::stopped;
  const std::string& words = summary.verdict.empty() ? summary.headline : summary.verdict;
  return {{"status", words.empty() ? name(summary.status) : words},
          {"ok", fine && summary.verdict.empty()},
          {"message", summary.message},
          {"facts", facts},
          {"warnings", summary.warnings}};
}

Json diagram_json(const Diagram& diagram) {
  constexpr const char* kinds[] = {"line", "points", "limit", "bar"};
  Json curves = Json::array();
  for (const Diagram::Curve& curve : diagram.curves)
    curves.push_back({{"name", curve.name},
                      {"kind", kinds[static_cast<std::size_t>(curve.kind)]},
                      {"x", packed(curve.x)},
                      {"y", packed(curve.y)}});
  return {{"title", diagram.title},
          {"section", diagram.section},
          {"x", {{"label", diagram.x_label}, {"unit", diagram.x_unit}}},
          {"y", {{"label", diagram.y_label}, {"unit", diagram.y_unit}}},
          {"note", diagram.note},
          {"curves", curves}};
}

constexpr const char* row_states[] = {"ok", "warning", "violation"};

Json to_json(const Conclusion& one) {
  return {{"figure", one.figure},
          {"text", one.text},
          {"state", row_states[static_cast<std::size_t>(one.state)]}};
}

Json table_json(const ReportTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const ReportTable::Head& head : table.columns)
    columns.push_back({{"name", head.name}, {"unit", head.unit}});
  for (const ReportTable::Row& row : table.rows) {
    Json cells = Json::array();
    for (const ReportTable::Cell& cell : row.cells)
      cells.push_back(cell.number ? Json(*cell.number) : Json(cell.text));
    rows.push_back({{"cells", cells}});
    if (table.judged) rows.back()["state"] = row_states[static_cast<std::size_t>(row.state)];
  }
  return {{"title", table.title}, {"note", table.note}, {"columns", columns}, {"rows", rows}};
}

}  // namespace

std::string report_data(const Scenario& scenario, const Report& report, std::size_t most_rows) {
  const std::size_t affordable = most_numbers_drawn / numbers_in_row(scenario, report);
  const DrawnRows drawn(report.recording, std::min(most_rows, affordable));
  const std::span<const std::size_t> rows = drawn.rows();
  const Vec3<double>& g = scenario.model.gravity;
  Json data = {{"format", 1},
               {"title", scenario.title},
               {"robot", scenario.model.name},
               {"description", scenario.description},
               {"summary", summary_json(report.summary)},
               {"gravity", {g.x, g.y, g.z}}};
  if (!rows.empty()) {
    data["time"] = packed(drawn.times());
    add_scene(scenario, report, rows, data);
    data["compared"] = Json::array();
    for (const Comparison& other : report.comparisons) data["compared"].push_back(other.title);
    data["groups"] = groups_of(report, drawn);
  }
  data["conclusions"] = Json::array();
  for (const Conclusion& one : report.conclusions) data["conclusions"].push_back(to_json(one));
  data["diagrams"] = Json::array();
  for (const Diagram& diagram : report.diagrams) data["diagrams"].push_back(diagram_json(diagram));
  data["tables"] = Json::array();
  for (const ReportTable& table : report.tables) data["tables"].push_back(table_json(table));
  data["events"] = Json::array();
  for (const Event& event : report.summary.events)
    data["events"].push_back({{"time", event.t}, {"text", event.text}});
  return data.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool reports_available() { return !report_template.empty(); }

std::string report_page(const Scenario& scenario, const Report& report, std::size_t most_rows) {
  if (!reports_available())
    throw Error("this build of Limber cannot write reports: it was built without npm");
  constexpr std::string_view place = "/* REPORT */";
  std::string page(report_template);
  const std::size_t start = page.find(place);
  if (start == std::string::npos) throw Error("the report's template has no place for its data");
  return page.replace(start, place.size(),
                      safe_in_script(report_data(scenario, report, most_rows)));
}

}  // namespace limber
