#pragma once
// What the clock of a simulation tells apart.
#include <algorithm>
#include <cmath>

namespace limber {

/// Instants closer than this are one [s].
constexpr double finest_instant = 1e-12;
inline double resolution(double t) { return finest_instant * std::max(1.0, std::abs(t)); }

}  // namespace limber
