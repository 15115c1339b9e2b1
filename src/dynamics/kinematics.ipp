#pragma once
// Forward kinematics in canonical frames: poses, spatial velocities, classical accelerations.
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/joints.ipp"

namespace limber {

/// X_W: pose of each canonical body frame in the world; joints must be placed.
template <class T>
void placed_body_poses(const BasicModel<T>& m, BasicWorkspace<T>& ws) {
  ws.computed.poses = true;
  ws.X_W[0] = {};
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      ws.X_W[b] = joint.pose_after(ws.X_W[m.parent[b]]);
    });
}

template <class T>
void body_poses(const BasicModel<T>& m, const T* q, BasicWorkspace<T>& ws) {
  place_joints(m, q, ws);
  placed_body_poses(m, ws);
}

/// Spatial velocities; joints must be placed. [RDA] (4.11)
template <class T>
void body_velocities(const BasicModel<T>& m, const T* v, BasicWorkspace<T>& ws) {
  ws.computed.velocities = true;
  ws.v[0] = {};
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      ws.v[b] = joint.to_child(ws.v[m.parent[b]]);
      ws.v[b] += joint.velocity(v);
    });
}

/// Spatial accelerations of a world at rest; velocities must be there. [RDA] (4.12)
template <class T>
void body_accelerations(const BasicModel<T>& m, const T* q, const T* v, const T* a,
                        BasicWorkspace<T>& ws) {
  ws.computed.accelerations = true;
  ws.a[0] = {};
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      const auto b = static_cast<std::size_t>(i);
      Motion<T> vJ;
      vJ += joint.velocity(v);
      Motion<T> acc = joint.to_child(ws.a[m.parent[b]]) + cross(ws.v[b], vJ);
      joint.for_columns([&](const auto& S, int k) { acc += S * a[k]; });
      acc += joint.bias(q, v);
      ws.a[b] = acc;
    });
}

}  // namespace limber
