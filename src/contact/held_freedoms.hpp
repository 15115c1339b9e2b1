#pragma once
// Freedoms that impulses do not move.
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// After factorize() with the same `known`: freedoms whose acceleration is known answer to no
/// impulse; J M⁻¹ Jᵀ is that of the others. Their rows are those of the identity, which would
/// answer as if their inertia were one; the inverse pivot becomes next to nothing instead.
inline void hold_known(TreeFactor& factor, std::span<const Known> known) {
  constexpr double nothing = 1e-100;
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k] == Known::acceleration)
      factor.L[factor.M.pattern.end[static_cast<int>(k)] - 1] = nothing;
}

}  // namespace limber
