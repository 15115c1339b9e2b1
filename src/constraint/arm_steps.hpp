#pragma once
// What several ways to the motion of an arm begin and end with.
#include "constraint/arm_contact.hpp"
#include "dynamics/fold.hpp"
#include "dynamics/mass_matrix.ipp"

namespace limber {

/// Classical acceleration of the hand's point at O for q̈ = 0 less g, world axes; what
/// bias_forces() has left in the workspace. (2.24)
template <class T>
Motion<T> bias_acceleration(int body, const Vec3<T>& O, const BasicArmMotion<T>& arm) {
  const Transform<T>& X = arm.poses.X_W[body];
  const Vec3<T> r = transpose_times(X.R, O - X.p);
  const Motion<T>& a = arm.ws.a[body];
  return {X.R * a.angular, X.R * (a.linear + arm.ws.gradient[body] * r)};
}

/// H, J, u = τ − b, and ẍ for q̈ = 0. (2.5), (2.23)
template <class T>
void start_arm(const char* function, const BasicArmTeam<T>& team, int arm, const ArmState<T>& state,
               const ObjectState<T>& object, BasicArmMotion<T>& out) {
  const BasicModel<T>& m = *team.arms[arm].model;
  const int body = m.frames[team.arms[arm].grasp.frame].body;
  const Vec3<T> O = transform_point(object.pose, team.com);
  check_size(function, "tau", state.tau.size(), m.nv, m.name);
  fill_matrix(m, tree_positions(m, function, state.q, out.ws), out.ws, out.tree.M, state.loads);
  out.tree.holds = BasicTreeFactor<T>::Holds::matrix;
  forward_kinematics<T>(m, state.q, out.ws, out.poses);
  hand_jacobian(m, body, O, out);
  bias_forces<T>(m, state.q, state.v, out.ws, out.u, state.loads);
  for (int k = 0; k < m.nv; ++k) out.u[k] = state.tau[at_index(k)] - out.u[k];
  const Motion<T> a = bias_acceleration(body, O, out);
  out.x_open = {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z};
  out.mobility = {};
}

/// q̈ with the force f of the hand on the object, of an arm whose H is factorised.
template <class T>
void accelerate_arm(const std::array<T, 6>& f, BasicArmMotion<T>& out) {
  // q̈ = L⁻¹ D⁻¹ (u − Y f), (2.11)
  std::copy(out.u.begin(), out.u.end(), out.acceleration.begin());
  const TreePattern& at = out.tree.M.pattern;
  for (int t = 0; t < out.path; ++t) {
    T& x = out.acceleration[at.path[at.start[out.last] + t]];
    for (int i = 0; i < 6; ++i) x -= out.Y[6 * t + i] * f[at_index(i)];
  }
  finish_solve<T>(out.tree, std::span<T>(out.acceleration));
}

}  // namespace limber
