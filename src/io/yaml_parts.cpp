#include "io/yaml_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/nearest.hpp"

namespace limber {

std::vector<std::string> pose_keys() { return {"xyz", "rpy", "rotation"}; }
std::vector<std::string> inertia_keys() {
  return {"mass", "com", "inertia", "first_moment", "second_moment"};
}
const std::vector<std::string>& shape_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int k = 0; k < shape_kinds; ++k) all.emplace_back(name(static_cast<ShapeSpec::Kind>(k)));
    return all;
  }();
  return names;
}
const std::vector<std::string>& role_names() {
  static const std::vector<std::string> names{"visual", "collision", "both"};
  return names;
}
std::vector<std::string> dof_keys() {
  return {"limits",           "velocity_limit", "effort_limit",  "damping",        "friction",
          "rotor_inertia",    "gear_ratio",     "motor_damping", "motor_friction", "stiffness",
          "spring_reference", "rotor_mount",    "rotor_axis"};
}

namespace {

// friction while v > 0 and while v < 0, from one number or two
std::array<double, 2> read_friction(const YamlMap& map, const std::string& key) {
  const std::vector<double> values =
      map.has_list(key) ? map.numbers(key, {2}) : std::vector<double>{map.number(key, 0)};
  for (const double value : values)
    if (value < 0)
      throw map.error(key,
                      fmt::format("{} is negative; write magnitudes: one number, or [while v > 0, "
                                  "while v < 0]",
                                  value));
  return {values.front(), values.back()};
}

// how many numbers the size of each kind of shape has
std::size_t size_count(ShapeSpec::Kind kind) {
  switch (kind) {
    case ShapeSpec::Kind::sphere:
      return 1;
    case ShapeSpec::Kind::cylinder:
    case ShapeSpec::Kind::capsule:
      return 2;
    default:
      return 3;
  }
}

ShapeSpec read_shape(const YamlMap& map) {
  ShapeSpec shape;
  shape.kind = static_cast<ShapeSpec::Kind>(read_choice(map, "kind", shape_names(), "a shape"));
  shape.name = map.text("name", "");
  shape.placement = read_pose(map);
  const bool mesh =
      shape.kind == ShapeSpec::Kind::mesh || shape.kind == ShapeSpec::Kind::height_field;
  if (mesh) shape.mesh_file = map.text("file");
  std::vector<double> size = map.numbers("size", {size_count(shape.kind)});
  if (size.empty() && !mesh)
    throw map.error("size",
                    "is missing; a box has [x, y, z], a sphere [radius], a cylinder or capsule "
                    "[radius, length], an ellipsoid three semi-axes");
  for (const double length : size)
    if (length < 0 && !mesh) throw map.error("size", fmt::format("{} is negative", length));
  if (!size.empty()) {
    size.resize(3, 0);
    shape.size = {size[0], size[1], size[2]};
  }
  const std::string role = map.text("role", "visual");
  const auto known = std::find(role_names().begin(), role_names().end(), role);
  if (known == role_names().end())
    throw map.error("role", fmt::format("'{}' is neither visual nor collision nor both", role));
  shape.role = static_cast<ShapeSpec::Role>(known - role_names().begin());
  if (const std::vector<double> color = map.numbers("color", {4}); !color.empty())
    shape.color = {color[0], color[1], color[2], color[3]};
  shape.material = map.text("material", "");
  shape.friction = map.vec3("friction", shape.friction);
  shape.collides_as = read_whole(map, "collides_as", shape.collides_as);
  shape.collides_with = read_whole(map, "collides_with", shape.collides_with);
  shape.group = read_whole(map, "group", shape.group);
  return shape;
}

}  // namespace

int read_whole(const YamlMap& map, const std::string& key, int fallback) {
  const double value = map.number(key, fallback);
  const auto whole = static_cast<int>(std::clamp(value, -2147483648.0, 2147483647.0));
  if (static_cast<double>(whole) != value)
    throw map.error(key, fmt::format("{} is not a whole number of 32 bits", value));
  return whole;
}

bool read_flag(const YamlMap& map, const std::string& key) {
  return map.has(key) && read_choice(map, key, {"false", "true"}, "true or false") == 1;
}

std::size_t read_choice(const YamlMap& map, const std::string& key,
                        const std::vector<std::string>& names, const char* what) {
  const std::string text = map.text(key);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (text == names[i]) return i;
  throw map.error(key, fmt::format("'{}' is not {}; known are {}{}", text, what,
                                   fmt::join(names, ", "), did_you_mean(text, names)));
}

