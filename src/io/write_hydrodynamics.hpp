#pragma once
// Spec to XML: links in a fluid, as Gazebo describes them.
#include "io/write.hpp"
#include "io/xml_writer.hpp"

namespace limber {

/// <fluid_added_mass> of SDF, if the body has one.
void write_fluid_added_mass(const BodySpec& body, XmlWriter& xml);

/// Gazebo's plug-in Hydrodynamics with the damping of a body, and with its added mass where the
/// file has no other place for it; false: there is nothing to say.
enum class PluginAddedMass { elsewhere, here };
bool needs_hydrodynamics_plugin(const BodySpec& body, PluginAddedMass added_mass);
void write_hydrodynamics_plugin(const BodySpec& body, PluginAddedMass added_mass, XmlWriter& xml);

/// Lists what the format has no place for; of added mass and damping, whether it has one.
enum class WaterMatrices { lost, held };
void list_lost_hydrodynamics(const BodySpec& body, WaterMatrices matrices, const char* format,
                             Losses& losses);

}  // namespace limber
