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

// the link on which everything of a link that is left out stands instead, and where
struct Host {
  std::string name;  // "": the world
  Transform<double> pose;
};
using Hosts = std::map<std::string, Host>;

void move_to_hosts(Spec& spec, const Hosts& hosts) {
  const auto move = [&](std::string& body, Transform<double>& placement) {
    const auto found = hosts.find(body);
    if (found == hosts.end()) return;
    body = found->second.name;
    placement = found->second.pose * placement;
  };
  for (JointSpec& joint : spec.joints) move(joint.parent, joint.placement);
  for (FrameSpec& frame : spec.frames) move(frame.body, frame.placement);
  for (LoopSpec& loop : spec.loops) {
    if (loop.kind == LoopSpec::Kind::coupling) continue;
    move(loop.body_a, loop.placement_a);
    move(loop.body_b, loop.placement_b);
  }
  std::erase_if(spec.joints, [&](const JointSpec& joint) { return hosts.contains(joint.child); });
  std::erase_if(spec.bodies, [&](const BodySpec& body) { return hosts.contains(body.name); });
}

}  // namespace

void lump_massless_links(Spec& spec, Losses& losses) {
  sort_joints(spec);
  std::map<std::string, BodySpec*> bodies;
  std::map<std::string, const JointSpec*> carriers;
  for (BodySpec& body : spec.bodies) bodies.emplace(body.name, &body);
  for (const JointSpec& joint : spec.joints) carriers.emplace(joint.child, &joint);
  Hosts hosts;
  // what is welded to the world, without mass or anything to see, is the world
  std::size_t rest = spec.bodies.size();
  for (const BodySpec& body : spec.bodies)
    if (!carriers.contains(body.name) && is_massless(body.inertia) && body.shapes.empty() &&
        !body.hydrodynamics && rest > 1) {
      --rest;
      hosts[body.name] = {};
      losses.description("body '" + body.name + "'",
                         "has no mass and is welded to the world: left out, as SDF has the world");
    }
  // links without mass on fixed joints, from the root outwards; one on the world itself stays
  std::vector<FrameSpec> frames;
  for (const JointSpec& joint : spec.joints) {
    BodySpec& body = *bodies.at(joint.child);
    if (joint.kind != JointKind::fixed || !is_massless(body.inertia) || body.hydrodynamics)
      continue;
    const auto above = hosts.find(joint.parent);
    const Host carrier = above == hosts.end() ? Host{joint.parent, {}} : above->second;
    if (carrier.name.empty()) continue;
    const Host host{carrier.name, carrier.pose * joint.placement * joint.child_placement};
    for (ShapeSpec& shape : body.shapes) {
      shape.placement = host.pose * shape.placement;
      bodies.at(host.name)->shapes.push_back(std::move(shape));
    }
    frames.push_back({joint.child, host.name, host.pose, joint.source});
    losses.description("body '" + joint.child + "'",
                       fmt::format("has no mass: written as a frame on '{}'", host.name));
    hosts[joint.child] = host;
  }
  move_to_hosts(spec, hosts);
  spec.frames.insert(spec.frames.end(), frames.begin(), frames.end());
}

}  // namespace limber
