#pragma once
// Robots with a floating base, the base taken as link 0 and not as a link on a joint with six
// freedoms. [RDA] §7.5
//
// For models of which one body alone hangs from the world, on a free joint: that body is link 0.
// Its six variables come first in v, a and tau: angular, then linear, in the body's own axes. All
// throw Error for other models, and for rotors on the free joint.
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// Forward dynamics by articulated bodies, a₀ = (I₀ᴬ)⁻¹ (f₀ − p₀). [RDA] (7.20). Throws Error for
/// mimic joints. tau (nv), of which the first six are the force on the base → a (nv).
template <class T>
std::vector<T> floating_articulated_bodies(const Tree<T>& tree, In<T> tau);

/// Forward dynamics by the bordered system [I₀ᶜ K; Kˢ H] [a₀; q̈] = [f₀ˣ − f₀; Q − C], LDLᵀ. [RDA]
/// (7.21)-(7.24). The book's matrix becomes symmetric when its first three rows change places with
/// the next three; with motions and forces both angular first it is so from the start.
template <class T>
std::vector<T> floating_bordered_system(const Tree<T>& tree, In<T> tau);

/// The base's acceleration and the joints' forces.
template <class T>
struct FloatingInverse {
  std::vector<T> base_acceleration;  ///< derivative of the base's six velocity variables
  std::vector<T> tau;                ///< of the joints (nv − 6)
};
/// Inverse dynamics: joint accelerations (nv − 6) and force on the base (six numbers) are given.
/// [RDA] (7.25)-(7.31). O(n)
template <class T>
FloatingInverse<T> floating_inverse_dynamics(const Tree<T>& tree, In<T> joint_accelerations,
                                             In<T> base_force);

}  // namespace limber::reference
