#pragma once
// Forces from outside and between frames, as the replay draws them.
#include "report/scene.hpp"

namespace limber {

/// Arrows: [{name, body, position, force}] with the force at each of the rows, in world axes [N];
/// those of contacts have `points`, where they act, at each of the rows, in the world.
/// `place`: where each body of the model stands among those that are drawn.
Json forces_json(const Scenario& scenario, const Recording& recording,
                 std::span<const std::size_t> rows, std::span<const int> place);
/// Lines between the ends of forces that act along them: [{name, ends: [{body, position} × 2]}].
Json lines_json(const Scenario& scenario, std::span<const int> place);

}  // namespace limber
