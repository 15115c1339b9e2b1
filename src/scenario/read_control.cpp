// Controllers and prescribed joints of a scenario.
#include <algorithm>

#include <fmt/format.h>

#include <limber/control/hybrid_controller.hpp>
#include <limber/control/joint_controller.hpp>
#include <limber/control/plugin.hpp>
#include <limber/control/prescribed.hpp>
#include <limber/control/task_controller.hpp>
#include <limber/dynamics/kinematics.hpp>

#include "scenario/read_legs.hpp"
#include "scenario/read_vehicles.hpp"

namespace limber {

namespace {

std::vector<Section> controller_sections() {
  return {
      {"controllers",
       "docs/control.md has the laws. Commands of several controllers for one joint add up.",
       {{"kind",
         "one of pd, pid, gravity_compensation, feedforward, computed_torque, joint_impedance, "
         "operational_space, impedance, hybrid, whole_body, walk, vehicle, plugin",
         "", "", ""},
        {"name", "text", "", "the kind", "in messages and names of columns"},
        {"joints", "list of texts", "", "all that have actuators", "the joints it commands"},
        {"sample_time", "number", "s", "0: continuous", "the command holds between samples"},
        {"command_limit", "number, list or mapping", "N m, N, or the unit of the joint's drive",
         "the robot's effort limits, of commands that are forces", "largest command of each joint"},
        {"position_noise", "number", "rad, m", "0", "standard deviation; needs a sample time"},
        {"velocity_noise", "number", "rad/s, m/s", "0", "standard deviation"},
        {"resolution", "number", "rad, m", "0", "of the position sensors"},
        {"delay", "number", "samples", "0", "between measurement and use"}},
       {}},
      {"joint laws",
       "Keys of pd, pid, gravity_compensation, feedforward, computed_torque and joint_impedance. "
       "Gains are N m/rad, N m s/rad and N m/(rad s), those of computed_torque 1/s², 1/s and 1/s³, "
       "those of pd and pid V/rad or A/rad where the joint's drive has such an input.",
       {{"trajectory", "text", "", "needed by all but gravity_compensation", "the reference"},
        {"kp", "number, list or mapping", "", "0", "of the position error"},
        {"kd", "number, list or mapping", "", "0", "of the velocity error"},
        {"ki", "number, list or mapping", "", "0", "of the integral of the error"},
        {"integral_limit", "number, list or mapping", "N m, N", "none", "of the integral's part"},
        {"friction_compensation", "one of none, reference, measured", "", "none",
         "whether damping, friction and springs of the joints are added, and at which state"}},
       {"controllers"}},
      {"frame laws",
       "Keys of operational_space and impedance. Six numbers are for turns about and shifts along "
       "x, "
       "y, z; two are for turns and shifts; one is for all.",
       {{"frame", "text", "", "", "the frame that is controlled"},
        {"trajectory", "text", "", "", "the reference, a trajectory of the frame"},
        {"rows", "one of pose, position, orientation", "", "pose", "what is controlled"},
        {"kp", "list of 1, 2 or 6 numbers", "", "0",
         "stiffness: 1/s² for operational_space, N m/rad and N/m for impedance"},
        {"kd", "list of 1, 2 or 6 numbers", "", "0", "damping: 1/s, or N m s/rad and N s/m"},
        {"axes", "one of world, frame", "", "world", "in which the numbers are meant"},
        {"inertia", "list of 6 numbers", "kg m², kg", "the robot's own",
         "of impedance: the inertia that is shaped; needs `measured_force`"},
        {"measured_force", "text", "", "none",
         "the external force that a sensor measures, by name"},
        {"posture", "text", "", "none", "trajectory of the joints where the task leaves them free"},
        {"posture_kp", "number", "1/s²", "0", ""},
        {"posture_kd", "number", "1/s", "0", ""},
        {"friction_compensation", "one of none, measured", "", "none", ""}},
       {"controllers"}},
      {"controllers: hybrid",
       "Position and force: where a force is wanted the frame presses, in the other directions it "
       "moves. Numbers as in *frame laws*; kp and kd are 1/s² and 1/s. docs/control.md has the "
       "law.",
       {{"frame", "text", "", "", "the frame that is controlled"},
        {"trajectory", "text", "", "", "the reference, a trajectory of the frame"},
        {"rows", "one of pose, position, orientation", "", "pose", "what is controlled"},
        {"task_frame", "text", "", "the world",
         "a frame, e.g. of a table that moves, that carries the reference along: the trajectory is "
         "what it would be if this frame stayed where it begins"},
        {"axes", "one of world, frame", "", "world",
         "of the directions: those of the world (or the task frame), or those of the reference"},
        {"force", "mapping", "", "", "the wanted force of each direction, see *hybrid force*"},
        {"kp", "list of 1, 2 or 6 numbers", "1/s²", "0", "stiffness where motion is controlled"},
        {"kd", "list of 1, 2 or 6 numbers", "1/s", "0", "damping in all directions"},
        {"force_kp", "list of 1, 2 or 6 numbers", "", "0", "of the error of the force"},
        {"force_ki", "list of 1, 2 or 6 numbers", "1/s", "0", "of its integral"},
        {"force_compensation", "number", "", "0",
         "0 to less than 1: share of the measured force that is compensated where motion is "
         "controlled, against friction"},
        {"integral_limit", "number", "N m, N", "none", "of the integral's part"},
        {"contact_force", "number", "N", "0.1",
         "the integral grows only while more than this is felt"},
        {"sensor_time", "number", "s", "2e-3", "time constant of the force sensor's filter"},
        {"from", "number or text", "s", "the beginning",
         "when force control begins: a time, or the name of a trajectory's segment that begins "
         "then; before, motion is controlled in all directions"},
        {"until", "number or text", "s", "the end", "when it ends, given likewise"},
        {"posture", "text", "", "none", "trajectory of the joints where the task leaves them free"},
        {"posture_kp", "number", "1/s²", "0", ""},
        {"posture_kd", "number", "1/s", "0", ""},
        {"friction_compensation", "one of none, measured", "", "none", ""}},
       {"controllers"}},
      {"hybrid force",
       "The force that the frame shall exert on its surroundings, as signals; the directions that "
       "are left out move.",
       {{"mx", "signal", "N m", "motion", ""},
        {"my", "signal", "N m", "motion", ""},
        {"mz", "signal", "N m", "motion", ""},
        {"fx", "signal", "N", "motion", ""},
        {"fy", "signal", "N", "motion", ""},
        {"fz", "signal", "N", "motion", ""}},
       {}},
      {"controllers: plugin",
       "A controller of your own from a shared library, see docs/control.md.",
       {{"file", "text", "", "", "the library, beside the scenario file"},
        {"settings", "mapping", "", "none", "numbers and texts for its constructor"}},
       {"controllers"}},
      {"prescribed",
       "Joints that follow a trajectory exactly.",
       {{"joints", "list of texts", "", "", ""},
        {"trajectory", "text", "", "", "of the joints"},
        {"name", "text", "", "prescribed motion", ""}},
       {}},
  };
}

const std::vector<std::string> controller_kinds = {"pd",
                                                   "pid",
                                                   "gravity_compensation",
                                                   "feedforward",
                                                   "computed_torque",
                                                   "joint_impedance",
                                                   "operational_space",
                                                   "impedance",
                                                   "hybrid",
                                                   "whole_body",
                                                   "walk",
                                                   "vehicle",
                                                   "plugin"};

std::string section_of(const std::string& kind) {
  for (const char* own : {"plugin", "hybrid", "whole_body", "walk", "vehicle"})
    if (kind == own) return fmt::format("controllers: {}", own);
  return kind == "operational_space" || kind == "impedance" ? "frame laws" : "joint laws";
}

// a number, or a list of them; nothing without the key
std::vector<double> few_numbers(const YamlMap& map, const std::string& key,
                                const std::vector<std::size_t>& counts) {
  if (!map.has(key) || map.has_list(key)) return map.numbers(key, counts);
  return {map.number(key)};
}

// names of the freedoms that a controller will command, in its order
std::vector<std::string> freedoms_of(const Model& model, const std::vector<std::string>& joints) {
  std::vector<std::string> names;
  const std::vector<Variable> all = velocity_variables(model);
  const auto has_actuator = [&](const std::string& joint) {
    const auto b = static_cast<std::size_t>(model.body_of_joint(joint));
    return model.kind[b] != JointKind::free || model.has_actuation[b];
  };
  if (joints.empty()) {
    for (const Variable& x : all)
      if (has_actuator(x.joint)) names.push_back(x.name());
  } else {
    for (const std::string& joint : joints)
      for (const Variable& x : all)
        if (x.joint == joint) names.push_back(x.name());
  }
  return names;
}

class ControllerReader {
 public:
  ControllerReader(const YamlMap& map, const Reading& reading, const Trajectories& trajectories)
      : map_(map), reading_(reading), trajectories_(trajectories), kind_(map.text("kind")) {}

