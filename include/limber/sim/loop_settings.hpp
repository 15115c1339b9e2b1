#pragma once
// LoopSettings: how a run keeps the loops of a mechanism closed.
#include <cstdint>
#include <string>
#include <vector>

namespace limber {

/// What is done about the errors of integration, which open loops slowly.
enum class Drift : std::uint8_t {
  project,    ///< after each step positions, then velocities, are brought to the nearest ones that
              ///< close the loops
  baumgarte,  ///< gaps decay as those of a critically damped spring; nothing is projected
  independent,  ///< the loops determine some freedoms by the others, at every evaluation; which
                ///< ones is chosen anew there
};

/// What is done where a run begins with gaps that are larger than LoopSettings::largest_gap.
enum class LoopStart : std::uint8_t {
  assemble,  ///< the mechanism is assembled, see assemble()
  as_given   ///< the start is refused
};

struct LoopSettings {
  Drift drift = Drift::project;
  /// Baumgarte: frequency of the spring [1/s]; 0: 0.2 / step, with error control 1 / max_step.
  double rate = 0;
  double tolerance = 1e-12;  ///< gap that projections may leave [m or rad]
  /// That is closed without assembling where a run begins, or where an event closes a loop [m or
  /// rad].
  double largest_gap = 1e-3;
  LoopStart start = LoopStart::assemble;
  /// Joints whose initial position or velocity somebody has chosen: they keep it where the loops
  /// can be closed so.
  std::vector<std::string> chosen_positions, chosen_velocities;
};

}  // namespace limber
