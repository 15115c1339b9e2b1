#pragma once
// A robot in water on the command line: --water and --current.
#include <optional>
#include <string>

#include <limber/fluid/robot_water.hpp>

#include "states.hpp"

namespace limber::app {

/// --water RHO: the density [kg/m³]; 0: on land.
void add_density_option(Command& command, double& density, const std::string& help);

/// What water of this density [kg/m³] and speed [m/s] does to the links, as robot_water(); its
/// notes and what is doubtful are printed. Throws Error if it does nothing to any.
RobotWater water_around(const Robot& robot, double density, double speed = 0);

struct WaterOptions {
  double density = 0;                  ///< [kg/m³]; 0: on land
  std::optional<std::string> current;  ///< as written

  bool is_wet() const { return density != 0; }
  /// These keys of states and those of the water, if there is any.
  std::vector<std::string> with_keys(std::vector<std::string> keys) const;
};
void add_water_options(Command& command, WaterOptions& options);

/// The fluid that a robot is deep in, if there is one.
class SurroundingWater {
 public:
  /// Throws Error for a current without water. A robot on land whose file gives numbers for water
  /// is remarked.
  SurroundingWater(const Robot& robot, const WaterOptions& options);
  /// With the motion that the state gives it, true until the next call; null on land.
  const FluidLoad<double>* at(const State& state);

 private:
  std::optional<FluidLoad<double>> fluid_;
  Vec3<double> current_;
};

}  // namespace limber::app
