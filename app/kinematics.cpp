// limber kinematics: energies, momentum, centre of mass and poses.
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include <limber/dynamics/energy.hpp>
#include <limber/math/quat.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "states.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

struct KinematicsOptions {
  RobotOptions robot;
  StateOptions states;
  std::vector<std::string> frames;
  bool velocity = false, acceleration = false;
};

struct Result {
  double mass = 0, kinetic = 0, potential = 0;
  std::optional<Vec3<double>> com;  ///< none for a massless robot
  Force<double> momentum;
  std::vector<Transform<double>> poses;  ///< of the chosen frames
  /// Of the same frames, on request: world axes, the frame's origin.
  std::vector<Motion<double>> velocities, accelerations;
};

template <class Spatial>
std::array<double, 6> components(const Spatial& f) {
  return {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z};
}

std::vector<int> frames_asked_for(const Model& model, const std::vector<std::string>& names) {
  std::vector<int> frames;
  for (const std::string& name : names) frames.push_back(model.frame(name));
  if (names.empty()) {
    frames.resize(model.frames.size());
    std::iota(frames.begin(), frames.end(), 0);
  }
  return frames;
}

Result compute(const Model& model, const State& state, const std::vector<int>& frames,
               const KinematicsOptions& options, Workspace& ws) {
  Result result;
  result.mass = model.mass();
  result.kinetic = kinetic_energy(model, state.q, state.v, ws);
  result.potential = potential_energy(model, state.q, ws);
  if (result.mass > 0) result.com = center_of_mass(model, state.q, ws);
  result.momentum = momentum(model, state.q, state.v, ws);
  const Accelerations& bodies = forward_kinematics(model, state.q, state.v, state.a, ws);
  for (int frame : frames) {
    constexpr Reference reference = Reference::world_aligned;
    result.poses.push_back(frame_pose(model, bodies, frame));
    if (options.velocity)
      result.velocities.push_back(frame_velocity(model, bodies, frame, reference));
    if (options.acceleration)
      result.accelerations.push_back(frame_classical_acceleration(model, bodies, frame, reference));
  }
  for (const auto* motions : {&result.velocities, &result.accelerations})
    for (const Motion<double>& motion : *motions)
      expect_finite(components(motion), "motion of a frame", state.place);
  expect_finite(std::array{result.kinetic, result.potential}, "energy", state.place);
  expect_finite(components(result.momentum), "momentum", state.place);
  return result;
}

const std::string& frame_name(const Model& model, int frame) {
  return model.frames[static_cast<std::size_t>(frame)].name;
}

Json to_json(const Model& model, const std::vector<int>& frames, const Result& result) {
  Json poses = Json::object();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    Json& frame = poses[frame_name(model, frames[k])];
    frame = {{"position", app::to_json(result.poses[k].p)},
             {"rotation", app::to_json(result.poses[k].R)}};
    if (!result.velocities.empty())
      frame["velocity"] = app::to_json(components(result.velocities[k]));
    if (!result.accelerations.empty())
      frame["acceleration"] = app::to_json(components(result.accelerations[k]));
  }
  return {{"kinetic", result.kinetic},
          {"potential", result.potential},
          {"com", result.com ? app::to_json(*result.com) : Json()},
          {"momentum", app::to_json(components(result.momentum))},
          {"mass", result.mass},
          {"frames", poses}};
}

// empty without a request
std::string motion_table(const Model& model, const std::vector<int>& frames,
                         const std::vector<Motion<double>>& motions, const std::string& what,
                         const std::string& angular_unit, const std::string& unit) {
  if (motions.empty()) return "";
  Table table({{what, Table::Align::left},
               {"wx " + angular_unit},
               {"wy"},
               {"wz"},
               {"x " + unit},
               {"y"},
               {"z"}});
  for (std::size_t k = 0; k < frames.size(); ++k) {
    std::vector<std::string> cells{frame_name(model, frames[k])};
    for (const double x : components(motions[k])) cells.push_back(readable(x));
    table.add(cells);
  }
  return table.text();
}

