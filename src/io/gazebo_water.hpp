#pragma once
// What plug-ins of Gazebo, gz and classic, say about links in water; in SDF, and in <gazebo> of
// URDF.
#include <functional>

#include <limber/model/spec.hpp>

#include "io/xml.hpp"

namespace limber {

/// The body of a link that an element of a plug-in names. Throws Error if there is none.
using FindBody = std::function<BodySpec&(const XmlElement& element, const std::string& link)>;

/// Reads a <plugin> of a model if it is one of these, else returns false:
///   gz::sim::systems::Hydrodynamics       derivatives of forces, about the link's origin
///   uuv_underwater_object of uuv_simulator <hydrodynamic_model>, <volume>, <center_of_buoyancy>
///   BuoyancyPlugin of Gazebo classic      <volume>, <center_of_volume>
bool read_water_plugin(const XmlElement& plugin, const FindBody& find);

/// True of gz::sim::systems::Buoyancy, which stands in a world.
bool is_buoyancy_plugin(const XmlElement& plugin);
/// Says what of it belongs to the water, and returns what it is enabled for: full names of models
/// and links; empty: all.
std::vector<std::string> read_buoyancy_plugin(const XmlElement& plugin);

/// The part of read_water_plugin() for <link> in a plug-in.
void read_uuv_links(const XmlElement& plugin, const FindBody& find);

}  // namespace limber
