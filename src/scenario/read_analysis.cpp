// The settings of `limber analyse`.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/scenario/analysis_settings.hpp>

#include "index.hpp"
#include "model/nearest.hpp"
#include "scenario/read.hpp"
#include "scenario/read_trajectories.hpp"

namespace limber {

namespace {

const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Figure figure : all_figures()) all.emplace_back(name(figure));
    return all;
  }();
  return names;
}

}  // namespace

std::vector<Section> analysis_sections() {
  static const std::string figures = fmt::format("one of {}", fmt::join(figure_names(), ", "));
  static const std::string materials = fmt::format("{}, or a mapping", material_names());
  return {
      {"analyse",
       "What `limber analyse` computes. docs/analysis.md has the equations.",
       {{"motion", "one of simulated, reference", "", "simulated",
         "the motion of the simulation, or a trajectory, for which the needed forces, currents "
         "and voltages are computed"},
        {"trajectory", "text", "", "needed for `reference`", "the trajectory, by name"},
        {"interval", "number", "s", "1e-3", "time between the analysed instants"},
        {"links", "list of mappings", "", "none", "see *analysed links*"},
        {"limits", "list of mappings", "", "none",
         "see *limits*; those of motors, joints and materials are checked anyway"},
        {"scan", "list of mappings", "", "none", "see *scan*"}},
       {}},
      {"analysed links",
       "Links as straight beams of uniform section: forces along them, stress and deflection. The "
       "robot's own masses and inertias stay as they are.",
       {{"link", "text", "", "", ""},
        {"section", "mapping", "", "", "see *section*"},
        {"material", materials.c_str(), "", "", "see *material*"},
        {"from", "list of 3 numbers", "m", "the origin of its joint",
         "inner end of the axis, in the link's frame"},
        {"to", "list of 3 numbers", "m", "the origin of the only joint that it carries",
         "outer end of the axis"},
        {"up", "list of 3 numbers", "", "the link's z axis, or x where the beam runs along z",
         "direction of a box's height"},
        {"mass", "number", "kg", "density × area × length", "of the beam, uniform along it"},
        {"rest", "one of outer, inner", "", "outer",
         "the end that carries the rest of the mass of the link"},
        {"stations", "number", "", "21",
         "places along the axis at which loads are computed, 2 to 10000"}},
       {}},
      {"section",
       "",
       {{"kind", "one of round, tube, box", "", "", "solid or hollow; a box may be either"},
        {"diameter", "number", "m", "needed for round and tube", "outer diameter"},
        {"width", "number", "m", "needed for box", ""},
        {"height", "number", "m", "needed for box", "along `up`"},
        {"thickness", "number", "m", "needed for tube; box: solid", "of the wall"}},
       {}},
      {"material",
       "",
       {{"youngs_modulus", "number", "Pa", "", ""},
        {"shear_modulus", "number", "Pa", "", ""},
        {"density", "number", "kg/m³", "", ""},
        {"yield_strength", "number", "Pa", "", ""}},
       {}},
      {"limits",
       "What must not be exceeded.",
       {{"figure", figures.c_str(), "", "", ""},
        {"of", "text or list of texts", "", "all that have this figure", "joints or links"},
        {"at_most", "number", "", "", "in the figure's SI unit"}},
       {}},
      {"scan",
       "The scenario is analysed for every value, and for every combination where several "
       "parameters are listed.",
       {{"path", "text", "", "", "as for `--set`, e.g. `drives.elbow.gear.ratio`"},
        {"values", "list", "", "", "what is set there"},
        {"name", "text", "", "the path", "how it is called in tables"}},
       {}},
  };
}

