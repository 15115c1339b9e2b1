#pragma once
#include <limber/model/spec.hpp>

namespace limber {

/// The box of uniform density that has this inertia; for a mere point mass a cube as heavy as
/// light metal. Very thin boxes are made thick enough to be seen.
ShapeSpec equivalent_box(const Inertia<double>& inertia);

}  // namespace limber
