// limber fd: forward dynamics.
#include <memory>

#include <limber/dynamics/forward_dynamics.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "joint_dynamics.hpp"

namespace limber::app {

namespace {

void run_fd(const JointDynamicsOptions& options) {
  const Robot robot = load_robot(options.robot);
  const Model& model = robot.model;
  Workspace ws(model);
  SurroundingWater water(robot, options.water);
  for_each_state(robot, options.states, options.water.with_keys({"q", "v", "tau", "f_ext"}),
                 [&](const State& state) {
                   const auto a = forward_dynamics(model, state.q, state.v, state.tau, ws,
                                                   options.loads(state, water));
                   expect_finite(a, "a", state.place);
                   if (options.states.json) write_line({{"a", options.to_json(robot, a)}});
                   else
                     write(state.place + ": joint accelerations\n" +
                           joint_table(robot, Quantity::acceleration, a));
                 });
}

}  // namespace

void add_fd_command(Command& limber) {
  auto options = std::make_shared<JointDynamicsOptions>();
  Command& command =
      *limber.add_subcommand("fd", "Forward dynamics: accelerations that joint forces give");
  add_joint_dynamics_options(command, *options,
                             "Subtract damping, Coulomb friction and springs of the joints");
  command.footer(
      R"(States need q; v, tau and f_ext are zero where they are left out; other keys are refused.
With --water a state may have "current" and "current_acceleration", three numbers each: velocity (in place of
--current) and acceleration of the water, in world axes.
Result: {"a":[…]} in rad/s² (turns) and m/s² (slides), in the order that `limber info` shows.

Examples:
  limber fd pendulum                                       falls from the neutral position
  echo '{"q":[0.3],"v":[1],"tau":[0.5]}' | limber fd pendulum --json
  limber fd go2.urdf --floating --states states.jsonl --json
  limber fd tiburon --water 1025                           how it begins to sink or rise
  echo '{"q":{"elbow":0.5},"f_ext":{"tool":[0,0,0,0,0,-10]}}' | limber fd arm.urdf)");
  command.callback([options] { run_fd(*options); });
}

}  // namespace limber::app
