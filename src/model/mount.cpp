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
}

void append(Spec& spec, const Spec& more) {
  spec.bodies.insert(spec.bodies.end(), more.bodies.begin(), more.bodies.end());
  spec.joints.insert(spec.joints.end(), more.joints.begin(), more.joints.end());
  spec.frames.insert(spec.frames.end(), more.frames.begin(), more.frames.end());
  spec.warnings.insert(spec.warnings.end(), more.warnings.begin(), more.warnings.end());
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
  for (FrameSpec& frame : robot.frames)
    if (is_world(frame.body)) {
      frame.body = place.parent;
      frame.placement = place.placement * frame.placement;
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
