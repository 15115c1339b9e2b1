#include "io/write_hydrodynamics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/hydrodynamics.hpp"

namespace limber {

namespace {

bool has_damping(const HydrodynamicsSpec& water) {
  return water.linear_damping || water.quadratic_damping;
}
// the plug-in has it in the link's frame
bool has_own_damping_frame(const HydrodynamicsSpec& water) {
  return has_damping(water) && !is_identity(water.damping_frame);
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

namespace {

// text between tags loses the blanks at its ends
bool can_be_named(const BodySpec& body) {
  return !body.name.starts_with(' ') && !body.name.ends_with(' ');
}

bool needs_hydrodynamics(const BodySpec& body, PluginAddedMass added_mass) {
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  return can_be_named(body) && ((has_damping(water) && !has_own_damping_frame(water)) ||
                                (added_mass == PluginAddedMass::here && water.added_mass));
}

bool needs_buoyancy(const HydrodynamicsSpec& water) {
  return water.volume || water.center_of_buoyancy;
}

}  // namespace

bool needs_water_plugins(const BodySpec& body, PluginAddedMass added_mass) {
  return body.hydrodynamics &&
         (needs_hydrodynamics(body, added_mass) || needs_buoyancy(*body.hydrodynamics));
}

void write_water_plugins(const BodySpec& body, PluginAddedMass added_mass, XmlWriter& xml) {
  if (!body.hydrodynamics) return;
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  if (needs_hydrodynamics(body, added_mass)) {
    xml.open("plugin").attribute("filename", "gz-sim-hydrodynamics-system");
    xml.attribute("name", "gz::sim::systems::Hydrodynamics");
    xml.leaf("link_name", body.name);
    if (added_mass == PluginAddedMass::here && water.added_mass)
      write_derivatives(symmetric_part(*water.added_mass), added_mass_derivative, xml);
    if (!has_own_damping_frame(water)) {
      write_derivatives(water.linear_damping, linear_derivative, xml);
      write_derivatives(water.quadratic_damping, quadratic_derivative, xml);
    }
    xml.close();
  }
  if (needs_buoyancy(water)) {
    xml.open("plugin").attribute("filename", "libBuoyancyPlugin.so");
    xml.attribute("name", "buoyancy of " + body.name);
    xml.open("link").attribute("name", body.name);
    if (water.center_of_buoyancy)
      xml.leaf("center_of_volume", format_numbers(*water.center_of_buoyancy));
    if (water.volume) xml.leaf("volume", *water.volume);
    xml.close().close();
  }
}

void list_lost_hydrodynamics(const BodySpec& body, WaterPlugins plugins, const char* format,
                             Losses& losses) {
  if (!body.hydrodynamics) return;
  const HydrodynamicsSpec& water = *body.hydrodynamics;
  std::vector<std::string> lost;
  if (plugins == WaterPlugins::none || !can_be_named(body)) {
    if (water.added_mass) lost.emplace_back("added mass");
    if (has_damping(water)) lost.emplace_back("damping in water");
  } else if (has_own_damping_frame(water)) {
    lost.emplace_back("damping in water in a frame of its own");
  }
  if (plugins == WaterPlugins::none) {
    if (water.volume) lost.emplace_back("displaced volume");
    if (water.center_of_buoyancy) lost.emplace_back("centre of buoyancy");
  } else if (needs_buoyancy(water)) {
    losses.description("body '" + body.name + "'",
                       "its volume and centre of buoyancy are written for BuoyancyPlugin of Gazebo "
                       "classic; newer versions of Gazebo take those of collision shapes");
  }
  if (!water.cylinders.empty()) lost.emplace_back("cylinders for drag");
  if (water.drag_coefficient) lost.emplace_back("drag coefficient");
  if (lost.empty()) return;
  losses.dynamics("body '" + body.name + "'",
                  fmt::format("left out: {}, which {} has no place for; in water it moves by what "
                              "is written and by its shapes",
                              fmt::join(lost, ", "), format));
}

}  // namespace limber
