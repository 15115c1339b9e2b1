#pragma once
// Momentum about the centre of mass as a function of the velocities.
#include <limber/dynamics/energy.hpp>

namespace limber {

/// A_G(q) (6 × nv), rows angular then linear: A_G v is the momentum of all bodies about the centre
/// of mass, in world axes [N m s, N s]; mounted rotors are bodies and count, reflected rotor
/// inertia does not. O(bodies + nv). View into `ws`.
template <class T>
MatrixView<T> centroidal_momentum_matrix(const BasicModel<T>& model, In<T> q,
                                         BasicWorkspace<T>& ws);
/// The same, written to `out` row by row (6 nv numbers).
template <class T>
void centroidal_momentum_matrix(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                                Out<T> out);

/// Ȧ_G v: the rate of the momentum about the centre of mass when a = 0, world axes [N m, N].
template <class T>
Force<T> centroidal_momentum_bias(const BasicModel<T>& model, In<T> q, In<T> v,
                                  BasicWorkspace<T>& ws);

}  // namespace limber
