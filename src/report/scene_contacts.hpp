#pragma once
// What touches, in the replay: scenery as shapes of the bodies that carry it, contact forces as
// arrows that move.
#include "report/scene.hpp"
#include "report/scene_meshes.hpp"

namespace limber {

/// The scenery that a body of the model carries (0: the world), in the body's frame.
std::vector<ShapeSpec> scenery_shapes(const Scenario& scenario, int body, SceneMeshes& meshes);

/// The height of level ground that can be touched; nothing: there is none.
std::optional<double> ground_height(const Scenario& scenario);

/// Arrows [{name, body: 0, position, force, points}] with the point at each of the rows, world
/// axes.
void add_contact_forces(const Scenario& scenario, const Recording& recording,
                        std::span<const std::size_t> rows, Json& all);

}  // namespace limber
