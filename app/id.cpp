// limber id: inverse dynamics.
#include <memory>

#include <limber/dynamics/inverse_dynamics.hpp>

#include "command_line.hpp"
#include "commands.hpp"
#include "joint_dynamics.hpp"

namespace limber::app {

namespace {

void run(const JointDynamicsOptions& options) {
  const Robot robot = load_robot(options.robot);
  const Model& model = robot.model;
  Workspace ws(model);
  for_each_state(robot, options.states, {"q", "v", "a", "f_ext"}, [&](const State& state) {
    const auto tau = inverse_dynamics(model, state.q, state.v, state.a, ws, options.loads(state));
    expect_finite(tau, "tau", state.place);
    if (options.states.json) write_line({{"tau", options.to_json(robot, tau)}});
    else write(state.place + ": joint forces\n" + joint_table(robot, Quantity::force, tau));
  });
}

}  // namespace

void add_id_command(Command& limber) {
  auto options = std::make_shared<JointDynamicsOptions>();
  Command& command =
      *limber.add_subcommand("id", "Inverse dynamics: joint forces for given accelerations");
  add_joint_dynamics_options(command, *options,
                             "Add damping, Coulomb friction and springs of the joints");
  command.footer(
      R"(States need q; v, a and f_ext are zero where they are left out; other keys are refused.
Result: {"tau":[…]} in N m (turns) and N (slides), in the order that `limber info` shows.

Examples:
  limber id puma560                                        at rest in the neutral position
  echo '{"q":[0,0.8,2.2,0,0.8,0]}' | limber id puma560     gravity only
  limber id arm.urdf --states motion.jsonl --json > tau.jsonl
  echo '{"q":{"elbow":0.5},"v":{"elbow":1}}' | limber id arm.urdf --json --named)");
  command.callback([options] { run(*options); });
}

}  // namespace limber::app