  std::shared_ptr<const Part> read() {
    const std::string section = section_of(kind_);
    if (section == "joint laws") return joint_controller();
    if (section == "frame laws") return task_controller();
    if (kind_ == "hybrid") return hybrid_controller();
    if (kind_ == "whole_body") return whole_body();
    if (kind_ == "walk") return walk();
    if (kind_ == "vehicle") return read_vehicle_controller(map_, reading_, trajectories_);
    return plugin();
  }

 private:
  void read_common(ControllerSettings& settings) {
    settings.name = map_.text("name", kind_);
    settings.joints = words(map_, "joints");
    freedoms_ =
        with_location(map_, [&] { return freedoms_of(reading_.scenario.model, settings.joints); });
    settings.sample_time = map_.magnitude("sample_time", 0);
    if (settings.sample_time > 0)
      if (const std::string fault =
              period_fault(settings.sample_time, reading_.scenario.simulation.duration);
          !fault.empty())
        throw map_.error("sample_time", fault);
    settings.command_limits = gains("command_limit");
    settings.sensor.position_noise = few_numbers(map_, "position_noise", {freedoms_.size()});
    settings.sensor.velocity_noise = few_numbers(map_, "velocity_noise", {freedoms_.size()});
    settings.sensor.resolution = few_numbers(map_, "resolution", {freedoms_.size()});
    settings.sensor.delay = whole_number(map_, "delay", 0);
  }

