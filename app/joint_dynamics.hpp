#pragma once
// What `limber id`, `limber fd` and `limber hybrid` share: their options, and results by joint.
#include "joint_vector.hpp"
#include "states.hpp"
#include "water.hpp"

namespace limber::app {

struct JointDynamicsOptions {
  RobotOptions robot;
  StateOptions states;
  WaterOptions water;
  bool friction = false;
  bool named = false;

  /// External forces of the state, the water, and the joints' own friction and springs with
  /// `--friction`.
  Loads<double> loads(const State& state, SurroundingWater& water) const;
  /// A result in JSON: a list, or keyed by joint name.
  Json to_json(const Robot& robot, std::span<const double> numbers) const;
};

/// `friction`: what --friction does, for the help.
void add_joint_dynamics_options(Command& command, JointDynamicsOptions& options,
                                const std::string& friction);

}  // namespace limber::app
