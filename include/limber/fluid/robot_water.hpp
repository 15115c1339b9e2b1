#pragma once
// The hydrodynamics of a whole robot from what its file says: shapes, meshes, added mass.
#include <string>
#include <vector>

#include <limber/fluid/water_loads.hpp>
#include <limber/io/mesh_files.hpp>

namespace limber {

/// What robot_water() needs besides the robot.
struct RobotWaterSettings {
  double density = 1025;        ///< of the fluid [kg/m³]
  double drag_coefficient = 1;  ///< of all shapes
  MeshSearch meshes;            ///< where meshes are: mesh_search(robot_file); without a robot file
                                ///< beside the file that each link comes from
  PanelSettings panels;         ///< for meshes
};

/// Result of robot_water().
struct RobotWater {
  std::vector<LinkHydrodynamics> links;  ///< those with a shape or with added mass of their own
  std::vector<std::string> notes;        ///< what was assumed, and what was passed over
};

/// For each link the sum over its collision shapes, or over its visual shapes if it has no others;
/// shapes that overlap count twice. A mesh that is not closed counts as its convex hull, one with
/// more than 2000 triangles is thinned out. The added mass that the file gives a link
/// (BodySpec::added_mass) takes the place of that of its shapes. Throws Error for shapes that
/// cannot be: sizes that are not positive.
RobotWater robot_water(const Spec& spec, const RobotWaterSettings& settings = {});

}  // namespace limber
