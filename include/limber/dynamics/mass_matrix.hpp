#pragma once
// The mass matrix by composite rigid bodies. [RDA] (5.11)-(5.14), (7.9). Its factor
// and solves: dynamics/tree_factor.hpp.
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// M(q), symmetric positive definite (nv × nv), with the inertia of rotors and that which the loads
/// add. Entries between different branches are zero and are not stored. O(nv · depth), no
/// allocation; a view into `ws`. [kg m², kg m, kg]
template <class T>
TreeMatrixView<T> mass_matrix(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                              const Loads<T>& loads = {});

/// The same, written to the caller's memory: all nv × nv numbers.
template <class T>
void mass_matrix(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws, Out<T> out,
                 const Loads<T>& loads = {});

}  // namespace limber
