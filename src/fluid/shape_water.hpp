#pragma once
// What a shape does in water, but for its added mass, which may take long to find.
#include <limber/fluid/hydrodynamics.hpp>

namespace limber {

/// Displacement, drag and hull.
Hydrodynamics shape_without_added_mass(const ShapeSpec& shape, double drag_coefficient);

}  // namespace limber
