#include "io/yaml_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/nearest.hpp"

namespace limber {

std::vector<std::string> pose_keys() { return {"xyz", "rpy"}; }
std::vector<std::string> inertia_keys() { return {"mass", "com", "inertia"}; }
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

ShapeSpec::Kind read_shape_kind(const YamlMap& map) {
  const std::vector<std::string> names{"box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"};
  const std::string kind = map.text("kind");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (kind == names[i]) return static_cast<ShapeSpec::Kind>(i);
  throw map.error("kind", fmt::format("'{}' is not a shape; known are {}{}", kind,
                                      fmt::join(names, ", "), did_you_mean(kind, names)));
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
  shape.kind = read_shape_kind(map);
  shape.name = map.text("name", "");
  shape.placement = read_pose(map);
  const bool mesh = shape.kind == ShapeSpec::Kind::mesh;
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
  if (role != "visual" && role != "collision")
    throw map.error("role", fmt::format("'{}' is neither visual nor collision", role));
  shape.role = role == "visual" ? ShapeSpec::Role::visual : ShapeSpec::Role::collision;
  if (const std::vector<double> color = map.numbers("color", {4}); !color.empty())
    shape.color = {color[0], color[1], color[2], color[3]};
  return shape;
}

}  // namespace

Transform<double> read_pose(const YamlMap& map) {
  const Vec3<double> rpy = map.vec3("rpy", {});
  return {rotation_from_rpy(rpy.x, rpy.y, rpy.z), map.vec3("xyz", {})};
}

Inertia<double> read_inertia(const YamlMap& map) {
  std::vector<double> inertia = map.numbers("inertia", {3, 6});
  inertia.resize(6, 0);
  return Inertia<double>::from_com(
      map.number("mass", 0), map.vec3("com", {}),
      {inertia[0], inertia[1], inertia[2], inertia[3], inertia[4], inertia[5]});
}

DofSpec read_dof(const YamlMap& map) {
  DofSpec dof;
  if (const std::vector<double> limits = map.numbers("limits", {2}); !limits.empty()) {
    if (limits[0] > limits[1])
      throw map.error("limits", fmt::format("lower limit {} is above upper limit {}; exchange them",
                                            limits[0], limits[1]));
    dof.lower = limits[0];
    dof.upper = limits[1];
  }
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

std::vector<ShapeSpec> read_shapes(const YamlMap& map) {
  std::vector<ShapeSpec> shapes;
  const std::vector<std::string> known =
      std::vector<std::string>{"kind", "name", "size", "file", "role", "color"} + pose_keys();
  for (const YamlNode& node : map.list("shapes"))
    shapes.push_back(read_shape({node, map.file(), map.source().element + ": shape", known}));
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
