#pragma once
// Inverse dynamics by recursive Newton-Euler in link coordinates. [RDA] (4.11)-(4.15), [McM] table
// 25
#include <cstdint>
#include <span>
#include <type_traits>

#include <limber/dynamics/loads.hpp>
#include <limber/model/workspace.hpp>

namespace limber {

template <class T>
using In =
    std::span<const std::type_identity_t<T>>;  ///< an input vector; anything contiguous converts

template <class T>
using Out = std::span<std::type_identity_t<T>>;  ///< memory of the caller that a result goes to

/// What inverse dynamics gives: a view of the joint forces (nv) [N m or N], and with it the forces
/// through the joints, which stay in the workspace, for joint_reaction(), actuator_force() and
/// bearing_reaction(). These refuse it when a later call has computed others there.
template <class T>
struct JointForces : std::span<const T> {
  JointForces() = default;
  /// The forces that the last recursion in `workspace` has left.
  JointForces(std::span<const T> tau, const BasicWorkspace<T>& workspace)
      : std::span<const T>(tau),
        ws(&workspace),
        force_count(workspace.force_count),
        placings(workspace.placings) {}

  const BasicWorkspace<T>* ws = nullptr;
  std::uint64_t force_count = 0, placings = 0;  ///< those of the workspace
};

/// tau = M(q) a + C(q, v) v + g(q) − Σ Jᵀ f_ext: the joint forces that give the acceleration a.
/// Rotor inertia is included; friction, damping and springs are where loads.passive says so. q
/// (nq), v (nv), a (nv) as the conventions of each joint kind say. O(bodies), no allocation.
/// Returns a view of nv numbers in `ws` [N m or N].
template <class T>
JointForces<T> inverse_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                                BasicWorkspace<T>& ws, const Loads<T>& loads = {});
/// The same, written to `out` (nv), which the result is a view of.
template <class T>
JointForces<T> inverse_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                                BasicWorkspace<T>& ws, Out<T> out, const Loads<T>& loads = {});

/// Forces for a = 0: Coriolis, centrifugal, gravity and external. [RDA] (5.3)
template <class T>
JointForces<T> bias_forces(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                           const Loads<T>& loads = {});
template <class T>
JointForces<T> bias_forces(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                           Out<T> out, const Loads<T>& loads = {});

/// Forces that hold the robot still against gravity: bias for v = 0.
template <class T>
JointForces<T> gravity_forces(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
template <class T>
JointForces<T> gravity_forces(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                              Out<T> out);

/// The whole force that the joint of `body` transmits to it (bearing load and drive), in the user's
/// body frame, moment about its origin. `forces`: what inverse_dynamics(), bias_forces(),
/// gravity_forces(), static_forces() or floating_base_inverse_dynamics() returned. [RDA] §4.4
template <class T>
Force<T> joint_reaction(const BasicModel<T>& model, const JointForces<T>& forces, int body);

/// Damping, Coulomb friction and springs: what the drives must add to inverse dynamics, and what
/// forward dynamics must subtract: D v + F± sign(v) + k (q − q0), written to `out` (nv). A mimic
/// joint's share goes to its master.
template <class T>
void passive_forces(const BasicModel<T>& model, In<T> q, In<T> v, Out<T> out);

}  // namespace limber
