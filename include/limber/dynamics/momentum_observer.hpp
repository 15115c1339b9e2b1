#pragma once
// What observers of generalised momentum are made of, and equilibrium. O(bodies), no allocation.
//
// With p = M v the equation of motion reads ṗ = tau + β + Σ Jᵀ f_ext with β = Cᵀ v − g, without any
// acceleration: an observer integrates tau + β and takes what is left for the force of the world.
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// p = M v, rotors included, written to `out` (nv) [N m s or N s].
template <class T>
void generalized_momentum(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                          Out<T> out);

/// β = Cᵀ v − g, written to `out` (nv) [N m or N]. C as coriolis_matrix() has it.
template <class T>
void momentum_observer_bias(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                            Out<T> out);

/// Joint forces that hold the robot still against gravity and external forces (and springs, if
/// loads say so). Returns a view of nv numbers in `ws` [N m or N].
template <class T>
JointForces<T> static_forces(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                             const Loads<T>& loads = {});
template <class T>
JointForces<T> static_forces(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws, Out<T> out,
                             const Loads<T>& loads = {});

}  // namespace limber
