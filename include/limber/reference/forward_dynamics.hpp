#pragma once
// Forward dynamics in absolute coordinates: by the mass matrix, by iteration without it, and by
// articulated bodies. tau (nv) [N m or N] → acceleration (nv) [rad/s² or m/s²]. All throw Error
// for a motion without inertia.
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// H by composite bodies, C by inverse dynamics, then a dense LDLᵀ solve of H q̈ = Q − C.
/// [RDA] (5.1), (5.3), (5.6). O(n³)
template <class T>
std::vector<T> forward_dynamics_by_mass_matrix(const Tree<T>& tree, In<T> tau);

/// What method 4 found and how it got there.
template <class T>
struct IterativeSolution {
  std::vector<T> a;    ///< acceleration
  int iterations = 0;  ///< products H u, at most n
  T residual = T(0);   ///< |Q − C − H q̈| / |Q − C|
};

/// To which earlier directions of the iteration a new one is made conjugate.
enum class Conjugacy {
  all,  ///< to every one: n iterations suffice also with rounding; O(n³) besides the products H u
  last  ///< to the last one: the classical method, enough without rounding; O(n) per iteration
};

/// Walker and Orin's method 4: conjugate directions, each iteration has one product H u, H itself
/// is never formed. At most n iterations. [RDA] §5.2
template <class T>
IterativeSolution<T> walker_orin_4(const Tree<T>& tree, In<T> tau,
                                   Conjugacy conjugacy = Conjugacy::all);

/// Articulated bodies as the equations are first written down, each with its whole right-hand side.
/// [RDA] (6.27), (6.28), (6.37)-(6.45), several columns (7.19). Throws Error for mimic joints,
/// which tie joints of the tree together. O(n)
template <class T>
std::vector<T> absolute_articulated_bodies_without_sharing(const Tree<T>& tree, In<T> tau);

/// The same with common sub-expressions c, h, d, u. [RDA] (6.46)-(6.55), (7.19)
template <class T>
std::vector<T> absolute_articulated_bodies(const Tree<T>& tree, In<T> tau);

}  // namespace limber::reference
