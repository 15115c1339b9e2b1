// Which links of a scenario are in the water, and with which numbers.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include <limber/fluid/robot_water.hpp>

#include "fluid/given_water.hpp"
#include "io/write.hpp"
#include "io/yaml_parts.hpp"
#include "model/nearest.hpp"
#include "scenario/read_water_checks.hpp"
#include "scenario/water_doubts.hpp"

namespace limber {

std::vector<Section> wet_link_sections() {
  return {
      {"water links",
       "Each key takes the place of what the shapes of the link give; where damping or cylinders "
       "are given, the drag of its shapes is left out. Matrices are 6 numbers, their diagonal, or "
       "6 rows of 6, in the order surge, sway, heave, roll, pitch, yaw: along x, y, z and about x, "
       "y, z of the link's frame, about its origin.",
       {{"link", "text", "", "", "or another frame of a robot, in which the numbers are meant"},
        {"added_mass", "6 or 6 × 6 numbers", "kg, kg m, kg m²", "that of its shapes", ""},
        {"volume", "number", "m³", "that of its shapes", "of the water that it displaces"},
        {"center_of_buoyancy", "list of 3 numbers", "m", "that of its shapes", ""},
        {"drag_coefficient", "number", "", "that of the water", "of its shapes"},
        {"skin_coefficient", "number", "", "that of the water", "of friction along its shapes"},
        {"linear_damping", "6 or 6 × 6 numbers", "N s/m, N m s", "none",
         "force = −D ν; positive numbers brake"},
        {"quadratic_damping", "6 or 6 × 6 numbers", "N s²/m², N m s²", "none", "force = −Q |ν| ν"},
        {"cylinders", "list of mappings", "", "none", "see *water cylinders*"}},
       {}},
      {"water cylinders",
       "Drag of circular cylinders, by strips across the axis and by caps along it.",
       {{"start", "list of 3 numbers", "m", "", "one end of the axis, in the link's frame"},
        {"end", "list of 3 numbers", "m", "", "the other end"},
        {"radius", "number", "m", "", ""},
        {"coefficient", "number", "", "1", "of the flow across, of the area 2 r l"},
        {"end_coefficient", "number", "", "1", "of the flow along, of the area π r²; 0: no caps"},
        {"skin_coefficient", "number", "", "0", "of friction along the mantle"}},
       {}},
  };
}

namespace {

// of a robot, or of its copies
bool is_of_robot(const std::string& link, const std::string& robot) {
  if (!link.starts_with(robot)) return false;
  std::size_t k = robot.size();
  while (k < link.size() && link[k] >= '0' && link[k] <= '9') ++k;
  return k < link.size() && link[k] == '.';
}

std::vector<std::string> robot_names(const YamlMap& root) {
  std::vector<std::string> names;
  for (const YamlNode& node : root.list("robots"))
    if (node.is_mapping() && node.find("name").is_word()) names.push_back(node.find("name").text());
  return names;
}

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// which links the keys `robots` and `exclude` leave in the water
class WetChoice {
 public:
  WetChoice(const YamlMap& water, const YamlMap& root, const Spec& spec)
      : wet_(words(water, "robots")), dry_(words(water, "exclude")) {
    const std::vector<std::string> robots = robot_names(root);
    std::vector<std::string> all = robots;
    for (const BodySpec& body : spec.bodies) all.push_back(body.name);
    for (const std::string& one : wet_)
      if (!is_one_of(robots, one))
        throw water.error("robots", fmt::format("there is no robot with the name '{}'{}", one,
                                                did_you_mean(one, robots)));
    for (const std::string& one : dry_)
      if (!is_one_of(all, one))
        throw water.error("exclude", fmt::format("there is no robot or link '{}'{}", one,
                                                 did_you_mean(one, all)));
  }
  bool has(const std::string& link) const {
    const auto is_of = [&](const std::string& robot) { return is_of_robot(link, robot); };
    if (!wet_.empty() && std::none_of(wet_.begin(), wet_.end(), is_of)) return false;
    return !is_one_of(dry_, link) && std::none_of(dry_.begin(), dry_.end(), is_of);
  }

