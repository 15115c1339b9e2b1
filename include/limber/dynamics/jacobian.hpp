#pragma once
// Geometric Jacobians: frame velocity = J(q) v. [RDA] §2.3.2
#include <limber/dynamics/kinematics.hpp>

namespace limber {

/// J (6 × nv), rows angular x, y, z then linear x, y, z, of a frame in the given reference. No
/// allocation; computes what it needs from q.
template <class T>
MatrixView<T> jacobian(const BasicModel<T>& model, In<T> q, int frame, Reference reference,
                       BasicWorkspace<T>& ws);

/// J̇ v: the rate of frame_velocity() in the same reference when a = 0. For `world_aligned` this is
/// the derivative of the world-axis components of (ω, velocity of the origin): the classical
/// acceleration.
template <class T>
Motion<T> jacobian_dot_times_v(const BasicModel<T>& model, In<T> q, In<T> v, int frame,
                               Reference reference, BasicWorkspace<T>& ws);

}  // namespace limber
