// From one Spec to another that moves in the same way and that a format can hold: names.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "io/write.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

using NewNames = std::map<std::string, std::string, std::less<>>;

void replace(const NewNames& names, std::string& name) {
  if (const auto found = names.find(name); found != names.end()) name = found->second;
}

class Renamer {
 public:
  Renamer(std::string (*fit)(const std::string&), const char* format, Losses& losses)
      : fit_(fit), format_(format), losses_(losses) {}

  // gives every item its name; the changes go to `names`
  template <class Items>
  void rename(Items& items, const char* what, FreshNames& taken, NewNames& names) {
    for (auto& item : items) {
      const std::string old = item.name;
      item.name = fit_(old);
      if (!taken.take(item.name)) item.name = taken(item.name + "_" + what);
      if (item.name == old) continue;
      names[old] = item.name;
      losses_.description(
          fmt::format("{} '{}'", what, old),
          fmt::format("called '{}' in the file, as {} does not allow the name, or has it already",
                      item.name, format_));
    }
  }

 private:
  std::string (*fit_)(const std::string&);
  const char* format_;
  Losses& losses_;
};

void replace_bodies(Spec& spec, const NewNames& bodies) {
  if (bodies.empty()) return;
  for (JointSpec& joint : spec.joints) {
    replace(bodies, joint.parent);
    replace(bodies, joint.child);
    for (DofSpec& dof : joint.dofs) replace(bodies, dof.rotor_mount);
  }
  for (FrameSpec& frame : spec.frames) replace(bodies, frame.body);
  for (LoopSpec& loop : spec.loops) {
    replace(bodies, loop.body_a);
    replace(bodies, loop.body_b);
  }
  for (SensorSpec& sensor : spec.sensors)
    if (sensor.object_kind != "joint" && sensor.object_kind != "actuator")
      replace(bodies, sensor.object);
  for (auto& pair : spec.exclusions)
    for (std::string& body : pair) replace(bodies, body);
  for (ContactPairSpec& pair : spec.contact_pairs)
    for (std::string& body : pair.bodies) replace(bodies, body);
}

void replace_joints(Spec& spec, const NewNames& joints) {
  if (joints.empty()) return;
  for (JointSpec& joint : spec.joints)
    if (joint.mimic) replace(joints, joint.mimic->joint);
  for (LoopSpec& loop : spec.loops) {
    replace(joints, loop.joint);
    replace(joints, loop.leader);
  }
  for (ActuatorSpec& actuator : spec.actuators) replace(joints, actuator.joint);
  for (SensorSpec& sensor : spec.sensors)
    if (sensor.object_kind == "joint") replace(joints, sensor.object);
  for (KeyframeSpec& key : spec.keyframes)
    for (auto* values : {&key.position, &key.velocity})
      for (KeyframeSpec::Values& one : *values) replace(joints, one.name);
}

void replace_actuators(Spec& spec, const NewNames& actuators) {
  for (SensorSpec& sensor : spec.sensors)
    if (sensor.object_kind == "actuator") replace(actuators, sensor.object);
  for (KeyframeSpec& key : spec.keyframes)
    for (KeyframeSpec::Values& one : key.control) replace(actuators, one.name);
}

}  // namespace

std::string without_placeholders(const std::string& name) {
  std::string result = name;
  for (std::size_t i = 0; i + 1 < result.size(); ++i)
    if (result[i] == '$' && (result[i + 1] == '{' || result[i + 1] == '(')) result[i] = '_';
  return result;
}

