#include "model/validate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include <limber/model/joint_kind.hpp>

#include "model/hydrodynamics_spec.hpp"
#include "model/names.hpp"

namespace limber {

namespace {

bool finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check_pose(const Source& source, const char* what, const Transform<double>& X) {
  const Mat3<double> error = X.R * transpose(X.R) - Mat3<double>::identity();
  double worst = std::abs(determinant(X.R) - 1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) worst = std::fmax(worst, std::abs(error.row(i)[j]));
  if (!finite(X.p) || !std::isfinite(determinant(X.R)))
    throw Error(source,
                fmt::format("{} is not finite; every number must be an ordinary one", what));
  if (!(worst < 1e-6))
    throw Error(source,
                fmt::format("{} has a matrix that is no rotation (off by {:.1e})", what, worst));
}

// readers refuse what is no number, so what remains is numbers too large or too small
std::string what_is_not_finite(const Inertia<double>& I) {
  if (std::isfinite(I.m) && I.m != 0 && !std::isfinite(1 / I.m))
    return fmt::format(
        "mass {} kg is too small to compute with: its inverse overflows; write 0 for "
        "a body without mass",
        I.m);
  return "mass, centre or inertia is not a finite number, or too large to compute with: mass times "
         "the square of the distance must stay below 1e308";
}

/// What is said in the same words of several bodies is said once.
class BodyWarnings {
 public:
  void add(const BodySpec& body, const std::string& text) {
    const auto [at, is_new] = place_.emplace(text, said_.size());
    if (is_new) said_.push_back({to_string(body.source) + ": " + text, {}});
    else said_[at->second].others.push_back(body.name);
  }
  void list(std::vector<std::string>& warnings) const {
    for (const auto& [text, others] : said_)
      warnings.push_back(others.empty() ? text : text + "; the same of " + quoted_names(others));
  }

