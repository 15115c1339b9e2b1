#pragma once
// The Coriolis matrix and the inverse of the mass matrix. O(nv · depth) and O(nv²), no
// allocation.
#include <limber/dynamics/derivatives.hpp>

namespace limber {

/// C(q, v) with C v + g = bias_forces(), of Christoffel's symbols: Ṁ − 2C is antisymmetric. For
/// joints whose velocities are no derivatives of positions (quaternions) it is the matrix of their
/// quasi-velocities, with the same two properties. View into `mw`.
template <class T>
MatrixView<T> coriolis_matrix(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                              BasicMatrixWorkspace<T>& mw);
/// The same, written to `out` row by row (nv × nv numbers).
template <class T>
void coriolis_matrix(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                     BasicMatrixWorkspace<T>& mw, Out<T> out);

/// M⁻¹ (nv × nv), both triangles. Throws Error like forward_dynamics() where M is singular. View
/// into `mw`.
template <class T>
MatrixView<T> inverse_mass_matrix(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                                  BasicMatrixWorkspace<T>& mw);
/// The same, written to `out` row by row (nv × nv numbers).
template <class T>
void inverse_mass_matrix(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                         BasicMatrixWorkspace<T>& mw, Out<T> out);

}  // namespace limber
