// What the report of a scenario shows: trails, markers, the ground.
#include <limber/scenario/scenario.hpp>

#include <fmt/format.h>

#include "io/numbers.hpp"
#include "scenario/read.hpp"

namespace limber {

std::vector<Section> report_sections() {
  return {
      {"report",
       "What the replay shows besides the robots; none of it acts on them.",
       {{"trails", "list of texts", "", "the recorded frames", "frames whose paths are drawn"},
        {"markers", "list of mappings", "", "none", "see *markers*"},
        {"ground", "number or off", "m", "0, or lower where the motion goes below",
         "height of the ground; off: none is drawn"}},
       {}},
      {"markers",
       "Places and things in the world, with their names beside them.",
       {{"name", "text", "", "none", "written beside it"},
        {"kind", "one of point, area, box, bin", "", "point, with a size: box",
         "an area is flat, a bin is open above"},
        {"xyz", "list of 3 numbers", "m", "", "in the world: the centre of its lower side"},
        {"yaw", "number", "rad", "0", "turn about the vertical"},
        {"size", "list of 2 or 3 numbers", "m", "needed by all but a point",
         "edges along x, y, z; an area has two"},
        {"color", "list of 3 or 4 numbers", "", "orange", "red, green, blue [, opacity], 0 to 1"}},
       {}},
  };
}

void check_frames(const YamlMap& map, const std::string& key, const Model& model,
                  const std::vector<std::string>& frames) {
  try {
    for (const std::string& frame : frames) model.frame(frame);
  } catch (const Error& error) {
    throw map.error(key, error.what());
  }
}

namespace {

Vec3<double> read_marker_size(const YamlMap& map, Marker::Kind kind) {
  const std::size_t count = kind == Marker::Kind::area ? 2 : 3;
  std::vector<double> size = map.numbers("size", {count});
  if (size.empty())
    throw Error(map.source(), fmt::format("key 'size' is missing; add the {} edges", count));
  for (const double edge : size)
    if (!(edge > 0)) throw map.error("size", fmt::format("{} found; edges are positive", edge));
  size.resize(3, 0);
  return {size[0], size[1], size[2]};
}

Marker read_marker(const YamlMap& map) {
  if (!map.has("xyz")) throw Error(map.source(), "key 'xyz' is missing; add `xyz: […]`");
  Marker marker;
  marker.name = map.text("name", "");
  marker.position = map.vec3("xyz", {});
  marker.yaw = map.number("yaw", 0);
  marker.kind = static_cast<Marker::Kind>(
      choice(map, "kind", {"point", "area", "box", "bin"}, map.has("size") ? "box" : "point"));
  if (marker.kind != Marker::Kind::point) marker.size = read_marker_size(map, marker.kind);
  else if (map.has("size")) throw map.error("size", "a point has none; choose another `kind`");
  std::vector<double> color = map.numbers("color", {3, 4});
  if (color.empty()) return marker;
  color.resize(4, 1);
  for (std::size_t k = 0; k < 4; ++k) {
    if (!(color[k] >= 0 && color[k] <= 1))
      throw map.error("color", fmt::format("{} found; each is 0 to 1", color[k]));
    marker.color[k] = color[k];
  }
  return marker;
}

void read_ground(const YamlMap& map, ReportSettings& report) {
  if (!map.has("ground")) return;
  const YamlNode& node = map.node("ground");
  if (node.is_word() && (node.text() == "off" || node.text() == "no")) {
    report.ground = ReportSettings::Ground::none;
    return;
  }
  if (!node.is_word() || !parse_expression(node.text()))
    throw map.error("ground", "the height of the ground or `off` is expected");
  report.ground = ReportSettings::Ground::given;
  report.ground_height = map.number("ground");
}

}  // namespace

void read_report(const YamlMap& root, Reading& reading) {
  Scenario& scenario = reading.scenario;
  scenario.report.trails = scenario.record.frames;
  if (!root.has("report")) return;
  const YamlMap map = root.map("report", keys_of("report"));
  if (map.has("trails")) scenario.report.trails = words(map, "trails");
  check_frames(map, "trails", scenario.model, scenario.report.trails);
  for (const YamlNode& node : map.list("markers"))
    scenario.report.markers.push_back(read_marker(open(node, reading.file, "markers", "markers")));
  read_ground(map, scenario.report);
}

}  // namespace limber
