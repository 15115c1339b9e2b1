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

/// Where things stand in the Spec.
struct UrdfIndex {
  using Names = std::map<std::string, std::size_t, std::less<>>;
  Names links, joints;
  Names carriers;   ///< joints by their child
  Names actuators;  ///< by their joint
};

/// <transmission>: gear ratio and rotor inertia of the joint it names, and its actuator.
void read_urdf_transmission(const XmlElement& element, Spec& spec, UrdfIndex& index);

/// <ros2_control>: actuators, gear ratios, sensors.
void read_ros2_control(const XmlElement& element, Spec& spec, UrdfIndex& index);

/// <gazebo reference>: friction and self-collision of links, springs of joints; without a
/// reference: plug-ins about links in water.
void read_urdf_gazebo(const XmlElement& element, Spec& spec, const UrdfIndex& index);

/// <hydrodynamics> of the robot: its root link in water, or all of a robot without links.
void read_urdf_hydrodynamics(const XmlElement& element, Spec& spec, const UrdfIndex& index);

/// <loop> of URDF+, or <loop_joint> of older files: a joint that closes a loop.
LoopSpec read_urdf_loop(const XmlElement& element);

/// <coupling> of URDF+: a joint that follows another.
LoopSpec read_urdf_coupling(const XmlElement& element, const Spec& spec, const UrdfIndex& index);

/// A list of loops, motors and joint kinds in YAML, which goes with a URDF file.
void read_urdf_closures(std::string_view text, const std::string& file, Spec& spec);

/// The text of a file, with a warning where such a list is beside it: robot.closed_loops.yaml for
/// robot.urdf.
Spec parse_urdf_of_file(std::string_view text, const std::string& file);
/// Whether a file is such a list, by its name; and the robot with its loops.
bool is_closures_file(const std::string& file);
Spec read_urdf_with_closures(const std::string& file);

}  // namespace limber
