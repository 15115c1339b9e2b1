#pragma once
// What is drawn of each body: the shapes of its file, or else a skeleton; and why.
#include <limber/scenario/scenario.hpp>

#include "report/scene_meshes.hpp"

namespace limber {

/// All in the user's frame of the body. The first kind that is not empty is drawn, unless another
/// one is chosen; the box of equal inertia is drawn only by choice. `mesh_file` is the file that
/// was found and read.
struct DrawnBody {
  std::vector<ShapeSpec> visual;     ///< of the file
  std::vector<ShapeSpec> collision;  ///< of the file, where they are the body's shape
  std::vector<ShapeSpec> skeleton;
  std::vector<ShapeSpec> inertia;  ///< a box of equal inertia
};

struct DrawnBodies {
  std::vector<DrawnBody> bodies;  ///< of the model, with the world and without rotors' shapes
  std::string reason;             ///< what is drawn and why, for people
};
/// Reads the meshes that are drawn into `meshes`.
DrawnBodies shapes_of_bodies(const Scenario& scenario, SceneMeshes& meshes);

}  // namespace limber
