#pragma once
// Directions in the settings of a vehicle's parts.
#include <string>

#include <limber/math/vec3.hpp>

namespace limber {

/// Throws Error unless the direction is a unit vector.
void check_unit(const Vec3<double>& direction, const char* field, const std::string& where);

}  // namespace limber
