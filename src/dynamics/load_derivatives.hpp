#pragma once
// What the inertia of loads (Loads::body_inertia, joint_inertia) and a fluid (Loads::fluid) add to
// derivatives. Apart from the strips, which have room for rigid bodies alone: robots without such
// loads pay nothing.
#include <limber/dynamics/loads.hpp>
#include <limber/dynamics/matrix_workspace.hpp>

namespace limber {

/// Adds the loads' share of ∂tau/∂q, ∂tau/∂v and of the mass matrix to the rows of results.
/// q, v, a: tree variables.
template <class T>
void add_load_derivatives(const char* function, const BasicModel<T>& m, const T* q, const T* v,
                          const T* a, const Loads<T>& loads, BasicWorkspace<T>& ws,
                          BasicMatrixWorkspace<T>& mw);

/// Rows [A | B | …] become [−M⁻¹ A | −M⁻¹ B | M⁻¹], column by column.
template <class T>
void solve_columns(const BasicModel<T>& m, const BasicTreeFactor<T>& factor,
                   BasicMatrixWorkspace<T>& mw);

}  // namespace limber