std::string to_text(const Model& model, const std::vector<int>& frames, const Result& result) {
  std::vector<std::string> momentum;
  for (double x : components(result.momentum)) momentum.push_back(readable(x));
  std::string text =
      fmt::format("  kinetic energy    {} J\n  potential energy  {} J\n  mass              {} kg\n",
                  readable(result.kinetic), readable(result.potential), readable(result.mass));
  if (result.com)
    text += fmt::format("  centre of mass    {}, {}, {} m\n", readable(result.com->x),
                        readable(result.com->y), readable(result.com->z));
  text += fmt::format(
      "  momentum          {} N m s (about the world origin)\n                    {} N s\n",
      fmt::join(momentum.begin(), momentum.begin() + 3, ", "),
      fmt::join(momentum.begin() + 3, momentum.end(), ", "));
  Table table({{"frame", Table::Align::left},
               {"x [m]"},
               {"y [m]"},
               {"z [m]"},
               {"qx"},
               {"qy"},
               {"qz"},
               {"qw"}});
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Vec3<double>& p = result.poses[k].p;
    const Quat<double> turn = to_quat(result.poses[k].R);
    table.add({frame_name(model, frames[k]), readable(p.x), readable(p.y), readable(p.z),
               readable(turn.x), readable(turn.y), readable(turn.z), readable(turn.w)});
  }
  return text + table.text() +
         motion_table(model, frames, result.velocities, "velocity", "[rad/s]", "[m/s]") +
         motion_table(model, frames, result.accelerations, "acceleration", "[rad/s²]", "[m/s²]");
}

void run_kinematics(const KinematicsOptions& options) {
  const Robot robot = load_robot(options.robot);
  const std::vector<int> frames = frames_asked_for(robot.model, options.frames);
  Workspace ws(robot.model);
  const auto print = [&](const State& state) {
    const Result result = compute(robot.model, state, frames, options, ws);
    if (options.states.json) write_line(to_json(robot.model, frames, result));
    else write(state.place + ":\n" + to_text(robot.model, frames, result));
  };
  if (options.acceleration) for_each_state(robot, options.states, {"q", "v", "a"}, print);
  else for_each_state(robot, options.states, {"q", "v"}, print);
}

}  // namespace

void add_kinematics_command(Command& limber) {
  auto options = std::make_shared<KinematicsOptions>();
  Command& command = *limber.add_subcommand(
      "kinematics", "Poses of frames, energies, momentum and centre of mass");
  add_robot_options(command, options->robot);
  add_state_options(command, options->states);
  command
      .add_option("--frame", options->frames, "Link or frame to show, may be repeated; absent: all")
      ->type_name("NAME")
      ->one_value_each();
  command.add_flag("--velocity", options->velocity, "Also velocities of the frames");
  command.add_flag("--acceleration", options->acceleration,
                   "Also accelerations of the frames; states may have `a` then");
  command.footer(
      R"(States need q; v (and a, with --acceleration) is zero where it is left out; other keys are refused. The mass,
centre and potential energy include what is welded to the world; potential energy is zero at the world origin.
Result: {"kinetic":J,"potential":J,"com":[3],"momentum":[6],"mass":kg,
"frames":{NAME:{"position":[3],"rotation":[[3]×3]}}}; positions in the world, rotation takes frame to
world coordinates; momentum about the world origin in world axes, angular part first. With --velocity and
--acceleration each frame has "velocity":[6] and "acceleration":[6]: angular, then of its origin, in world axes; gravity
is no part of the acceleration.

Examples:
  limber kinematics puma560
  echo '{"q":[0.1,0.2],"v":[1,0]}' | limber kinematics double_pendulum --frame lower --json
  echo '{"q":[0.1,0.2],"v":[1,0],"a":[0,2]}' | limber kinematics double_pendulum --velocity --acceleration)");
  command.callback([options] { run_kinematics(*options); });
}

}  // namespace limber::app