namespace {

SectionSettings read_section(const YamlMap& link) {
  const YamlMap map = link.map("section", keys_of("section"));
  SectionSettings section;
  section.kind = static_cast<SectionSettings::Kind>(choice(map, "kind", {"round", "tube", "box"}));
  if (section.kind == SectionSettings::Kind::box) {
    section.width = map.number("width");
    section.height = map.number("height");
    section.thickness = map.number("thickness", 0);
  } else {
    section.diameter = map.number("diameter");
    if (section.kind == SectionSettings::Kind::tube) section.thickness = map.number("thickness");
  }
  with_location(map, [&] { return section_of(section); });
  return section;
}

Material read_material(const YamlMap& link) {
  if (link.has("material") && !link.node("material").is_mapping()) {
    const std::string name = link.text("material");
    if (const std::optional<Material> found = find_material(name)) return *found;
    throw link.error("material", fmt::format("'{}' is none of {}; write a mapping for another one",
                                             name, material_names()));
  }
  const YamlMap map = link.map("material", keys_of("material"));
  const auto positive = [&](const char* key) {
    const double value = map.number(key);
    if (!(value > 0)) throw map.error(key, "must be positive");
    return value;
  };
  Material material;
  material.youngs_modulus = positive("youngs_modulus");
  material.shear_modulus = positive("shear_modulus");
  material.density = positive("density");
  material.yield_strength = positive("yield_strength");
  return material;
}

// what the file says of the joint that carries a body; null for a floating base's
const JointSpec* joint_of(const Scenario& scenario, int body) {
  for (const JointSpec& joint : scenario.spec.joints)
    if (joint.name == scenario.model.joint_name[at_index(body)]) return &joint;
  return nullptr;
}

// the pose of another link of the same body in a link
Transform<double> in_link(const Model& m, int link, const std::string& other) {
  return apply_inverse(m.frames[at_index(link)].placement,
                       m.frames[at_index(m.frame(other))].placement);
}

// the place of the joint that carries the link
Vec3<double> inner_end(const Scenario& scenario, int link) {
  const JointSpec* joint = joint_of(scenario, scenario.model.frames[at_index(link)].body);
  if (!joint) return {};
  return (in_link(scenario.model, link, joint->child) * inverse(joint->child_placement)).p;
}

// the place of the only joint that the link carries
Vec3<double> outer_end(const YamlMap& map, const Scenario& scenario, int link) {
  const Model& m = scenario.model;
  std::vector<int> joints;
  for (const int child : m.children(m.frames[at_index(link)].body))
    if (!m.is_rotor[at_index(child)]) joints.push_back(child);
  if (joints.size() == 1)
    if (const JointSpec* joint = joint_of(scenario, joints[0]))
      return (in_link(m, link, joint->parent) * joint->placement).p;
  throw Error(map.source(), fmt::format("the link carries {} joints, so that its outer end must be "
                                        "given: add `to: [x, y, z]`",
                                        joints.size()));
}

Vec3<double> default_up(const Vec3<double>& axis) {
  const Vec3<double> z{0, 0, 1};
  return std::abs(dot(axis, z)) < 0.999 * norm(axis) ? z : Vec3<double>{1, 0, 0};
}

constexpr int most_stations = 10'000;  // at which a link's loads are computed

LinkSettings read_link(const YamlNode& node, const Reading& reading) {
  const YamlMap map = open(node, reading.file, "analysed links", "analysed links");
  const Model& model = reading.scenario.model;
  LinkSettings link;
  link.link = map.text("link");
  const int frame = with_location(map, [&] { return model.frame(link.link); });
  if (model.frames[at_index(frame)].body == 0)
    throw map.error("link", fmt::format("'{}' is part of the world and bears no load that is known",
                                        link.link));
  link.section = read_section(map);
  link.material = read_material(map);
  link.from = map.vec3("from", inner_end(reading.scenario, frame));
  link.to = map.has("to") ? map.vec3("to", {}) : outer_end(map, reading.scenario, frame);
  const Vec3<double> axis = link.to - link.from;
  const double length = norm(axis);
  if (!(length > 0))
    throw Error(map.source(), "both ends of the axis are the same; give `from` and `to`");
  link.up = map.vec3("up", default_up(axis));
  if (norm(cross(link.up, axis)) < 1e-6 * norm(link.up) * length || norm(link.up) == 0)
    throw map.error("up", "must not be parallel to the link's axis");
  const double of_section = link.material.density * section_of(link.section).area * length;
  link.mass = map.magnitude("mass", of_section);
  link.rest = static_cast<LinkSettings::Rest>(choice(map, "rest", {"outer", "inner"}, "outer"));
  link.stations = whole_number(map, "stations", link.stations);
  if (link.stations < 2 || link.stations > most_stations)
    throw map.error("stations", fmt::format("2 to {} are possible", most_stations));
  return link;
}

// names that the figure can belong to
std::vector<std::string> owners(Figure figure, const Reading& reading,
                                const std::vector<LinkSettings>& links) {
  std::vector<std::string> names;
  if (owner(figure) == FigureOwner::link) {
    for (const LinkSettings& link : links) names.push_back(link.link);
    return names;
  }
  for (const Variable& freedom : velocity_variables(reading.scenario.model)) {
    names.push_back(freedom.name());
    if (!freedom.label.empty()) names.push_back(freedom.joint);
  }
  return names;
}

LimitSettings read_limit(const YamlNode& node, const Reading& reading,
                         const std::vector<LinkSettings>& links) {
  const YamlMap map = open(node, reading.file, "limits", "limits");
  LimitSettings limit;
  limit.figure = all_figures()[choice(map, "figure", figure_names())];
  limit.of = words(map, "of");
  limit.at_most = map.number("at_most");
  if (!(limit.at_most > 0)) throw map.error("at_most", "must be positive");
  limit.source = map.source();
  const std::vector<std::string> known = owners(limit.figure, reading, links);
  for (const std::string& one : limit.of)
    if (std::find(known.begin(), known.end(), one) == known.end())
      throw map.error("of", fmt::format("nothing called '{}' has a {}{}", one, name(limit.figure),
                                        did_you_mean(one, known)));
  return limit;
}

ScanSettings read_scan(const YamlNode& node, const Reading& reading) {
  const YamlMap map = open(node, reading.file, "scan", "scan");
  ScanSettings scan;
  scan.path = map.text("path");
  scan.name = map.text("name", scan.path);
  for (const YamlNode& value : map.list("values")) scan.values.push_back(to_yaml(value));
  if (scan.values.empty()) throw Error(map.source(), "a list of `values` is needed");
  return scan;
}

// the motion is recorded so often
void check_interval(const YamlMap& map, SimulationSettings run, double interval) {
  run.record_interval = interval;
  if (const auto fault = find_fault(run)) throw map.error("interval", fault->reason);
}

JointTrajectoryPointer read_reference(const YamlMap& root, const YamlMap& map,
                                      const Reading& reading) {
  const bool reference = choice(map, "motion", {"simulated", "reference"}, "simulated") == 1;
  if (!reference) {
    if (map.has("trajectory"))
      throw map.error("trajectory", "is used with `motion: reference` only");
    return nullptr;
  }
  return joint_trajectory(map, "trajectory", read_trajectories(root, reading));
}

}  // namespace

void read_analysis(const YamlMap& root, Reading& reading) {
  AnalysisSettings settings;
  if (root.has("analyse")) {
    const YamlMap map = root.map("analyse", keys_of("analyse"));
    settings.interval = map.number("interval", settings.interval);
    check_interval(map, reading.scenario.simulation, settings.interval);
    settings.reference = read_reference(root, map, reading);
    for (const YamlNode& node : map.list("links"))
      settings.links.push_back(read_link(node, reading));
    for (const YamlNode& node : map.list("limits"))
      settings.limits.push_back(read_limit(node, reading, settings.links));
    for (const YamlNode& node : map.list("scan")) settings.scan.push_back(read_scan(node, reading));
    try {
      scan_size(settings.scan);
    } catch (const Error& error) {
      throw map.error("scan", error.what());
    }
  }
  reading.scenario.analysis = std::make_shared<const AnalysisSettings>(std::move(settings));
}

}  // namespace limber
