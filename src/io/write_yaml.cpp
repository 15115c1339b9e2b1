// Spec to YAML: lists of bodies and joints. Reads back bit for bit.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "io/write_yaml.hpp"
#include "io/yaml_parts.hpp"
#include "model/canonical.hpp"

namespace limber {

// --- values ---

YamlNode yaml_word(const std::string& text) { return YamlNode::word(text, 0); }
YamlNode yaml_number(double x) { return yaml_word(format_number(x)); }
YamlNode yaml_numbers(std::span<const double> x) {
  const YamlNode list = YamlNode::list(0);
  for (const double one : x) list.append(yaml_number(one));
  return list;
}
YamlNode yaml_vector(const Vec3<double>& x) {
  const double numbers[] = {x.x, x.y, x.z};
  return yaml_numbers(numbers);
}
YamlNode yaml_range(double lower, double upper) {
  const double ends[] = {lower, upper};
  return yaml_numbers(ends);
}
std::string yaml_body_name(const std::string& body) { return body.empty() ? "world" : body; }

namespace {

bool is_zero(const Vec3<double>& v) { return same_bits(v, Vec3<double>{}); }

}  // namespace

void put_pose(const YamlNode& map, const Transform<double>& X, const std::string& before,
              const std::string& after) {
  if (!is_zero(X.p)) map.set(before + "xyz" + after, yaml_vector(X.p));
  const RpyForm turn = to_rpy(X.R);
  if (!turn.is_exact) {
    const Mat3<double>& R = X.R;
    const double rows[] = {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
    map.set(before + "rotation" + after, yaml_numbers(rows));
  } else if (!is_zero(turn.rpy)) {
    map.set(before + "rpy" + after, yaml_vector(turn.rpy));
  }
}

namespace {

YamlNode yaml_symmetric(const Sym3<double>& A) {
  const double numbers[] = {A.xx, A.yy, A.zz, A.xy, A.xz, A.yz};
  const bool is_diagonal = A.xy == 0 && A.xz == 0 && A.yz == 0 && !std::signbit(A.xy) &&
                           !std::signbit(A.xz) && !std::signbit(A.yz);
  return yaml_numbers(std::span(numbers).first(is_diagonal ? 3 : 6));
}
// --- layout ---

constexpr std::size_t widest = 110;

void print_mapping(const YamlNode& node, std::size_t indent, std::string& text);

// a list of mappings, each in one line if it fits
void print_list(const YamlNode& list, std::size_t indent, std::string& text) {
  for (const YamlNode& item : list.items()) {
    const std::string line = to_yaml(item);
    const std::string start(indent, ' ');
    if (!item.is_mapping() || indent + 2 + line.size() <= widest) {
      text += fmt::format("{}- {}\n", start, line);
      continue;
    }
    const std::size_t begin = text.size();
    print_mapping(item, indent + 2, text);
    text[begin + indent] = '-';
  }
}

void print_mapping(const YamlNode& node, std::size_t indent, std::string& text) {
  for (const auto& [key, value] : node.entries()) {
    text += std::string(indent, ' ') + to_yaml(key) + ":";
    const bool has_lines = value.is_list() && !value.items().empty() &&
                           (value.items()[0].is_mapping() || value.items()[0].is_list());
    if (has_lines) {
      text += "\n";
      print_list(value, indent + 2, text);
    } else {
      text += " " + to_yaml(value) + "\n";
    }
  }
}

// --- parts of a robot ---

void put_inertia(const YamlNode& map, const Inertia<double>& I) {
  if (is_massless(I)) return;
  map.set("mass", yaml_number(I.m));
  const ComForm form = to_com_form(I);
  if (form.is_exact) {
    if (!is_zero(form.com)) map.set("com", yaml_vector(form.com));
    map.set("inertia", yaml_symmetric(form.inertia));
  } else {
    const Sym3<double>& J = I.J;
    const double numbers[] = {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
    map.set("first_moment", yaml_vector(I.h));
    map.set("second_moment", yaml_numbers(numbers));
  }
}

std::size_t size_numbers(ShapeSpec::Kind kind) {
  if (kind == ShapeSpec::Kind::sphere) return 1;
  return kind == ShapeSpec::Kind::cylinder || kind == ShapeSpec::Kind::capsule ? 2 : 3;
}

YamlNode yaml_shape(const ShapeSpec& shape) {
  const ShapeSpec plain;
  const YamlNode map = YamlNode::mapping(0);
  map.set("kind", yaml_word(shape_names()[static_cast<std::size_t>(shape.kind)]));
  if (!shape.name.empty()) map.set("name", yaml_word(shape.name));
  if (!shape.mesh_file.empty()) map.set("file", yaml_word(shape.mesh_file));
  const double size[] = {shape.size.x, shape.size.y, shape.size.z};
  map.set("size", yaml_numbers(std::span(size).first(size_numbers(shape.kind))));
  put_pose(map, shape.placement);
  if (shape.role != plain.role)
    map.set("role", yaml_word(role_names()[static_cast<std::size_t>(shape.role)]));
  if (shape.color != plain.color) map.set("color", yaml_numbers(shape.color));
  if (!shape.material.empty()) map.set("material", yaml_word(shape.material));
  if (!same_bits(shape.friction, plain.friction)) map.set("friction", yaml_vector(shape.friction));
  if (shape.collides_as != plain.collides_as)
    map.set("collides_as", yaml_number(shape.collides_as));
  if (shape.collides_with != plain.collides_with)
    map.set("collides_with", yaml_number(shape.collides_with));
  if (shape.group != plain.group) map.set("group", yaml_number(shape.group));
  return map;
}

void put_shapes(const YamlNode& map, const char* key, const std::vector<ShapeSpec>& shapes,
                const std::string& owner, Losses& losses) {
  const YamlNode list = YamlNode::list(0);
  for (const ShapeSpec& shape : shapes) {
    const bool has_file =
        shape.kind == ShapeSpec::Kind::mesh || shape.kind == ShapeSpec::Kind::height_field;
    if (has_file && shape.mesh_file.empty())
      losses.description(owner, "a mesh or height field without a file is left out");
    else list.append(yaml_shape(shape));
  }
  if (!list.items().empty()) map.set(key, list);
}

}  // namespace

void put_dof(const YamlNode& map, const DofSpec& dof, const std::string& owner, Losses& losses) {
  const auto magnitude = [&](const char* key, double value, double absent) {
    if (value == absent) return;
    if (value >= 0) map.set(key, yaml_number(value));
    else losses.dynamics(owner, fmt::format("{} is negative ({}) and left out", key, value));
  };
  if (dof.lower > dof.upper)
    losses.description(owner, "limits whose lower end is above the upper one are left out");
  else if (std::isfinite(dof.lower) || std::isfinite(dof.upper))
    map.set("limits", yaml_range(dof.lower, dof.upper));
  magnitude("velocity_limit", dof.velocity_limit, HUGE_VAL);
  magnitude("effort_limit", dof.effort_limit, HUGE_VAL);
  magnitude("damping", dof.damping, 0);
  if (dof.friction_positive == dof.friction_negative) {
    magnitude("friction", dof.friction_positive, 0);
  } else if (dof.friction_positive >= 0 && dof.friction_negative >= 0) {
    map.set("friction", yaml_range(dof.friction_positive, dof.friction_negative));
  } else {
    losses.dynamics(owner, "friction is negative and left out");
  }
  if (!dof.rotor_mount.empty() || dof.rotor_inertia != 0)
    map.set("rotor_inertia", yaml_number(dof.rotor_inertia));
  if (dof.gear_ratio != 1) map.set("gear_ratio", yaml_number(dof.gear_ratio));
  if (!dof.rotor_mount.empty()) {
    map.set("rotor_mount", yaml_word(dof.rotor_mount));
    map.set("rotor_axis", yaml_vector(dof.rotor_axis));
  }
  magnitude("stiffness", dof.stiffness, 0);
  if (dof.spring_reference != 0) map.set("spring_reference", yaml_number(dof.spring_reference));
}

namespace {

YamlNode yaml_body(const BodySpec& body, Losses& losses) {
  const YamlNode map = YamlNode::mapping(0);
  map.set("name", yaml_word(body.name));
  if (body.name == "world") map.set("is_link", yaml_word("true"));
  if (body.is_between_joints) map.set("between_joints", yaml_word("true"));
  put_inertia(map, body.inertia);
  if (body.family != 0) map.set("family", yaml_number(body.family));
  put_hydrodynamics(map, body, losses);
  put_shapes(map, "shapes", body.shapes, "body '" + body.name + "'", losses);
  return map;
}

YamlNode yaml_joint(const JointSpec& joint, Losses& losses) {
  const std::string owner = "joint '" + joint.name + "'";
  const YamlNode map = YamlNode::mapping(0);
  map.set("name", yaml_word(joint.name));
  map.set("kind", yaml_word(name(joint.kind)));
  map.set("parent", yaml_word(yaml_body_name(joint.parent)));
  map.set("child", yaml_word(joint.child));
  put_pose(map, joint.placement);
  put_pose(map, joint.child_placement, "child_");
  const JointSpec plain;
  const int axes = facts(joint.kind).axes;
  if (axes > 0 && !same_bits(joint.axis, plain.axis)) map.set("axis", yaml_vector(joint.axis));
  if (axes > 1 && !same_bits(joint.axis2, plain.axis2)) map.set("axis2", yaml_vector(joint.axis2));
  if (has_pitch(joint.kind)) map.set("pitch", yaml_number(joint.pitch));
  if (joint.kind != JointKind::fixed) {
    if (joint.dofs.size() == 1) put_dof(map, joint.dofs[0], owner, losses);
    if (joint.dofs.size() > 1) {
      const YamlNode list = YamlNode::list(0);
      for (const DofSpec& dof : joint.dofs) {
        list.append(YamlNode::mapping(0));
        put_dof(list.items().back(), dof, owner, losses);
      }
      map.set("dofs", list);
    }
  }
  if (joint.mimic) {
    const YamlNode mimic = YamlNode::mapping("joint", yaml_word(joint.mimic->joint));
    if (joint.mimic->multiplier != 1) mimic.set("multiplier", yaml_number(joint.mimic->multiplier));
    if (joint.mimic->offset != 0) mimic.set("offset", yaml_number(joint.mimic->offset));
    map.set("mimic", mimic);
  }
  if (!joint.actuation.empty()) {
    const YamlNode list = YamlNode::list(0);
    for (const Force<double>& force : joint.actuation) {
      const YamlNode entry = YamlNode::mapping("moment", yaml_vector(force.angular));
      entry.set("force", yaml_vector(force.linear));
      list.append(entry);
    }
    map.set("actuation", list);
  }
  return map;
}

YamlNode yaml_frame(const FrameSpec& frame) {
  const YamlNode map = YamlNode::mapping("name", yaml_word(frame.name));
  map.set("body", yaml_word(yaml_body_name(frame.body)));
  put_pose(map, frame.placement);
  return map;
}

// the world and a link that is called so cannot both be named
void name_world_link(Spec& spec, Losses& losses) {
  const auto is_world = [](const std::string& name) { return name.empty(); };
  const bool uses_world =
      std::any_of(spec.joints.begin(), spec.joints.end(),
                  [&](const JointSpec& joint) { return is_world(joint.parent); }) ||
      std::any_of(spec.frames.begin(), spec.frames.end(),
                  [&](const FrameSpec& frame) { return is_world(frame.body); }) ||
      std::any_of(spec.loops.begin(), spec.loops.end(), [&](const LoopSpec& loop) {
        return loop.kind != LoopSpec::Kind::coupling &&
               (is_world(loop.body_a) || is_world(loop.body_b));
      });
  if (!uses_world) return;
  for (const BodySpec& body : spec.bodies)
    if (body.name == "world")
      return rename_parts(
          spec, NameScope::bodies_and_joints_apart,
          [](const std::string& name) { return name == "world" ? "world_link" : name; }, "YAML",
          losses);
}

}  // namespace

std::string write_yaml(Spec spec, Losses& losses) {
  name_world_link(spec, losses);
  const YamlNode robot = YamlNode::mapping(0);
  if (!spec.name.empty()) robot.set("name", yaml_word(spec.name));
  if (!same_bits(spec.gravity, Spec{}.gravity)) robot.set("gravity", yaml_vector(spec.gravity));
  if (spec.timestep > 0) robot.set("timestep", yaml_number(spec.timestep));
  put_list(robot, "bodies", spec.bodies,
           [&](const BodySpec& body) { return yaml_body(body, losses); });
  put_list(robot, "joints", spec.joints,
           [&](const JointSpec& joint) { return yaml_joint(joint, losses); });
  put_list(robot, "frames", spec.frames, yaml_frame);
  put_shapes(robot, "world_shapes", spec.world_shapes, "the world", losses);
  put_yaml_extras(spec, robot, losses);
  std::string text;
  print_mapping(robot, 0, text);
  return text;
}

}  // namespace limber
