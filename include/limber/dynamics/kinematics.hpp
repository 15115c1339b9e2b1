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
/// part). Fills `ws` for the functions below.
template <class T>
void forward_kinematics(const BasicModel<T>& model, In<T> q, BasicWorkspace<T>& ws);
template <class T>
void forward_kinematics(const BasicModel<T>& model, In<T> q, In<T> v, BasicWorkspace<T>& ws);
template <class T>
void forward_kinematics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> a,
                        BasicWorkspace<T>& ws);

/// X_world_frame: pose of a frame (index from model.frame()) in the world. Needs positions.
template <class T>
Transform<T> frame_pose(const BasicModel<T>& model, const BasicWorkspace<T>& ws, int frame);
/// X_world_body: pose of the user's body frame in the world. Needs positions.
template <class T>
Transform<T> body_pose(const BasicModel<T>& model, const BasicWorkspace<T>& ws, int body);
/// Spatial velocity of a frame. Needs velocities.
template <class T>
Motion<T> frame_velocity(const BasicModel<T>& model, const BasicWorkspace<T>& ws, int frame,
                         Reference reference);
/// Spatial acceleration of a frame: for `body` the derivative of its velocity's components, for
/// `world` the derivative of the world components; for `world_aligned` the components of the former
/// turned to world axes. Needs accelerations.
template <class T>
Motion<T> frame_acceleration(const BasicModel<T>& model, const BasicWorkspace<T>& ws, int frame,
                             Reference reference);
/// Classical acceleration: ω̇ and the ordinary acceleration of the frame's origin, in the frame's
/// axes
/// (`body`) or world axes (`world_aligned`; `world` means the body point at the world origin).
template <class T>
Motion<T> frame_classical_acceleration(const BasicModel<T>& model, const BasicWorkspace<T>& ws,
                                       int frame, Reference reference);

}  // namespace limber
