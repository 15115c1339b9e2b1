#pragma once
// Water in the replay: its surface with waves, the sea bed, currents, and buoyancy as arrows.
#include "report/scene.hpp"

namespace limber {

/// {level, bed, waves: [{amplitude, frequency, number, direction, phase}], current, profile:
/// [{depth, velocity}]}: heights in the world, null where there is no surface or no bed; the
/// current that is the same everywhere at each of the rows. null without water.
Json water_json(const Scenario& scenario, const Recording& recording,
                std::span<const std::size_t> rows);

/// The height of the sea bed; nothing: there is none.
std::optional<double> bed_height(const Scenario& scenario);

/// Arrows as those of contacts, of kind `buoyancy`: one for each link that displaces water.
void add_buoyancy(const Scenario& scenario, const Recording& recording,
                  std::span<const std::size_t> rows, Json& all);

}  // namespace limber
