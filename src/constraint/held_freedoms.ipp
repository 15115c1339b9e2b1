#pragma once
// Freedoms whose acceleration, velocity or position is known: their columns of J go to the right
// side, and their rows of the mass matrix are those of the identity (factorize with `known`).
#include <limber/constraint/closed_dynamics.hpp>

#include <algorithm>

#include "index.hpp"

namespace limber {

inline bool is_held(std::span<const Known> known, std::size_t k) {
  return !known.empty() && known[k] == Known::acceleration;
}

/// right −= J x over the held freedoms, whose rows of Jᵀ become zero; held_JT keeps them.
template <class T>
void take_held_to_right(const BasicMechanism<T>& m, std::span<const Known> known, In<T> x,
                        BasicClosedDynamics<T>& closed) {
  if (known.empty()) return;
  std::copy(closed.rows.JT.begin(), closed.rows.JT.end(), closed.held_JT.begin());
  for (int k = 0; k < m.tree.nv; ++k) {
    if (!is_held(known, at_index(k))) continue;
    for (int i = 0; i < m.rows; ++i) {
      closed.right[i] -= closed.rows.jt(k, i) * x[at_index(k)];
      closed.rows.jt(k, i) = T(0);
    }
  }
}

/// Jᵀ with all freedoms again.
template <class T>
void give_held_back(BasicClosedDynamics<T>& closed) {
  std::copy(closed.held_JT.begin(), closed.held_JT.end(), closed.rows.JT.begin());
}

}  // namespace limber
