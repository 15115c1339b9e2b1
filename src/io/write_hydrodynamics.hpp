#pragma once
// Spec to XML: links in a fluid, as Gazebo describes them.
#include "io/write.hpp"
#include "io/xml_writer.hpp"

namespace limber {

/// <fluid_added_mass> of SDF, if the body has one.
void write_fluid_added_mass(const BodySpec& body, XmlWriter& xml);

/// Plug-ins of Gazebo: Hydrodynamics with the damping of a body, and with its added mass where the
/// file has no other place for it; BuoyancyPlugin with its volume and centre of buoyancy. False:
/// there is nothing to say.
enum class PluginAddedMass { elsewhere, here };
bool needs_water_plugins(const BodySpec& body, PluginAddedMass added_mass);
void write_water_plugins(const BodySpec& body, PluginAddedMass added_mass, XmlWriter& xml);

/// Lists what the format has no place for; `plugins`: whether it has those above.
enum class WaterPlugins { none, written };
void list_lost_hydrodynamics(const BodySpec& body, WaterPlugins plugins, const char* format,
                             Losses& losses);

}  // namespace limber
