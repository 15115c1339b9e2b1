// YAML: what a robot has besides bodies, joints and frames.
#include <map>

#include <fmt/format.h>

#include "io/yaml_parts.hpp"
#include "model/loops.hpp"

namespace limber {

const std::vector<std::string>& loop_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int k = 0; k < loop_kinds; ++k) all.emplace_back(name(static_cast<LoopSpec::Kind>(k)));
    return all;
  }();
  return names;
}

std::vector<std::string> extra_keys() {
  return {"timestep", "world_shapes", "loops",      "actuators",
          "sensors",  "keyframes",    "exclusions", "contact_pairs"};
}

namespace {

template <std::size_t n>
void fill_numbers(const YamlMap& map, const std::string& key, std::array<double, n>& values) {
  const std::vector<double> given = map.numbers(key, {n});
  std::copy(given.begin(), given.end(), values.begin());
}

LoopSpec loop_of(YamlMap map) {
  LoopSpec loop;
  loop.name = map.text("name");
  map.rename("loop '" + loop.name + "'");
  loop.source = map.source();
  loop.kind =
      static_cast<LoopSpec::Kind>(read_choice(map, "kind", loop_names(), "what closes a loop"));
  const bool coupling = loop.kind == LoopSpec::Kind::coupling;
  const bool by_joint = loop.kind == LoopSpec::Kind::joint;
  const bool along_axis = loop.kind == LoopSpec::Kind::slot || loop.kind == LoopSpec::Kind::surface;
  const bool rolling = loop.kind == LoopSpec::Kind::rolling;
  for (const char* key : {"joint_kind", "axis2", "pitch", "dofs"})
    if (!by_joint && map.has(key)) throw map.error(key, "belongs to a loop of kind `joint`");
  if (!by_joint && !along_axis && map.has("axis"))
    throw map.error("axis", "belongs to a loop of kind `joint`, `slot` or `surface`");
  for (const char* key : {"radius", "rim"})
    if (!rolling && map.has(key)) throw map.error(key, "belongs to a loop of kind `rolling`");
  for (const char* key : {"body_a", "body_b", "distance"})
    if (coupling && map.has(key)) throw map.error(key, "a coupling ties joints, not bodies");
  for (const char* key : {"joint", "leader", "polynomial"})
    if (!coupling && map.has(key)) throw map.error(key, "belongs to a coupling");
  if (coupling) {
    loop.joint = map.text("joint");
    loop.leader = map.text("leader", "");
    loop.joint_reference = map.number("joint_reference", 0);
    loop.leader_reference = map.number("leader_reference", 0);
    fill_numbers(map, "polynomial", loop.polynomial);
  } else {
    loop.body_a = map.text("body_a");
    loop.body_b = map.text("body_b");
    loop.placement_a = read_pose(map, "", "_a");
    loop.placement_b = read_pose(map, "", "_b");
    loop.distance = map.magnitude("distance", 0);
  }
  if (by_joint || along_axis) loop.axis = map.vec3("axis", loop.axis);
  if (rolling) {
    loop.radius = map.magnitude("radius", 0);
    loop.rim = map.magnitude("rim", 0);
  }
  if (by_joint) {
    loop.joint_kind = read_joint_kind(map, "joint_kind");
    loop.axis2 = map.vec3("axis2", loop.axis2);
    loop.pitch = map.number("pitch", 0);
    for (const YamlNode& node : map.list("dofs"))
      loop.dofs.push_back(
          read_dof({node, map.file(), map.source().element + ": dofs", dof_keys()}));
  }
  if (map.has("active")) loop.is_active = read_flag(map, "active");
  return loop;
}

ActuatorSpec read_actuator(YamlMap map) {
  ActuatorSpec actuator;
  actuator.name = map.text("name");
  map.rename("actuator '" + actuator.name + "'");
  actuator.source = map.source();
  actuator.kind = map.text("kind");
  actuator.joint = map.text("joint", "");
  actuator.target = map.text("target", "");
  if (actuator.joint.empty() == actuator.target.empty())
    throw map.error("joint", "an actuator acts on one thing: give joint or target");
  fill_numbers(map, "gear", actuator.gear);
  fill_numbers(map, "gain", actuator.gain);
  fill_numbers(map, "bias", actuator.bias);
  map.range("control", actuator.control_lower, actuator.control_upper);
  map.range("force", actuator.force_lower, actuator.force_upper);
  actuator.time_constant = map.magnitude("time_constant", 0);
  return actuator;
}

SensorSpec read_sensor(YamlMap map) {
  SensorSpec sensor;
  sensor.name = map.text("name", "");
  sensor.kind = map.text("kind");
  map.rename("sensor '" + (sensor.name.empty() ? sensor.kind : sensor.name) + "'");
  sensor.source = map.source();
  sensor.object_kind = map.text("object_kind", "");
  sensor.object = map.text("object", "");
  sensor.noise = map.number("noise", 0);
  sensor.cutoff = map.number("cutoff", 0);
  return sensor;
}

// {NAME: [numbers], …}, in the order of the file; `counts`: how many numbers each may have
using Counts = std::map<std::string, std::size_t>;
std::vector<KeyframeSpec::Values> read_values(const YamlMap& key, const std::string& what,
                                              const Counts& counts) {
  std::vector<KeyframeSpec::Values> values;
  if (!key.has(what)) return values;
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) names.push_back(name);
  if (names.empty()) names.push_back("NAME");
  const YamlMap map = key.map(what, names);
  for (const auto& [name, numbers] : key.node(what).entries())
    values.push_back({name.text(), map.numbers(name.text(), {counts.at(name.text())})});
  return values;
}

