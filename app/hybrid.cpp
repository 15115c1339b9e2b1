// limber hybrid: hybrid dynamics.
#include <memory>

#include <limber/dynamics/hybrid_dynamics.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "joint_dynamics.hpp"

namespace limber::app {

namespace {

void run_hybrid(const JointDynamicsOptions& options) {
  const Robot robot = load_robot(options.robot);
  const Model& model = robot.model;
  Workspace ws(model);
  SurroundingWater water(robot, options.water);
  for_each_state(
      robot, options.states, options.water.with_keys({"q", "v", "known", "given", "f_ext"}),
      [&](const State& state) {
        const Hybrid<double> result = hybrid_dynamics(model, state.q, state.v, state.known,
                                                      state.given, ws, options.loads(state, water));
        if (options.states.json)
          write_line({{"a", options.to_json(robot, result.a)},
                      {"tau", options.to_json(robot, result.tau)}});
        else
          write(state.place + ": joint accelerations\n" +
                joint_table(robot, Quantity::acceleration, result.a) + "joint forces\n" +
                joint_table(robot, Quantity::force, result.tau));
      });
}

}  // namespace

void add_hybrid_command(Command& limber) {
  auto options = std::make_shared<JointDynamicsOptions>();
  Command& command = *limber.add_subcommand(
      "hybrid", "Hybrid dynamics: of each joint the force or the acceleration is known");
  add_joint_dynamics_options(command, *options,
                             "Include damping, Coulomb friction and springs of the joints");
  command.footer(R"(States need q; v is zero where it is left out. "known" says "force" or
"acceleration" for each variable (force where it is left out), "given" holds the known force or
acceleration (zero where it is left out). f_ext may be there, too; other keys are refused.
With --water a state may have "current" and "current_acceleration", three numbers each: velocity (in place of
--current) and acceleration of the water, in world axes.
Result: {"a":[…],"tau":[…]}, in the order that `limber info` shows.

Examples:
  echo '{"q":[0.1,0.2],"known":["acceleration","force"],"given":[1,0]}' | limber hybrid double_pendulum
  echo '{"q":{"elbow":0.5},"known":{"elbow":"acceleration"}}' | limber hybrid arm.urdf --json --named
  limber hybrid go2.urdf --floating --states states.jsonl --json)");
  command.callback([options] { run_hybrid(*options); });
}

}  // namespace limber::app
