#include "dynamics/kinematics.ipp"

#include <limber/dynamics/kinematics.hpp>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* forward_kinematics_name = "forward_kinematics";

}  // namespace

template <class T>
void forward_kinematics(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws,
                        BasicPoses<T>& out) {
  const char* name = forward_kinematics_name;
  check_workspace(name, m, out);
  move_bodies(m, tree_positions(m, name, q, ws), ws, out);
}
template <class T>
void forward_kinematics(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws,
                        BasicVelocities<T>& out) {
  const char* name = forward_kinematics_name;
  check_workspace(name, m, out);
  const T* tree_q = tree_positions(m, name, q, ws);
  move_bodies(m, tree_q, tree_rates(m, name, "v", v, ws.tree_v), ws, out);
}
template <class T>
void forward_kinematics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a, BasicWorkspace<T>& ws,
                        BasicAccelerations<T>& out) {
  const char* name = forward_kinematics_name;
  check_workspace(name, m, out);
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  move_bodies(m, tree_q, tree_v, tree_rates(m, name, "a", a, ws.tree_a), ws, out);
}

template <class T>
const BasicPoses<T>& forward_kinematics(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  forward_kinematics(m, q, ws, ws.kinematics);
  return ws.kinematics;
}
template <class T>
const BasicVelocities<T>& forward_kinematics(const BasicModel<T>& m, In<T> q, In<T> v,
                                             BasicWorkspace<T>& ws) {
  forward_kinematics(m, q, v, ws, ws.kinematics);
  return ws.kinematics;
}
template <class T>
const BasicAccelerations<T>& forward_kinematics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a,
                                                BasicWorkspace<T>& ws) {
  forward_kinematics(m, q, v, a, ws, ws.kinematics);
  return ws.kinematics;
}

namespace {

template <class T>
void check_poses(const char* function, const BasicModel<T>& m, const BasicPoses<T>& bodies) {
  check_workspace(function, m, bodies);
  check_computed(function, m, bodies.holds >= BasicPoses<T>::Holds::poses, "poses of the bodies",
                 "forward_kinematics()");
}

template <class T>
void check_velocities(const char* function, const BasicModel<T>& m,
                      const BasicVelocities<T>& bodies) {
  check_poses(function, m, bodies);
  check_computed(function, m, bodies.holds >= BasicPoses<T>::Holds::velocities,
                 "velocities of the bodies", "forward_kinematics() with v");
}

template <class T>
void check_accelerations(const char* function, const BasicModel<T>& m,
                         const BasicAccelerations<T>& bodies) {
  check_poses(function, m, bodies);
  check_computed(function, m, bodies.holds == BasicPoses<T>::Holds::accelerations,
                 "accelerations of the bodies", "forward_kinematics() with v and a");
}

}  // namespace

template <class T>
Transform<T> frame_pose(const BasicModel<T>& m, const BasicPoses<T>& bodies, int frame) {
  check_poses("frame_pose", m, bodies);
  check_frame("frame_pose", m, frame);
  const BasicFrame<T>& f = m.frames[frame];
  return bodies.X_W[f.body] * f.placement;
}
template <class T>
Transform<T> body_pose(const BasicModel<T>& m, const BasicPoses<T>& bodies, int body) {
  check_poses("body_pose", m, bodies);
  check_body("body_pose", m, body);
  return bodies.X_W[body] * m.body_placement[body];
}

namespace {

// the motion of a frame's body, given in canonical body coordinates, in the reference asked for
template <class T>
Motion<T> refer(const BasicModel<T>& m, const BasicPoses<T>& bodies, int frame, Reference reference,
                const Motion<T>& motion) {
  const BasicFrame<T>& f = m.frames[frame];
  if (reference == Reference::world) return bodies.X_W[f.body] * motion;
  const Motion<T> own = apply_inverse(f.placement, motion);
  if (reference == Reference::body) return own;
  const Mat3<T> R = frame_pose(m, bodies, frame).R;
  return {R * own.angular, R * own.linear};
}

}  // namespace

template <class T>
Motion<T> frame_velocity(const BasicModel<T>& m, const BasicVelocities<T>& bodies, int frame,
                         Reference reference) {
  check_velocities("frame_velocity", m, bodies);
  check_frame("frame_velocity", m, frame);
  return refer(m, bodies, frame, reference, bodies.v[m.frames[frame].body]);
}
template <class T>
Motion<T> frame_acceleration(const BasicModel<T>& m, const BasicAccelerations<T>& bodies, int frame,
                             Reference reference) {
  check_accelerations("frame_acceleration", m, bodies);
  check_frame("frame_acceleration", m, frame);
  return refer(m, bodies, frame, reference, bodies.a[m.frames[frame].body]);
}
template <class T>
Motion<T> frame_classical_acceleration(const BasicModel<T>& m, const BasicAccelerations<T>& bodies,
                                       int frame, Reference reference) {
  return classical_acceleration(frame_acceleration(m, bodies, frame, reference),
                                frame_velocity(m, bodies, frame, reference));
}

#define LIMBER_KINEMATICS(T)                                                                      \
  template void forward_kinematics(const BasicModel<T>&, In<T>, BasicWorkspace<T>&,               \
                                   BasicPoses<T>&);                                               \
  template void forward_kinematics(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&,        \
                                   BasicVelocities<T>&);                                          \
  template void forward_kinematics(const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&, \
                                   BasicAccelerations<T>&);                                       \
  template const BasicPoses<T>& forward_kinematics(const BasicModel<T>&, In<T>,                   \
                                                   BasicWorkspace<T>&);                           \
  template const BasicVelocities<T>& forward_kinematics(const BasicModel<T>&, In<T>, In<T>,       \
                                                        BasicWorkspace<T>&);                      \
  template const BasicAccelerations<T>& forward_kinematics(const BasicModel<T>&, In<T>, In<T>,    \
                                                           In<T>, BasicWorkspace<T>&);            \
  template Transform<T> frame_pose(const BasicModel<T>&, const BasicPoses<T>&, int);              \
  template Transform<T> body_pose(const BasicModel<T>&, const BasicPoses<T>&, int);               \
  template Motion<T> frame_velocity(const BasicModel<T>&, const BasicVelocities<T>&, int,         \
                                    Reference);                                                   \
  template Motion<T> frame_acceleration(const BasicModel<T>&, const BasicAccelerations<T>&, int,  \
                                        Reference);                                               \
  template Motion<T> frame_classical_acceleration(const BasicModel<T>&,                           \
                                                  const BasicAccelerations<T>&, int, Reference);
LIMBER_FOR_EACH_SCALAR(LIMBER_KINEMATICS)

}  // namespace limber
