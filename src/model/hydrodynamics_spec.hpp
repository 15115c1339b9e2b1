#pragma once
// What validate() does with hydrodynamics.
#include <limber/model/spec.hpp>

namespace limber {

/// Throws Error for numbers that are not finite, negative volumes and coefficients, and cylinders
/// without radius or length.
void check_hydrodynamics_spec(const BodySpec& body);

}  // namespace limber
