// MJCF: joints.
#include <cmath>

#include <fmt/format.h>

#include "io/mjcf.hpp"

namespace limber {

namespace {

// MuJoCo's reference position `ref` is the position in which the body stands as the file places it;
// the joint frame is turned or moved back by it, so that q is MuJoCo's number
void place_joint(const MjcfElement& element, const Transform<double>& frame, double reference,
                 JointSpec& joint) {
  const Vec3<double> anchor = transform_point(frame, element.vec3("pos", {}));
  const Vec3<double> axis = frame.R * element.vec3("axis", {0, 0, 1});
  const double length = norm(axis);
  if (!(length > 1e-14) || !std::isfinite(length))
    throw element.holder("axis").error(
        "axis is zero, or too long; give the direction of the joint");
  joint.placement = Transform<double>::translation(anchor);
  joint.child_placement = Transform<double>::translation(-anchor);
  if (joint.kind == JointKind::spherical) return;
  joint.axis = axis / length;
  if (joint.kind == JointKind::revolute) joint.placement.R = rotation(joint.axis, -reference);
  else joint.placement.p = joint.placement.p - joint.axis * reference;
}

// false, true or by the range
bool is_limited(const MjcfElement& element, const MjcfCompiler& compiler, double lower,
                double upper) {
  const std::size_t limited = element.choice("limited", {"false", "true", "auto"}, 2);
  if (limited == 0) return false;
  const bool has_range = element.has("range");
  if (limited == 2 && !compiler.auto_limits && has_range)
    throw element.holder("range").error(
        "range, but not limited, while the compiler's autolimits is false; write limited=\"true\" "
        "or \"false\", or remove the range");
  if (limited == 1 && !(lower < upper))
    throw element.holder("limited").error(
        "limited, but its range does not rise; write range=\"lower upper\"");
  return limited == 1 || lower < upper;
}

void read_limits(const MjcfElement& element, const MjcfCompiler& compiler, JointSpec& joint) {
  std::array<double, 2> range{0, 0};
  element.fill("range", range, MjcfElement::Count::all);
  if (range[0] > range[1]) warn_of_falling_range(element, "range");
  const bool turns = joint.kind == JointKind::revolute || joint.kind == JointKind::spherical;
  if (turns)
    for (double& angle : range) angle = compiler.angle(angle);
  if (is_limited(element, compiler, range[0], range[1])) {
    if (joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic) {
      joint.dof().lower = range[0];
      joint.dof().upper = range[1];
    } else {
      element.warn("the range of a ball joint is not read");
    }
  }
  if (element.has("actuatorfrcrange") &&
      element.choice("actuatorfrclimited", {"false", "true", "auto"}, 2) != 0) {
    const std::vector<double> force =
        element.holder("actuatorfrcrange").numbers("actuatorfrcrange", {2});
    if (force[0] < force[1])
      joint.dof().effort_limit = std::fmax(std::abs(force[0]), std::abs(force[1]));
  }
}

// the linear coefficient; those of higher powers are told
double linear_coefficient(const MjcfElement& element, const char* name) {
  std::array<double, 3> coefficients{0, 0, 0};
  element.fill(name, coefficients);
  if (coefficients[1] != 0 || coefficients[2] != 0)
    element.warn(
        fmt::format("of {} only the linear coefficient is read, the others are left out", name));
  return coefficients[0];
}

void read_passive(const MjcfElement& element, const MjcfCompiler& compiler, JointSpec& joint) {
  DofSpec& dof = joint.dof();
  dof.damping = linear_coefficient(element, "damping");
  dof.friction_positive = dof.friction_negative = element.number("frictionloss", 0);
  dof.rotor_inertia = element.number("armature", 0);
  const double stiffness = linear_coefficient(element, "stiffness");
  if (joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic) {
    const double reference = element.number("springref", 0);
    dof.stiffness = stiffness;
    dof.spring_reference =
        joint.kind == JointKind::revolute ? compiler.angle(reference) : reference;
  } else if (stiffness != 0) {
    element.warn("the spring of a ball or free joint is not read");
  }
  if (element.has("springdamper"))
    element.warn("springdamper is not read; write the stiffness and damping that it stands for");
  if (joint.kind == JointKind::free && dof.rotor_inertia != 0)
    element.warn(
        "armature of a free joint: it resists along the axes of the body, in MuJoCo along those of "
        "the world");
}

}  // namespace

MjcfJoint read_mjcf_joint(const MjcfElement& element, const Transform<double>& frame,
                          const MjcfCompiler& compiler) {
  MjcfJoint result;
  JointSpec& joint = result.joint;
  if (element.tag() == "freejoint") {
    element.own().expect_attributes({"name", "align"}, {"group"});
    if (element.own().attribute("align").value_or("false") == "true")
      element.warn("align is not read: the body keeps the frame that the file gives it");
    joint.kind = JointKind::free;
    return result;
  }
  expect_mjcf_attributes(element.own());
  constexpr JointKind kinds[] = {JointKind::free, JointKind::spherical, JointKind::prismatic,
                                 JointKind::revolute};
  joint.kind = kinds[element.choice("type", {"free", "ball", "slide", "hinge"}, 3)];
  read_passive(element, compiler, joint);
  if (joint.kind == JointKind::free) return result;  // and no limits, whatever its class says
  read_limits(element, compiler, joint);
  double reference = 0;
  if (joint.kind == JointKind::spherical) {
    result.reference = {0, 0, 0, 1};
  } else {
    reference = element.number("ref", 0);
    if (joint.kind == JointKind::revolute) reference = compiler.angle(reference);
    result.reference = {reference};
  }
  place_joint(element, frame, reference, joint);
  return result;
}

}  // namespace limber
