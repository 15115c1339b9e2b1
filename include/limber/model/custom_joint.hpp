#pragma once
// CustomJoint: any joint, given by functions: the pose X(q), the columns of S(q) and the bias Ṡ(q)
// q̇.
#include <array>
#include <span>
#include <vector>

#include <limber/scalar/counted.hpp>
#include <limber/scalar/dual.hpp>
#include <limber/scalar/expr.hpp>
#include <limber/scalar/scalar.hpp>
#include <limber/spatial/transform.hpp>

namespace limber {

/// What a joint says about itself at one (q, q̇). Frames: "inner" is fixed in the parent, "outer"
/// moves with the child.
template <class T>
struct JointKinematics {
  Transform<T> X;  ///< pose of the outer frame in the inner frame
  std::array<Motion<T>, 6>
      S;           ///< columns: velocity of outer relative to inner for unit v_k, outer axes
  Motion<T> bias;  ///< Ṡ v: component-wise derivative of S times v, outer axes
};

/// A joint kind of the user's own. The functions must not allocate; `parameters` is handed to each.
struct CustomJoint {
  static constexpr int most_positions = 16;
  int nq = 0;  ///< number of position variables, 1 to 16
  int nv = 0;  ///< number of velocity variables, 1 to 6
  std::vector<double> parameters;

  template <class T>
  using Kinematics = void (*)(std::span<const double> parameters, std::span<const T> q,
                              std::span<const T> v, JointKinematics<T>& out);
  Kinematics<double> kinematics_double = nullptr;
  Kinematics<float> kinematics_float = nullptr;
  Kinematics<Dual> kinematics_dual = nullptr;
  Kinematics<Counted> kinematics_counted = nullptr;
  Kinematics<Expr> kinematics_expr = nullptr;

  /// q moved by the velocity `step` (already multiplied by time), in place; null: q += step (nq ==
  /// nv).
  void (*integrate)(std::span<const double> parameters, std::span<double> q,
                    std::span<const double> step) = nullptr;
  /// The step that takes q0 to q1; null: q1 − q0.
  void (*difference)(std::span<const double> parameters, std::span<const double> q0,
                     std::span<const double> q1, std::span<double> step) = nullptr;
  /// q̇ for velocity v; null: q̇ = v where `integrate` is null too, else position_rate() refuses.
  void (*position_rate)(std::span<const double> parameters, std::span<const double> q,
                        std::span<const double> v, std::span<double> q_dot) = nullptr;
  /// Neutral position; empty: zeros.
  std::vector<double> neutral;
};

/// A custom joint from one generic function, e.g.
///   custom_joint(1, 1, {}, [](auto parameters, auto q, auto v, auto& out) { … });
/// `F` must be a captureless generic lambda; put numbers it needs into `parameters`.
template <class F>
CustomJoint custom_joint(int nq, int nv, std::vector<double> parameters, F) {
  CustomJoint joint;
  joint.nq = nq;
  joint.nv = nv;
  joint.parameters = static_cast<std::vector<double>&&>(parameters);
  joint.kinematics_double = [](std::span<const double> p, std::span<const double> q,
                               std::span<const double> v,
                               JointKinematics<double>& out) { F{}(p, q, v, out); };
  joint.kinematics_float = [](std::span<const double> p, std::span<const float> q,
                              std::span<const float> v,
                              JointKinematics<float>& out) { F{}(p, q, v, out); };
  joint.kinematics_dual = [](std::span<const double> p, std::span<const Dual> q,
                             std::span<const Dual> v,
                             JointKinematics<Dual>& out) { F{}(p, q, v, out); };
  joint.kinematics_counted = [](std::span<const double> p, std::span<const Counted> q,
                                std::span<const Counted> v,
                                JointKinematics<Counted>& out) { F{}(p, q, v, out); };
  joint.kinematics_expr = [](std::span<const double> p, std::span<const Expr> q,
                             std::span<const Expr> v,
                             JointKinematics<Expr>& out) { F{}(p, q, v, out); };
  return joint;
}

}  // namespace limber
