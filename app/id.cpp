// limber id: inverse dynamics.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/sim/recording.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "joint_dynamics.hpp"
#include "table.hpp"

namespace limber::app {

namespace {

struct Options : JointDynamicsOptions {
  bool reactions = false;
};

// of all joints that move
using Reactions = std::vector<std::pair<std::string, std::array<double, 6>>>;

Reactions reactions_of(const Model& model, const JointForces<double>& tau,
                       const std::string& place) {
  Reactions all;
  for (const int body : reaction_bodies(model, {"all"})) {
    const Force<double> f = joint_reaction(model, tau, body);
    all.push_back({model.joint_name[static_cast<std::size_t>(body)],
                   {f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z}});
    expect_finite(all.back().second, "reaction", place);
  }
  return all;
}

std::string reaction_table(const Reactions& reactions) {
  Table table(
      {{"joint", Table::Align::left}, {"mx [N m]"}, {"my"}, {"mz"}, {"fx [N]"}, {"fy"}, {"fz"}});
  double largest = 1;
  for (const auto& [joint, numbers] : reactions)
    for (const double x : numbers) largest = std::max(largest, std::abs(x));
  for (const auto& [joint, numbers] : reactions) {
    std::vector<std::string> cells{joint};
    for (const double x : numbers) cells.push_back(readable(x, largest));
    table.add(cells);
  }
  return "joint reactions on the links, in their frames\n" + table.text();
}

void run_id(const Options& options) {
  const Robot robot = load_robot(options.robot);
  const Model& model = robot.model;
  Workspace ws(model);
  SurroundingWater water(robot, options.water);
  for_each_state(robot, options.states, options.water.with_keys({"q", "v", "a", "f_ext"}),
                 [&](const State& state) {
                   const auto tau = inverse_dynamics(model, state.q, state.v, state.a, ws,
                                                     options.loads(state, water));
                   expect_finite(tau, "tau", state.place);
                   Json line{{"tau", options.to_json(robot, tau)}};
                   std::string text =
                       state.place + ": joint forces\n" + joint_table(robot, Quantity::force, tau);
                   if (options.reactions) {
                     const Reactions reactions = reactions_of(model, tau, state.place);
                     text += reaction_table(reactions);
                     for (const auto& [joint, numbers] : reactions)
                       line["reactions"][joint] = app::to_json(numbers);
                   }
                   if (options.states.json) write_line(line);
                   else write(text);
                 });
}

}  // namespace

void add_id_command(Command& limber) {
  auto options = std::make_shared<Options>();
  Command& command =
      *limber.add_subcommand("id", "Inverse dynamics: joint forces for given accelerations");
  add_joint_dynamics_options(command, *options,
                             "Add damping, Coulomb friction and springs of the joints");
  command.add_flag("--reactions", options->reactions,
                   "Also what each joint transmits to the link that it carries");
  command.footer(
      R"(States need q; v, a and f_ext are zero where they are left out; other keys are refused.
With --water a state may have "current" and "current_acceleration", three numbers each: velocity (in place of
--current) and acceleration of the water, in world axes.
Result: {"tau":[…]} in N m (turns) and N (slides), in the order that `limber info` shows.
With --reactions also {"reactions":{JOINT:[6]}}: moment x, y, z [N m] and force x, y, z [N] that the joint (bearing
and drive) transmits to the link that it carries, in the axes and about the origin of this link's frame.

Examples:
  limber id puma560                                        at rest in the neutral position
  echo '{"q":[0,0.8,2.2,0,0.8,0]}' | limber id puma560     gravity only
  limber id puma560 --reactions                            what the bearings carry
  limber id arm.urdf --states motion.jsonl --json > tau.jsonl
  limber id bluerov_arm --water 1025 --current 0.3,0,0     what holds its joints in a current
  echo '{"q":{"elbow":0.5},"v":{"elbow":1}}' | limber id arm.urdf --json --named)");
  command.callback([options] { run_id(*options); });
}

}  // namespace limber::app