  std::vector<double> gains(const std::string& key) {
    if (!map_.has(key)) return {};
    return numbers_for(map_, key, freedoms_, 0);
  }

  std::shared_ptr<const Model> known_model() const {
    return std::make_shared<const Model>(reading_.scenario.nominal);
  }

  std::vector<PayloadSettings> known_payloads() const {
    std::vector<PayloadSettings> known;
    for (const TimedPayload& payload : reading_.payloads)
      if (!payload.hidden) known.push_back(payload.settings);
    return known;
  }

  std::shared_ptr<const Part> joint_controller() {
    JointControlSettings settings;
    read_common(settings);
    const std::map<std::string, JointLaw> laws = {{"pd", JointLaw::pid},
                                                  {"pid", JointLaw::pid},
                                                  {"gravity_compensation", JointLaw::gravity},
                                                  {"feedforward", JointLaw::feedforward},
                                                  {"computed_torque", JointLaw::computed_torque},
                                                  {"joint_impedance", JointLaw::impedance}};
    settings.law = laws.at(kind_);
    if (map_.has("trajectory"))
      settings.reference = joint_trajectory(map_, "trajectory", trajectories_);
    settings.stiffness = gains("kp");
    settings.damping = gains("kd");
    settings.integral = gains("ki");
    if (kind_ == "pd" && !settings.integral.empty())
      throw map_.error("ki", "a pd controller has no integral; write `kind: pid`");
    settings.integral_limits = gains("integral_limit");
    settings.passive = static_cast<PassiveCompensation>(
        choice(map_, "friction_compensation", {"none", "reference", "measured"}, "none"));
    settings.model = known_model();
    settings.carried = known_payloads();
    return with_location(map_, [&] { return std::make_shared<const JointController>(settings); });
  }

  // what controllers of a frame share
  template <class Settings>
  void read_frame_control(Settings& settings) {
    read_common(settings);
    settings.frame = map_.text("frame");
    settings.rows =
        static_cast<TaskRows>(choice(map_, "rows", {"pose", "position", "orientation"}, "pose"));
    settings.axes =
        choice(map_, "axes", {"world", "frame"}, "world") ? ForceAxes::frame : ForceAxes::world;
    settings.stiffness = few_numbers(map_, "kp", {1, 2, 6});
    settings.damping = few_numbers(map_, "kd", {1, 2, 6});
    if (map_.has("posture")) settings.posture = joint_trajectory(map_, "posture", trajectories_);
    settings.posture_stiffness = map_.magnitude("posture_kp", 0);
    settings.posture_damping = map_.magnitude("posture_kd", 0);
    settings.passive = choice(map_, "friction_compensation", {"none", "measured"}, "none")
                           ? PassiveCompensation::from_measured
                           : PassiveCompensation::none;
    settings.model = known_model();
    settings.carried = known_payloads();
  }

  std::shared_ptr<const Part> task_controller() {
    TaskControlSettings settings;
    read_frame_control(settings);
    settings.law = kind_ == "impedance" ? TaskLaw::impedance : TaskLaw::operational_space;
    settings.reference = task_trajectory(map_, "trajectory", trajectories_);
    settings.inertia = map_.numbers("inertia", {6});
    if (map_.has("measured_force")) settings.measured_force = measured_force();
    return with_location(map_, [&] { return std::make_shared<const TaskController>(settings); });
  }

