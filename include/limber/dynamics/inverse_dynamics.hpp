#pragma once
// Inverse dynamics by recursive Newton-Euler in link coordinates. [RDA] (4.11)-(4.15), [McM] table
// 25
#include <span>
#include <type_traits>

#include <limber/dynamics/loads.hpp>
#include <limber/model/workspace.hpp>

namespace limber {

template <class T>
using In =
    std::span<const std::type_identity_t<T>>;  ///< an input vector; anything contiguous converts

/// tau = M(q) a + C(q, v) v + g(q) − Σ Jᵀ f_ext: the joint forces that give the acceleration a.
/// Rotor inertia is included; friction, damping and springs are where loads.passive says so. q
/// (nq), v (nv), a (nv) as the conventions of each joint kind say. O(bodies), no allocation.
/// Returns a view of nv numbers in `ws` [N m or N].
template <class T>
std::span<const T> inverse_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads = {});

/// Forces for a = 0: Coriolis, centrifugal, gravity and external. [RDA] (5.3)
template <class T>
std::span<const T> bias_forces(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                               const Loads<T>& loads = {});

/// Forces that hold the robot still against gravity: bias for v = 0.
template <class T>
std::span<const T> gravity_forces(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);

/// After inverse_dynamics(): the whole force that the joint of `body` transmits to it (bearing load
/// and drive), in the user's body frame, moment about its origin. [RDA] §4.4
template <class T>
Force<T> joint_reaction(const BasicModel<T>& model, const BasicWorkspace<T>& ws, int body);

/// Damping, Coulomb friction and springs: what the drives must add to inverse dynamics, and what
/// forward dynamics must subtract: D v + F± sign(v) + k (q − q0), written to `out` (nv). A mimic
/// joint's share goes to its master.
template <class T>
void passive_forces(const BasicModel<T>& model, In<T> q, In<T> v,
                    std::span<std::type_identity_t<T>> out);

}  // namespace limber
