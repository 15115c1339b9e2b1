// Spec to YAML: loops, actuators, sensors, named states, exclusions, pairs.
#include <cmath>

#include <limber/model/joint_kind.hpp>

#include "io/write_yaml.hpp"
#include "io/yaml_parts.hpp"

namespace limber {

namespace {

void put_if(const YamlNode& map, const char* key, double value) {
  if (value != 0) map.set(key, yaml_number(value));
}
void put_if(const YamlNode& map, const char* key, const std::string& text) {
  if (!text.empty()) map.set(key, yaml_word(text));
}
void put_range(const YamlNode& map, const char* key, double lower, double upper) {
  if (std::isfinite(lower) || std::isfinite(upper)) map.set(key, yaml_range(lower, upper));
}

YamlNode yaml_loop(const LoopSpec& loop, Losses& losses) {
  const LoopSpec plain;
  const YamlNode map = YamlNode::mapping("name", yaml_word(loop.name));
  map.set("kind", yaml_word(loop_names()[static_cast<std::size_t>(loop.kind)]));
  if (loop.kind == LoopSpec::Kind::coupling) {
    map.set("joint", yaml_word(loop.joint));
    put_if(map, "leader", loop.leader);
    put_if(map, "joint_reference", loop.joint_reference);
    put_if(map, "leader_reference", loop.leader_reference);
    if (loop.polynomial != plain.polynomial) map.set("polynomial", yaml_numbers(loop.polynomial));
  } else {
    map.set("body_a", yaml_word(yaml_body_name(loop.body_a)));
    put_pose(map, loop.placement_a, "", "_a");
    map.set("body_b", yaml_word(yaml_body_name(loop.body_b)));
    put_pose(map, loop.placement_b, "", "_b");
    put_if(map, "distance", loop.distance);
    put_if(map, "radius", loop.radius);
    put_if(map, "rim", loop.rim);
  }
  if (loop.kind == LoopSpec::Kind::slot || loop.kind == LoopSpec::Kind::surface)
    map.set("axis", yaml_vector(loop.axis));
  if (loop.kind == LoopSpec::Kind::joint) {
    map.set("joint_kind", yaml_word(name(loop.joint_kind)));
    map.set("axis", yaml_vector(loop.axis));
    if (facts(loop.joint_kind).axes > 1) map.set("axis2", yaml_vector(loop.axis2));
    put_if(map, "pitch", loop.pitch);
    put_list(map, "dofs", loop.dofs, [&](const DofSpec& dof) {
      const YamlNode entry = YamlNode::mapping(0);
      put_dof(entry, dof, "loop '" + loop.name + "'", losses);
      return entry;
    });
  }
  if (!loop.is_active) map.set("active", yaml_word("false"));
  return map;
}

YamlNode yaml_actuator(const ActuatorSpec& actuator) {
  const ActuatorSpec plain;
  const YamlNode map = YamlNode::mapping("name", yaml_word(actuator.name));
  map.set("kind", yaml_word(actuator.kind));
  put_if(map, "joint", actuator.joint);
  put_if(map, "target", actuator.target);
  if (actuator.gear != plain.gear) map.set("gear", yaml_numbers(actuator.gear));
  if (actuator.gain != plain.gain) map.set("gain", yaml_numbers(actuator.gain));
  if (actuator.bias != plain.bias) map.set("bias", yaml_numbers(actuator.bias));
  put_range(map, "control", actuator.control_lower, actuator.control_upper);
  put_range(map, "force", actuator.force_lower, actuator.force_upper);
  put_if(map, "time_constant", actuator.time_constant);
  return map;
}

YamlNode yaml_sensor(const SensorSpec& sensor) {
  const YamlNode map = YamlNode::mapping(0);
  put_if(map, "name", sensor.name);
  map.set("kind", yaml_word(sensor.kind));
  put_if(map, "object_kind", sensor.object_kind);
  put_if(map, "object", sensor.object);
  put_if(map, "noise", sensor.noise);
  put_if(map, "cutoff", sensor.cutoff);
  return map;
}

void put_values(const YamlNode& key, const char* what,
                const std::vector<KeyframeSpec::Values>& values) {
  if (values.empty()) return;
  const YamlNode map = YamlNode::mapping(0);
  for (const KeyframeSpec::Values& one : values) {
    map.append(yaml_word(one.name));
    map.append(yaml_numbers(one.values));
  }
  key.set(what, map);
}

YamlNode yaml_keyframe(const KeyframeSpec& keyframe) {
  const YamlNode map = YamlNode::mapping("name", yaml_word(keyframe.name));
  put_if(map, "time", keyframe.time);
  put_values(map, "position", keyframe.position);
  put_values(map, "velocity", keyframe.velocity);
  put_values(map, "control", keyframe.control);
  return map;
}

}  // namespace

void put_yaml_extras(const Spec& spec, const YamlNode& robot, Losses& losses) {
  put_list(robot, "loops", spec.loops,
           [&](const LoopSpec& loop) { return yaml_loop(loop, losses); });
  put_list(robot, "actuators", spec.actuators, yaml_actuator);
  put_list(robot, "sensors", spec.sensors, yaml_sensor);
  put_list(robot, "keyframes", spec.keyframes, yaml_keyframe);
  put_list(robot, "exclusions", spec.exclusions, [](const std::array<std::string, 2>& pair) {
    const YamlNode list = YamlNode::list(0);
    for (const std::string& body : pair) list.append(yaml_word(body));
    return list;
  });
  put_list(robot, "contact_pairs", spec.contact_pairs, [](const ContactPairSpec& pair) {
    const YamlNode bodies = YamlNode::list(0), shapes = YamlNode::list(0);
    for (const std::string& body : pair.bodies) bodies.append(yaml_word(yaml_body_name(body)));
    for (const std::string& shape : pair.shapes) shapes.append(yaml_word(shape));
    const YamlNode map = YamlNode::mapping("bodies", bodies);
    map.set("shapes", shapes);
    if (pair.friction) map.set("friction", yaml_vector(*pair.friction));
    return map;
  });
}

}  // namespace limber
