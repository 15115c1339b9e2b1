#include <limber/model/spec.hpp>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "model/names.hpp"

namespace limber {

const char* name(ShapeSpec::Kind kind) {
  constexpr const char* names[] = {"box",       "sphere", "cylinder", "capsule",
                                   "ellipsoid", "mesh",   "plane",    "height_field"};
  static_assert(std::size(names) == shape_kinds);
  return names[static_cast<std::size_t>(kind)];
}

const char* name(LoopSpec::Kind kind) {
  constexpr const char* names[] = {"connect", "weld", "distance", "coupling",
                                   "joint",   "slot", "surface",  "rolling"};
  static_assert(std::size(names) == loop_kinds);
  return names[static_cast<std::size_t>(kind)];
}

std::string to_string(const Source& source) {
  std::string text = printable(source.file);
  if (source.line > 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", source.line);
  if (!source.element.empty()) text += (text.empty() ? "" : ": ") + printable(source.element);
  return text;
}

Error::Error(const Source& source, const std::string& what_and_remedy)
    : std::runtime_error([&] {
        const std::string place = to_string(source);
        return place.empty() ? what_and_remedy : place + ": " + what_and_remedy;
      }()) {}

const char* name(JointKind kind) { return facts(kind).name; }
int position_count(JointKind kind) { return static_cast<int>(facts(kind).positions.size()); }
int velocity_count(JointKind kind) { return static_cast<int>(facts(kind).velocities.size()); }

BodySpec& Spec::add_body(std::string body_name, double mass, Vec3<double> com,
                         Sym3<double> rotational_inertia) {
  BodySpec& body = bodies.emplace_back();
  body.source.element = "body '" + body_name + "'";
  body.name = std::move(body_name);
  body.inertia = Inertia<double>::from_com(mass, com, rotational_inertia);
  return body;
}

JointSpec& Spec::add_joint(std::string joint_name, JointKind kind, std::string parent,
                           std::string child, Vec3<double> axis, Transform<double> placement) {
  JointSpec& joint = joints.emplace_back();
  joint.source.element = "joint '" + joint_name + "'";
  joint.name = std::move(joint_name);
  joint.kind = kind;
  joint.parent = std::move(parent);
  joint.child = std::move(child);
  joint.axis = axis;
  joint.placement = placement;
  return joint;
}

void open_loops(Spec& spec) {
  std::vector<std::string> names;
  for (const LoopSpec& loop : spec.loops)
    if (loop.is_active) names.push_back(loop.name);
  spec.loops.clear();
  if (!names.empty())
    spec.warnings.push_back(to_string(spec.source) + ": " +
                            fmt::format("{} {} left open: {}", count_of(names.size(), "loop"),
                                        names.size() == 1 ? "is" : "are", quoted_names(names)));
}

Mat3<double> rotation_from_rpy(double roll, double pitch, double yaw) {
  return rotation<double>({0, 0, 1}, yaw) * rotation<double>({0, 1, 0}, pitch) *
         rotation<double>({1, 0, 0}, roll);
}

}  // namespace limber