void read_keyframes(const YamlMap& robot, Spec& spec) {
  Counts positions, velocities, controls;
  for (const JointSpec& joint : spec.joints) {
    positions[joint.name] = static_cast<std::size_t>(position_count(joint.kind));
    velocities[joint.name] = static_cast<std::size_t>(velocity_count(joint.kind));
  }
  for (const ActuatorSpec& actuator : spec.actuators) controls[actuator.name] = 1;
  std::size_t numbers = spec.joints.size() + controls.size();
  for (const Counts* counts : {&positions, &velocities})
    for (const auto& [name, count] : *counts) numbers += count;
  const std::vector<YamlNode> states = robot.list("keyframes");
  expect_few_states(spec.source, states.size(), numbers);
  for (const YamlNode& node : states) {
    YamlMap map(node, robot.file(), "keyframe",
                {"name", "time", "position", "velocity", "control"});
    KeyframeSpec key;
    key.name = map.text("name");
    map.rename("keyframe '" + key.name + "'");
    key.source = map.source();
    key.time = map.number("time", 0);
    key.position = read_values(map, "position", positions);
    key.velocity = read_values(map, "velocity", velocities);
    key.control = read_values(map, "control", controls);
    spec.keyframes.push_back(std::move(key));
  }
}

}  // namespace

LoopSpec read_loop(const YamlNode& node, const std::string& file) {
  return loop_of({node,
                  file,
                  "loop",
                  {"name",
                   "kind",
                   "body_a",
                   "body_b",
                   "xyz_a",
                   "rpy_a",
                   "rotation_a",
                   "xyz_b",
                   "rpy_b",
                   "rotation_b",
                   "distance",
                   "joint",
                   "leader",
                   "joint_reference",
                   "leader_reference",
                   "polynomial",
                   "active",
                   "joint_kind",
                   "axis",
                   "axis2",
                   "pitch",
                   "dofs",
                   "radius",
                   "rim"}});
}

ContactPairSpec read_contact_pair(const YamlMap& map) {
  ContactPairSpec pair;
  const auto read_two = [&](const char* key, std::array<std::string, 2>& names) {
    const std::vector<YamlNode> list = map.list(key);
    if (list.size() != 2 || list[0].text().empty() || list[1].text().empty())
      throw map.error(key, "give two names, [a, b]");
    names = {list[0].text(), list[1].text()};
  };
  read_two("bodies", pair.bodies);
  read_two("shapes", pair.shapes);
  for (std::string& body : pair.bodies)
    if (body == "world") body.clear();
  if (map.has("friction")) pair.friction = map.vec3("friction", {});
  return pair;
}

void read_extras(const YamlMap& robot, Spec& spec) {
  spec.timestep = robot.magnitude("timestep", 0);
  spec.world_shapes = read_shapes(robot, "world_shapes");
  for (const YamlNode& node : robot.list("loops"))
    spec.loops.push_back(read_loop(node, robot.file()));
  for (const YamlNode& node : robot.list("actuators"))
    spec.actuators.push_back(read_actuator({node,
                                            robot.file(),
                                            "actuator",
                                            {"name", "kind", "joint", "target", "gear", "gain",
                                             "bias", "control", "force", "time_constant"}}));
  for (const YamlNode& node : robot.list("sensors"))
    spec.sensors.push_back(
        read_sensor({node,
                     robot.file(),
                     "sensor",
                     {"name", "kind", "object_kind", "object", "noise", "cutoff"}}));
  read_keyframes(robot, spec);
  for (const YamlNode& node : robot.list("exclusions")) {
    const std::vector<YamlNode>& pair = node.items();
    if (!node.is_list() || pair.size() != 2 || pair[0].text().empty() || pair[1].text().empty())
      throw Error({robot.file(), node.line(), "exclusions"},
                  "each entry is a list of two bodies, [a, b]");
    spec.exclusions.push_back({pair[0].text(), pair[1].text()});
  }
  for (const YamlNode& node : robot.list("contact_pairs"))
    spec.contact_pairs.push_back(
        read_contact_pair({node, robot.file(), "contact pair", {"bodies", "shapes", "friction"}}));
}

}  // namespace limber