Mat3<double> read_rpy(const YamlMap& map, const std::string& key) {
  const Vec3<double> rpy = map.vec3(key, {});
  constexpr double turn = 2 * std::numbers::pi;
  for (const double angle : {rpy.x, rpy.y, rpy.z})
    if (std::abs(angle) > turn * (1 + 1e-12))
      throw map.error(key, fmt::format("{0} is more than a whole turn; angles are in radians: "
                                       "{0} degrees are {1:.6g} rad",
                                       angle, angle / 360 * turn));
  return rotation_from_rpy(rpy.x, rpy.y, rpy.z);
}

Transform<double> read_pose(const YamlMap& map, const std::string& before,
                            const std::string& after) {
  const auto key = [&](const char* name) { return before + name + after; };
  Transform<double> pose;
  pose.p = map.vec3(key("xyz"), {});
  const std::vector<double> R = map.numbers(key("rotation"), {9});
  if (R.empty()) {
    pose.R = read_rpy(map, key("rpy"));
  } else {
    if (map.has(key("rpy")))
      throw map.error(key("rotation"),
                      fmt::format("stands beside {}; give one of the two", key("rpy")));
    pose.R = {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]};
  }
  return pose;
}

Inertia<double> read_inertia(const YamlMap& map) {
  const double mass = map.number("mass", 0);
  std::vector<double> moments = map.numbers("second_moment", {6});
  std::vector<double> inertia = map.numbers("inertia", {3, 6});
  if (!moments.empty() || map.has("first_moment")) {
    for (const char* key : {"com", "inertia"})
      if (map.has(key))
        throw map.error(key,
                        "stands beside first_moment or second_moment; give com and inertia, "
                        "or the two moments about the origin");
    moments.resize(6, 0);
    return {mass,
            map.vec3("first_moment", {}),
            {moments[0], moments[1], moments[2], moments[3], moments[4], moments[5]}};
  }
  inertia.resize(6, 0);
  return Inertia<double>::from_com(
      mass, map.vec3("com", {}),
      {inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5]});
}

DofSpec read_dof(const YamlMap& map) {
  DofSpec dof;
  map.range("limits", dof.lower, dof.upper);
  dof.velocity_limit = map.magnitude("velocity_limit", HUGE_VAL);
  dof.effort_limit = map.magnitude("effort_limit", HUGE_VAL);
  dof.rotor_inertia = map.magnitude("rotor_inertia", 0);
  dof.gear_ratio = map.number("gear_ratio", 1);
  if (dof.gear_ratio == 0)
    throw map.error("gear_ratio", "is zero; give motor turns per joint turn, 1 without a gear");
  dof.rotor_mount = map.text("rotor_mount", "");
  dof.rotor_axis = map.vec3("rotor_axis", dof.rotor_axis);
  if (map.has("rotor_axis") && dof.rotor_mount.empty())
    throw map.error("rotor_axis", "needs rotor_mount, the body that carries the motor");
  if (!dof.rotor_mount.empty() && !map.has("rotor_inertia"))
    throw map.error("rotor_mount", "needs rotor_inertia, that of the rotor about its axis");
  dof.stiffness = map.magnitude("stiffness", 0);
  dof.spring_reference = map.number("spring_reference", 0);

  // motor torque is seen |gear| times at the joint, and the motor turns gear times as fast
  const double gear = std::abs(dof.gear_ratio);
  const std::array<double, 2> at_joint = read_friction(map, "friction");
  const std::array<double, 2> at_motor = read_friction(map, "motor_friction");
  dof.damping = map.magnitude("damping", 0) + gear * gear * map.magnitude("motor_damping", 0);
  dof.friction_positive = at_joint[0] + gear * at_motor[0];
  dof.friction_negative = at_joint[1] + gear * at_motor[1];
  return dof;
}

std::vector<ShapeSpec> read_shapes(const YamlMap& map, const std::string& key) {
  std::vector<ShapeSpec> shapes;
  const std::vector<std::string> known =
      std::vector<std::string>{"kind",        "name",          "size",     "file",
                               "role",        "color",         "material", "friction",
                               "collides_as", "collides_with", "group"} +
      pose_keys();
  const std::string element = map.source().element;
  for (const YamlNode& node : map.list(key))
    shapes.push_back(
        read_shape({node, map.file(), element.empty() ? "shape" : element + ": shape", known}));
  return shapes;
}

FrameSpec read_frame(const YamlMap& map) {
  FrameSpec frame;
  frame.name = map.text("name");
  frame.placement = read_pose(map);
  frame.source = map.source();
  frame.source.element = "frame '" + frame.name + "'";
  return frame;
}

}  // namespace limber
