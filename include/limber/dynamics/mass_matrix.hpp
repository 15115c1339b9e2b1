#pragma once
// The joint-space inertia matrix by composite rigid bodies, its sparse factor and solve.
// [RDA] (5.11)-(5.14), (7.9); the factor is L of M = Lᵀ D L along the tree, without fill-in.
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// M(q), symmetric positive definite (nv × nv); entries between different branches are zero.
/// Rotor inertia is on the diagonal. O(nv · depth), no allocation. [kg m², kg m, kg]
template <class T>
SymmetricView<T> mass_matrix(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);

/// Factors the matrix that mass_matrix() left in `ws`: M = Lᵀ D L with unit lower L on the
/// branches.
template <class T>
void factorize_mass_matrix(const BasicModel<T>& model, BasicWorkspace<T>& ws);

/// x = M⁻¹ x with the factor in `ws`; x has nv entries.
template <class T>
void solve_mass_matrix(const BasicModel<T>& model, const BasicWorkspace<T>& ws,
                       std::span<std::type_identity_t<T>> x);

}  // namespace limber
