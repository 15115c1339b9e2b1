// URDF: what drives the joints: <transmission> and <ros2_control>.
#include <fmt/format.h>

#include "io/urdf.hpp"

namespace limber {

namespace {

void read_gear(const XmlElement& place, DofSpec& dof) {
  if (const std::optional<XmlElement> reduction = place.child("mechanicalReduction")) {
    dof.gear_ratio = reduction->text_number();
    if (dof.gear_ratio == 0)
      throw reduction->error("<mechanicalReduction> is zero; 1 means no gear");
  }
  if (const std::optional<XmlElement> rotor = place.child("rotorInertia"))
    dof.rotor_inertia = rotor->text_number();
}

// the joint that a transmission or a controller names; none, with a warning, if it is not one with
// one freedom
JointSpec* driven_joint(const XmlElement& owner, const std::string& what, const XmlElement& named,
                        Spec& spec, UrdfIndex& index) {
  const std::string name = named.name();
  const auto found = index.joints.find(name);
  if (found == index.joints.end()) {
    owner.warn(fmt::format("joint '{}' does not exist, {} is not read", name, what));
    return nullptr;
  }
  JointSpec& joint = spec.joints[found->second];
  if (velocity_count(joint.kind) != 1) {
    owner.warn(fmt::format("joint '{}' is {} and has not one freedom; {} is not read", name,
                           limber::name(joint.kind), what));
    return nullptr;
  }
  return &joint;
}

// the actuator of a joint; made if there is none
ActuatorSpec& actuator_of(const JointSpec& joint, const std::string& name, const Source& source,
                          Spec& spec, UrdfIndex& index) {
  const auto [found, is_new] = index.actuators.emplace(joint.name, spec.actuators.size());
  if (!is_new) return spec.actuators[found->second];
  ActuatorSpec& actuator = spec.actuators.emplace_back();
  actuator.name = name.empty() ? joint.name : name;
  actuator.kind = "motor";
  actuator.joint = joint.name;
  actuator.source = source;
  return actuator;
}

// the joint and the actuator of a transmission that has one of each; others are warned of
struct Simple {
  XmlElement joint, actuator;
};
std::optional<Simple> simple_transmission(const XmlElement& owner) {
  const std::vector<XmlElement> joints = owner.children("joint"),
                                actuators = owner.children("actuator");
  if (joints.size() == 1 && actuators.size() == 1) return Simple{joints[0], actuators[0]};
  owner.warn(fmt::format(
      "a transmission with {} joints and {} actuators is not read; only one of each is understood",
      joints.size(), actuators.size()));
  return std::nullopt;
}

// a transmission of <ros2_control>: actuator names, and reductions beside joint and actuator
void read_ros2_transmission(const XmlElement& element, Spec& spec, UrdfIndex& index) {
  const XmlElement owner = element.owned_by("transmission '" + element.optional_name() + "'");
  const std::optional<Simple> simple = simple_transmission(owner);
  if (!simple) return;
  JointSpec* joint = driven_joint(owner, "the transmission", simple->joint, spec, index);
  if (!joint) return;
  double reduction = 1;
  for (const XmlElement& side : {simple->joint, simple->actuator}) {
    const std::optional<XmlElement> own = side.child("mechanical_reduction");
    if (own) reduction *= own->text_number();
    side.expect_children({"mechanical_reduction"}, {"offset", "role"});
  }
  if (reduction == 0) throw owner.error("<mechanical_reduction> is zero; 1 means no gear");
  joint->dof().gear_ratio = reduction;
  actuator_of(*joint, simple->actuator.optional_name(), owner.source(), spec, index).gear[0] =
      reduction;
}

// the limits of a command: <param name="min">
void read_command(const XmlElement& command, ActuatorSpec& actuator) {
  for (const XmlElement& param : command.children("param")) {
    const std::string name = param.optional_name();
    if (name == "min") actuator.control_lower = param.text_number();
    if (name == "max") actuator.control_upper = param.text_number();
  }
}

}  // namespace

void read_urdf_transmission(const XmlElement& element, Spec& spec, UrdfIndex& index) {
  const XmlElement owner = element.owned_by("transmission '" + element.optional_name() + "'");
  const std::optional<Simple> simple = simple_transmission(owner);
  if (!simple) return;
  JointSpec* joint = driven_joint(owner, "the transmission", simple->joint, spec, index);
  if (!joint) return;
  // in older files they stand beside <actuator>
  read_gear(owner, joint->dof());
  read_gear(simple->actuator, joint->dof());
  simple->actuator.expect_children({"mechanicalReduction", "rotorInertia"},
                                   {"hardwareInterface", "motorTorqueConstant", "role"});
  actuator_of(*joint, simple->actuator.optional_name(), owner.source(), spec, index).gear[0] =
      joint->dof().gear_ratio;
}

void read_ros2_control(const XmlElement& element, Spec& spec, UrdfIndex& index) {
  const XmlElement owner = element.owned_by("ros2_control '" + element.optional_name() + "'");
  owner.ignore("<ros2_control>, but for actuators, gears and sensors");
  // transmissions first: they know the names of actuators
  for (const XmlElement& transmission : owner.children("transmission"))
    read_ros2_transmission(transmission, spec, index);
  for (const XmlElement& child : owner.children("joint")) {
    for (const XmlElement& param : child.children("param"))
      if (param.optional_name() == "mimic")
        param.warn("mimic is not read here; write <mimic> in the joint itself");
    const std::vector<XmlElement> commands = child.children("command_interface");
    if (commands.empty()) continue;
    const JointSpec* joint = driven_joint(owner, "its interface", child, spec, index);
    if (!joint) continue;
    ActuatorSpec& actuator = actuator_of(*joint, "", owner.source(), spec, index);
    actuator.kind = commands[0].name();
    read_command(commands[0], actuator);
  }
  for (const XmlElement& child : owner.children("sensor")) {
    SensorSpec& sensor = spec.sensors.emplace_back();
    sensor.name = child.optional_name();
    sensor.kind = "ros2_control";
    sensor.source = child.owned_by("sensor '" + sensor.name + "'").source();
    for (const XmlElement& param : child.children("param"))
      if (param.optional_name() == "frame_id") {
        sensor.object_kind = "frame";
        sensor.object = param.text();
      }
  }
}

}  // namespace limber
