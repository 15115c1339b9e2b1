#include "io/write_hydrodynamics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/hydrodynamics.hpp"

namespace limber {

namespace {

bool has_damping(const HydrodynamicsSpec& water) {
  return water.linear_damping || water.quadratic_damping;
}

// the plug-in has derivatives of forces, which are negative where the fluid resists; zeros beside
// the diagonal are left out
void write_derivatives(const std::optional<MarineMatrix>& matrix,
                       std::string (*name)(std::size_t, std::size_t), XmlWriter& xml) {
  if (!matrix) return;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      if (const double x = (*matrix)[i][j]; i == j || x != 0) xml.leaf(name(i, j), -x);
}

}  // namespace

void write_fluid_added_mass(const BodySpec& body, XmlWriter& xml) {
  if (!body.hydrodynamics || !body.hydrodynamics->added_mass) return;
  const MarineMatrix matrix = symmetric_part(*body.hydrodynamics->added_mass);
  xml.open("fluid_added_mass");
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = i; j < 6; ++j) xml.leaf(added_mass_name(i, j), matrix[i][j]);
  xml.close();
}

bool needs_hydrodynamics_plugin(const BodySpec& body, PluginAddedMass added_mass) {
  if (!body.hydrodynamics) return false;
  const bool has_added_mass =
      added_mass == PluginAddedMass::here && body.hydrodynamics->added_mass.has_value();
  return has_added_mass || has_damping(*body.hydrodynamics);
}

void write_hydrodynamics_plugin(const BodySpec& body, PluginAddedMass added_mass, XmlWriter& xml) {
  if (!needs_hydrodynamics_plugin(body, added_mass)) return;
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  xml.open("plugin").attribute("filename", "gz-sim-hydrodynamics-system");
  xml.attribute("name", "gz::sim::systems::Hydrodynamics");
  xml.leaf("link_name", body.name);
  if (added_mass == PluginAddedMass::here && water.added_mass)
    write_derivatives(symmetric_part(*water.added_mass), added_mass_derivative, xml);
  write_derivatives(water.linear_damping, linear_derivative, xml);
  write_derivatives(water.quadratic_damping, quadratic_derivative, xml);
  xml.close();
}

void list_lost_hydrodynamics(const BodySpec& body, WaterMatrices matrices, const char* format,
                             Losses& losses) {
  if (!body.hydrodynamics) return;
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  std::vector<std::string> lost;
  if (matrices == WaterMatrices::lost && water.added_mass) lost.emplace_back("added mass");
  if (matrices == WaterMatrices::lost && has_damping(water)) lost.emplace_back("damping in water");
  if (water.volume) lost.emplace_back("displaced volume");
  if (water.center_of_buoyancy) lost.emplace_back("centre of buoyancy");
  if (!water.cylinders.empty()) lost.emplace_back("cylinders for drag");
  if (water.drag_coefficient) lost.emplace_back("drag coefficient");
  if (lost.empty()) return;
  losses.dynamics("body '" + body.name + "'",
                  fmt::format("left out: {}, which {} has no place for; in water it moves by what "
                              "is written and by its shapes",
                              fmt::join(lost, ", "), format));
}

}  // namespace limber
