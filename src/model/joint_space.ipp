#pragma once
// How positions move. Joints with quaternions are known by JointPlace, not by their kind.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "model/entries.hpp"

namespace limber {

template <class T>
void expect_positions(const BasicModel<T>& m, const char* what, std::size_t found, int expected) {
  if (found != static_cast<std::size_t>(expected))
    throw Error(
        fmt::format("{} has {} entries, robot '{}' needs {}", what, found, m.name, expected));
}

/// The custom joint of a place that moves its positions by functions of its own.
template <class T>
const CustomJoint& own_functions(const BasicModel<T>& m, const JointPlace& joint) {
  const auto b = static_cast<std::size_t>(joint.body);
  if constexpr (!std::is_same_v<T, double>)
    throw Error(fmt::format(
        "robot '{}': joint '{}' moves its positions by a function of its own, which is there for "
        "double alone and cannot be compiled; integrate it in your own code",
        m.name, m.joint_name[b]));
  return m.custom[m.custom_index[b]];
}

/// What a function of a custom joint sees of q or v.
template <class T>
std::span<T> part_of(std::span<T> x, int start, int count) {
  return x.subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(count));
}

/// Left Jacobian of the exponential map applied to x: ∫₀¹ exp(s·turn) x ds.
template <class T>
Vec3<T> mean_turned(const Vec3<T>& turn, const Vec3<T>& x) {
  const T n2 = dot(turn, turn), n = sqrt(n2);
  T s, c;
  sincos(n * T(0.5), s, c);
  // (1 − cos n)/n² and (n − sin n)/n³, by series where they cancel
  const T b = select(n2 < T(1e-8), T(0.5) - n2 / T(24), T(2) * s * s / n2);
  const T d = select(n2 < T(1e-4), T(1.0 / 6) - n2 / T(120) + n2 * n2 / T(5040),
                     (n - T(2) * s * c) / (n2 * n));
  const Vec3<T> tx = cross(turn, x);
  return x + tx * b + cross(turn, tx) * d;
}

/// The inverse of mean_turned.
template <class T>
Vec3<T> solve_mean_turned(const Vec3<T>& turn, const Vec3<T>& x) {
  const T n2 = dot(turn, turn), half = sqrt(n2) * T(0.5);
  T s, c;
  sincos(half, s, c);
  const T d = select(n2 < T(1e-4), T(1.0 / 12) + n2 / T(720) + n2 * n2 / T(30240),
                     (T(1) - half * c / s) / n2);
  const Vec3<T> tx = cross(turn, x);
  return x - tx * T(0.5) + cross(turn, tx) * d;
}

template <class T>
std::vector<T> neutral_position(const BasicModel<T>& m) {
  std::vector<T> q(static_cast<std::size_t>(m.nq), T(0));
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.quaternion >= 0) q[static_cast<std::size_t>(joint.quaternion + 3)] = T(1);
    const int custom = m.custom_index[joint.body];
    if (custom < 0) return;
    const std::vector<double>& neutral = m.custom[custom].neutral;
    std::transform(neutral.begin(), neutral.end(), q.begin() + joint.q,
                   [](double x) { return static_cast<T>(x); });
  });
  return q;
}

template <class T>
void integrate(const BasicModel<T>& m, std::span<const std::type_identity_t<T>> q,
               std::span<const std::type_identity_t<T>> v, std::type_identity_t<T> dt,
               std::span<std::type_identity_t<T>> result) {
  expect_positions(m, "integrate: q", q.size(), m.nq);
  expect_positions(m, "integrate: v", v.size(), m.nv);
  expect_positions(m, "integrate: result", result.size(), m.nq);
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.quaternion >= 0) {
      const Vec3<T> angle = vector_at(v, joint.v) * dt;
      const Quat<T> start = quaternion_at(q, joint.quaternion);
      if (joint.origin >= 0) {
        // constant velocity in the body's own axes: the origin runs along a screw
        const Vec3<T> shift = mean_turned(angle, vector_at(v, joint.v + 3) * dt);
        put(vector_at(q, joint.origin) + to_matrix(start) * shift, result, joint.origin);
      }
      put(normalized(start * exp_quat(angle)), result, joint.quaternion);
      return;
    }
    const T *q0 = q.data() + joint.q, *rate = v.data() + joint.v;
    T* q1 = result.data() + joint.q;
    if (!joint.adds) {
      const CustomJoint& own = own_functions(m, joint);
      if constexpr (std::is_same_v<T, double>)
        if (own.integrate) {
          double step[6];
          for (int k = 0; k < joint.v_count; ++k) step[k] = rate[k] * dt;
          std::copy(q0, q0 + joint.q_count, q1);
          own.integrate(own.parameters, part_of(result, joint.q, joint.q_count),
                        {step, static_cast<std::size_t>(joint.v_count)});
          return;
        }
    }
    for (int k = 0; k < joint.q_count; ++k) q1[k] = q0[k] + rate[k] * dt;
  });
}

