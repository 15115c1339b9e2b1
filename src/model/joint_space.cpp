// The second place that knows the joint kinds: how positions move.
#include <limber/model/joint_space.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/math/quat.hpp>

namespace limber {

namespace {

// start of the quaternion among the joint's positions and of ω among its velocities; the other
// positions of a free joint are a point that moves with the linear velocity
struct Turn {
  int q, v;
};
std::optional<Turn> quaternion_of(JointKind kind) {
  if (kind == JointKind::spherical) return Turn{0, 0};
  if (kind == JointKind::free) return Turn{3, 0};
  return std::nullopt;
}

Quat<double> read_quat(const double* q) { return {q[0], q[1], q[2], q[3]}; }
void write_quat(const Quat<double>& a, double* q) {
  q[0] = a.x, q[1] = a.y, q[2] = a.z, q[3] = a.w;
}
Vec3<double> read_vec(const double* x) { return {x[0], x[1], x[2]}; }
void write_vec(const Vec3<double>& a, double* x) { x[0] = a.x, x[1] = a.y, x[2] = a.z; }

void check_size(const Model& m, const char* what, std::size_t found, int expected) {
  if (found != static_cast<std::size_t>(expected))
    throw Error(
        fmt::format("{} has {} entries, robot '{}' needs {}", what, found, m.name, expected));
}

// calls f(body, offset into the user's q, offset into the user's v) for every independent joint
template <class F>
void for_joints(const Model& m, F&& f) {
  int q = 0, v = 0;
  for (int i = 1; i < m.bodies(); ++i) {
    const auto b = static_cast<std::size_t>(i);
    if (m.master[b] >= 0) continue;
    f(b, q, v);
    q += m.q_count[b];
    v += m.v_count[b];
  }
}

// left Jacobian of the exponential map applied to x: ∫₀¹ exp(s·turn) x ds
Vec3<double> mean_turned(const Vec3<double>& turn, const Vec3<double>& x) {
  const double angle = norm(turn);
  const double a2 = angle * angle;
  // (1 − cos)/a² and (a − sin)/a³, by series where they cancel
  const double half = std::sin(0.5 * angle);
  const double b = angle < 1e-4 ? 0.5 - a2 / 24 : 2 * half * half / a2;
  const double c =
      angle < 1e-2 ? 1.0 / 6 - a2 / 120 + a2 * a2 / 5040 : (angle - std::sin(angle)) / (a2 * angle);
  const Vec3<double> tx = cross(turn, x);
  return x + tx * b + cross(turn, tx) * c;
}

// the inverse of mean_turned
Vec3<double> solve_mean_turned(const Vec3<double>& turn, const Vec3<double>& x) {
  const double angle = norm(turn);
  const double a2 = angle * angle;
  const double c = angle < 1e-2 ? 1.0 / 12 + a2 / 720 + a2 * a2 / 30240
                                : (1 - 0.5 * angle / std::tan(0.5 * angle)) / a2;
  const Vec3<double> tx = cross(turn, x);
  return x - tx * 0.5 + cross(turn, tx) * c;
}

}  // namespace

std::vector<double> neutral_position(const Model& m) {
  std::vector<double> q(static_cast<std::size_t>(m.nq), 0.0);
  for_joints(m, [&](std::size_t b, int start, int) {
    if (const auto turn = quaternion_of(m.kind[b]))
      q[static_cast<std::size_t>(start + turn->q + 3)] = 1;
    if (m.custom_index[b] < 0) return;
    const std::vector<double>& neutral =
        m.custom[static_cast<std::size_t>(m.custom_index[b])].neutral;
    std::copy(neutral.begin(), neutral.end(), q.begin() + start);
  });
  return q;
}

void integrate(const Model& m, std::span<const double> q, std::span<const double> v, double dt,
               std::span<double> result) {
  check_size(m, "integrate: q", q.size(), m.nq);
  check_size(m, "integrate: v", v.size(), m.nv);
  check_size(m, "integrate: result", result.size(), m.nq);
  for_joints(m, [&](std::size_t b, int qi, int vi) {
    const double *q0 = q.data() + qi, *rate = v.data() + vi;
    double* q1 = result.data() + qi;
    const int nq = m.q_count[b], nv = m.v_count[b];
    if (const auto turn = quaternion_of(m.kind[b])) {
      const Vec3<double> angle = read_vec(rate + turn->v) * dt;
      const Quat<double> start = read_quat(q0 + turn->q);
      if (m.kind[b] == JointKind::free) {
        // constant velocity in the body's own axes: the origin runs along a screw
        const Vec3<double> shift = mean_turned(angle, read_vec(rate + 3) * dt);
        write_vec(read_vec(q0) + to_matrix(start) * shift, q1);
      }
      write_quat(normalized(start * exp_quat(angle)), q1 + turn->q);
      return;
    }
    const CustomJoint* custom =
        m.custom_index[b] < 0 ? nullptr : &m.custom[static_cast<std::size_t>(m.custom_index[b])];
    if (custom && custom->integrate) {
      double step[6];
      for (int k = 0; k < nv; ++k) step[k] = rate[k] * dt;
      std::copy(q0, q0 + nq, q1);
      custom->integrate(custom->parameters, {q1, static_cast<std::size_t>(nq)},
                        {step, static_cast<std::size_t>(nv)});
      return;
    }
    for (int k = 0; k < nq; ++k) q1[k] = q0[k] + rate[k] * dt;
  });
}

void difference(const Model& m, std::span<const double> q0, std::span<const double> q1,
                std::span<double> step) {
  check_size(m, "difference: q0", q0.size(), m.nq);
  check_size(m, "difference: q1", q1.size(), m.nq);
  check_size(m, "difference: step", step.size(), m.nv);
  for_joints(m, [&](std::size_t b, int qi, int vi) {
    const double *a = q0.data() + qi, *z = q1.data() + qi;
    double* out = step.data() + vi;
    const int nq = m.q_count[b], nv = m.v_count[b];
    if (const auto turn = quaternion_of(m.kind[b])) {
      const Quat<double> start = read_quat(a + turn->q);
      const Vec3<double> angle = log_quat(conjugate(start) * read_quat(z + turn->q));
      write_vec(angle, out + turn->v);
      if (m.kind[b] == JointKind::free)
        write_vec(
            solve_mean_turned(angle, transpose_times(to_matrix(start), read_vec(z) - read_vec(a))),
            out + 3);
      return;
    }
    const CustomJoint* custom =
        m.custom_index[b] < 0 ? nullptr : &m.custom[static_cast<std::size_t>(m.custom_index[b])];
    if (custom && custom->difference) {
      custom->difference(custom->parameters, {a, static_cast<std::size_t>(nq)},
                         {z, static_cast<std::size_t>(nq)}, {out, static_cast<std::size_t>(nv)});
      return;
    }
    for (int k = 0; k < nv; ++k) out[k] = z[k] - a[k];
  });
}

void normalize(const Model& m, std::span<double> q) {
  check_size(m, "normalize: q", q.size(), m.nq);
  for_joints(m, [&](std::size_t b, int qi, int) {
    if (m.custom_index[b] >= 0) {
      const CustomJoint& custom = m.custom[static_cast<std::size_t>(m.custom_index[b])];
      const double still[6] = {};
      if (custom.integrate)
        custom.integrate(
            custom.parameters,
            q.subspan(static_cast<std::size_t>(qi), static_cast<std::size_t>(m.q_count[b])),
            {still, static_cast<std::size_t>(m.v_count[b])});
      return;
    }
    const auto turn = quaternion_of(m.kind[b]);
    if (!turn) return;
    double* at = q.data() + qi + turn->q;
    const double n2 = squared_norm(read_quat(at));
    if (!(n2 > 1e-300) || !std::isfinite(n2))
      throw Error(
          fmt::format("joint '{}' of robot '{}': the quaternion ({}, {}, {}, {}) cannot be "
                      "normalised; give (x, y, "
                      "z, w) with length 1",
                      m.joint_name[b], m.name, at[0], at[1], at[2], at[3]));
    write_quat(normalized(read_quat(at)), at);
  });
}

void position_rate(const Model& m, std::span<const double> q, std::span<const double> v,
                   std::span<double> q_dot) {
  check_size(m, "position_rate: q", q.size(), m.nq);
  check_size(m, "position_rate: v", v.size(), m.nv);
  check_size(m, "position_rate: q_dot", q_dot.size(), m.nq);
  for_joints(m, [&](std::size_t b, int qi, int vi) {
    const double *at = q.data() + qi, *rate = v.data() + vi;
    double* out = q_dot.data() + qi;
    if (const auto turn = quaternion_of(m.kind[b])) {
      const Quat<double> a = read_quat(at + turn->q);
      const Vec3<double> half = read_vec(rate + turn->v) * 0.5;
      write_quat(a * Quat<double>{half.x, half.y, half.z, 0}, out + turn->q);
      if (m.kind[b] == JointKind::free)
        write_vec(to_matrix(normalized(a)) * read_vec(rate + 3), out);
      return;
    }
    if (m.custom_index[b] >= 0) {
      const CustomJoint& custom = m.custom[static_cast<std::size_t>(m.custom_index[b])];
      if (custom.position_rate) {
        custom.position_rate(custom.parameters, {at, static_cast<std::size_t>(m.q_count[b])},
                             {rate, static_cast<std::size_t>(m.v_count[b])},
                             {out, static_cast<std::size_t>(m.q_count[b])});
        return;
      }
      if (custom.integrate)
        throw Error(fmt::format(
            "joint '{}' of robot '{}': position_rate needs q_dot = v, this custom joint integrates "
            "its positions itself; give it a position_rate or use integrate()",
            m.joint_name[b], m.name));
    }
    for (int k = 0; k < m.q_count[b]; ++k) out[k] = rate[k];
  });
}

}  // namespace limber
