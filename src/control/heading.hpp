#pragma once
#include <cmath>

#include <limber/math/mat3.hpp>

namespace limber {

/// Where the x axis of a turned frame points in the plan: from x towards y of the world. [rad]
inline double heading_of(const Mat3<double>& R) { return std::atan2(R.yx, R.xx); }

}  // namespace limber
