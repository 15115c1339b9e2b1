#include <limber/model/fixed_axes.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/model/joint_space.hpp>

#include "model/entries.hpp"

namespace limber {

namespace {

// the turn of a joint with a quaternion, as a unit quaternion
Quat<double> turn_of(const JointPlace& joint, std::span<const double> q) {
  return normalized(quaternion_at(q, joint.quaternion));
}

// calls f(joint, c) for each joint with a quaternion: its velocities are components along the axes
// of the body that it carries. c: centre of mass of that body, in the joint's frame that moves with
// it [m]
template <class F>
void for_turning_joints(const Model& m, F&& f) {
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.quaternion >= 0) f(joint, fixed_axes_center(m, joint.body));
  });
}

void expect_entries(const Model& m, const char* what, std::size_t found, int expected) {
  if (found != static_cast<std::size_t>(expected))
    throw Error(fmt::format("fixed axes: {} has {} entries, robot '{}' needs {}", what, found,
                            m.name, expected));
}

void copy_unless_same(std::span<const double> from, std::span<double> to) {
  if (from.data() != to.data()) std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

Vec3<double> fixed_axes_center(const Model& m, int body) {
  const Inertia<double>& I = m.inertia[body];
  return I.m > 0 ? I.h * (1 / I.m) : Vec3<double>{};
}

bool turns_freely(const Model& m) {
  bool found = false;
  for_turning_joints(m, [&](const JointPlace&, const Vec3<double>&) { found = true; });
  return found;
}

// ω ↦ R ω,  v ↦ R (v + ω × c)
void to_fixed_axes(const Model& m, std::span<const double> q, std::span<const double> v,
                   std::span<double> w) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "v", v.size(), m.nv);
  expect_entries(m, "w", w.size(), m.nv);
  copy_unless_same(v, w);
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = vector_at(w, joint.v);
    put(R * omega, w, joint.v);
    if (joint.origin >= 0) put(R * (vector_at(w, joint.v + 3) + cross(omega, c)), w, joint.v + 3);
  });
}

void from_fixed_axes(const Model& m, std::span<const double> q, std::span<const double> w,
                     std::span<double> v) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "w", w.size(), m.nv);
  expect_entries(m, "v", v.size(), m.nv);
  copy_unless_same(w, v);
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = transpose_times(R, vector_at(v, joint.v));
    put(omega, v, joint.v);
    if (joint.origin >= 0)
      put(transpose_times(R, vector_at(v, joint.v + 3)) - cross(omega, c), v, joint.v + 3);
  });
}

// α ↦ R α,  a ↦ R (a + α × c + ω × (v + ω × c))
void fixed_axes_rate(const Model& m, std::span<const double> q, std::span<const double> v,
                     std::span<const double> a, std::span<double> w_dot) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "v", v.size(), m.nv);
  expect_entries(m, "a", a.size(), m.nv);
  expect_entries(m, "w_dot", w_dot.size(), m.nv);
  copy_unless_same(a, w_dot);
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = vector_at(v, joint.v), alpha = vector_at(w_dot, joint.v);
    put(R * alpha, w_dot, joint.v);
    if (joint.origin < 0) return;
    const Vec3<double> center = vector_at(v, joint.v + 3) + cross(omega, c);
    put(R * (vector_at(w_dot, joint.v + 3) + cross(alpha, c) + cross(omega, center)), w_dot,
        joint.v + 3);
  });
}

void integrate_fixed_axes(const Model& m, std::span<const double> q, std::span<const double> w,
                          double dt, std::span<double> result) {
  integrate(m, q, w, dt, result);  // all but these
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Quat<double> before = turn_of(joint, q);
    const Mat3<double> R = to_matrix(before);
    const Vec3<double> angle = transpose_times(R, vector_at(w, joint.v)) * dt;
    const Quat<double> after = normalized(before * exp_quat(angle));
    put(after, result, joint.quaternion);
    if (joint.origin < 0) return;
    const Vec3<double> center = vector_at(q, joint.origin) + R * c + vector_at(w, joint.v + 3) * dt;
    put(center - to_matrix(after) * c, result, joint.origin);
  });
}

// p = (n, f) about the frame's origin ↦ (R (n − c × f), R f)
void momenta_to_fixed_axes(const Model& m, std::span<const double> q, std::span<double> p) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "p", p.size(), m.nv);
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> n = vector_at(p, joint.v);
    if (joint.origin < 0) return put(R * n, p, joint.v);
    const Vec3<double> f = vector_at(p, joint.v + 3);
    put(R * (n - cross(c, f)), p, joint.v);
    put(R * f, p, joint.v + 3);
  });
}

void momenta_from_fixed_axes(const Model& m, std::span<const double> q, std::span<double> p) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "p", p.size(), m.nv);
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> n = transpose_times(R, vector_at(p, joint.v));
    if (joint.origin < 0) return put(n, p, joint.v);
    const Vec3<double> f = transpose_times(R, vector_at(p, joint.v + 3));
    put(n + cross(c, f), p, joint.v);
    put(f, p, joint.v + 3);
  });
}

// (R x)˙ = R (ẋ + ω × x) for both parts x of the momenta
void momentum_rate_to_fixed_axes(const Model& m, std::span<const double> q,
                                 std::span<const double> v, std::span<const double> p,
                                 std::span<double> p_dot) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "v", v.size(), m.nv);
  expect_entries(m, "p", p.size(), m.nv);
  expect_entries(m, "p_dot", p_dot.size(), m.nv);
  for_turning_joints(m, [&](const JointPlace& joint, const Vec3<double>& c) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = vector_at(v, joint.v);
    Vec3<double> n = vector_at(p, joint.v), n_dot = vector_at(p_dot, joint.v);
    if (joint.origin >= 0) {
      const Vec3<double> f = vector_at(p, joint.v + 3), f_dot = vector_at(p_dot, joint.v + 3);
      n = n - cross(c, f);
      n_dot = n_dot - cross(c, f_dot);
      put(R * (f_dot + cross(omega, f)), p_dot, joint.v + 3);
    }
    put(R * (n_dot + cross(omega, n)), p_dot, joint.v);
  });
}

}  // namespace limber
