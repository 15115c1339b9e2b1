#pragma once
// Energy, momentum and centre of mass. What is welded to the world counts in mass, centre and
// potential.
#include <limber/dynamics/kinematics.hpp>

namespace limber {

/// ½ vᵀ M v, rotors and the inertia that the loads add included; of the loads nothing else counts.
/// In a fluid (Loads::fluid) that is the energy of the robot, ½ Σ v · I v, and of the fluid that it
/// moves, ½ Σ v_r · B v_r, with the velocity v_r of each body relative to the fluid: in a current
/// as seen by an observer that moves with it. [J]
template <class T>
T kinetic_energy(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                 const Loads<T>& loads = {});
/// The same without loads, where the bodies' velocities are known.
template <class T>
T kinetic_energy(const BasicModel<T>& model, In<T> v, const BasicVelocities<T>& bodies);
/// −Σ m g · c, zero at the world origin; springs are not included [J].
template <class T>
T potential_energy(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
/// The same where the bodies' poses are known.
template <class T>
T potential_energy(const BasicModel<T>& model, const BasicPoses<T>& bodies);
/// Spatial momentum of all bodies, mounted rotors and the inertia that the loads add to bodies,
/// about the world origin, world axes [N m s, N s]. In a fluid the latter is its impulse, B v_r
/// with velocities relative to it.
template <class T>
Force<T> momentum(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                  const Loads<T>& loads = {});
/// Centre of mass of everything, in the world [m]. Throws Error for a massless robot.
template <class T>
Vec3<T> center_of_mass(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
/// Velocity of the centre of mass, world axes [m/s].
template <class T>
Vec3<T> center_of_mass_velocity(const BasicModel<T>& model, In<T> q, In<T> v,
                                BasicWorkspace<T>& ws);

}  // namespace limber
