#include "water.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <limber/fluid/submerged.hpp>

#include "command_line.hpp"
#include "output.hpp"
#include "scenario/water_doubts.hpp"

namespace limber::app {

void add_density_option(Command& command, double& density, const std::string& help) {
  command.add_option("--water", density, help)->type_name("RHO")->range(1.0, 1e5);
}

RobotWater water_around(const Robot& robot, double density, double speed) {
  RobotWaterSettings settings;
  settings.density = density;
  settings.meshes = mesh_search(robot.files.empty() ? "" : robot.files.front(), robot.mesh_folders);
  RobotWater water = robot_water(robot.spec, settings);
  for (const std::string& note : water.notes) remark(note);
  std::vector<std::string> doubts = flow_doubts(density, speed);
  const std::vector<std::string> others = volume_doubts(robot.model, water.links, density);
  doubts.insert(doubts.end(), others.begin(), others.end());
  for (const std::string& doubt : doubts) remark("warning: " + doubt);
  if (water.links.empty())
    throw Error(fmt::format(
        "robot '{}': no link has a shape or added mass, so water does nothing to it; leave out "
        "--water",
        robot.model.name));
  return water;
}

std::vector<std::string> WaterOptions::with_keys(std::vector<std::string> keys) const {
  if (is_wet()) keys.insert(keys.end(), {"current", "current_acceleration"});
  return keys;
}

SurroundingWater::SurroundingWater(const Robot& robot, const WaterOptions& options) {
  if (!options.is_wet()) {
    if (options.current)
      throw Error("--current is the velocity of the water of --water RHO, which is missing");
    const auto& bodies = robot.spec.bodies;
    if (std::any_of(bodies.begin(), bodies.end(),
                    [](const BodySpec& body) { return body.hydrodynamics.has_value(); }))
      remark(fmt::format(
          "robot '{}' is computed on land; --water 1025 puts it into water with the numbers of its "
          "file",
          robot.model.name));
    return;
  }
  if (options.current) current_ = parse_vector("--current", *options.current, "0.3,0,0");
  const RobotWater water = water_around(robot, options.density, norm(current_));
  fluid_ = submerged(robot.model, water.links, options.density);
}

const FluidLoad<double>* SurroundingWater::at(const State& state) {
  if (!fluid_) return nullptr;
  fluid_->velocity = state.current.value_or(current_);
  fluid_->acceleration = state.current_acceleration;
  return &*fluid_;
}

void add_water_options(Command& command, WaterOptions& options) {
  add_density_option(command, options.density,
                     "Put the robot deep into water of this density [kg/m³]: added mass, buoyancy "
                     "and drag, from its file or its shapes");
  command
      .add_option("--current", options.current,
                  "Velocity of the water in world axes [m/s]; 0,0,0 without it")
      ->type_name("X,Y,Z");
}

}  // namespace limber::app
