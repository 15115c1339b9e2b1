#pragma once
// The smallest efforts within limits.
#include "constraint/dense.hpp"

namespace limber {

/// The u with the smallest Σ w u² among those with C u = d and lower ≤ u ≤ upper, by Newton's
/// method on the multipliers of C u = d: u = clip(Cᵀ μ / w). Each iteration finds the set of
/// efforts at their limits exactly, so a finite number of them ends it. Returns the largest |C u −
/// d| that is left: not small where the limits do not let it be.
double bounded_efforts(const Dense& C, const Numbers& d, const Numbers& weight,
                       const Numbers& lower, const Numbers& upper, Numbers& u);

}  // namespace limber
