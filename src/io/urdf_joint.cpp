// URDF: joints.
#include <fmt/format.h>

#include "io/urdf.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

JointKind read_kind(const XmlElement& joint) {
  const std::string type = joint.required("type");
  if (type == "revolute" || type == "continuous") return JointKind::revolute;
  if (type == "prismatic") return JointKind::prismatic;
  if (type == "fixed") return JointKind::fixed;
  if (type == "planar") return JointKind::planar;
  if (type == "floating") return JointKind::free;
  const std::vector<std::string> known{"revolute", "continuous", "prismatic",
                                       "fixed",    "planar",     "floating"};
  throw joint.error(fmt::format("type=\"{}\" is not a URDF joint type; known are {}{}", type,
                                fmt::join(known, ", "), did_you_mean(type, known)));
}

std::string read_end(const XmlElement& joint, const char* tag) {
  const std::optional<XmlElement> end = joint.child(tag);
  if (!end) throw joint.error(fmt::format("<joint> has no <{0}>; add <{0} link=\"…\"/>", tag));
  end->expect_attributes({"link"});
  return end->name("link");
}

// lower and upper: an omitted one is 0 in URDF, unless both are; continuous joints have none
void read_position_limits(const XmlElement& limit, bool continuous, DofSpec& dof) {
  const bool lower = limit.attribute("lower").has_value(),
             upper = limit.attribute("upper").has_value();
  const double low = limit.number("lower", 0), high = limit.number("upper", 0);
  if (continuous) {
    if (low < high)
      limit.warn(
          "a continuous joint has no position limits, lower and upper are ignored; write "
          "type=\"revolute\" if they are meant");
  } else if (!lower && !upper) {
    limit.warn(
        "<limit> has neither lower nor upper: no position limits are taken, though by the "
        "letter of URDF the joint could not move");
  } else {
    dof.lower = low;
    dof.upper = high;
  }
}

// one number for all freedoms, or one for each
void read_friction(const XmlElement& dynamics, const char* name, JointSpec& joint,
                   void (*set)(DofSpec&, double)) {
  if (!dynamics.attribute(name)) return;
  const auto freedoms = static_cast<std::size_t>(velocity_count(joint.kind));
  const std::vector<double> values =
      freedoms > 1 ? dynamics.numbers(name, {1, freedoms}) : dynamics.numbers(name, {1});
  if (freedoms == 0) return;
  joint.dof();
  if (values.size() > joint.dofs.size()) joint.dofs.resize(values.size(), joint.dofs.front());
  for (std::size_t i = 0; i < joint.dofs.size(); ++i)
    set(joint.dofs[i], values[values.size() == 1 ? 0 : i]);
}

void read_dynamics(const XmlElement& dynamics, JointSpec& joint) {
  // the harmless ones belong to one maker's simulator
  dynamics.expect_attributes({"damping", "friction"}, {"D", "K", "mu_coulomb", "mu_viscous"});
  read_friction(dynamics, "damping", joint,
                [](DofSpec& dof, double value) { dof.damping = value; });
  read_friction(dynamics, "friction", joint, [](DofSpec& dof, double value) {
    dof.friction_positive = dof.friction_negative = value;
  });
}

void read_limits(const XmlElement& element, JointSpec& joint) {
  if (joint.kind == JointKind::fixed) return;
  const std::string type = element.required("type");
  const bool needs_limits = type == "revolute" || type == "prismatic";
  const std::optional<XmlElement> limit = element.child("limit");
  if (!limit) {
    if (needs_limits)
      element.warn(
          fmt::format("a {} joint without <limit>: no limits are taken{}", type,
                      type == "revolute" ? "; write type=\"continuous\" if that is meant" : ""));
    return;
  }
  limit->expect_attributes({"lower", "upper", "velocity", "effort"},
                           {"k_velocity", "acceleration"});
  DofSpec& dof = joint.dof();
  if (needs_limits || type == "continuous") read_position_limits(*limit, type == "continuous", dof);
  dof.velocity_limit = limit->number("velocity", HUGE_VAL);
  dof.effort_limit = limit->number("effort", HUGE_VAL);
}

MimicSpec read_mimic(const XmlElement& mimic) {
  mimic.expect_attributes({"joint", "multiplier", "offset"});
  return {mimic.name("joint"), mimic.number("multiplier", 1), mimic.number("offset", 0)};
}

}  // namespace

JointSpec read_urdf_joint(const XmlElement& element) {
  JointSpec joint;
  joint.name = element.name();
  const XmlElement owner = element.owned_by("joint '" + joint.name + "'");
  joint.source = owner.source();
  owner.expect_attributes({"name", "type"}, {"dont_collapse", "independent"});
  owner.expect_children(
      {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
      {"calibration", "safety_controller", "hardwareInterface", "gazebo", "sensor"});
  joint.kind = read_kind(owner);
  joint.parent = read_end(owner, "parent");
  joint.child = read_end(owner, "child");
  joint.placement = owner.origin();
  joint.axis = {1, 0, 0};
  if (const std::optional<XmlElement> axis = owner.child("axis")) {
    axis->expect_attributes({"xyz"}, {"rpy"});
    axis->required("xyz");
    const Vec3<double> xyz = axis->vec3("xyz", {});
    // exporters write any axis, often zero, to joints that have none
    const bool used = joint.kind != JointKind::fixed && joint.kind != JointKind::free;
    if (used) joint.axis = xyz;
  }
  read_limits(owner, joint);
  if (const std::optional<XmlElement> dynamics = owner.child("dynamics"))
    read_dynamics(*dynamics, joint);
  if (const std::optional<XmlElement> mimic = owner.child("mimic"))
    joint.mimic = read_mimic(*mimic);
  return joint;
}

}  // namespace limber
