#pragma once
// Where bodies and frames are and how they move. Every result is about the user's frames.
#include <limber/dynamics/inverse_dynamics.hpp>

namespace limber {

/// In which axes and about which point a 6-D quantity of a frame is given.
enum class Reference {
  body,          ///< the frame's own axes and origin
  world,         ///< world axes, world origin (the Plücker coordinates of the world)
  world_aligned  ///< world axes, the frame's origin
};

/// Poses of all bodies (q), their velocities (q, v), their accelerations (q, v, a; gravity plays no
/// part), for the functions below. The results are those of the workspace: each of these calls
/// overwrites them, and no other function does. No allocation.
template <class T>
const BasicPoses<T>& forward_kinematics(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
template <class T>
const BasicVelocities<T>& forward_kinematics(const BasicModel<T>& model, In<T> q, In<T> v,
                                             BasicWorkspace<T>& ws);
template <class T>
const BasicAccelerations<T>& forward_kinematics(const BasicModel<T>& model, In<T> q, In<T> v,
                                                In<T> a, BasicWorkspace<T>& ws);
/// The same, written to an object of the caller, made for the model: `Poses poses(model)`.
template <class T>
void forward_kinematics(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws,
                        BasicPoses<T>& out);
template <class T>
void forward_kinematics(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                        BasicVelocities<T>& out);
template <class T>
void forward_kinematics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                        BasicWorkspace<T>& ws, BasicAccelerations<T>& out);

// The functions below throw Error where the last call of forward_kinematics() for their object has
// computed less than its type has room for.

/// X_world_frame: pose of a frame (index from model.frame()) in the world.
template <class T>
Transform<T> frame_pose(const BasicModel<T>& model, const BasicPoses<T>& bodies, int frame);
/// X_world_body: pose of the user's body frame in the world.
template <class T>
Transform<T> body_pose(const BasicModel<T>& model, const BasicPoses<T>& bodies, int body);
/// Spatial velocity of a frame.
template <class T>
Motion<T> frame_velocity(const BasicModel<T>& model, const BasicVelocities<T>& bodies, int frame,
                         Reference reference);
/// Spatial acceleration of a frame: for `body` the derivative of its velocity's components, for
/// `world` the derivative of the world components; for `world_aligned` the components of the former
/// turned to world axes.
template <class T>
Motion<T> frame_acceleration(const BasicModel<T>& model, const BasicAccelerations<T>& bodies,
                             int frame, Reference reference);
/// Classical acceleration: ω̇ and the ordinary acceleration of the frame's origin, in the frame's
/// axes (`body`) or world axes (`world_aligned`; `world` means the body point at the world origin).
template <class T>
Motion<T> frame_classical_acceleration(const BasicModel<T>& model,
                                       const BasicAccelerations<T>& bodies, int frame,
                                       Reference reference);

}  // namespace limber
