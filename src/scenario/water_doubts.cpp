#include "scenario/water_doubts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/sim/water_part.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double gas = 100, mercury = 20000;  // densities between them are those of liquids
constexpr double fastest_current = 5;         // of the sea but for a few straits [m/s]
constexpr double densest = 25;                // of metals, in parts of water
constexpr double lightest = 0.01;             // of foam and balloons

double largest_current(const Water& water, double duration) {
  double largest = 0;
  constexpr int instants = 100;
  for (int k = 0; water.current && k <= instants; ++k)
    largest = std::fmax(largest, norm(water.current(duration * k / instants).velocity));
  for (const CurrentAtDepth& one : water.profile) largest = std::fmax(largest, norm(one.velocity));
  return largest;
}

double moving_mass(const Model& model) {
  double sum = 0;
  for (std::size_t body = 1; body < model.inertia.size(); ++body) sum += model.inertia[body].m;
  return sum;
}

}  // namespace

std::vector<std::string> flow_doubts(double density, double speed) {
  std::vector<std::string> doubts;
  if (density < gas)
    doubts.push_back(fmt::format(
        "a density of {0:g} kg/m³ is that of a gas; {0:g} g/cm³ are {1:g} kg/m³, and sea water has "
        "1025",
        density, 1000 * density));
  if (density > mercury)
    doubts.push_back(fmt::format(
        "a density of {:g} kg/m³ is more than that of mercury; sea water has 1025", density));
  if (speed > fastest_current)
    doubts.push_back(
        fmt::format("a current of up to {0:.3g} m/s is faster than the sea but for a few straits; "
                    "{0:.3g} knots are "
                    "{1:.3g} m/s, {0:.3g} km/h are {2:.3g} m/s",
                    speed, speed * 1852 / 3600, speed / 3.6));
  return doubts;
}

std::vector<std::string> volume_doubts(const Model& model, std::span<const LinkHydrodynamics> links,
                                       double density) {
  std::vector<std::string> doubts;
  const double mass = moving_mass(model);
  for (const LinkHydrodynamics& link : links) {
    const double volume = link.hydrodynamics.displacement.volume;
    if (lightest * volume * density > mass)
      doubts.push_back(fmt::format(
          "link '{}' displaces {:.4g} m³, {:.4g} kg of water, and all robots have {:.4g} kg; a "
          "litre is 0.001 m³",
          link.link, volume, volume * density, mass));
  }
  return doubts;
}

std::vector<std::string> water_doubts(const Scenario& scenario,
                                      std::span<const LinkHydrodynamics> links) {
  const Water& water = *scenario.water;
  std::vector<std::string> doubts =
      flow_doubts(water.density, largest_current(water, scenario.simulation.duration));
  if (scenario.model.gravity.z > 0)
    doubts.push_back(
        "gravity points along z: z is up here, in robots and thrusters, too; numbers of a frame "
        "with z down (NED) have the signs of y and z changed");
  for (const std::string& doubt : volume_doubts(scenario.model, links, water.density))
    doubts.push_back(doubt);
  return doubts;
}

std::vector<std::string> sinking_doubts(const Model& model, const Spec& wet,
                                        std::span<const LinkHydrodynamics> links, double density) {
  if (density < gas) return {};
  struct Sums {
    double mass = 0, displaced = 0;
    std::string heaviest;
    double its_mass = 0;
  };
  std::unordered_map<std::string_view, int> body_of;
  for (const auto& frame : model.frames) body_of.emplace(frame.name, frame.body);
  std::map<int, Sums> bodies;
  const auto of = [&](const std::string& link) -> Sums& { return bodies[body_of.at(link)]; };
  for (const BodySpec& link : wet.bodies) {
    Sums& sums = of(link.name);
    sums.mass += link.inertia.m;
    if (link.inertia.m > sums.its_mass) sums.its_mass = link.inertia.m, sums.heaviest = link.name;
  }
  for (const LinkHydrodynamics& link : links)
    of(link.link).displaced += density * link.hydrodynamics.displacement.volume;
  const double all = moving_mass(model);
  std::vector<std::string> doubts;
  for (const auto& [body, sums] : bodies)
    if (sums.mass > 0.01 * all && sums.mass > densest * sums.displaced)
      doubts.push_back(fmt::format(
          "body '{}' has {:.4g} kg and displaces {:.4g} kg of water: it sinks as no metal does. "
          "Are shapes or meshes missing? `links: [{{link: {}, volume: …}}]` gives numbers",
          model.body_name[body], sums.mass, sums.displaced, sums.heaviest));
  return doubts;
}

std::vector<std::string> wet_start_doubts(const Scenario& scenario) {
  if (!scenario.water_part || !scenario.water->level) return {};
  const Water& water = *scenario.water;
  const double level = *water.level, bed = level - water.depth;
  WaterLoads loads(scenario.model, scenario.water_part->links());
  Workspace ws(scenario.model);
  const auto& bodies = forward_kinematics<double>(scenario.model, scenario.q, scenario.v, ws);
  loads.update(scenario.model, bodies, water, 0);
  const auto& states = loads.states();
  std::vector<std::string> doubts;
  double lowest = HUGE_VAL;
  std::string below;
  for (const LinkHydrodynamics& link : loads.links()) {
    const Transform<double> pose =
        frame_pose(scenario.model, bodies, scenario.model.frame(link.link));
    const double z = transform_point(pose, link.hydrodynamics.displacement.center).z;
    if (z < lowest) lowest = z, below = link.link;
  }
  const bool dry =
      std::all_of(states.begin(), states.end(), [](const auto& one) { return one.wet == 0; });
  if (dry)
    doubts.push_back(fmt::format(
        "nothing is in the water: link '{}' is the lowest, at z = {:.4g} m, and the surface is at "
        "{:.4g} m; to begin in the water give the robot an `xyz` below it",
        below, lowest, level));
  if (lowest < bed)
    doubts.push_back(
        fmt::format("link '{}' is at z = {:.4g} m, below the sea bed at {:.4g} m; make `depth` "
                    "larger, or begin higher",
                    below, lowest, bed));
  return doubts;
}

}  // namespace limber
