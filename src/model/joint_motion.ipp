#pragma once
// The one place that knows the joint kinds: pose, columns of S and bias Ṡ v of every kind whose
// columns are not unit axes or whose transform is not a screw. [RDA] T8-1 (planar joint: see the
// conventions; the book's table is not consistent for it)
#include <span>

#include <limber/math/quat.hpp>
#include <limber/model/workspace.hpp>

#include "model/joint_lanes.hpp"
#include "scalar/registers.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Calls the function of a custom joint for scalar T.
template <class T>
void custom_kinematics(const CustomJoint& joint, std::span<const T> q, std::span<const T> v,
                       JointKinematics<T>& out) {
  if constexpr (std::is_same_v<T, double>) joint.kinematics_double(joint.parameters, q, v, out);
  else if constexpr (std::is_same_v<T, float>) joint.kinematics_float(joint.parameters, q, v, out);
  else if constexpr (std::is_same_v<T, Dual>) joint.kinematics_dual(joint.parameters, q, v, out);
  else if constexpr (is_pack<T>) kinematics_in_lanes(joint, q.data(), v.data(), out);
  else if constexpr (std::is_same_v<T, Expr>) joint.kinematics_expr(joint.parameters, q, v, out);
  else joint.kinematics_counted(joint.parameters, q, v, out);
}

/// Pose of the outer in the inner frame and columns S (outer axes) of body i's joint at q.
/// q: the joint's own variables. S: v_count entries.
template <class T>
Transform<T> joint_pose(const BasicModel<T>& m, int i, std::span<const T> q, Motion<T>* S) {
  const T zero(0), one(1);
  auto unit = [&](int k) {
    Motion<T> s;
    (k < 3 ? s.angular : s.linear)[k % 3] = one;
    return s;
  };
  Transform<T> X;
  switch (m.kind[i]) {
    case JointKind::planar: {  // q = (x, y, θ): displacement along the fixed axes, then a turn
                               // about z
      T s, c;
      sincos(q[2], s, c);
      X = {{c, -s, zero, s, c, zero, zero, zero, one}, {q[0], q[1], zero}};
      S[0].linear = {c, -s, zero};
      S[1].linear = {s, c, zero};
      S[2] = unit(2);
      break;
    }
    case JointKind::universal: {  // a turn about x, then about y
      T s1, c1, s2, c2;
      sincos(q[0], s1, c1);
      sincos(q[1], s2, c2);
      X.R = {c2, zero, s2, s1 * s2, c1, -s1 * c2, -c1 * s2, s1, c1 * c2};
      S[0].angular = {c2, zero, s2};
      S[1] = unit(1);
      break;
    }
    case JointKind::spherical:
      X.R = to_matrix(Quat<T>{q[0], q[1], q[2], q[3]});
      for (int k = 0; k < 3; ++k) S[k] = unit(k);
      break;
    case JointKind::translation:
      X.p = {q[0], q[1], q[2]};
      for (int k = 0; k < 3; ++k) S[k] = unit(3 + k);
      break;
    case JointKind::free:
      X = {to_matrix(Quat<T>{q[3], q[4], q[5], q[6]}), {q[0], q[1], q[2]}};
      for (int k = 0; k < 6; ++k) S[k] = unit(k);
      break;
    case JointKind::custom: {
      JointKinematics<T> out;
      const CustomJoint& joint = m.custom[m.custom_index[static_cast<std::size_t>(i)]];
      const T at_rest[6] = {};
      custom_kinematics<T>(joint, q, {at_rest, static_cast<std::size_t>(joint.nv)}, out);
      X = out.X;
      for (int k = 0; k < joint.nv; ++k) S[k] = out.S[static_cast<std::size_t>(k)];
      break;
    }
    case JointKind::helical:
      S[0].angular.z = one;
      S[0].linear.z = m.pitch[i];
      break;
    case JointKind::cylindrical:
      S[0] = unit(2);
      S[1] = unit(5);
      break;
    case JointKind::fixed:
    case JointKind::revolute:
    case JointKind::prismatic:
      break;  // these have forms of their own
  }
  return X;
}

/// Bias Ṡ v (outer axes) of body i's joint; zero for the kinds whose S is constant.
template <class T>
Motion<T> joint_bias(const BasicModel<T>& m, int i, std::span<const T> q, std::span<const T> v,
                     const Motion<T>* S) {
  switch (m.kind[i]) {
    case JointKind::planar: {  // d/dt of (c ẋ + s ẏ, −s ẋ + c ẏ) at constant ẋ, ẏ
      const Vec3<T> velocity = S[0].linear * v[0] + S[1].linear * v[1];
      return {{}, {velocity.y * v[2], -velocity.x * v[2], T(0)}};
    }
    case JointKind::universal: {  // d/dt (c2, 0, s2) = (−s2, 0, c2) q̇2
      const T rate = v[0] * v[1];
      return {{-S[0].angular.z * rate, T(0), S[0].angular.x * rate}, {}};
    }
    case JointKind::custom: {
      JointKinematics<T> out;
      custom_kinematics<T>(m.custom[m.custom_index[static_cast<std::size_t>(i)]], q, v, out);
      return out.bias;
    }
    default:
      return {};
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
