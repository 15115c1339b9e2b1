#include <limber/model/fixed_axes.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/math/quat.hpp>
#include <limber/model/joint_space.hpp>

namespace limber {

namespace {

// a joint whose velocities are components along the axes of the body that it carries
struct TurningJoint {
  std::size_t q, v;  // where its variables begin
  bool is_free;      // with three linear velocities after the angular ones
  Vec3<double> c;    // centre of mass of the body, in the joint's frame that moves with it [m]
};

Vec3<double> vector_at(std::span<const double> x, std::size_t i) {
  return {x[i], x[i + 1], x[i + 2]};
}
void put_vector(const Vec3<double>& a, std::span<double> x, std::size_t i) {
  x[i] = a.x, x[i + 1] = a.y, x[i + 2] = a.z;
}

Quat<double> turn_of(const TurningJoint& joint, std::span<const double> q) {
  const std::size_t i = joint.q + (joint.is_free ? 3 : 0);
  return normalized(Quat<double>{q[i], q[i + 1], q[i + 2], q[i + 3]});
}

bool turns(const Model& m, std::size_t b) {
  return m.master[b] < 0 && (m.kind[b] == JointKind::spherical || m.kind[b] == JointKind::free);
}

template <class F>
void for_turning_joints(const Model& m, F&& f) {
  for (std::size_t b = 1; b < m.kind.size(); ++b) {
    if (!turns(m, b)) continue;
    const bool is_free = m.kind[b] == JointKind::free;
    f(TurningJoint{static_cast<std::size_t>(m.q_fold[static_cast<std::size_t>(m.q_index[b])].index),
                   static_cast<std::size_t>(m.v_fold[static_cast<std::size_t>(m.v_index[b])].index),
                   is_free, is_free ? fixed_axes_center(m, static_cast<int>(b)) : Vec3<double>{}});
  }
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
  const Inertia<double>& I = m.inertia[static_cast<std::size_t>(body)];
  return I.m > 0 ? I.h * (1 / I.m) : Vec3<double>{};
}

bool turns_freely(const Model& m) {
  for (std::size_t b = 1; b < m.kind.size(); ++b)
    if (turns(m, b)) return true;
  return false;
}

// ω ↦ R ω,  v ↦ R (v + ω × c)
void to_fixed_axes(const Model& m, std::span<const double> q, std::span<const double> v,
                   std::span<double> w) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "v", v.size(), m.nv);
  expect_entries(m, "w", w.size(), m.nv);
  copy_unless_same(v, w);
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = vector_at(w, joint.v);
    put_vector(R * omega, w, joint.v);
    if (joint.is_free)
      put_vector(R * (vector_at(w, joint.v + 3) + cross(omega, joint.c)), w, joint.v + 3);
  });
}

void from_fixed_axes(const Model& m, std::span<const double> q, std::span<const double> w,
                     std::span<double> v) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "w", w.size(), m.nv);
  expect_entries(m, "v", v.size(), m.nv);
  copy_unless_same(w, v);
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = transpose_times(R, vector_at(v, joint.v));
    put_vector(omega, v, joint.v);
    if (joint.is_free)
      put_vector(transpose_times(R, vector_at(v, joint.v + 3)) - cross(omega, joint.c), v,
                 joint.v + 3);
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
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = vector_at(v, joint.v), alpha = vector_at(w_dot, joint.v);
    put_vector(R * alpha, w_dot, joint.v);
    if (!joint.is_free) return;
    const Vec3<double> center = vector_at(v, joint.v + 3) + cross(omega, joint.c);
    put_vector(R * (vector_at(w_dot, joint.v + 3) + cross(alpha, joint.c) + cross(omega, center)),
               w_dot, joint.v + 3);
  });
}

void integrate_fixed_axes(const Model& m, std::span<const double> q, std::span<const double> w,
                          double dt, std::span<double> result) {
  integrate(m, q, w, dt, result);  // all but these
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Quat<double> before = turn_of(joint, q);
    const Mat3<double> R = to_matrix(before);
    const Vec3<double> angle = transpose_times(R, vector_at(w, joint.v)) * dt;
    const Quat<double> after = normalized(before * exp_quat(angle));
    const std::size_t turn = joint.q + (joint.is_free ? 3 : 0);
    result[turn] = after.x, result[turn + 1] = after.y;
    result[turn + 2] = after.z, result[turn + 3] = after.w;
    if (!joint.is_free) return;
    const Vec3<double> center =
        vector_at(q, joint.q) + R * joint.c + vector_at(w, joint.v + 3) * dt;
    put_vector(center - to_matrix(after) * joint.c, result, joint.q);
  });
}

// p = (n, f) about the frame's origin ↦ (R (n − c × f), R f)
void momenta_to_fixed_axes(const Model& m, std::span<const double> q, std::span<double> p) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "p", p.size(), m.nv);
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> n = vector_at(p, joint.v);
    if (!joint.is_free) return put_vector(R * n, p, joint.v);
    const Vec3<double> f = vector_at(p, joint.v + 3);
    put_vector(R * (n - cross(joint.c, f)), p, joint.v);
    put_vector(R * f, p, joint.v + 3);
  });
}

void momenta_from_fixed_axes(const Model& m, std::span<const double> q, std::span<double> p) {
  expect_entries(m, "q", q.size(), m.nq);
  expect_entries(m, "p", p.size(), m.nv);
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> n = transpose_times(R, vector_at(p, joint.v));
    if (!joint.is_free) return put_vector(n, p, joint.v);
    const Vec3<double> f = transpose_times(R, vector_at(p, joint.v + 3));
    put_vector(n + cross(joint.c, f), p, joint.v);
    put_vector(f, p, joint.v + 3);
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
  for_turning_joints(m, [&](const TurningJoint& joint) {
    const Mat3<double> R = to_matrix(turn_of(joint, q));
    const Vec3<double> omega = vector_at(v, joint.v);
    Vec3<double> n = vector_at(p, joint.v), n_dot = vector_at(p_dot, joint.v);
    if (joint.is_free) {
      const Vec3<double> f = vector_at(p, joint.v + 3), f_dot = vector_at(p_dot, joint.v + 3);
      n = n - cross(joint.c, f);
      n_dot = n_dot - cross(joint.c, f_dot);
      put_vector(R * (f_dot + cross(omega, f)), p_dot, joint.v + 3);
    }
    put_vector(R * (n_dot + cross(omega, n)), p_dot, joint.v);
  });
}

}  // namespace limber
