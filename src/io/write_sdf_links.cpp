// From one Spec to another that moves in the same way and that SDF can hold: links without mass,
// which SDF does not have, become frames.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "io/write.hpp"
#include "model/structure.hpp"

namespace limber {

namespace {

// joints in the order of the tree, so that those of a link which is left out stay in their place
void sort_joints(Spec& spec) {
  const Structure structure = find_structure(spec);
  std::map<std::string, std::size_t> place;
  for (const PlacedLink& link : structure.links)
    place.emplace(spec.bodies[static_cast<std::size_t>(link.spec_body)].name, place.size());
  std::stable_sort(spec.joints.begin(), spec.joints.end(),
                   [&](const JointSpec& a, const JointSpec& b) {
                     return place.at(a.child) < place.at(b.child);
                   });
}

// everything that is on `body` is on `host` instead, where the body stands at `pose`
void move_to_host(Spec& spec, const std::string& body, const std::string& host,
                  const Transform<double>& pose) {
  for (JointSpec& joint : spec.joints) {
    if (joint.parent != body) continue;
    joint.parent = host;
    joint.placement = pose * joint.placement;
  }
  for (FrameSpec& frame : spec.frames) {
    if (frame.body != body) continue;
    frame.body = host;
    frame.placement = pose * frame.placement;
  }
  for (LoopSpec& loop : spec.loops) {
    if (loop.kind == LoopSpec::Kind::coupling) continue;
    if (loop.body_a == body) loop.body_a = host, loop.placement_a = pose * loop.placement_a;
    if (loop.body_b == body) loop.body_b = host, loop.placement_b = pose * loop.placement_b;
  }
}

void erase_body(Spec& spec, const std::string& name) {
  std::erase_if(spec.bodies, [&](const BodySpec& body) { return body.name == name; });
}

}  // namespace

void lump_massless_links(Spec& spec, Losses& losses) {
  sort_joints(spec);
  std::map<std::string, BodySpec*> bodies;
  for (BodySpec& body : spec.bodies) bodies.emplace(body.name, &body);
  std::vector<std::string> gone;
  // outermost last: a link hands its own to the one that carries it
  for (std::size_t i = spec.joints.size(); i-- > 0;) {
    const JointSpec joint = spec.joints[i];
    BodySpec& body = *bodies.at(joint.child);
    if (joint.kind != JointKind::fixed || joint.parent.empty() || !is_massless(body.inertia))
      continue;
    const Transform<double> pose = joint.placement * joint.child_placement;
    BodySpec& host = *bodies.at(joint.parent);
    for (ShapeSpec& shape : body.shapes) {
      shape.placement = pose * shape.placement;
      host.shapes.push_back(std::move(shape));
    }
    move_to_host(spec, joint.child, joint.parent, pose);
    spec.frames.push_back({joint.child, joint.parent, pose, joint.source});
    losses.description("body '" + joint.child + "'",
                       fmt::format("has no mass: written as a frame on '{}'", joint.parent));
    gone.push_back(joint.child);
    spec.joints.erase(spec.joints.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (const std::string& name : gone) erase_body(spec, name);

  // what is welded to the world, without mass or anything to see, is the world
  std::map<std::string, const JointSpec*> carriers;
  for (const JointSpec& joint : spec.joints) carriers.emplace(joint.child, &joint);
  gone.clear();
  for (const BodySpec& body : spec.bodies)
    if (!carriers.contains(body.name) && is_massless(body.inertia) && body.shapes.empty())
      gone.push_back(body.name);
  for (const std::string& name : gone) {
    if (spec.bodies.size() == 1) break;
    move_to_host(spec, name, "", {});
    losses.description("body '" + name + "'",
                       "has no mass and is welded to the world: left out, as SDF has the world");
    erase_body(spec, name);
  }
}

}  // namespace limber
