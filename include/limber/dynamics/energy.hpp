#pragma once
// Energy, momentum and centre of mass. What is welded to the world counts in mass, centre and
// potential.
#include <limber/dynamics/kinematics.hpp>

namespace limber {

/// ½ vᵀ M v, rotors included [J].
template <class T>
T kinetic_energy(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws);
/// −Σ m g · c, zero at the world origin; springs are not included [J].
template <class T>
T potential_energy(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
/// Spatial momentum of all bodies and mounted rotors about the world origin, world axes [N m s, N
/// s].
template <class T>
Force<T> momentum(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws);
/// Centre of mass of everything, in the world [m]. Throws Error for a massless robot.
template <class T>
Vec3<T> center_of_mass(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
/// Velocity of the centre of mass, world axes [m/s].
template <class T>
Vec3<T> center_of_mass_velocity(const BasicModel<T>& model, In<T> q, In<T> v,
                                BasicWorkspace<T>& ws);

}  // namespace limber
