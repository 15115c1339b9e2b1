#pragma once
// The parts of the URDF reader: one function per kind of element.
#include <array>
#include <map>
#include <string>

#include <limber/model/spec.hpp>

#include "io/xml.hpp"

namespace limber {

/// Colours by material name. All are read before any shape is painted: they may be declared later.
class UrdfMaterials {
 public:
  /// Reads a <material>, global or inside a <visual>; an unnamed or repeated one is no error.
  void read(const XmlElement& material);
  /// Gives the shape the colour that <material> holds or names.
  void paint(const XmlElement& material, ShapeSpec& shape) const;

 private:
  using Color = std::array<double, 4>;
  std::map<std::string, Color, std::less<>> colors_;
};

/// <link>: inertia in the link frame, shapes.
BodySpec read_urdf_link(const XmlElement& element, const UrdfMaterials& materials);

/// <joint>: kind, placement, axis, limits, friction, mimic.
JointSpec read_urdf_joint(const XmlElement& element);

/// <transmission>: gear ratio and rotor inertia of the joint it names.
void read_urdf_transmission(const XmlElement& element, Spec& spec,
                            const std::map<std::string, std::size_t, std::less<>>& joint_index);

}  // namespace limber
