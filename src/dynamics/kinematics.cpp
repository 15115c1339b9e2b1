#include "dynamics/kinematics.ipp"

#include <limber/dynamics/kinematics.hpp>

#include "dynamics/fold.hpp"
#include "scalars.hpp"

namespace limber {

template <class T>
void forward_kinematics(const BasicModel<T>& m, In<T> q, BasicWorkspace<T>& ws) {
  body_poses(m, tree_positions(m, "forward_kinematics", q, ws), ws);
}
template <class T>
void forward_kinematics(const BasicModel<T>& m, In<T> q, In<T> v, BasicWorkspace<T>& ws) {
  forward_kinematics(m, q, ws);
  body_velocities(m, tree_rates(m, "forward_kinematics", "v", v, ws.tree_v), ws);
}
template <class T>
void forward_kinematics(const BasicModel<T>& m, In<T> q, In<T> v, In<T> a, BasicWorkspace<T>& ws) {
  const char* name = "forward_kinematics";
  const T* tree_q = tree_positions(m, name, q, ws);
  const T* tree_v = tree_rates(m, name, "v", v, ws.tree_v);
  body_poses(m, tree_q, ws);
  body_velocities(m, tree_v, ws);
  body_accelerations(m, tree_q, tree_v, tree_rates(m, name, "a", a, ws.tree_a), ws);
}

namespace {

template <class T>
void check_frame_motion(const char* function, const BasicModel<T>& m, const BasicWorkspace<T>& ws,
                        int frame) {
  check_workspace(function, m, ws);
  check_frame(function, m, frame);
  check_computed(function, m, ws.computed.poses, "poses of the bodies", "forward_kinematics()");
}

}  // namespace

template <class T>
Transform<T> frame_pose(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int frame) {
  check_frame_motion("frame_pose", m, ws, frame);
  const BasicFrame<T>& f = m.frames[frame];
  return ws.X_W[f.body] * f.placement;
}
template <class T>
Transform<T> body_pose(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int body) {
  const char* name = "body_pose";
  check_workspace(name, m, ws);
  check_body(name, m, body);
  check_computed(name, m, ws.computed.poses, "poses of the bodies", "forward_kinematics()");
  return ws.X_W[body] * m.body_placement[body];
}

namespace {

// the motion of a frame's body, given in canonical body coordinates, in the reference asked for
template <class T>
Motion<T> refer(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int frame, Reference reference,
                const Motion<T>& motion) {
  const BasicFrame<T>& f = m.frames[frame];
  if (reference == Reference::world) return ws.X_W[f.body] * motion;
  const Motion<T> own = apply_inverse(f.placement, motion);
  if (reference == Reference::body) return own;
  const Mat3<T> R = frame_pose(m, ws, frame).R;
  return {R * own.angular, R * own.linear};
}

}  // namespace

template <class T>
Motion<T> frame_velocity(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int frame,
                         Reference reference) {
  const char* name = "frame_velocity";
  check_frame_motion(name, m, ws, frame);
  check_computed(name, m, ws.computed.velocities, "velocities of the bodies",
                 "forward_kinematics() with v");
  return refer(m, ws, frame, reference, ws.v[m.frames[frame].body]);
}
template <class T>
Motion<T> frame_acceleration(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int frame,
                             Reference reference) {
  const char* name = "frame_acceleration";
  check_frame_motion(name, m, ws, frame);
  check_computed(name, m, ws.computed.accelerations, "accelerations of the bodies",
                 "forward_kinematics() with v and a (other calls put theirs in their place)");
  return refer(m, ws, frame, reference, ws.a[m.frames[frame].body]);
}
template <class T>
Motion<T> frame_classical_acceleration(const BasicModel<T>& m, const BasicWorkspace<T>& ws,
                                       int frame, Reference reference) {
  return classical_acceleration(frame_acceleration(m, ws, frame, reference),
                                frame_velocity(m, ws, frame, reference));
}

#define LIMBER_KINEMATICS(T)                                                                       \
  template void forward_kinematics(const BasicModel<T>&, In<T>, BasicWorkspace<T>&);               \
  template void forward_kinematics(const BasicModel<T>&, In<T>, In<T>, BasicWorkspace<T>&);        \
  template void forward_kinematics(const BasicModel<T>&, In<T>, In<T>, In<T>, BasicWorkspace<T>&); \
  template Transform<T> frame_pose(const BasicModel<T>&, const BasicWorkspace<T>&, int);           \
  template Transform<T> body_pose(const BasicModel<T>&, const BasicWorkspace<T>&, int);            \
  template Motion<T> frame_velocity(const BasicModel<T>&, const BasicWorkspace<T>&, int,           \
                                    Reference);                                                    \
  template Motion<T> frame_acceleration(const BasicModel<T>&, const BasicWorkspace<T>&, int,       \
                                        Reference);                                                \
  template Motion<T> frame_classical_acceleration(const BasicModel<T>&, const BasicWorkspace<T>&,  \
                                                  int, Reference);
LIMBER_FOR_EACH_SCALAR(LIMBER_KINEMATICS)

}  // namespace limber
