#pragma once
// The stacked form: the equations of all bodies at once, in matrices of 6n rows, with the parent
// matrix P and the tree matrix Δ = (1 − P)⁻¹. [SC] (15)-(20), for trees and for joints with several
// columns. Spatial vectors are stacked angular part first.
#include <limber/reference/tree.hpp>

namespace limber::reference {

/// Everything that leads from a tree to Q = A q̈ + b.
template <class T>
struct StackedForm {
  std::string name;      ///< of the robot
  Matrix<T> P;           ///< a block 1₆ at (body, its parent); the world has no rows
  Matrix<T> Delta;       ///< (1 − P)⁻¹: a block 1₆ where the column's body carries the row's
  Matrix<T> s;           ///< block diagonal: the columns of each joint
  Matrix<T> I;           ///< block diagonal: 6×6 inertias
  Matrix<T> Ic;          ///< composite spatial inertia Δᵀ I Δ
  std::vector<T> v;      ///< velocities. (16)
  std::vector<T> kappa;  ///< bias accelerations; those of the base enter at its children
  std::vector<T> p, pc;  ///< bias and external forces; Δᵀ p
  Matrix<T> A;           ///< sᵀ I^C s, rotors on the diagonal, in the user's variables. (20)
  std::vector<T> b;      ///< sᵀ (I^C κ + p^C), in the user's variables. (20)
};

/// All matrices and vectors of the robot at the tree's state.
template <class T>
StackedForm<T> stacked_form(const Tree<T>& tree);

/// Q = A q̈ + b. (20)
template <class T>
std::vector<T> inverse_dynamics(const StackedForm<T>& form, In<T> a);
/// q̈ = A⁻¹ (Q − b), by LDLᵀ. (1)
template <class T>
std::vector<T> forward_dynamics(const StackedForm<T>& form, In<T> tau);

}  // namespace limber::reference
