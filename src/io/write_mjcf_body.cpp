// Spec to MJCF: one body with its inertia, joints, shapes and sites.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/math/quat.hpp>

#include "io/write_mjcf.hpp"

namespace limber {

namespace {

// the same number for all freedoms of a ball or free joint; the mean, if they differ
double common_number(const JointSpec& joint, double (*number)(const DofSpec&), const char* what,
                     Losses& losses) {
  const int count = velocity_count(joint.kind);
  double sum = 0;
  bool alike = true;
  for (int k = 0; k < count; ++k) {
    const double one = number(dof_of(joint, k));
    sum += one;
    alike = alike && one == number(dof_of(joint, 0));
  }
  if (alike) return number(dof_of(joint, 0));
  losses.dynamics("joint '" + joint.name + "'",
                  fmt::format("MJCF has one {} for all its freedoms: the mean is written", what));
  return sum / count;
}

double armature_of(const DofSpec& dof) {
  return dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia;
}

}  // namespace

void MjcfWriter::write_pose(const Transform<double>& X) {
  if (!same_bits(X.p, Vec3<double>{})) xml_.attribute("pos", X.p);
  if (same_bits(X.R, Mat3<double>::identity())) return;
  const Quat<double> q = to_quat(X.R);
  const double wxyz[] = {q.w, q.x, q.y, q.z};
  xml_.attribute("quat", format_numbers(wxyz));
}

void MjcfWriter::write_inertia(const BodySpec& body) {
  if (is_massless(body.inertia)) return;
  const std::string owner = "body '" + body.name + "'";
  const ComForm form = to_com_form(body.inertia);
  if (form.mass == 0 && norm(body.inertia.h) != 0)
    losses_.dynamics(owner, "a first moment without mass is left out");
  const Sym3<double>& I = form.inertia;
  xml_.open("inertial").attribute("pos", form.com).attribute("mass", form.mass);
  const bool is_diagonal = I.xy == 0 && I.xz == 0 && I.yz == 0;
  const double full[] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  if (is_diagonal)
    xml_.attribute("diaginertia", format_numbers(std::span<const double>(full).first(3)));
  else xml_.attribute("fullinertia", format_numbers(full));
  xml_.close();
  const InertiaDefect defect = physical_defect(body.inertia);
  if (defect != InertiaDefect::none)
    losses_.description(owner,
                        "MuJoCo refuses its inertia, which no body can have; Limber reads it back");
}

void MjcfWriter::write_joint(const MjcfNode::Joint& entry) {
  const JointSpec& joint = *entry.joint;
  xml_.open("joint").attribute("name", joint.name);
  xml_.attribute("type", joint_type(joint.kind, RobotFormat::mjcf));
  if (joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic)
    xml_.attribute("axis", entry.frame.R * (joint.axis / norm(joint.axis)) + Vec3<double>{});
  const bool has_place = joint.kind != JointKind::free && joint.kind != JointKind::prismatic;
  if (has_place && norm(entry.frame.p) != 0)
    xml_.attribute("pos", entry.frame.p + Vec3<double>{});  // no −0
  write_freedoms(joint);
  xml_.close();
}

void MjcfWriter::write_freedoms(const JointSpec& joint) {
  const std::string owner = "joint '" + joint.name + "'";
  const auto put = [&](const char* attribute, const char* what, double (*number)(const DofSpec&)) {
    const double value = common_number(joint, number, what, losses_);
    if (value != 0) xml_.attribute(attribute, value);
  };
  put("damping", "damping", [](const DofSpec& dof) { return dof.damping; });
  put("frictionloss", "friction",
      [](const DofSpec& dof) { return (dof.friction_positive + dof.friction_negative) / 2; });
  put("armature", "rotor inertia", armature_of);
  const bool one_freedom = velocity_count(joint.kind) == 1;
  for (const DofSpec& dof : joint.dofs) {
    if (dof.friction_positive != dof.friction_negative)
      losses_.dynamics(owner, "MJCF has one friction for both directions: the mean is written");
    if (dof.gear_ratio != 1)
      losses_.description(owner, dof.rotor_inertia == 0
                                     ? "its gear ratio is left out"
                                     : "its gear ratio is lost in the armature, which is "
                                       "ratio² · rotor inertia");
    if (!dof.rotor_mount.empty() && dof.rotor_inertia != 0)
      losses_.dynamics(owner,
                       "the gyroscopic effect of its rotor is lost: MJCF cannot say where a rotor "
                       "is mounted");
    if (joint.kind == JointKind::free && dof.rotor_inertia != 0)
      losses_.dynamics(owner,
                       "armature of a free joint resists along the axes of the world in MuJoCo");
    if (std::isfinite(dof.velocity_limit))
      losses_.description(owner, "its velocity limit is left out: MJCF has none");
    if (!one_freedom && dof.stiffness != 0)
      losses_.dynamics(owner, "its spring is left out: MJCF has another kind for such a joint");
    if (!one_freedom && (std::isfinite(dof.lower) || std::isfinite(dof.upper)))
      losses_.description(owner, "its limits are left out: MJCF has another kind for such a joint");
  }
  if (!one_freedom || joint.dofs.empty()) return;
  const DofSpec& dof = joint.dofs.front();
  if (dof.stiffness != 0) xml_.attribute("stiffness", dof.stiffness);
  if (dof.spring_reference != 0) xml_.attribute("springref", dof.spring_reference);
  write_range(joint, dof);
}

void MjcfWriter::write_range(const JointSpec& joint, const DofSpec& dof) {
  const std::string owner = "joint '" + joint.name + "'";
  constexpr double unlimited = 1e9;
  if (std::isfinite(dof.lower) || std::isfinite(dof.upper)) {
    const double range[] = {std::max(dof.lower, -unlimited), std::min(dof.upper, unlimited)};
    if (!std::isfinite(dof.lower) || !std::isfinite(dof.upper))
      losses_.description(owner, "limited on one side, where MJCF must have two: ±1e9 is written");
    if (range[0] < range[1]) xml_.attribute("range", format_numbers(range));
    else losses_.description(owner, "its limits do not rise, and are left out");
  }
  if (std::isfinite(dof.effort_limit)) {
    const double force[] = {-dof.effort_limit, dof.effort_limit};
    if (dof.effort_limit > 0) xml_.attribute("actuatorfrcrange", format_numbers(force));
    else losses_.description(owner, "its effort limit is not positive, and is left out");
  }
}

// type, size and mesh; false: MuJoCo has no such geom
bool MjcfWriter::write_geometry(const ShapeSpec& shape, const std::string& owner) {
  using Kind = ShapeSpec::Kind;
  constexpr const char* types[] = {"box",       "sphere", "cylinder", "capsule",
                                   "ellipsoid", "mesh",   "plane",    "hfield"};
  std::vector<double> size;
  const Vec3<double>& s = shape.size;
  switch (shape.kind) {
    case Kind::sphere:
      size = {s.x};
      break;
    case Kind::cylinder:
    case Kind::capsule:
      size = {s.x, s.y / 2};
      break;
    case Kind::box:
      size = {s.x / 2, s.y / 2, s.z / 2};
      break;
    case Kind::ellipsoid:
      size = {s.x, s.y, s.z};
      break;
    default:
      break;
  }
  const bool has_size = std::all_of(size.begin(), size.end(), [](double x) { return x > 0; });
  const bool has_file = shape.kind != Kind::mesh || !shape.mesh_file.empty();
  if (!has_size || !has_file || shape.kind == Kind::height_field) {
    losses_.description(owner, !has_size ? "a shape of no size is left out"
                               : shape.kind == Kind::height_field
                                   ? "a height field is left out, as its size is not known"
                                   : "a mesh without a file is left out");
    return false;
  }
  if (shape.kind == Kind::plane) size = {s.x / 2, s.y / 2, s.z > 0 ? s.z / 2 : 1};
  xml_.open("geom").attribute("type", types[static_cast<std::size_t>(shape.kind)]);
  if (!size.empty()) xml_.attribute("size", format_numbers(size));
  if (shape.kind == Kind::mesh) xml_.attribute("mesh", mesh_name(shape));
  return true;
}

void MjcfWriter::write_shape(const ShapeSpec& shape, const std::string& owner) {
  if (!write_geometry(shape, owner)) return;
  if (!shape.name.empty()) {
    const std::string name = shape_names_(shape.name);
    if (name != shape.name)
      losses_.description(owner,
                          fmt::format("a second shape '{}' is called '{}', as names of geoms "
                                      "must differ",
                                      shape.name, name));
    xml_.attribute("name", name);
    geom_names_.emplace(&shape, name);
  }
  write_pose(shape.placement);
  // MuJoCo shows the groups 0 to 2
  const bool is_visual = shape.role == ShapeSpec::Role::visual;
  const bool is_hidden = shape.role == ShapeSpec::Role::collision;
  const int group = is_hidden   ? std::max(shape.group, 3)
                    : is_visual ? shape.group
                                : std::min(shape.group, 2);
  if (group != 0) xml_.attribute("group", group);
  if (is_visual) {
    xml_.attribute("contype", "0").attribute("conaffinity", "0");
  } else {
    if (shape.collides_as != 1) xml_.attribute("contype", shape.collides_as);
    if (shape.collides_with != 1) xml_.attribute("conaffinity", shape.collides_with);
  }
  if (!same_bits(shape.friction, ShapeSpec{}.friction)) xml_.attribute("friction", shape.friction);
  if (!shape.material.empty()) xml_.attribute("material", shape.material);
  xml_.attribute("rgba", format_numbers(shape.color)).close();
}

void MjcfWriter::write_sites(const std::string& body) {
  const auto found = sites_.find(body);
  if (found == sites_.end()) return;
  for (const Site& site : found->second) {
    xml_.open("site").attribute("name", site.name);
    write_pose(site.placement);
    xml_.close();
  }
}

}  // namespace limber
