// Drives and friction of a scenario.
#include <algorithm>

#include <fmt/format.h>

#include <limber/drive/elastic_drive.hpp>
#include <limber/drive/joint_friction.hpp>
#include <limber/drive/linear_actuator.hpp>
#include <limber/drive/motor_drive.hpp>

#include "scenario/read.hpp"

namespace limber {

std::vector<Section> drive_sections() {
  return {
      {"drives",
       "Each entry drives one joint, or several joints alike. docs/drives.md has the equations.",
       {{"joint", "text or list of texts", "", "", "joints with one freedom, or `joint.freedom`"},
        {"kind", "one of motor, elastic, linear", "", "motor",
         "motor and stiff gear; motor and elastic stages; any linear actuator"}},
       {}},
      {"drives: motor",
       "A motor with its amplifier and a stiff gear.",
       {{"motor", "mapping", "", "", "see *motor*"},
        {"gear", "mapping", "", "the robot's ratio, no losses", "see *gear*"},
        {"input", "one of torque, voltage, current", "", "torque",
         "what the motor gets: the joint's torque [N m], or voltage [V] or current [A] of the "
         "motor. `pd` and `pid` command in this unit; all other laws command torques, which the "
         "drive turns into it by its data sheet"},
        {"joint_friction", "mapping", "", "the robot's, unless the motor states its own",
         "dry friction on the joint's side, see *dry friction*"},
        {"friction_compensation", "number", "", "1",
         "part of dry friction and gear loss that the drive compensates for torque commands"}},
       {"drives"}},
      {"drives: elastic",
       "A motor, then stages of gear and spring, from the motor to the joint.",
       {{"motor", "mapping", "", "", "see *motor*"},
        {"stages", "list of mappings", "", "", "see *stages*"},
        {"input", "one of torque, voltage, current", "", "torque", "as for a motor"},
        {"initial_load", "one of relaxed, gravity", "", "relaxed",
         "springs at the beginning: without torque, or bearing the robot's weight"},
        {"friction_compensation", "number", "", "1", "as for a motor"}},
       {"drives"}},
      {"drives: linear",
       "x' = C x + f M + d u, M being the output torque and u the command.",
       {{"C", "list of n lists of n numbers", "", "", ""},
        {"f", "list of n numbers", "", "", ""},
        {"d", "list of n numbers", "", "", ""},
        {"position_state", "number", "", "none", "which state is the position, from 0"},
        {"velocity_state", "number", "", "none", "which state is the velocity, from 0"},
        {"velocity_row", "list of n numbers", "", "none",
         "the velocity is this row times the state, where no state is the velocity"},
        {"initial", "list of n numbers", "", "zeros", "the state at the beginning"},
        {"ratio", "number", "", "1", "the actuator's motion over the joint's"},
        {"input_limit", "number", "", "none", "of the magnitude of u"}},
       {"drives"}},
      {"motor",
       "A DC motor; all numbers belong to its own shaft.",
       {{"torque_constant", "number", "N m/A", "", ""},
        {"back_emf_constant", "number", "V s/rad", "the torque constant", ""},
        {"resistance", "number", "ohm", "", "of the winding"},
        {"inductance", "number", "H", "0: neglected", ""},
        {"rotor_inertia", "number", "kg m²", "the robot's", ""},
        {"viscous_friction", "number", "N m s/rad", "the robot's", ""},
        {"friction", "mapping", "", "the robot's", "see *dry friction*"},
        {"voltage_limit", "number", "V", "none", ""},
        {"current_limit", "number", "A", "none", ""},
        {"speed_limit", "number", "rad/s", "none", "passing it is listed"},
        {"current_time_constant", "number", "s", "inductance / resistance",
         "how fast the amplifier brings the current to its command"},
        {"thermal", "mapping", "", "none", "see *thermal*"}},
       {}},
      {"gear",
       "",
       {{"ratio", "number", "", "the robot's", "motor turns per joint turn; may be negative"},
        {"efficiency", "number", "", "1", "while the motor drives the joint"},
        {"back_efficiency", "number", "", "1", "while the joint drives the motor"}},
       {}},
      {"stages",
       "",
       {{"ratio", "number", "", "the robot's, where there is one stage only",
         "turns of this shaft per turn of the next"},
        {"input_inertia", "number", "kg m²", "0", "on the shaft"},
        {"output_inertia", "number", "kg m²", "0", "behind the gear"},
        {"stiffness", "number", "N m/rad", "", "of the spring behind the gear"},
        {"damping", "number", "N m s/rad", "0", ""},
        {"backlash", "number", "rad", "0", "whole play behind the gear"}},
       {}},
      {"dry friction",
       "A number stands for both directions.",
       {{"forward", "number", "N m", "0", "while moving in the positive direction"},
        {"backward", "number", "N m", "0", "while moving in the negative direction"},
        {"static_ratio", "number", "", "1", "what it takes to break loose, over the above"},
        {"stribeck_velocity", "number", "rad/s", "0", "how fast the level falls after that"}},
       {}},
      {"thermal",
       "Winding and housing as two heat stores.",
       {{"winding_capacity", "number", "J/K", "", ""},
        {"housing_capacity", "number", "J/K", "", ""},
        {"winding_to_housing", "number", "K/W", "", "thermal resistance"},
        {"housing_to_ambient", "number", "K/W", "", "thermal resistance"},
        {"ambient", "number", "°C", "25", "also the temperature at the beginning"},
        {"reference", "number", "°C", "25", "at which resistance and constants are given"},
        {"winding_coefficient", "number", "1/K", "0.00393", "of the resistance; copper"},
        {"magnet_coefficient", "number", "1/K", "0", "of the constants, zero or less"},
        {"winding_limit", "number", "°C", "none", "passing it is listed"}},
       {}},
      {"friction",
       "Dry friction of the joints that the robot's file gives and no drive has taken over.",
       {{"model", "one of stick, jump, none", "", "stick",
         "joints come to rest and stay there until the force suffices (exact); the force changes "
         "its "
         "sign with the velocity (chatters around rest); no dry friction"},
        {"static_ratio", "number", "", "1", "of `stick`: what it takes to break loose"},
        {"stribeck_velocity", "number", "rad/s", "0", "of `stick`"}},
       {}},
  };
}

namespace {

FrictionSettings read_friction(const YamlMap& map, const std::string& key) {
  FrictionSettings friction;
  if (!map.node(key).is_mapping()) {
    friction.forward = friction.backward = map.magnitude(key, 0);
    return friction;
  }
  const YamlMap levels = map.map(key, keys_of("dry friction"));
  friction.forward = levels.magnitude("forward", 0);
  friction.backward = levels.magnitude("backward", 0);
  friction.static_ratio = levels.number("static_ratio", 1);
  friction.stribeck_velocity = levels.magnitude("stribeck_velocity", 0);
  return friction;
}

ThermalSettings read_thermal(const YamlMap& map) {
  ThermalSettings thermal;
  thermal.winding_capacity = map.number("winding_capacity");
  thermal.housing_capacity = map.number("housing_capacity");
  thermal.winding_to_housing = map.number("winding_to_housing");
  thermal.housing_to_ambient = map.number("housing_to_ambient");
  thermal.ambient = map.number("ambient", thermal.ambient);
  thermal.reference = map.number("reference", thermal.reference);
  thermal.winding_coefficient = map.number("winding_coefficient", thermal.winding_coefficient);
  thermal.magnet_coefficient = map.number("magnet_coefficient", thermal.magnet_coefficient);
  thermal.winding_limit = map.number("winding_limit", thermal.winding_limit);
  return thermal;
}

std::optional<double> optional_number(const YamlMap& map, const std::string& key) {
  if (!map.has(key)) return std::nullopt;
  return map.number(key);
}

MotorSettings read_motor(const YamlMap& drive) {
  const YamlMap map = drive.map("motor", keys_of("motor"));
  MotorSettings motor;
  motor.torque_constant = map.number("torque_constant");
  motor.back_emf_constant = optional_number(map, "back_emf_constant");
  motor.resistance = map.number("resistance");
  motor.inductance = map.magnitude("inductance", 0);
  motor.rotor_inertia = optional_number(map, "rotor_inertia");
  motor.viscous_friction = optional_number(map, "viscous_friction");
  if (map.has("friction")) motor.friction = read_friction(map, "friction");
  motor.voltage_limit = map.number("voltage_limit", motor.voltage_limit);
  motor.current_limit = map.number("current_limit", motor.current_limit);
  motor.speed_limit = map.number("speed_limit", motor.speed_limit);
  motor.current_time_constant = map.magnitude("current_time_constant", 0);
  if (map.has("thermal")) motor.thermal = read_thermal(map.map("thermal", keys_of("thermal")));
  return motor;
}

DriveInput read_input(const YamlMap& map) {
  constexpr DriveInput inputs[] = {DriveInput::torque, DriveInput::voltage, DriveInput::current};
  return inputs[choice(map, "input", {"torque", "voltage", "current"}, "torque")];
}

std::shared_ptr<const Part> read_motor_drive(const YamlMap& map, const std::string& joint) {
  MotorDriveSettings settings;
  settings.joint = joint;
  settings.motor = read_motor(map);
  if (map.has("gear")) {
    const YamlMap gear = map.map("gear", keys_of("gear"));
    settings.gear.ratio = optional_number(gear, "ratio");
    settings.gear.efficiency = gear.number("efficiency", 1);
    settings.gear.back_efficiency = gear.number("back_efficiency", 1);
  }
  settings.input = read_input(map);
  if (map.has("joint_friction")) settings.joint_friction = read_friction(map, "joint_friction");
  settings.friction_compensation = map.number("friction_compensation", 1);
  return with_location(map, [&] { return std::make_shared<const MotorDrive>(settings); });
}

ElasticStage read_stage(const YamlNode& node, const Reading& reading) {
  const YamlMap map = open(node, reading.file, "stages", "stages");
  ElasticStage stage;
  stage.ratio = optional_number(map, "ratio");
  stage.input_inertia = map.magnitude("input_inertia", 0);
  stage.output_inertia = map.magnitude("output_inertia", 0);
  stage.stiffness = map.number("stiffness");
  stage.damping = map.magnitude("damping", 0);
  stage.backlash = map.magnitude("backlash", 0);
  return stage;
}

std::shared_ptr<const Part> read_elastic_drive(const YamlMap& map, const std::string& joint,
                                               const Reading& reading) {
  ElasticDriveSettings settings;
  settings.joint = joint;
  settings.motor = read_motor(map);
  for (const YamlNode& node : map.list("stages"))
    settings.stages.push_back(read_stage(node, reading));
  settings.input = read_input(map);
  settings.initial_load = choice(map, "initial_load", {"relaxed", "gravity"}, "relaxed")
                              ? InitialLoad::gravity
                              : InitialLoad::relaxed;
  settings.friction_compensation = map.number("friction_compensation", 1);
  return with_location(map, [&] { return std::make_shared<const ElasticDrive>(settings); });
}

std::shared_ptr<const Part> read_linear_actuator(const YamlMap& map, const std::string& joint) {
  LinearActuatorSettings settings;
  settings.joint = joint;
  const std::size_t n = map.list("C").size();
  for (const YamlNode& row : map.list("C")) {
    if (!row.is_list() || row.items().size() != n)
      throw map.error("C", fmt::format("a square matrix is expected: {0} rows of {0} numbers", n));
    // a list under the key, for its messages
    const YamlNode one = YamlNode::mapping("C", row);
    const std::vector<double> numbers =
        YamlMap(one, map.file(), map.source().element, {"C"}).numbers("C", {n});
    settings.C.insert(settings.C.end(), numbers.begin(), numbers.end());
  }
  settings.f = map.numbers("f", {n});
  settings.d = map.numbers("d", {n});
  if (map.has("position_state")) settings.position_state = whole_number(map, "position_state", 0);
  if (map.has("velocity_state")) settings.velocity_state = whole_number(map, "velocity_state", 0);
  settings.velocity_row = map.numbers("velocity_row", {n});
  settings.initial = map.numbers("initial", {n});
  settings.ratio = map.number("ratio", 1);
  settings.input_limit = map.number("input_limit", settings.input_limit);
  return with_location(map, [&] { return std::make_shared<const LinearActuator>(settings); });
}

// a freedom has one drive at most
void note_driven(const YamlMap& map, const std::string& joint, const std::string& kind,
                 Reading& reading) {
  InputQuantity quantity = InputQuantity::command;
  if (kind != "linear") {
    const DriveInput input = read_input(map);
    quantity = input == DriveInput::voltage   ? InputQuantity::voltage
               : input == DriveInput::current ? InputQuantity::current
                                              : InputQuantity::torque;
  }
  const int k = with_location(map, [&] { return freedom(reading.scenario.model, joint); });
  const auto [first, is_new] = reading.driven.insert({k, {quantity, map.source().line}});
  if (!is_new)
    throw map.error("joint", fmt::format("'{}' has a drive already, in line {}; a joint has one "
                                         "drive: remove one of them",
                                         joint, first->second.line));
}

void read_drive(const YamlNode& node, Reading& reading, std::vector<std::string>& driven) {
  const std::vector<std::string> kinds = {"motor", "elastic", "linear"};
  std::string kind = "motor";
  if (node.is_mapping() && node.find("kind").is_word()) kind = node.find("kind").text();
  const bool known = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  const YamlMap map =
      open(node, reading.file, "drives", "drives: " + (known ? kind : std::string("motor")));
  choice(map, "kind", kinds, "motor");
  const std::vector<std::string> joints = words(map, "joint");
  if (joints.empty()) throw Error(map.source(), "key 'joint' is missing; add `joint: …`");
  for (const std::string& joint : joints) {
    note_driven(map, joint, kind, reading);
    std::shared_ptr<const Part> part = kind == "motor"     ? read_motor_drive(map, joint)
                                       : kind == "elastic" ? read_elastic_drive(map, joint, reading)
                                                           : read_linear_actuator(map, joint);
    add_part(reading, map, std::move(part));
    driven.push_back(joint);
  }
  with_location(map,
                [&] { return reading.scenario.make_system().size(); });  // does it fit the rest?
}

// sticking friction for every freedom that has friction and no drive that takes it over
void add_friction(Reading& reading, const std::vector<std::string>& driven,
                  const FrictionSettings& settings) {
  Scenario& scenario = reading.scenario;
  const std::vector<std::string>& prescribed = reading.prescribed;
  const std::vector<Variable> freedoms = velocity_variables(scenario.model);
  for (std::size_t k = 0; k < freedoms.size(); ++k) {
    const DofSpec& dof = scenario.model.dof[k];
    const std::string name = freedoms[k].name();
    if (dof.friction_positive == 0 && dof.friction_negative == 0) continue;
    if (std::find(driven.begin(), driven.end(), name) != driven.end()) continue;
    if (std::find(prescribed.begin(), prescribed.end(), freedoms[k].joint) != prescribed.end())
      continue;
    FrictionSettings friction = settings;
    friction.forward = dof.friction_positive;
    friction.backward = dof.friction_negative;
    scenario.parts.push_back(
        std::make_shared<JointFriction>(JointFrictionSettings{name, friction}));
  }
}

void remove_friction(Model& model) {
  for (auto* list : {&model.column_dof, &model.dof})
    for (DofSpec& dof : *list) dof.friction_positive = dof.friction_negative = 0;
}

}  // namespace

void read_drives(const YamlMap& root, Reading& reading) {
  std::vector<std::string> driven;
  for (const YamlNode& node : root.list("drives")) read_drive(node, reading, driven);
  FrictionSettings settings;
  std::size_t kind = 0;
  if (root.has("friction")) {
    const YamlMap map = root.map("friction", keys_of("friction"));
    kind = choice(map, "model", {"stick", "jump", "none"}, "stick");
    settings.static_ratio = map.number("static_ratio", 1);
    settings.stribeck_velocity = map.magnitude("stribeck_velocity", 0);
  }
  if (kind == 0) add_friction(reading, driven, settings);
  if (kind == 2) remove_friction(reading.scenario.model);
}

}  // namespace limber
