#include "joint_dynamics.hpp"

#include "command_line.hpp"

namespace limber::app {

Loads<double> JointDynamicsOptions::loads(const State& state, SurroundingWater& water) const {
  Loads<double> loads = state.loads();
  loads.fluid = water.at(state);
  if (friction) loads.passive = Passive::included;
  return loads;
}

Json JointDynamicsOptions::to_json(const Robot& model, std::span<const double> numbers) const {
  return named ? named_by_joint(model, numbers) : app::to_json(numbers);
}

void add_joint_dynamics_options(Command& command, JointDynamicsOptions& options,
                                const std::string& friction) {
  add_robot_options(command, options.robot);
  add_state_options(command, options.states);
  add_water_options(command, options.water);
  command.add_flag("--friction", options.friction, friction);
  command.add_flag("--named", options.named, "JSON results as objects keyed by joint name");
}

}  // namespace limber::app
