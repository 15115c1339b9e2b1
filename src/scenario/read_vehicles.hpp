#pragma once
// Vehicles under water in a scenario: thrusters, fins, ballast, tethers, and what controls them.
#include <limber/control/vehicle_controller.hpp>

#include "scenario/read_trajectories.hpp"

namespace limber {

std::vector<Section> vehicle_control_sections();
/// thrusters, fins, ballasts and tethers → parts. After the water.
void read_vehicles(const YamlMap& root, Reading& reading);
/// `kind: vehicle` of controllers.
std::shared_ptr<const Part> read_vehicle_controller(const YamlMap& map, const Reading& reading,
                                                    const Trajectories& trajectories);

}  // namespace limber
