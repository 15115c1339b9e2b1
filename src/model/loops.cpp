#include "model/loops.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>
#include <limber/model/joint_space.hpp>

#include "model/names.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// frames by name, and bodies by the name of their joint: a robot may have as many loops as joints
struct LoopNames {
  std::unordered_map<std::string_view, int> frames, joints;
};
LoopNames names_for_loops(const Model& m) {
  LoopNames names;
  for (int k = 0; k < m.frames.count(); ++k) names.frames.emplace(m.frames[k].name, k);
  for (int i = 1; i < m.bodies(); ++i) names.joints.emplace(m.joint_name[i], i);
  return names;
}

// a frame of a loop: the body that it is on, and its pose in that body's canonical frame
void place_end(const LoopSpec& loop, const std::string& link, const Transform<double>& placement,
               const Model& m, const LoopNames& known, int& body, Transform<double>& in_body) {
  in_body = placement;
  body = 0;
  if (link.empty()) return;
  const auto frame = known.frames.find(link);
  if (frame == known.frames.end()) {
    std::vector<std::string> names;
    for (const BasicFrame<double>& one : m.frames) names.push_back(one.name);
    throw Error(loop.source,
                fmt::format("body '{}' does not exist{}", link, did_you_mean(link, names)));
  }
  body = m.frames[frame->second].body;
  in_body = m.frames[frame->second].placement * placement;
}

// the body whose joint is tied to another
int coupled_joint(const LoopSpec& loop, const std::string& joint, const Model& m,
                  const LoopNames& known) {
  const auto found = known.joints.find(joint);
  if (found == known.joints.end())
    throw Error(loop.source,
                fmt::format("joint '{}' does not exist, or does not move{}", joint,
                            did_you_mean(joint, {m.joint_name.begin(), m.joint_name.end()})));
  const int body = found->second;
  if (m.q_count[body] != 1 || m.v_count[body] != 1)
    throw Error(loop.source,
                fmt::format("joint '{}' is {}; only joints with one freedom can be coupled", joint,
                            name(m.kind[body])));
  return body;
}

void add_coupling(const LoopSpec& loop, const Model& m, const LoopNames& known,
                  BasicLoop<double>& result) {
  result.joint = coupled_joint(loop, loop.joint, m, known);
  if (!loop.leader.empty()) result.leader = coupled_joint(loop, loop.leader, m, known);
  if (result.joint == result.leader)
    throw Error(loop.source, fmt::format("joint '{}' is coupled to itself", loop.joint));
  result.joint_reference = loop.joint_reference;
  result.leader_reference = loop.leader_reference;
  result.polynomial.assign(loop.polynomial.begin(), loop.polynomial.end());
}

// an axis of a loop as a unit vector
Vec3<double> unit_axis(const LoopSpec& loop, const Vec3<double>& axis) {
  const double length = norm(axis);
  if (!(length > 1e-14) || !std::isfinite(length))
    throw Error(loop.source, "an axis of this loop is zero or not finite");
  return axis / length;
}

// a joint that closes a loop: its axes, and limits, springs and friction of its freedoms
void add_closing_joint(const LoopSpec& loop, BasicLoop<double>& result) {
  if (loop.joint_kind == JointKind::free || loop.joint_kind == JointKind::custom)
    throw Error(loop.source, fmt::format("a {} joint cannot close a loop", name(loop.joint_kind)));
  const int axes = facts(loop.joint_kind).axes;
  result.joint_kind = loop.joint_kind;
  result.pitch = loop.pitch;
  if (axes > 0) result.axis = unit_axis(loop, loop.axis);
  if (axes > 1) result.axis2 = unit_axis(loop, loop.axis2);
  if (axes > 1 && std::abs(dot(result.axis, result.axis2)) > 1e-6)
    throw Error(loop.source, "the axes of a universal joint must be perpendicular");
  const auto freedoms = static_cast<std::size_t>(velocity_count(loop.joint_kind));
  if (!loop.dofs.empty() && loop.dofs.size() != freedoms)
    throw Error(loop.source, fmt::format("{} entries in dofs, but a {} joint has {} freedoms",
                                         loop.dofs.size(), name(loop.joint_kind), freedoms));
  result.dofs = loop.dofs;
}

// where a wheel touches the ground
void add_wheel(const LoopSpec& loop, BasicLoop<double>& result) {
  if (!(loop.radius >= 0 && loop.rim >= 0 && loop.radius + loop.rim > 0))
    throw Error(loop.source, "a rolling wheel needs a radius or a rim above zero, none negative");
  result.radius = loop.radius;
  result.rim = loop.rim;
}

void check_description(const LoopSpec& loop) {
  expect_name(loop.source, "name of a loop", loop.name);
  bool finite = std::isfinite(loop.distance) && std::isfinite(loop.joint_reference) &&
                std::isfinite(loop.leader_reference) && std::isfinite(loop.pitch) &&
                std::isfinite(loop.radius) && std::isfinite(loop.rim);
  for (const double c : loop.polynomial) finite = finite && std::isfinite(c);
  for (const Transform<double>* X : {&loop.placement_a, &loop.placement_b})
    finite = finite && std::isfinite(norm(X->p)) && std::isfinite(determinant(X->R));
  if (!finite) throw Error(loop.source, "a number of this loop is not finite");
  if (loop.distance < 0) throw Error(loop.source, "the distance is negative");
}