  // the trajectory, in the task frame as it is at the beginning
  TaskTrajectoryPointer in_task_frame(const std::string& frame) {
    const TaskTrajectoryPointer reference = task_trajectory(map_, "trajectory", trajectories_);
    if (frame.empty()) return reference;
    const Model& model = reading_.scenario.model;
    check_frames(map_, "task_frame", model, {frame});
    Workspace ws(model);
    const Poses& bodies = forward_kinematics<double>(model, reading_.scenario.q, ws);
    return seen_from(frame_pose(model, bodies, model.frame(frame)), reference);
  }

  std::shared_ptr<const Part> hybrid_controller() {
    HybridControlSettings settings;
    read_frame_control(settings);
    settings.task_frame = map_.text("task_frame", "");
    settings.reference = in_task_frame(settings.task_frame);
    const YamlMap force = map_.map("force", keys_of("hybrid force"));
    const std::vector<std::string> directions = keys_of("hybrid force");
    for (std::size_t i = 0; i < directions.size(); ++i)
      if (force.has(directions[i]))
        settings.force[i] = read_signal(force, directions[i], force.node(directions[i]), reading_);
    settings.force_gain = few_numbers(map_, "force_kp", {1, 2, 6});
    settings.force_integral = few_numbers(map_, "force_ki", {1, 2, 6});
    settings.compensation = map_.number("force_compensation", 0);
    settings.integral_limit = map_.magnitude("integral_limit", settings.integral_limit);
    settings.contact_force = map_.magnitude("contact_force", settings.contact_force);
    settings.sensor_time = map_.number("sensor_time", settings.sensor_time);
    settings.from = instant_of(map_, "from", reading_.scenario.phases, 0);
    settings.until = instant_of(map_, "until", reading_.scenario.phases, HUGE_VAL);
    return with_location(map_, [&] { return std::make_shared<const HybridController>(settings); });
  }

  std::shared_ptr<const Part> whole_body() {
    WholeBodySettings settings;
    read_common(settings);
    read_whole_body(map_, reading_, trajectories_, settings);
    return with_location(map_,
                         [&] { return std::make_shared<const WholeBodyController>(settings); });
  }

  std::shared_ptr<const Part> walk() {
    WalkingSettings settings;
    read_common(settings);
    read_walk(map_, reading_, settings);
    return with_location(map_, [&] { return std::make_shared<const WalkingController>(settings); });
  }

  std::shared_ptr<const ForceHistory> measured_force() {
    const std::string name = map_.text("measured_force");
    const auto found = reading_.forces.find(name);
    if (found == reading_.forces.end())
      throw map_.error("measured_force",
                       fmt::format("there is no external force called '{}'", name));
    return found->second;
  }

  std::shared_ptr<const Part> plugin() {
    PluginSettings settings;
    read_common(settings);
    read_plugin_values(map_, settings);
    return with_location(map_, [&] {
      return std::shared_ptr<const Part>(
          load_controller(path_relative_to_file(reading_, map_.text("file")), settings));
    });
  }

  const YamlMap& map_;
  const Reading& reading_;
  const Trajectories& trajectories_;
  std::string kind_;
  std::vector<std::string> freedoms_;
};

void read_controller(const YamlNode& node, Reading& reading, const Trajectories& trajectories) {
  std::string kind;
  if (node.is_mapping() && node.find("kind").is_word()) kind = node.find("kind").text();
  const bool known =
      std::find(controller_kinds.begin(), controller_kinds.end(), kind) != controller_kinds.end();
  const YamlMap map =
      open(node, reading.file, "controllers", section_of(known ? kind : std::string("pd")));
  choice(map, "kind", controller_kinds);
  add_part(reading, map, ControllerReader(map, reading, trajectories).read());
}

void read_prescribed(const YamlNode& node, Reading& reading, const Trajectories& trajectories) {
  const YamlMap map = open(node, reading.file, "prescribed", "prescribed");
  PrescribedJointSettings settings;
  settings.name = map.text("name", settings.name);
  settings.joints = words(map, "joints");
  settings.trajectory = joint_trajectory(map, "trajectory", trajectories);
  reading.prescribed.insert(reading.prescribed.end(), settings.joints.begin(),
                            settings.joints.end());
  add_part(reading, map,
           with_location(map, [&] { return std::make_shared<const PrescribedJoint>(settings); }));
}

}  // namespace

std::vector<Section> control_sections() {
  std::vector<Section> all = trajectory_sections();
  for (Section& section : controller_sections()) all.push_back(std::move(section));
  for (Section& section : leg_sections()) all.push_back(std::move(section));
  return all;
}

void read_control(const YamlMap& root, Reading& reading) {
  const Trajectories trajectories = read_trajectories(root, reading);
  read_timed_payloads(reading);
  for (const YamlNode& node : root.list("controllers"))
    read_controller(node, reading, trajectories);
  for (const YamlNode& node : root.list("prescribed")) read_prescribed(node, reading, trajectories);
}

}  // namespace limber