 private:
  struct Said {
    std::string text;
    std::vector<std::string> others;  // bodies
  };
  std::vector<Said> said_;
  std::map<std::string, std::size_t> place_;  // by text
};

void check_body(const BodySpec& body, BodyWarnings& warnings) {
  const Inertia<double>& I = body.inertia;
  auto warn = [&](const std::string& text) { warnings.add(body, text); };
  switch (physical_defect(I)) {
    case InertiaDefect::none:
      break;
    case InertiaDefect::not_finite:
      throw Error(body.source, what_is_not_finite(I));
    case InertiaDefect::negative_mass:
      throw Error(body.source, fmt::format("mass is {} kg; it must not be negative", I.m));
    case InertiaDefect::not_positive:
      warn(
          "rotational inertia has a negative principal moment; no body has such an inertia, check "
          "its entries");
      break;
    case InertiaDefect::triangle_inequality: {
      const Sym3<double> R = I.rotational_about_com();
      warn(fmt::format(
          "inertia violates the triangle inequality: no body has principal moments like these "
          "(diagonal {:.4g}, {:.4g}, {:.4g}); check its entries",
          R.xx, R.yy, R.zz));
      break;
    }
  }
  if (I.m == 0 && trace(I.J) != 0) warn("has rotational inertia but no mass");
  for (const ShapeSpec& shape : body.shapes)
    check_pose(body.source, "placement of a shape", shape.placement);
  check_hydrodynamics_spec(body);
  if (body.hydrodynamics)
    check_pose(body.source, "hydrodynamics: the frame of damping",
               body.hydrodynamics->damping_frame);
}

// normalised by the canonical frames later; here only whether that is possible
void check_axis(const JointSpec& joint, const char* what, const Vec3<double>& axis,
                std::vector<std::string>& warnings) {
  const double length = norm(axis);
  if (!finite(axis) || !std::isfinite(length))
    throw Error(joint.source, fmt::format("{} is not finite", what));
  if (length < 1e-12)
    throw Error(joint.source, fmt::format("{} is zero; give the direction of the joint", what));
  if (std::abs(length - 1) > 1e-3)
    warnings.push_back(
        to_string(joint.source) +
        fmt::format(": {} ({:g}, {:g}, {:g}) has length {:.4g}; its direction is used", what,
                    axis.x, axis.y, axis.z, length));
}

void check_dof(const JointSpec& joint, const DofSpec& dof, std::vector<std::string>& warnings) {
  const double numbers[] = {dof.damping,         dof.friction_positive, dof.friction_negative,
                            dof.rotor_inertia,   dof.gear_ratio,        dof.stiffness,
                            dof.spring_reference};
  for (const double x : numbers)
    if (!std::isfinite(x))
      throw Error(joint.source, "damping, friction, rotor, gear and spring must be finite numbers");
  if (std::isnan(dof.lower) || std::isnan(dof.upper) || std::isnan(dof.velocity_limit) ||
      std::isnan(dof.effort_limit))
    throw Error(joint.source, "a limit is not a number");
  if (dof.gear_ratio == 0)
    throw Error(joint.source,
                "the gear ratio is zero; give motor turns per joint turn, 1 without a gear");
  if (!std::isfinite(dof.gear_ratio * dof.gear_ratio * dof.rotor_inertia))
    throw Error(joint.source, "gear ratio squared times rotor inertia is not finite");
  if (dof.rotor_inertia < 0)
    throw Error(joint.source,
                fmt::format("rotor inertia is {}; it must not be negative", dof.rotor_inertia));
  const double axis_length = norm(dof.rotor_axis);
  if (!dof.rotor_mount.empty() && !(axis_length > 1e-12 && std::isfinite(axis_length)))
    throw Error(joint.source, "the axis of a mounted rotor must be finite and not zero");
  auto warn = [&](const std::string& text) {
    warnings.push_back(to_string(joint.source) + ": " + text);
  };
  if (dof.lower > dof.upper)
    warn(fmt::format("lower limit {:g} lies above upper limit {:g}", dof.lower, dof.upper));
  // between three turns and what stands for no limit at all
  const double furthest = std::max(std::abs(dof.lower), std::abs(dof.upper));
  if (joint.kind == JointKind::revolute && std::isfinite(furthest) && furthest > 20 &&
      furthest <= 720)
    warn(
        fmt::format("limits of {:g} to {:g} rad are {:.3g} turns; limits are in radians, were "
                    "degrees meant?",
                    dof.lower, dof.upper, furthest / (2 * std::numbers::pi)));
  if (dof.damping < 0 || dof.friction_positive < 0 || dof.friction_negative < 0)
    warn("damping or friction is negative: the joint would drive itself");
  if (dof.stiffness < 0) warn("spring stiffness is negative: the spring pushes away from its rest");
  if (dof.velocity_limit < 0 || dof.effort_limit < 0) warn("velocity or effort limit is negative");
}

void check_custom(const JointSpec& joint) {
  const CustomJoint& custom = joint.custom;
  if (custom.nv < 1 || custom.nv > 6 || custom.nq < 1 || custom.nq > CustomJoint::most_positions)
    throw Error(joint.source,
                fmt::format("a custom joint has 1 to 6 velocities and 1 to {} positions, not {} "
                            "and {}",
                            CustomJoint::most_positions, custom.nv, custom.nq));
  if (!custom.kinematics_double || !custom.kinematics_float || !custom.kinematics_dual ||
      !custom.kinematics_counted)
    throw Error(joint.source,
                "a custom joint needs its kinematics for every scalar; make it by custom_joint()");
  if (custom.nq != custom.nv && (!custom.integrate || !custom.difference))
    throw Error(joint.source,
                "a custom joint with nq other than nv needs integrate and difference");
  if (!custom.neutral.empty() && static_cast<int>(custom.neutral.size()) != custom.nq)
    throw Error(joint.source, fmt::format("neutral position has {} numbers, {} expected",
                                          custom.neutral.size(), custom.nq));
}

void check_joint(const JointSpec& joint, std::vector<std::string>& warnings) {
  check_pose(joint.source, "placement", joint.placement);
  check_pose(joint.source, "placement of the child", joint.child_placement);
  if (facts(joint.kind).axes >= 1) check_axis(joint, "axis", joint.axis, warnings);
  if (facts(joint.kind).axes == 2) {
    check_axis(joint, "second axis", joint.axis2, warnings);
    const double cosine = dot(joint.axis, joint.axis2) / (norm(joint.axis) * norm(joint.axis2));
    if (std::abs(cosine) > 1e-6)
      throw Error(joint.source,
                  "the axes of a universal joint must be perpendicular; use two revolute "
                  "joints with a massless body between them");
  }
  if (joint.kind == JointKind::helical && !std::isfinite(joint.pitch))
    throw Error(joint.source, "pitch of a helical joint must be finite; use a prismatic joint");
  if (joint.kind == JointKind::custom) check_custom(joint);
  const int nv = joint.kind == JointKind::custom ? joint.custom.nv : velocity_count(joint.kind);
  if (nv == 0 && !joint.actuation.empty())
    throw Error(joint.source, "a fixed joint has no actuators; leave them out");
  for (const DofSpec& dof : joint.dofs)
    if (nv == 0 && !dof.rotor_mount.empty())
      throw Error(joint.source, "a fixed joint drives no rotor; leave rotor_mount empty");
  if (joint.dofs.size() > 1 && static_cast<int>(joint.dofs.size()) != nv)
    throw Error(joint.source,
                fmt::format("data for {} degrees of freedom, the joint has {}; give none, one, "
                            "or one for each",
                            joint.dofs.size(), nv));
  for (const DofSpec& dof : joint.dofs) check_dof(joint, dof, warnings);
}

void check_shape_names(const Source& source, const std::vector<ShapeSpec>& shapes) {
  for (const ShapeSpec& shape : shapes) {
    expect_name(source, "name of a shape", shape.name);
    expect_name(source, "file name of a mesh", shape.mesh_file);
    expect_name(source, "name of a material", shape.material);
  }
}

void check_names(const Spec& spec) {
  expect_name(spec.source, "name of the robot", spec.name);
  for (const BodySpec& body : spec.bodies) {
    expect_name(body.source, "name of a body", body.name);
    check_shape_names(body.source, body.shapes);
  }
  check_shape_names(spec.source, spec.world_shapes);
  for (const JointSpec& joint : spec.joints)
    expect_name(joint.source, "name of a joint", joint.name);
  for (const FrameSpec& frame : spec.frames)
    expect_name(frame.source, "name of a frame", frame.name);
  for (const ActuatorSpec& actuator : spec.actuators)
    expect_name(actuator.source, "name of an actuator", actuator.name);
  for (const SensorSpec& sensor : spec.sensors)
    expect_name(sensor.source, "name of a sensor", sensor.name);
}

}  // namespace

void validate(const Spec& spec, std::vector<std::string>& warnings) {
  check_names(spec);
  if (!finite(spec.gravity)) throw Error(spec.source, "gravity is not finite");
  BodyWarnings of_bodies;
  for (const BodySpec& body : spec.bodies) check_body(body, of_bodies);
  of_bodies.list(warnings);
  for (const ShapeSpec& shape : spec.world_shapes)
    check_pose(spec.source, "placement of a shape of the world", shape.placement);
  for (const JointSpec& joint : spec.joints) check_joint(joint, warnings);
  for (const FrameSpec& frame : spec.frames) check_pose(frame.source, "placement", frame.placement);
}

}  // namespace limber
