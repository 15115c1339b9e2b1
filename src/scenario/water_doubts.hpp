#pragma once
// What is possible in water but seldom meant: other units, z down, a start in the air, links that
// are forgotten. One text each, for the warnings of a scenario.
#include <span>
#include <string>
#include <vector>

#include <limber/fluid/water_loads.hpp>
#include <limber/scenario/scenario.hpp>

namespace limber {

/// Of a density [kg/m³] and the largest speed [m/s] of water.
std::vector<std::string> flow_doubts(double density, double speed);
/// Links that displace a hundred times as much as all robots weigh.
std::vector<std::string> volume_doubts(const Model& model, std::span<const LinkHydrodynamics> links,
                                       double density);

/// Of the water itself, and of the volumes of links.
std::vector<std::string> water_doubts(const Scenario& scenario,
                                      std::span<const LinkHydrodynamics> links);

/// Bodies that are denser than any metal, because their shapes or meshes are missing. wet: the
/// links that are meant to be in the water.
std::vector<std::string> sinking_doubts(const Model& model, const Spec& wet,
                                        std::span<const LinkHydrodynamics> links, double density);

/// Robots that are all in the air where the run begins, and links below the sea bed.
std::vector<std::string> wet_start_doubts(const Scenario& scenario);

}  // namespace limber
