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

struct Options {
  RobotOptions robot;
  StateOptions states;
  std::vector<std::string> frames;
};

struct Result {
  double mass = 0, kinetic = 0, potential = 0;
  std::optional<Vec3<double>> com;  ///< none for a massless robot
  Force<double> momentum;
  std::vector<Transform<double>> poses;  ///< of the frames asked for
};

std::array<double, 6> components(const Force<double>& f) {
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
               Workspace& ws) {
  Result result;
  result.mass = model.mass();
  result.kinetic = kinetic_energy(model, state.q, state.v, ws);
  result.potential = potential_energy(model, state.q, ws);
  if (result.mass > 0) result.com = center_of_mass(model, state.q, ws);
  result.momentum = momentum(model, state.q, state.v, ws);
  forward_kinematics(model, state.q, ws);
  for (int frame : frames) result.poses.push_back(frame_pose(model, ws, frame));
  expect_finite(std::array{result.kinetic, result.potential}, "energy", state.place);
  expect_finite(components(result.momentum), "momentum", state.place);
  return result;
}

const std::string& frame_name(const Model& model, int frame) {
  return model.frames[static_cast<std::size_t>(frame)].name;
}

Json to_json(const Model& model, const std::vector<int>& frames, const Result& result) {
  Json poses = Json::object();
  for (std::size_t k = 0; k < frames.size(); ++k)
    poses[frame_name(model, frames[k])] = {{"position", app::to_json(result.poses[k].p)},
                                           {"rotation", app::to_json(result.poses[k].R)}};
  return {{"kinetic", result.kinetic},
          {"potential", result.potential},
          {"com", result.com ? app::to_json(*result.com) : Json()},
          {"momentum", app::to_json(components(result.momentum))},
          {"mass", result.mass},
          {"frames", poses}};
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
  return text + table.text();
}

void run(const Options& options) {
  const Robot robot = load_robot(options.robot);
  const std::vector<int> frames = frames_asked_for(robot.model, options.frames);
  Workspace ws(robot.model);
  for_each_state(robot, options.states, {"q", "v"}, [&](const State& state) {
    const Result result = compute(robot.model, state, frames, ws);
    if (options.states.json) write_line(to_json(robot.model, frames, result));
    else write(state.place + ":\n" + to_text(robot.model, frames, result));
  });
}

}  // namespace

void add_kinematics_command(Command& limber) {
  auto options = std::make_shared<Options>();
  Command& command = *limber.add_subcommand(
      "kinematics", "Poses of frames, energies, momentum and centre of mass");
  add_robot_options(command, options->robot);
  add_state_options(command, options->states);
  command
      .add_option("--frame", options->frames, "Link or frame to show, may be repeated; absent: all")
      ->type_name("NAME")
      ->one_value_each();
  command.footer(
      R"(States need q; v is zero where it is left out; other keys are refused. The mass, centre and potential energy
include what is welded to the world; potential energy is zero at the world origin.
Result: {"kinetic":J,"potential":J,"com":[3],"momentum":[6],"mass":kg,
"frames":{NAME:{"position":[3],"rotation":[[3]×3]}}}; positions in the world, rotation takes frame to
world coordinates; momentum about the world origin in world axes, angular part first.

Examples:
  limber kinematics puma560
  echo '{"q":[0.1,0.2],"v":[1,0]}' | limber kinematics double_pendulum --frame lower --json)");
  command.callback([options] { run(*options); });
}

}  // namespace limber::app
