#pragma once
// Forces within limits that leave as little acceleration as they can: dry friction of freedoms that
// are at rest.
#include "constraint/dense.hpp"

namespace limber {

/// The f with lower ≤ f ≤ upper for which ½ fᵀ A f + bᵀ f is smallest, A symmetric and positive
/// semidefinite with a positive diagonal. Where several do, one near to `from`. With the
/// accelerations a = A f + b: f is within its limits where a is zero, at the lower one where a > 0,
/// at the upper one where a < 0, which is Coulomb's law at rest. Active sets on proximal problems
/// (A + ε D) that begin at the last solution, D the diagonal of A; a finite number of each.
Numbers solve_in_box(const Dense& A, const Numbers& b, const Numbers& from, const Numbers& lower,
                     const Numbers& upper);

}  // namespace limber
