#pragma once
// Actuators and bearings: which part of a joint's force comes from its actuators, and which its
// bearing carries. [RDA] §7.4.2
//
// The actuators of a joint push along F (JointSpec::actuation, as many columns as S): f_a = F Q_a.
// The generalised force of all other functions is tau = Sᵀ F Q_a; with the usual F = S (Sᵀ S)⁻¹ the
// two are the same: a couple about a revolute axis, a force along a prismatic one, and for a screw
// of pitch ρ a force ρ/(1+ρ²) along and a couple 1/(1+ρ²) about the axis ([RDA] §7.3).
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// tau = Sᵀ F Q_a. efforts (nv): of each actuator, in the units that F gives them; out (nv):
/// generalised forces [N m or N].
template <class T>
void joint_forces_from_actuators(const BasicModel<T>& model, In<T> q, In<T> efforts,
                                 BasicWorkspace<T>& ws, Out<T> out);

/// Q_a = (Sᵀ F)⁻¹ tau: the efforts that give generalised forces tau (nv). [RDA] (7.14). Throws
/// Error naming the joint where its actuators cannot power it at this position.
template <class T>
void actuator_efforts(const BasicModel<T>& model, In<T> q, In<T> tau, BasicWorkspace<T>& ws,
                      Out<T> out);

/// The part F Q_a of joint_reaction() that the actuators supply, in the user's body frame, moment
/// about its origin. What a motor needs to speed up its own reflected rotor is no part of it. Zero
/// for a joint that needs no effort. Throws Error as above. `forces`: as for joint_reaction().
template <class T>
Force<T> actuator_force(const BasicModel<T>& model, const JointForces<T>& forces, int body);

/// The part of joint_reaction() that the bearing carries, f_r = (1 − F (Sᵀ F)⁻¹ Sᵀ) f, which does
/// no work. [RDA] (7.15). The whole force for a joint that needs no effort.
template <class T>
Force<T> bearing_reaction(const BasicModel<T>& model, const JointForces<T>& forces, int body);

}  // namespace limber
