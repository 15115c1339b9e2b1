// What differs between two Specs: loops, actuators, sensors, states, exclusions.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "model/compare.hpp"

namespace limber {

namespace {

std::string end_of(const std::string& body) { return body.empty() ? "world" : body; }

// of a joint that closes a loop; without data a freedom has those of DofSpec
void compare_freedoms(const LoopSpec& x, const LoopSpec& y, Differences& found) {
  const auto dof = [](const LoopSpec& loop, std::size_t k) {
    if (loop.dofs.empty()) return DofSpec{};
    return loop.dofs[std::min(k, loop.dofs.size() - 1)];
  };
  for (std::size_t k = 0; k < std::max(x.dofs.size(), y.dofs.size()); ++k) {
    const DofSpec one = dof(x, k), other = dof(y, k);
    found.number("lower limit", one.lower, other.lower, 1);
    found.number("upper limit", one.upper, other.upper, 1);
    found.number("damping", one.damping, other.damping);
    found.number("friction", one.friction_positive, other.friction_positive);
    found.number("stiffness", one.stiffness, other.stiffness);
    found.number("spring reference", one.spring_reference, other.spring_reference, 1);
  }
}

void compare_loops(const Spec& a, const Spec& b, Differences& found) {
  found.match("loop", a.loops, b.loops, [&](const LoopSpec& x, const LoopSpec& y) {
    found.text("kind", name(x.kind), name(y.kind));
    found.text("active", x.is_active ? "yes" : "no", y.is_active ? "yes" : "no");
    found.text("joint", x.joint, y.joint);
    found.text("leader", x.leader, y.leader);
    if (x.kind != y.kind) return;
    if (x.kind == LoopSpec::Kind::coupling) {
      found.number("reference of the joint", x.joint_reference, y.joint_reference, 1);
      found.number("reference of the leader", x.leader_reference, y.leader_reference, 1);
      found.numbers("polynomial", x.polynomial, y.polynomial);
      return;
    }
    found.text("first body", end_of(x.body_a), end_of(y.body_a));
    found.text("second body", end_of(x.body_b), end_of(y.body_b));
    found.vector("first point", x.placement_a.p, y.placement_a.p, 1);
    found.vector("second point", x.placement_b.p, y.placement_b.p, 1);
    if (x.kind == LoopSpec::Kind::joint)
      found.text("kind of joint", name(x.joint_kind), name(y.joint_kind));
    if (x.kind >= LoopSpec::Kind::joint) {
      found.rotation("rotation of the first frame", x.placement_a.R, y.placement_a.R);
      found.rotation("rotation of the second frame", x.placement_b.R, y.placement_b.R);
      found.vector("axis", x.axis, y.axis, 1);
      if (x.joint_kind == JointKind::universal) found.vector("second axis", x.axis2, y.axis2, 1);
      found.number("pitch", x.pitch, y.pitch);
      compare_freedoms(x, y, found);
    }
    if (x.kind == LoopSpec::Kind::weld)
      // of the two frames only how one stands to the other counts
      found.rotation("rotation", x.placement_a.R * transpose(x.placement_b.R),
                     y.placement_a.R * transpose(y.placement_b.R));
    found.number("distance", x.distance, y.distance);
    found.number("radius", x.radius, y.radius);
    found.number("rim", x.rim, y.rim);
  });
}

void compare_actuators(const Spec& a, const Spec& b, Differences& found) {
  found.match("actuator", a.actuators, b.actuators,
              [&](const ActuatorSpec& x, const ActuatorSpec& y) {
                found.text("kind", x.kind, y.kind);
                found.text("joint", x.joint, y.joint);
                found.text("target", x.target, y.target);
                found.numbers("gear", x.gear, y.gear);
                found.numbers("gain", x.gain, y.gain);
                found.numbers("bias", x.bias, y.bias);
                found.number("lower control", x.control_lower, y.control_lower);
                found.number("upper control", x.control_upper, y.control_upper);
                found.number("lower force", x.force_lower, y.force_lower);
                found.number("upper force", x.force_upper, y.force_upper);
                found.number("time constant", x.time_constant, y.time_constant);
              });
}

// those without a name are known by what they measure
std::vector<SensorSpec> named_sensors(const Spec& spec) {
  std::vector<SensorSpec> sensors = spec.sensors;
  for (SensorSpec& sensor : sensors)
    if (sensor.name.empty()) sensor.name = sensor.kind + " " + sensor.object;
  return sensors;
}

void compare_sensors(const Spec& a, const Spec& b, Differences& found) {
  const std::vector<SensorSpec> of_a = named_sensors(a), of_b = named_sensors(b);
  found.match("sensor", of_a, of_b, [&](const SensorSpec& x, const SensorSpec& y) {
    found.text("kind", x.kind, y.kind);
    found.text("object", x.object, y.object);
    found.text("kind of object", x.object_kind, y.object_kind);
    found.number("noise", x.noise, y.noise);
    found.number("cutoff", x.cutoff, y.cutoff);
  });
}

using ValueList = std::vector<KeyframeSpec::Values>;
using ValuesOf = std::unordered_map<std::string_view, const std::vector<double>*>;
ValuesOf by_name(const ValueList& list) {
  ValuesOf values;
  for (const KeyframeSpec::Values& one : list) values.emplace(one.name, &one.values);
  return values;
}

// a quaternion and its negative are the same turn: `values` with that of the two which is nearer to
// `other`
std::vector<double> with_nearer_turn(std::vector<double> values, const std::vector<double>& other) {
  const bool has_turn = values.size() == 4 || values.size() == 7;
  if (!has_turn || other.size() != values.size()) return values;
  double product = 0;
  for (std::size_t k = values.size() - 4; k < values.size(); ++k) product += values[k] * other[k];
  if (product < 0)
    for (std::size_t k = values.size() - 4; k < values.size(); ++k) values[k] = -values[k];
  return values;
}

void compare_states(const Spec& a, const Spec& b, Differences& found) {
  const auto compare_values = [&](const std::string& what, const ValueList& x, const ValueList& y) {
    const ValuesOf of_x = by_name(x), of_y = by_name(y);
    for (const KeyframeSpec::Values& one : x) {
      const auto other = of_y.find(one.name);
      const std::string text = what + " of '" + one.name + "'";
      if (other == of_y.end()) found.text(text, "given", "not given");
      else if (what != "position") found.numbers(text, one.values, *other->second, 1);
      else found.numbers(text, one.values, with_nearer_turn(*other->second, one.values), 1);
    }
    for (const KeyframeSpec::Values& one : y)
      if (!of_x.contains(one.name))
        found.text(what + " of '" + one.name + "'", "not given", "given");
  };
  found.match("state", a.keyframes, b.keyframes, [&](const KeyframeSpec& x, const KeyframeSpec& y) {
    found.number("time", x.time, y.time);
    compare_values("position", x.position, y.position);
    compare_values("velocity", x.velocity, y.velocity);
    compare_values("control", x.control, y.control);
  });
}

}  // namespace

void compare_extras(const Spec& a, const Spec& b, Differences& found) {
  compare_loops(a, b, found);
  compare_actuators(a, b, found);
  compare_sensors(a, b, found);
  compare_states(a, b, found);
  const auto pairs = [](const Spec& spec) {
    std::vector<std::array<std::string, 2>> sorted = spec.exclusions;
    for (auto& pair : sorted) std::sort(pair.begin(), pair.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  found.about("exclusions");
  const auto text = [](const std::vector<std::array<std::string, 2>>& list) {
    std::string all;
    for (const auto& [one, other] : list)
      all += fmt::format("{}{} and {}", all.empty() ? "" : ", ", one, other);
    return all;
  };
  found.text("pairs", text(pairs(a)), text(pairs(b)));
  const auto contacts = [](const Spec& spec) {
    std::vector<std::string> sorted;
    for (const ContactPairSpec& pair : spec.contact_pairs) {
      std::array<std::string, 2> ends;
      for (std::size_t k = 0; k < 2; ++k)
        ends[k] = fmt::format("{} of {}", pair.shapes[k],
                              pair.bodies[k].empty() ? "world" : pair.bodies[k]);
      std::sort(ends.begin(), ends.end());
      const Vec3<double> f = pair.friction.value_or(Vec3<double>{});
      sorted.push_back(
          fmt::format("{} and {}{}", ends[0], ends[1],
                      pair.friction ? fmt::format(" ({}, {}, {})", f.x, f.y, f.z) : ""));
    }
    std::sort(sorted.begin(), sorted.end());
    return fmt::format("{}", fmt::join(sorted, ", "));
  };
  found.about("contact pairs");
  found.text("shapes", contacts(a), contacts(b));
}

}  // namespace limber