template <class T>
void difference(const BasicModel<T>& m, std::span<const std::type_identity_t<T>> q0,
                std::span<const std::type_identity_t<T>> q1,
                std::span<std::type_identity_t<T>> step) {
  expect_positions(m, "difference: q0", q0.size(), m.nq);
  expect_positions(m, "difference: q1", q1.size(), m.nq);
  expect_positions(m, "difference: step", step.size(), m.nv);
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.quaternion >= 0) {
      const Quat<T> start = quaternion_at(q0, joint.quaternion);
      const Vec3<T> angle = log_quat(conjugate(start) * quaternion_at(q1, joint.quaternion));
      put(angle, step, joint.v);
      if (joint.origin < 0) return;
      const Vec3<T> shift = vector_at(q1, joint.origin) - vector_at(q0, joint.origin);
      put(solve_mean_turned(angle, transpose_times(to_matrix(start), shift)), step, joint.v + 3);
      return;
    }
    if (!joint.adds) {
      const CustomJoint& own = own_functions(m, joint);
      if constexpr (std::is_same_v<T, double>)
        if (own.difference)
          return own.difference(own.parameters, part_of(q0, joint.q, joint.q_count),
                                part_of(q1, joint.q, joint.q_count),
                                part_of(step, joint.v, joint.v_count));
    }
    for (int k = 0; k < joint.v_count; ++k)
      step.data()[joint.v + k] = q1.data()[joint.q + k] - q0.data()[joint.q + k];
  });
}

template <class T>
void normalize(const BasicModel<T>& m, std::span<std::type_identity_t<T>> q) {
  expect_positions(m, "normalize: q", q.size(), m.nq);
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.adds) return;
    if (joint.quaternion < 0) {
      const CustomJoint& own = own_functions(m, joint);
      const double still[6] = {};
      if constexpr (std::is_same_v<T, double>)
        if (own.integrate)
          own.integrate(own.parameters, part_of(q, joint.q, joint.q_count),
                        {still, static_cast<std::size_t>(joint.v_count)});
      return;
    }
    const Quat<T> turn = quaternion_at(q, joint.quaternion);
    if constexpr (std::is_floating_point_v<T>) {
      const T n2 = squared_norm(turn);
      if (!(n2 > std::numeric_limits<T>::min()) || !finite(n2))
        throw Error(
            fmt::format("joint '{}' of robot '{}': the quaternion ({}, {}, {}, {}) cannot be "
                        "normalised; give (x, y, z, w) with length 1",
                        m.joint_name[joint.body], m.name, turn.x, turn.y, turn.z, turn.w));
      if (std::abs(n2 - 1) <= 4 * std::numeric_limits<T>::epsilon()) return;  // but for rounding
    }
    put(normalized(turn), q, joint.quaternion);
  });
}

template <class T>
void position_rate(const BasicModel<T>& m, std::span<const std::type_identity_t<T>> q,
                   std::span<const std::type_identity_t<T>> v,
                   std::span<std::type_identity_t<T>> q_dot) {
  expect_positions(m, "position_rate: q", q.size(), m.nq);
  expect_positions(m, "position_rate: v", v.size(), m.nv);
  expect_positions(m, "position_rate: q_dot", q_dot.size(), m.nq);
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.quaternion >= 0) {
      const Quat<T> turn = quaternion_at(q, joint.quaternion);
      const Vec3<T> half = vector_at(v, joint.v) * T(0.5);
      put(turn * Quat<T>{half.x, half.y, half.z, T(0)}, q_dot, joint.quaternion);
      if (joint.origin >= 0)
        put(to_matrix(normalized(turn)) * vector_at(v, joint.v + 3), q_dot, joint.origin);
      return;
    }
    if (!joint.adds) {
      const CustomJoint& own = own_functions(m, joint);
      if constexpr (std::is_same_v<T, double>) {
        if (own.position_rate)
          return own.position_rate(own.parameters, part_of(q, joint.q, joint.q_count),
                                   part_of(v, joint.v, joint.v_count),
                                   part_of(q_dot, joint.q, joint.q_count));
        if (own.integrate)
          throw Error(
              fmt::format("joint '{}' of robot '{}': position_rate needs q_dot = v, this custom "
                          "joint integrates "
                          "its positions itself; give it a position_rate or use integrate()",
                          m.joint_name[joint.body], m.name));
      }
    }
    for (int k = 0; k < joint.q_count; ++k) q_dot.data()[joint.q + k] = v.data()[joint.v + k];
  });
}

}  // namespace limber
