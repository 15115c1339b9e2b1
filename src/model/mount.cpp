#include <limber/model/mount.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/nearest.hpp"

namespace limber {

namespace {

void prefix_name(const std::string& prefix, std::string& name) {
  if (!name.empty() && name != "world") name.insert(0, prefix);
}

void expect_parent(const Spec& spec, const Mount& place) {
  std::vector<std::string> names;
  for (const BodySpec& body : spec.bodies) names.push_back(body.name);
  if (place.name.empty())
    throw Error("a robot that is mounted beside or on others needs a name; give it one");
  if (!place.parent.empty() && std::find(names.begin(), names.end(), place.parent) == names.end())
    throw Error(fmt::format("'{}' cannot be mounted on '{}': there is no such body{}", place.name,
                            place.parent, did_you_mean(place.parent, names)));
}

bool is_world(const std::string& body) { return body.empty() || body == "world"; }

}  // namespace

void add_prefix(Spec& spec, const std::string& prefix) {
  for (BodySpec& body : spec.bodies) prefix_name(prefix, body.name);
  for (FrameSpec& frame : spec.frames) {
    prefix_name(prefix, frame.name);
    prefix_name(prefix, frame.body);
  }
  for (JointSpec& joint : spec.joints) {
    for (std::string* name : {&joint.name, &joint.parent, &joint.child}) prefix_name(prefix, *name);
    if (joint.mimic) prefix_name(prefix, joint.mimic->joint);
    for (DofSpec& dof : joint.dofs) prefix_name(prefix, dof.rotor_mount);
  }
  for (LoopSpec& loop : spec.loops)
    for (std::string* name : {&loop.name, &loop.body_a, &loop.body_b, &loop.joint, &loop.leader})
      prefix_name(prefix, *name);
  for (ActuatorSpec& actuator : spec.actuators)
    for (std::string* name : {&actuator.name, &actuator.joint}) prefix_name(prefix, *name);
  for (SensorSpec& sensor : spec.sensors)
    for (std::string* name : {&sensor.name, &sensor.object}) prefix_name(prefix, *name);
  for (KeyframeSpec& key : spec.keyframes) {
    prefix_name(prefix, key.name);
    for (auto* list : {&key.position, &key.velocity, &key.control})
      for (KeyframeSpec::Values& values : *list) prefix_name(prefix, values.name);
  }
  for (std::array<std::string, 2>& pair : spec.exclusions)
    for (std::string& name : pair) prefix_name(prefix, name);
  for (ContactPairSpec& pair : spec.contact_pairs)
    for (std::string& name : pair.bodies) prefix_name(prefix, name);
}

namespace {

template <class List>
void append_list(List& list, const List& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

void append(Spec& spec, const Spec& more) {
  int families = 0;
  for (const BodySpec& body : spec.bodies) families = std::max(families, body.family);
  for (const BodySpec& body : more.bodies)
    if (spec.bodies.emplace_back(body).family > 0) spec.bodies.back().family += families;
  append_list(spec.joints, more.joints);
  append_list(spec.frames, more.frames);
  append_list(spec.world_shapes, more.world_shapes);
  append_list(spec.loops, more.loops);
  append_list(spec.actuators, more.actuators);
  append_list(spec.sensors, more.sensors);
  append_list(spec.keyframes, more.keyframes);
  append_list(spec.exclusions, more.exclusions);
  append_list(spec.contact_pairs, more.contact_pairs);
  append_list(spec.warnings, more.warnings);
  append_list(spec.ignored, more.ignored);
}

void move_world(Spec& spec, const std::string& parent, const Transform<double>& placement) {
  for (FrameSpec& frame : spec.frames)
    if (is_world(frame.body)) {
      frame.body = parent;
      frame.placement = placement * frame.placement;
    }
  for (LoopSpec& loop : spec.loops) {
    if (loop.kind == LoopSpec::Kind::coupling) continue;
    if (is_world(loop.body_a)) {
      loop.body_a = parent;
      loop.placement_a = placement * loop.placement_a;
    }
    if (is_world(loop.body_b)) {
      loop.body_b = parent;
      loop.placement_b = placement * loop.placement_b;
    }
  }
  for (ShapeSpec& shape : spec.world_shapes) shape.placement = placement * shape.placement;
  for (ContactPairSpec& pair : spec.contact_pairs)
    for (std::string& body : pair.bodies)
      if (is_world(body)) body = parent;
}

void mount(Spec& spec, Spec robot, const Mount& place) {
  expect_parent(spec, place);
  add_prefix(robot, place.name + ".");
  std::set<std::string> carried;
  for (JointSpec& joint : robot.joints) {
    carried.insert(joint.child);
    if (!is_world(joint.parent)) continue;
    joint.parent = place.parent;
    joint.placement = place.placement * joint.placement;
  }
  move_world(robot, place.parent, place.placement);
  if (!place.parent.empty()) {  // what does not move stands on the link that carries the robot
    for (BodySpec& body : spec.bodies)
      if (body.name == place.parent) append_list(body.shapes, robot.world_shapes);
    robot.world_shapes.clear();
  }
  std::vector<std::string> roots;
  for (const BodySpec& body : robot.bodies)
    if (!carried.contains(body.name)) roots.push_back(body.name);
  append(spec, robot);
  for (std::size_t k = 0; k < roots.size(); ++k)
    spec.add_joint(place.name + (k == 0 ? ".mount" : fmt::format(".mount {}", k + 1)),
                   JointKind::fixed, place.parent, roots[k], {0, 0, 1}, place.placement);
}

}  // namespace limber