void rename_parts(Spec& spec, NameScope scope, std::string (*fit)(const std::string&),
                  const char* format, Losses& losses) {
  Renamer renamer(fit, format, losses);
  FreshNames taken;
  NewNames bodies, joints, actuators, others;
  renamer.rename(spec.bodies, "body", taken, bodies);
  renamer.rename(spec.frames, "frame", taken, bodies);
  if (scope == NameScope::bodies_and_joints_apart) taken.clear();
  renamer.rename(spec.joints, "joint", taken, joints);
  replace_bodies(spec, bodies);
  replace_joints(spec, joints);
  FreshNames of_actuators, of_loops, of_keys;
  renamer.rename(spec.actuators, "actuator", of_actuators, actuators);
  replace_actuators(spec, actuators);
  renamer.rename(spec.loops, "loop", of_loops, others);
  renamer.rename(spec.keyframes, "state", of_keys, others);
  // names that need not differ
  const auto fit_name = [&](const char* what, std::string& name) {
    const std::string fitting = fit(name);
    if (fitting == name) return;
    losses.description(fmt::format("{} '{}'", what, name),
                       fmt::format("called '{}' in the file", fitting));
    name = fitting;
  };
  const auto fit_shapes = [&](std::vector<ShapeSpec>& shapes) {
    for (ShapeSpec& shape : shapes)
      for (std::string* text : {&shape.name, &shape.mesh_file, &shape.material})
        fit_name("shape", *text);
  };
  for (BodySpec& body : spec.bodies) fit_shapes(body.shapes);
  fit_shapes(spec.world_shapes);
  for (ContactPairSpec& pair : spec.contact_pairs)
    for (std::string& shape : pair.shapes) shape = fit(shape);
  for (SensorSpec& sensor : spec.sensors) fit_name("sensor", sensor.name);
  fit_name("robot", spec.name);
}

void resolve_world_link(Spec& spec, const char* format, Losses& losses) {
  const auto body = std::find_if(spec.bodies.begin(), spec.bodies.end(),
                                 [](const BodySpec& one) { return one.name == "world"; });
  if (body == spec.bodies.end()) return;
  // roots stand in the order of the variables before what hangs from the world by a joint
  bool is_last_root = true, has_world_joints = false;
  std::set<std::string> carried;
  for (const JointSpec& joint : spec.joints) {
    carried.insert(joint.child);
    has_world_joints = has_world_joints || joint.parent.empty();
  }
  for (auto other = std::next(body); other != spec.bodies.end(); ++other)
    if (!carried.contains(other->name)) is_last_root = false;
  const bool is_world = is_massless(body->inertia) && !body->hydrodynamics &&
                        !carried.contains("world") && !has_world_joints && is_last_root &&
                        spec.bodies.size() > 1;
  if (!is_world)
    return rename_parts(
        spec, NameScope::bodies_and_joints_apart,
        [](const std::string& name) { return name == "world" ? "world_link" : name; }, format,
        losses);
  spec.world_shapes.insert(spec.world_shapes.end(), body->shapes.begin(), body->shapes.end());
  spec.bodies.erase(body);
  const auto to_world = [](std::string& name) {
    if (name == "world") name.clear();
  };
  for (JointSpec& joint : spec.joints) to_world(joint.parent);
  for (FrameSpec& frame : spec.frames) to_world(frame.body);
  for (LoopSpec& loop : spec.loops) {
    to_world(loop.body_a);
    to_world(loop.body_b);
  }
  for (ContactPairSpec& pair : spec.contact_pairs)
    for (std::string& name : pair.bodies) to_world(name);
}

void list_lost_extras(const Spec& spec, const char* format, Losses& losses) {
  const auto lose = [&](const char* what, const std::string& name) {
    losses.description(fmt::format("{} '{}'", what, name),
                       fmt::format("left out: {} has no place for it", format));
  };
  for (const ActuatorSpec& actuator : spec.actuators) lose("actuator", actuator.name);
  for (const SensorSpec& sensor : spec.sensors)
    lose("sensor", sensor.name.empty() ? sensor.kind : sensor.name);
  for (const KeyframeSpec& key : spec.keyframes) lose("state", key.name);
  for (const auto& [a, b] : spec.exclusions) lose("exclusion", fmt::format("{}' and '{}", a, b));
  for (const ContactPairSpec& pair : spec.contact_pairs)
    lose("contact pair", fmt::format("{}' and '{}", pair.shapes[0], pair.shapes[1]));
  if (spec.timestep > 0)
    losses.description("time step", fmt::format("left out: {} has no place for it", format));
}

}  // namespace limber
