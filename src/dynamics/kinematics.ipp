#pragma once
// Forward kinematics in canonical frames: poses, spatial velocities, classical accelerations.
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/joints.ipp"

namespace limber {

/// Pose of each canonical body frame in the world; joints must be placed.
template <class T>
void body_poses(const BasicModel<T>& m, BasicWorkspace<T>& ws, List<Transform<T>>& X_W) {
  X_W[0] = {};
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) { X_W[i] = joint.pose_after(X_W[m.parent[i]]); });
}

/// Spatial velocities; joints must be placed. [RDA] (4.11)
template <class T>
void body_velocities(const BasicModel<T>& m, const T* qd, BasicWorkspace<T>& ws,
                     List<Motion<T>>& v) {
  v[0] = {};
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      v[i] = joint.to_child(v[m.parent[i]]);
      v[i] += joint.velocity(qd);
    });
}

/// Spatial accelerations of a world at rest, where the bodies have the velocities v. [RDA] (4.12)
template <class T>
void body_accelerations(const BasicModel<T>& m, const T* q, const T* qd, const T* qdd,
                        BasicWorkspace<T>& ws, const List<Motion<T>>& v, List<Motion<T>>& a) {
  a[0] = {};
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      Motion<T> vJ;
      vJ += joint.velocity(qd);
      Motion<T> acc = joint.to_child(a[m.parent[i]]) + cross(v[i], vJ);
      joint.for_columns([&](const auto& S, int k) { acc += S * qdd[k]; });
      acc += joint.bias(q, qd);
      a[i] = acc;
    });
}

/// All three, of the tree's variables.
template <class T>
void move_bodies(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws, BasicPoses<T>& out) {
  place_joints(m, q, ws);
  body_poses(m, ws, out.X_W);
  out.holds = BasicPoses<T>::Holds::poses;
}
template <class T>
void move_bodies(const BasicModel<T>& m, const T* q, const T* v, BasicWorkspace<T>& ws,
                 BasicVelocities<T>& out) {
  move_bodies(m, q, ws, out);
  body_velocities(m, v, ws, out.v);
  out.holds = BasicPoses<T>::Holds::velocities;
}
template <class T>
void move_bodies(const BasicModel<T>& m, const T* q, const T* v, const T* a, BasicWorkspace<T>& ws,
                 BasicAccelerations<T>& out) {
  move_bodies(m, q, v, ws, out);
  body_accelerations(m, q, v, a, ws, out.v, out.a);
  out.holds = BasicPoses<T>::Holds::accelerations;
}

}  // namespace limber