 private:
  std::vector<std::string> wet_, dry_;
};

constexpr std::size_t most_cylinders = 1000;  // of a link

// what one entry of `links` changes
void change_wet_link(const YamlMap& map, Hydrodynamics& body, std::vector<std::string>& notes) {
  if (map.has("added_mass"))
    body.added_mass =
        added_mass_from(*read_marine_matrix(map, "added_mass", {6}), map.text("link"), notes);
  body.displacement.volume = map.magnitude("volume", body.displacement.volume);
  body.displacement.center = map.vec3("center_of_buoyancy", body.displacement.center);
  const bool has_drag =
      map.has("linear_damping") || map.has("quadratic_damping") || map.has("cylinders");
  if (has_drag) {
    body.cylinders.clear();
    body.surfaces.clear();
  }
  for (const char* key : {"drag_coefficient", "skin_coefficient"})
    if (map.has(key) && body.cylinders.empty() && body.surfaces.empty())
      throw map.error(key, has_drag
                               ? "damping or cylinders are given, so that shapes have no drag; "
                                 "leave one of them out"
                               : "the link has no shapes; give it `cylinders` or damping instead");
  if (map.has("skin_coefficient")) set_skin_friction(body, map.magnitude("skin_coefficient", 0));
  if (map.has("drag_coefficient")) {
    const double coefficient = map.magnitude("drag_coefficient", 1);
    for (CylinderDrag& one : body.cylinders) one.coefficient = one.end_coefficient = coefficient;
    for (SurfaceDrag& one : body.surfaces) one.coefficient = coefficient;
  }
  if ((map.has("linear_damping") || map.has("quadratic_damping")) &&
      !is_identity(body.damping_frame)) {
    notes.push_back(fmt::format(
        "link '{}': the damping that its robot file gives in a frame of its own is replaced",
        map.text("link")));
    body.linear_damping = body.quadratic_damping = {};
    body.damping_frame = {};
  }
  body.linear_damping =
      read_marine_matrix(map, "linear_damping", {6}).value_or(body.linear_damping);
  body.quadratic_damping =
      read_marine_matrix(map, "quadratic_damping", {6}).value_or(body.quadratic_damping);
  for (const YamlNode& node : list_up_to(map, "cylinders", most_cylinders))
    body.cylinders.push_back(cylinder_of(read_cylinder_drag(
        open(node, map.file(), "water cylinders", "water cylinders"), "coefficient")));
}

bool rests_in_world(const Model& model, const std::string& link) {
  return model.frames[model.frame(link)].body == 0;
}

StripRule choice_of_strips(const YamlMap& water) {
  return static_cast<StripRule>(limber::choice(water, "strips", {"four", "exact"}, "exact"));
}

// why, and the way out: a vehicle whose base is fixed is the usual reason
std::string nothing_wet(const Scenario& scenario, const Spec& wet,
                        const std::vector<std::string>& notes) {
  const std::string what = "nothing is in the water: no link that moves has a shape with a volume";
  if (wet.bodies.empty() && scenario.model.nv == 0)
    return what +
           ", as all of them are fixed to the world; a vehicle needs `base: floating` in `robots`";
  const std::string way = "; give shapes to the robots, or `links` with numbers";
  return what + way + (notes.empty() ? "" : fmt::format(" ({})", notes.front()));
}

}  // namespace

WetLinks read_wet_links(const YamlMap& water, const YamlMap& root, double density,
                        const Reading& reading) {
  const Scenario& scenario = reading.scenario;
  const WetChoice choice(water, root, scenario.spec);
  Spec wet = scenario.spec;
  std::unordered_set<std::string_view> resting;
  for (const auto& frame : scenario.model.frames)
    if (frame.body == 0) resting.insert(frame.name);
  std::erase_if(wet.bodies, [&](const BodySpec& body) {
    return !choice.has(body.name) || resting.contains(body.name);
  });
  RobotWaterSettings settings;
  settings.density = density;
  settings.drag_coefficient = water.magnitude("drag_coefficient", settings.drag_coefficient);
  settings.skin_coefficient = water.magnitude("skin_coefficient", settings.skin_coefficient);
  settings.meshes = mesh_search("", scenario.mesh_folders);
  RobotWater found = with_location(water, [&] { return robot_water(wet, settings); });
  WetLinks result{std::move(found.links), std::move(found.notes), 0};
  result.by_shape = result.links.size();
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < result.links.size(); ++k) places.emplace(result.links[k].link, k);
  std::unordered_set<std::string> named;
  for (const YamlNode& node : water.list("links")) {
    const YamlMap map = open(node, reading.file, "water links", "water links");
    const std::string link = map.text("link");
    check_frames(map, "link", scenario.model, {link});
    if (!named.insert(link).second)
      throw map.error("link", fmt::format("'{}' is given twice", link));
    if (!choice.has(link))
      throw map.error("link", fmt::format("'{}' is left dry by `robots` or `exclude`", link));
    if (rests_in_world(scenario.model, link))
      throw map.error("link",
                      fmt::format("'{}' rests in the world, where water moves nothing", link));
    const auto [at, is_new] = places.emplace(link, result.links.size());
    if (is_new) result.links.push_back({link, {}});
    else --result.by_shape;
    Hydrodynamics& changed = result.links[at->second].hydrodynamics;
    change_wet_link(map, changed, result.notes);
    with_location(map, [&] { return check_hydrodynamics(changed, link); });
  }
  if (result.links.empty()) throw Error(water.source(), nothing_wet(scenario, wet, result.notes));
  if (choice_of_strips(water) == StripRule::adaptive)
    for (LinkHydrodynamics& link : result.links)
      for (CylinderDrag& cylinder : link.hydrodynamics.cylinders)
        cylinder.rule = StripRule::adaptive;
  const std::vector<std::string> doubts =
      sinking_doubts(scenario.model, wet, result.links, density);
  result.notes.insert(result.notes.end(), doubts.begin(), doubts.end());
  return result;
}

}  // namespace limber
