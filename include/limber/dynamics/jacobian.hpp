#pragma once
// Geometric Jacobians: frame velocity = J(q) v. [RDA] §2.3.2
#include <limber/dynamics/kinematics.hpp>

namespace limber {

/// J (6 × nv), rows angular x, y, z then linear x, y, z, of a frame in the given reference. No
/// allocation; places only the joints that carry the frame. Columns of variables that do not move
/// the frame are zero. View into `ws`.
template <class T>
MatrixView<T> jacobian(const BasicModel<T>& model, In<T> q, int frame, Reference reference,
                       BasicWorkspace<T>& ws);
/// The same, written to `out` row by row (6 nv numbers).
template <class T>
void jacobian(const BasicModel<T>& model, In<T> q, int frame, Reference reference,
              BasicWorkspace<T>& ws, Out<T> out);

/// J̇ v: the rate of frame_velocity() in the same reference when a = 0. For `world_aligned` this is
/// the derivative of the world-axis components of (ω, velocity of the origin): the classical
/// acceleration.
template <class T>
Motion<T> jacobian_dot_times_v(const BasicModel<T>& model, In<T> q, In<T> v, int frame,
                               Reference reference, BasicWorkspace<T>& ws);

}  // namespace limber
