// What differs between two Specs: loops, actuators, sensors, states, exclusions.
#include <algorithm>

#include <fmt/format.h>

#include "model/compare.hpp"

namespace limber {

namespace {

std::string end_of(const std::string& body) { return body.empty() ? "world" : body; }

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
      found.number("pitch", x.pitch, y.pitch);
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

void compare_states(const Spec& a, const Spec& b, Differences& found) {
  using List = std::vector<KeyframeSpec::Values>;
  const auto compare_values = [&](const char* what, const List& x, const List& y) {
    for (const KeyframeSpec::Values& one : x) {
      const auto other = std::find_if(y.begin(), y.end(),
                                      [&](const auto& entry) { return entry.name == one.name; });
      const std::string text = std::string(what) + " of '" + one.name + "'";
      if (other == y.end()) found.text(text, "given", "not given");
      else found.numbers(text, one.values, other->values, 1);
    }
    for (const KeyframeSpec::Values& one : y)
      if (std::none_of(x.begin(), x.end(),
                       [&](const auto& entry) { return entry.name == one.name; }))
        found.text(std::string(what) + " of '" + one.name + "'", "not given", "given");
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
}

}  // namespace limber
