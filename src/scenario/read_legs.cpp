// Controllers of robots on legs: the whole body by a quadratic program, and walking.
#include "scenario/read_legs.hpp"

#include <fmt/format.h>

#include <limber/dynamics/centroidal.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/water_part.hpp>

namespace limber {

std::vector<Section> leg_sections() {
  return {
      {"controllers: whole_body",
       "All joints together by a quadratic program, see docs/legs.md.",
       {{"tasks", "list of mappings", "", "none",
         "frames that follow motions, see *whole-body task*"},
        {"center_of_mass", "mapping", "", "none",
         "keys of *whole-body task* but `frame` and `rows`: the origin of the trajectory is "
         "followed"},
        {"posture", "mapping", "", "joints are damped",
         "trajectory of the joints (without: as they are at the start), kp, kd, weight (1e-3)"},
        {"contacts", "list of mappings", "", "none", "see *whole-body contact*"},
        {"cone_sides", "number", "", "4", "of the pyramid inside each friction cone"},
        {"contact_damping", "number", "1/s", "10", "of contacts that should not move, but do"},
        {"limit_weight", "number", "", "0: not braked",
         "of braking joints that run into a limit of their position"},
        {"most_missing", "number", "m/s² or rad/s²", "none",
         "the run ends where a task lacks more acceleration than this"},
        {"water", "one of still, unknown", "", "still",
         "what it counts on of the scenario's `water`: that it is at rest, or nothing of it"},
        {"friction_compensation", "one of none, measured", "", "none",
         "whether damping and springs of the joints are counted with"}},
       {"controllers"}},
      {"whole-body task",
       "",
       {{"frame", "text", "", "", ""},
        {"rows", "one of pose, position, orientation", "", "pose", "what follows"},
        {"trajectory", "text", "", "rests where it is at the start", "of the frame"},
        {"kp", "number", "1/s²", "100", ""},
        {"kd", "number", "1/s", "20", ""},
        {"weight", "number", "", "1", "of the squared error of its acceleration"}},
       {}},
      {"whole-body contact",
       "Points of a frame that should hold; what holds them is `contact` or a loop.",
       {{"frame", "text", "", "", ""},
        {"points", "list of lists of 3 numbers", "m", "[[0, 0, 0]]", "in the frame's axes"},
        {"normal", "list of 3 numbers", "", "[0, 0, 1]", "of the ground, towards the robot"},
        {"friction", "number", "", "0.6", "of the cone"},
        {"least_force", "number", "N", "0", "along the normal, of each point"},
        {"most_force", "number", "N", "none", ""}},
       {}},
      {"controllers: walk",
       "A robot walks, runs or stands on its feet by a gait, see docs/legs.md. Needs a sample "
       "time. The frame of the body has x forward and z up.",
       {{"feet", "list of mappings", "", "",
         "frame: its origin is what stands; phase (0): when its stance begins, in parts of the "
         "period"},
        {"body", "text", "", "the link on the first free joint", "the frame that is guided"},
        {"period", "number", "s", "1", "of the gait"},
        {"duty", "number", "", "0.6",
         "part of it in which a foot stands; 1: all feet always stand"},
        {"forward", "number", "m/s", "0", "commanded velocity along the heading"},
        {"left", "number", "m/s", "0", "and across it"},
        {"turn", "number", "rad/s", "0", "commanded rate of the heading"},
        {"start", "number", "s", "0", "no foot is lifted before"},
        {"stop", "number", "s", "never", "no foot is lifted after"},
        {"ramp", "number", "s", "1", "in which the velocity comes and goes"},
        {"height", "number", "m", "as at the start", "of the body above the feet"},
        {"swing_height", "number", "m", "0.06", "of a foot in the air"},
        {"step_gain", "number", "s", "0.03",
         "how far a foothold is shifted by an error of the velocity"},
        {"touch_lag", "number", "m", "0.006",
         "a foot stands when it lags behind its reference by this"},
        {"search_speed", "number", "m/s", "0.3", "downwards, of a foot that has met nothing"},
        {"lead", "number", "m", "0.1", "of the reference before the body, at most"},
        {"friction", "number", "", "0.5", "of the ground, as the program counts on it"},
        {"least_force", "number", "N", "0", "along the normal, of a foot that stands"},
        {"cone_sides", "number", "", "4", "of the pyramid inside each friction cone"},
        {"contact_damping", "number", "1/s", "20", "of feet that should not move, but do"},
        {"position", "mapping", "", "{kp: 100, kd: 20, weight: 1}",
         "of the body [1/s², 1/s, plain]"},
        {"orientation", "mapping", "", "{kp: 200, kd: 28, weight: 1}", "of the body"},
        {"swing", "mapping", "", "{kp: 900, kd: 60, weight: 1}", "of feet in the air"},
        {"joint_damping", "number", "1/s", "1", "of weight 1e-3"},
        {"water", "one of still, unknown", "", "still",
         "what it counts on of the scenario's `water`: that it is at rest, or nothing of it"},
        {"friction_compensation", "one of none, measured", "", "none",
         "whether damping and springs of the joints are counted with"}},
       {"controllers"}},
      {"walking foot",
       "",
       {{"frame", "text", "", "", ""}, {"phase", "number", "", "0", "at least 0, less than 1"}},
       {}},
      {"task gains",
       "",
       {{"kp", "number", "1/s²", "see there", ""},
        {"kd", "number", "1/s", "see there", ""},
        {"weight", "number", "", "1", ""}},
       {}},
  };
}

namespace {

/// kp, kd and weight of a task.
template <class Task>
void read_gains(const YamlMap& map, Task& task) {
  task.stiffness = map.magnitude("kp", task.stiffness);
  task.damping = map.magnitude("kd", task.damping);
  task.weight = map.number("weight", task.weight);
}

void read_gains_of(const YamlMap& map, const std::string& key, TaskGains& gains) {
  if (map.has(key)) read_gains(map.map(key, keys_of("task gains")), gains);
}

PassiveCompensation read_passive(const YamlMap& map) {
  return choice(map, "friction_compensation", {"none", "measured"}, "none")
             ? PassiveCompensation::from_measured
             : PassiveCompensation::none;
}

// buoyancy, added mass and drag of water at rest, which the controller counts on
KnownWater read_known_water(const YamlMap& map, const Scenario& scenario) {
  const bool is_known = choice(map, "water", {"still", "unknown"}, "still") == 0;
  if (!is_known || !scenario.water) return {};
  return {scenario.water, scenario.water_part->links()};
}

FrameTask read_task(const YamlNode& node, const Reading& reading,
                    const Trajectories& trajectories) {
  const YamlMap map = open(node, reading.file, "tasks", "whole-body task");
  const Scenario& scenario = reading.scenario;
  FrameTask task;
  task.frame = map.text("frame");
  check_frames(map, "frame", scenario.model, {task.frame});
  task.rows =
      static_cast<TaskRows>(choice(map, "rows", {"pose", "position", "orientation"}, "pose"));
  if (map.has("trajectory")) {
    task.reference = task_trajectory(map, "trajectory", trajectories);
  } else {
    Workspace ws(scenario.model);
    task.reference = constant_pose(
        frame_pose(scenario.model, forward_kinematics<double>(scenario.model, scenario.q, ws),
                   scenario.model.frame(task.frame)));
  }
  read_gains(map, task);
  return task;
}

CenterOfMassTask read_center(const YamlMap& map, const Reading& reading,
                             const Trajectories& trajectories) {
  const Scenario& scenario = reading.scenario;
  CenterOfMassTask task;
  if (map.has("trajectory")) {
    task.reference = task_trajectory(map, "trajectory", trajectories);
  } else {
    Workspace ws(scenario.model);
    task.reference = constant_pose(
        Transform<double>::translation(center_of_mass<double>(scenario.model, scenario.q, ws)));
  }
  read_gains(map, task);
  return task;
}

void read_held(const YamlNode& node, const Reading& reading, std::vector<HeldContact>& out) {
  const YamlMap map = open(node, reading.file, "contacts", "whole-body contact");
  HeldContact contact;
  contact.frame = map.text("frame");
  check_frames(map, "frame", reading.scenario.model, {contact.frame});
  contact.normal = map.vec3("normal", contact.normal);
  contact.friction = map.number("friction", contact.friction);
  contact.least_force = map.magnitude("least_force", contact.least_force);
  contact.most_force = map.magnitude("most_force", contact.most_force);
  if (!map.has("points")) out.push_back(contact);
  for (const YamlNode& point : map.list("points")) {
    const YamlNode wrapped = YamlNode::mapping("points", point);
    contact.point =
        YamlMap(wrapped, map.file(), map.source().element, {"points"}).vec3("points", {});
    out.push_back(contact);
  }
}

}  // namespace

void read_whole_body(const YamlMap& map, const Reading& reading, const Trajectories& trajectories,
                     WholeBodySettings& settings) {
  const std::vector<std::string> gains =
      keys_of("task gains") + std::vector<std::string>{"trajectory"};
  for (const YamlNode& node : map.list("tasks"))
    settings.frames.push_back(read_task(node, reading, trajectories));
  if (map.has("center_of_mass"))
    settings.center_of_mass = read_center(map.map("center_of_mass", gains), reading, trajectories);
  if (map.has("posture")) {
    const YamlMap own = map.map("posture", gains);
    read_gains(own, settings.posture);
    if (own.has("trajectory"))
      settings.posture.reference = joint_trajectory(own, "trajectory", trajectories);
    else if (settings.posture.stiffness > 0)
      settings.posture.reference = constant_trajectory(reading.scenario.model, reading.scenario.q);
  }
  for (const YamlNode& node : map.list("contacts")) read_held(node, reading, settings.contacts);
  settings.cone_sides = whole_number(map, "cone_sides", settings.cone_sides);
  settings.contact_damping = map.magnitude("contact_damping", settings.contact_damping);
  settings.limit_weight = map.magnitude("limit_weight", settings.limit_weight);
  settings.most_missing = map.number("most_missing", settings.most_missing);
  settings.passive = read_passive(map);
  settings.water = read_known_water(map, reading.scenario);
}

void read_walk(const YamlMap& map, const Reading& reading, WalkingSettings& settings) {
  for (const YamlNode& node : map.list("feet")) {
    const YamlMap foot = open(node, map.file(), "feet", "walking foot");
    settings.feet.push_back({foot.text("frame"), foot.number("phase", 0)});
  }
  settings.body = map.text("body", "");
  settings.period = map.number("period", settings.period);
  settings.duty = map.number("duty", settings.duty);
  settings.forward = map.number("forward", settings.forward);
  settings.left = map.number("left", settings.left);
  settings.turn = map.number("turn", settings.turn);
  settings.start = map.magnitude("start", settings.start);
  settings.stop = map.magnitude("stop", settings.stop);
  settings.ramp = map.magnitude("ramp", settings.ramp);
  settings.height = map.magnitude("height", settings.height);
  settings.swing_height = map.magnitude("swing_height", settings.swing_height);
  settings.step_gain = map.magnitude("step_gain", settings.step_gain);
  settings.touch_lag = map.magnitude("touch_lag", settings.touch_lag);
  settings.search_speed = map.magnitude("search_speed", settings.search_speed);
  settings.lead = map.magnitude("lead", settings.lead);
  settings.friction = map.number("friction", settings.friction);
  settings.least_force = map.magnitude("least_force", settings.least_force);
  settings.cone_sides = whole_number(map, "cone_sides", settings.cone_sides);
  settings.contact_damping = map.magnitude("contact_damping", settings.contact_damping);
  settings.joint_damping = map.magnitude("joint_damping", settings.joint_damping);
  settings.passive = read_passive(map);
  settings.water = read_known_water(map, reading.scenario);
  read_gains_of(map, "position", settings.position);
  read_gains_of(map, "orientation", settings.orientation);
  read_gains_of(map, "swing", settings.swing);
}

}  // namespace limber
