#pragma once
// The shapes of a scene, made from a robot and its surroundings.
#include <string>
#include <vector>

#include <limber/collision/collision_scene.hpp>

namespace limber {

struct SceneShapes {
  std::vector<SceneShape> shapes;
  std::vector<std::string> left_out;  ///< what could not be made, and why
};
SceneShapes make_scene_shapes(const Spec& spec, const Model& model,
                              std::vector<SceneryShape> scenery, const CollisionSettings& settings);

}  // namespace limber
