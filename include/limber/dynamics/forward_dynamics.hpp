#pragma once
// Forward dynamics: the acceleration that joint forces give.
#include <limber/dynamics/mass_matrix.hpp>

namespace limber {

/// a(q, v, tau) by articulated bodies, O(bodies); [RDA] (6.56)-(6.65), [McM] table 29. Models whose
/// mimic joints or rotors lie far from each other (model.has_local_groups()) go by the mass matrix.
/// Friction and springs as the loads say. No allocation. Throws Error before the recursion if the
/// robot cannot have forward dynamics (model.singular_reason). Returns a view of nv numbers in `ws`
/// [rad/s² or m/s²].
template <class T>
std::span<const T> forward_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau,
                                    BasicWorkspace<T>& ws, const Loads<T>& loads = {});
/// The same, written to `out` (nv).
template <class T>
void forward_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau,
                      BasicWorkspace<T>& ws, Out<T> out, const Loads<T>& loads = {});

/// The same by bias forces, mass matrix, sparse factor and solve. [RDA] ch. 5
template <class T>
std::span<const T> forward_dynamics_by_mass_matrix(const BasicModel<T>& model, In<T> q, In<T> v,
                                                   In<T> tau, BasicWorkspace<T>& ws,
                                                   const Loads<T>& loads = {});
template <class T>
void forward_dynamics_by_mass_matrix(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau,
                                     BasicWorkspace<T>& ws, Out<T> out, const Loads<T>& loads = {});

}  // namespace limber
