// The report: its data as JSON, put into the page that the viewer was built to.
#include <limber/scenario/report.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "scenario/embedded_viewer.hpp"
#include "scenario/report_scene.hpp"
#include "scenario/script_text.hpp"

namespace limber {

namespace {

// evenly chosen rows, first and last included
std::vector<std::size_t> choose_rows(std::size_t count, std::size_t most) {
  std::vector<std::size_t> rows;
  if (count <= most) {
    for (std::size_t k = 0; k < count; ++k) rows.push_back(k);
    return rows;
  }
  for (std::size_t k = 0; k < most; ++k) rows.push_back(k * (count - 1) / (most - 1));
  return rows;
}

std::vector<double> column_of(const Recording& recording, std::size_t column,
                              std::span<const std::size_t> rows) {
  std::vector<double> values;
  for (const std::size_t row : rows) values.push_back(recording.row(row)[column]);
  return values;
}

// the time of the report's rows, at which the curves of another run are read off
std::vector<double> sampled(const Recording& other, std::size_t column,
                            std::span<const double> times) {
  std::vector<double> values;
  std::size_t row = 0;
  for (const double t : times) {
    while (row + 1 < other.rows() && other.row(row + 1)[0] <= t + 1e-9) ++row;
    values.push_back(other.row(row)[column]);
  }
  return values;
}

struct Group {
  std::string title, unit;
  Json series = Json::array();
};

// "elbow.reference" belongs to "elbow.position"
bool is_reference(const std::string& name) { return name.ends_with(".reference"); }
std::string partner(const std::string& name) {
  return name.substr(0, name.size() - std::string(".reference").size()) + ".position";
}
// names in a plot go without what its title says already
std::string short_name(const std::string& name, const std::string& group) {
  if (is_reference(name))
    return name.substr(0, name.size() - std::string(".reference").size()) + ", reference";
  static const std::map<std::string, std::string> endings = {
      {"Positions", ".position"},  {"Velocities", ".velocity"}, {"Accelerations", ".acceleration"},
      {"Joint forces", ".force"},  {"Currents", ".current"},    {"Voltages", ".voltage"},
      {"Tracking error", ".error"}};
  const auto ending = endings.find(group);
  if (ending != endings.end() && name.ends_with(ending->second))
    return name.substr(0, name.size() - ending->second.size());
  return name;
}

class Groups {
 public:
  void add(const Column& column, const std::string& prefix, std::span<const double> values) {
    if (column.group.empty()) return;
    // who is never cut off needs no curve to say so
    if (column.group == "Saturation" &&
        std::all_of(values.begin(), values.end(), [](double value) { return value == 0; }))
      return;
    Group& group = find(column);
    Json series = {{"name", prefix + short_name(column.name, column.group)},
                   {"data", packed(values)},
                   {"dashed", is_reference(column.name) || !prefix.empty()}};
    const std::string pair = is_reference(column.name) ? partner(column.name) : column.name;
    const auto found = colors_.find(column.group + pair);
    if (found != colors_.end()) series["color"] = found->second;
    else colors_[column.group + pair] = static_cast<int>(group.series.size());
    group.series.push_back(std::move(series));
  }
  Json to_json() const {
    Json all = Json::array();
    for (const Group& group : groups_)
      all.push_back({{"title", group.title}, {"unit", group.unit}, {"series", group.series}});
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
    groups_.push_back({column.group, column.unit, Json::array()});
    return groups_.back();
  }
  std::vector<Group> groups_;
  std::map<std::string, int> colors_;
};

Json groups_of(const Report& report, std::span<const std::size_t> rows) {
  const Recording& own = report.recording;
  const std::vector<double> times = column_of(own, 0, rows);
  Groups groups;
  for (std::size_t k = 0; k < own.columns.size(); ++k)
    groups.add(own.columns[k], "", column_of(own, k, rows));
  for (const Comparison& other : report.comparisons)
    for (std::size_t k = 0; k < other.recording.columns.size(); ++k)
      if (!is_reference(other.recording.columns[k].name) && other.recording.rows() > 0)
        groups.add(other.recording.columns[k], other.title + ": ",
                   sampled(other.recording, k, times));
  return groups.to_json();
}

Json summary_of(const RunSummary& summary) {
  Json facts = Json::array();
  for (const Fact& fact : summary.facts)
    facts.push_back({{"label", fact.label}, {"value", fact.value}});
  return {{"status", summary.headline.empty() ? name(summary.status) : summary.headline},
          {"ok", summary.status == RunStatus::finished || summary.status == RunStatus::stopped},
          {"message", summary.message},
          {"facts", facts},
          {"warnings", summary.warnings}};
}

Json diagram_json(const Diagram& diagram) {
  constexpr const char* kinds[] = {"line", "points", "limit"};
  Json curves = Json::array();
  for (const Diagram::Curve& curve : diagram.curves)
    curves.push_back({{"name", curve.name},
                      {"kind", kinds[static_cast<std::size_t>(curve.kind)]},
                      {"x", packed(curve.x)},
                      {"y", packed(curve.y)}});
  return {{"title", diagram.title},
          {"x", {{"label", diagram.x_label}, {"unit", diagram.x_unit}}},
          {"y", {{"label", diagram.y_label}, {"unit", diagram.y_unit}}},
          {"note", diagram.note},
          {"curves", curves}};
}

Json table_json(const ReportTable& table) {
  constexpr const char* states[] = {"ok", "warning", "violation"};
  Json columns = Json::array(), rows = Json::array();
  for (const ReportTable::Head& head : table.columns)
    columns.push_back({{"name", head.name}, {"unit", head.unit}});
  for (const ReportTable::Row& row : table.rows) {
    Json cells = Json::array();
    for (const ReportTable::Cell& cell : row.cells)
      cells.push_back(cell.number ? Json(*cell.number) : Json(cell.text));
    rows.push_back({{"cells", cells}, {"state", states[static_cast<std::size_t>(row.state)]}});
  }
  return {{"title", table.title}, {"note", table.note}, {"columns", columns}, {"rows", rows}};
}

}  // namespace

std::string report_data(const Scenario& scenario, const Report& report, std::size_t most_rows) {
  const std::vector<std::size_t> rows = choose_rows(report.recording.rows(), most_rows);
  const Vec3<double>& g = scenario.model.gravity;
  Json data = {{"format", 1},
               {"title", scenario.title},
               {"robot", scenario.model.name},
               {"description", scenario.description},
               {"summary", summary_of(report.summary)},
               {"gravity", {g.x, g.y, g.z}}};
  if (!rows.empty()) {
    data["scene"] = scene_of(scenario);
    data["time"] = packed(column_of(report.recording, 0, rows));
    data["poses"] = packed(poses_of(scenario, report.recording, rows));
    if (scenario.model.mass() > 0)
      data["center_of_mass"] = packed(centers_of_mass(scenario, report.recording, rows));
    data["groups"] = groups_of(report, rows);
  }
  data["diagrams"] = Json::array();
  for (const Diagram& diagram : report.diagrams) data["diagrams"].push_back(diagram_json(diagram));
  data["tables"] = Json::array();
  for (const ReportTable& table : report.tables) data["tables"].push_back(table_json(table));
  data["events"] = Json::array();
  for (const Happening& event : report.summary.happenings)
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
