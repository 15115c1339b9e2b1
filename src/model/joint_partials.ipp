#pragma once
// How the columns and the bias of a joint change with its own variables, for the kinds whose
// columns are not constant in the moved frame.
#include "model/joint_motion.ipp"

namespace limber {

/// q̇ of a custom joint for the velocity e_k. A joint that integrates its positions itself and has
/// no position_rate is asked how they move: Richardson's extrapolation of central differences of
/// integrate, exact to rounding / step.
void custom_position_rate(const CustomJoint& joint, std::span<const double> q, int k,
                          std::span<double> q_dot);

/// Partials of a custom joint, by its own function run with Dual.
void custom_partials(const CustomJoint& joint, std::span<const double> q, std::span<const double> v,
                     JointPartials<double>& out);

/// The same for expressions, through the graph of its own function. Throws Error for a joint that
/// integrates its positions itself, which is a function of numbers.
void custom_partials(const CustomJoint& joint, std::span<const Expr> q, std::span<const Expr> v,
                     JointPartials<Expr>& out);

}  // namespace limber

namespace limber {
inline namespace LIMBER_REGISTERS {

/// True if S is constant in the moved frame.
inline bool has_constant_columns(JointKind kind) {
  return kind != JointKind::planar && kind != JointKind::universal && kind != JointKind::custom;
}

/// Partials of body i's joint. Fills the entries of `d` that are not zero; it comes with zeros.
/// tree_q, tree_v: tree variables; S: the joint's columns.
template <class T>
void joint_partials(const BasicModel<T>& m, int i, const T* tree_q, const T* tree_v,
                    const Motion<T>* S, JointPartials<T>& d) {
  const auto b = static_cast<std::size_t>(i);
  const std::span<const T> q{tree_q + m.q_index[b], static_cast<std::size_t>(m.q_count[b])};
  const std::span<const T> v{tree_v + m.v_index[b], static_cast<std::size_t>(m.v_count[b])};
  switch (m.kind[i]) {
    case JointKind::planar: {  // S_0 = (c, −s), S_1 = (s, c): ∂S_0/∂θ = −S_1, ∂S_1/∂θ = S_0
      d.S[0][2] = -S[1];
      d.S[1][2] = S[0];
      // bias = (S_0 v_1 − S_1 v_0) v_2
      d.bias_q[2] = (S[0] * v[0] + S[1] * v[1]) * -v[2];
      d.bias_v[0] = S[1] * -v[2];
      d.bias_v[1] = S[0] * v[2];
      d.bias_v[2] = S[0] * v[1] - S[1] * v[0];
      break;
    }
    case JointKind::universal: {  // S_0 = (c2, 0, s2)
      const Motion<T> slope{{-S[0].angular.z, T(0), S[0].angular.x}, {}};
      d.S[0][1] = slope;
      d.bias_q[1] = S[0] * -(v[0] * v[1]);
      d.bias_v[0] = slope * v[1];
      d.bias_v[1] = slope * v[0];
      break;
    }
    case JointKind::custom: {
      const CustomJoint& joint = m.custom[m.custom_index[static_cast<std::size_t>(i)]];
      if constexpr (std::is_same_v<T, Expr> || is_pack<T>) {
        custom_partials(joint, q, v, d);
        break;
      } else {
        std::array<double, CustomJoint::most_positions> numbers{};
        std::array<double, 6> rates{};
        for (std::size_t k = 0; k < q.size(); ++k) numbers[k] = static_cast<double>(q[k]);
        for (std::size_t k = 0; k < v.size(); ++k) rates[k] = static_cast<double>(v[k]);
        JointPartials<double> out;
        custom_partials(joint, {numbers.data(), q.size()}, {rates.data(), v.size()}, out);
        for (std::size_t k = 0; k < v.size(); ++k) {
          d.bias_q[k] = cast<T>(out.bias_q[k]);
          d.bias_v[k] = cast<T>(out.bias_v[k]);
          for (std::size_t l = 0; l < v.size(); ++l) d.S[l][k] = cast<T>(out.S[l][k]);
        }
        break;
      }
    }
    default:
      break;
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
