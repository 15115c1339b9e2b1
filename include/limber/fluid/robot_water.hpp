#pragma once
// The hydrodynamics of a whole robot from what its file says: numbers, shapes, meshes.
#include <optional>
#include <string>
#include <vector>

#include <limber/fluid/water_loads.hpp>
#include <limber/io/mesh_files.hpp>

namespace limber {

/// What robot_water() needs besides the robot.
struct RobotWaterSettings {
  double density = 1025;        ///< of the fluid [kg/m³]
  double drag_coefficient = 1;  ///< of shapes, unless the file gives the link one
  MeshSearch meshes;            ///< where meshes are: mesh_search(robot_file); without a robot file
                                ///< beside the file that each link comes from
  PanelSettings panels;         ///< for meshes
  double skin_coefficient = 0;  ///< C_f of friction along shapes
};

/// Result of robot_water().
struct RobotWater {
  std::vector<LinkHydrodynamics> links;  ///< those with a shape or numbers of their own
  std::vector<std::string> notes;        ///< what was assumed, and what was passed over
};

/// For each link the sum over its collision shapes, or over its visual shapes if it has no others;
/// shapes that overlap count twice. A mesh that is not closed counts as its convex hull, one with
/// more than 2000 triangles is thinned out. What the file says about the link in a fluid
/// (BodySpec::hydrodynamics) takes the place of what its shapes give, number by number; damping and
/// cylinders take the place of the drag of its shapes, unless it gives a drag coefficient, too. The
/// hull is moved so that its centre is the centre of buoyancy that the file gives. Throws Error for
/// shapes that cannot be: sizes that are not positive.
RobotWater robot_water(const Spec& spec, const RobotWaterSettings& settings = {});

/// What the shapes that count displace together, in the frame of the link; nothing without a shape,
/// and if one of them is a mesh, which robot_water() reads. Throws Error as robot_water().
std::optional<Displacement> shape_displacement(const BodySpec& body);

}  // namespace limber