BasicLoop<double> resolved(const LoopSpec& loop, const Model& m, const LoopNames& known) {
  BasicLoop<double> result;
  result.name = loop.name;
  result.kind = loop.kind;
  result.distance = loop.distance;
  if (loop.kind == LoopSpec::Kind::coupling) {
    add_coupling(loop, m, known, result);
  } else {
    place_end(loop, loop.body_a, loop.placement_a, m, known, result.body_a, result.placement_a);
    place_end(loop, loop.body_b, loop.placement_b, m, known, result.body_b, result.placement_b);
    if (result.body_a == result.body_b)
      throw Error(loop.source,
                  fmt::format("both ends of this loop are on one body, '{}', which it cannot move",
                              m.body_name[result.body_a]));
    if (loop.kind == LoopSpec::Kind::joint) add_closing_joint(loop, result);
    if (loop.kind == LoopSpec::Kind::slot || loop.kind == LoopSpec::Kind::surface)
      result.axis = unit_axis(loop, loop.axis);
    if (loop.kind == LoopSpec::Kind::rolling) add_wheel(loop, result);
    if (loop.kind == LoopSpec::Kind::distance && loop.distance == 0)
      throw Error(loop.source, "a distance of zero has no direction; use a loop of kind connect");
  }
  return result;
}

using Places = std::map<std::string, JointPlace, std::less<>>;
using Names = std::set<std::string_view>;

// the values of joints, at their places; `position` tells which of their places
enum class Space { position, velocity };
void set_values(const Names& joints, const KeyframeSpec& key, Space space,
                const std::vector<KeyframeSpec::Values>& values, const Places& places,
                std::vector<double>& out) {
  for (const KeyframeSpec::Values& one : values) {
    const auto found = places.find(one.name);
    if (found == places.end()) {
      if (joints.contains(one.name)) continue;  // fixed, or follows another
      throw Error(key.source, fmt::format("joint '{}' does not exist", one.name));
    }
    const bool position = space == Space::position;
    const int start = position ? found->second.q : found->second.v;
    const int count = position ? found->second.q_count : found->second.v_count;
    if (one.values.size() != static_cast<std::size_t>(count))
      throw Error(key.source, fmt::format("{} numbers for joint '{}', {} expected",
                                          one.values.size(), one.name, count));
    std::copy(one.values.begin(), one.values.end(), out.begin() + start);
  }
}

void check_finite(const KeyframeSpec& key, const Keyframe& frame) {
  for (const std::vector<double>* values : {&frame.q, &frame.v, &frame.control})
    for (const double x : *values)
      if (!std::isfinite(x)) throw Error(key.source, "a number of this state is not finite");
}

}  // namespace

void add_loops(const Spec& spec, Model& m) {
  if (spec.loops.empty()) return;
  const LoopNames known = names_for_loops(m);
  for (const LoopSpec& loop : spec.loops) {
    check_description(loop);
    if (loop.is_active) m.loops.push_back(resolved(loop, m, known));
  }
}

BasicLoop<double> resolve_loop(const LoopSpec& loop, const Model& m) {
  check_description(loop);
  return resolved(loop, m, names_for_loops(m));
}

void expect_few_states(const Source& source, std::size_t count, std::size_t numbers) {
  if (count > most_state_numbers / std::max<std::size_t>(numbers, 1))
    throw Error(source, fmt::format("{} named states of {} numbers each, but a robot may have {} "
                                    "numbers in its states; leave some out",
                                    count, numbers, most_state_numbers));
}

void add_keyframes(const Spec& spec, Model& m) {
  if (spec.keyframes.empty()) return;
  expect_few_states(spec.keyframes.back().source, spec.keyframes.size(),
                    static_cast<std::size_t>(m.nq + m.nv) + spec.actuators.size());
  Names joints;
  for (const JointSpec& joint : spec.joints) joints.insert(joint.name);
  Places places;
  for_each_joint(m,
                 [&](const JointPlace& place) { places.emplace(m.joint_name[place.body], place); });
  std::map<std::string, std::size_t, std::less<>> actuators;
  for (const ActuatorSpec& actuator : spec.actuators)
    actuators.emplace(actuator.name, actuators.size());
  for (const KeyframeSpec& key : spec.keyframes) {
    expect_name(key.source, "name of a state", key.name);
    Keyframe frame{key.name, key.time, neutral_position(m),
                   std::vector<double>(static_cast<std::size_t>(m.nv), 0.0),
                   std::vector<double>(spec.actuators.size(), 0.0)};
    set_values(joints, key, Space::position, key.position, places, frame.q);
    set_values(joints, key, Space::velocity, key.velocity, places, frame.v);
    for (const KeyframeSpec::Values& control : key.control) {
      const auto found = actuators.find(control.name);
      if (found == actuators.end() || control.values.size() != 1)
        throw Error(key.source, fmt::format("the control of actuator '{}' is not one number, or "
                                            "there is no such actuator",
                                            control.name));
      frame.control[found->second] = control.values[0];
    }
    check_finite(key, frame);
    m.keyframes.push_back(std::move(frame));
  }
}

}  // namespace limber
