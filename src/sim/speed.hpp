#pragma once
// How fast a joint, or what a part moves itself, is in a state.
#include <cmath>
#include <span>

#include <limber/sim/system.hpp>

namespace limber {

inline double speed_of(const System::Speed& one, std::span<const double> x) {
  return std::abs(one.ratio * x[one.index]);
}

}  // namespace limber
