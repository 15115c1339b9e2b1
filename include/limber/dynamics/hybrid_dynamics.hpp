#pragma once
// Hybrid dynamics: of each degree of freedom either the force or the acceleration is known, and the
// other is computed. [RDA] §7.5
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/tree_factor.hpp>

namespace limber {

/// All accelerations and all forces; views of nv numbers each in the workspace.
template <class T>
struct Hybrid {
  std::span<const T> a;    ///< [rad/s² or m/s²]
  std::span<const T> tau;  ///< generalised forces [N m or N]
};

/// Accelerations and forces of all freedoms from one of the two for each. known (nv): which is
/// given; it may differ within a joint. given (nv): the known force [N m or N] or acceleration
/// [rad/s² or m/s²]. All forces known: forward dynamics; all accelerations known: inverse dynamics.
/// By articulated bodies, O(bodies), [RDA] (7.36)-(7.38); others than those with
/// model.has_local_groups() go by the mass matrix. No allocation. Throws Error where a freedom
/// whose force is known meets no inertia; one whose acceleration is known needs none.
template <class T>
Hybrid<T> hybrid_dynamics(const BasicModel<T>& model, In<T> q, In<T> v,
                          std::span<const Known> known, In<T> given, BasicWorkspace<T>& ws,
                          const Loads<T>& loads = {});
/// The same, written to a and tau (nv each).
template <class T>
void hybrid_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, std::span<const Known> known,
                     In<T> given, BasicWorkspace<T>& ws, Out<T> a, Out<T> tau,
                     const Loads<T>& loads = {});

/// The same by inverse dynamics with the known accelerations, then the mass matrix of the rest.
/// [RDA] (7.32)-(7.34)
template <class T>
Hybrid<T> hybrid_dynamics_by_mass_matrix(const BasicModel<T>& model, In<T> q, In<T> v,
                                         std::span<const Known> known, In<T> given,
                                         BasicWorkspace<T>& ws, const Loads<T>& loads = {});
template <class T>
void hybrid_dynamics_by_mass_matrix(const BasicModel<T>& model, In<T> q, In<T> v,
                                    std::span<const Known> known, In<T> given,
                                    BasicWorkspace<T>& ws, Out<T> a, Out<T> tau,
                                    const Loads<T>& loads = {});

/// What floating_base_inverse_dynamics() gives; views of nv numbers each in the workspace.
template <class T>
struct FloatingBaseForces {
  std::span<const T> a;  ///< [rad/s² or m/s²]
  JointForces<T> tau;    ///< generalised forces [N m or N]; joint_reaction() takes them
};

/// Inverse dynamics of a floating robot: the base moves as the limbs and the force on it (usually
/// none) make it. joint_a (nv − 6): accelerations of all joints but the base's; base_force: on the
/// base's six freedoms, moment then force in the moved joint frame of the base. By composite
/// inertias, O(bodies); [RDA] (7.25)-(7.31). The robot must have a single root joint, a free one;
/// other robots get an Error.
template <class T>
FloatingBaseForces<T> floating_base_inverse_dynamics(
    const BasicModel<T>& model, In<T> q, In<T> v, In<T> joint_a,
    const Force<std::type_identity_t<T>>& base_force, BasicWorkspace<T>& ws,
    const Loads<T>& loads = {});
/// The same, written to a and tau (nv each), which the result is a view of.
template <class T>
FloatingBaseForces<T> floating_base_inverse_dynamics(
    const BasicModel<T>& model, In<T> q, In<T> v, In<T> joint_a,
    const Force<std::type_identity_t<T>>& base_force, BasicWorkspace<T>& ws, Out<T> a, Out<T> tau,
    const Loads<T>& loads = {});

}  // namespace limber
