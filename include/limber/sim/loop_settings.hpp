#pragma once
// LoopSettings: how a run keeps the loops of a mechanism closed.
#include <cstdint>

namespace limber {

/// What is done about the errors of integration, which open loops slowly.
enum class Drift : std::uint8_t {
  project,    ///< after each step positions, then velocities, are brought to the nearest ones that
              ///< close the loops
  baumgarte,  ///< gaps decay as those of a critically damped spring; nothing is projected
  independent,  ///< the loops determine some freedoms by the others, at every evaluation; which
                ///< ones is chosen anew there
};

struct LoopSettings {
  Drift drift = Drift::project;
  /// Baumgarte: frequency of the spring [1/s]; 0: 0.2 / step, with error control 1 / max_step.
  double rate = 0;
  double tolerance = 1e-12;   ///< gap that projections may leave [m or rad]
  double largest_gap = 1e-3;  ///< that is closed where a run begins or a loop is closed [m or rad]
};

}  // namespace limber
