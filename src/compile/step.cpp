#include "compile/step.hpp"

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/error.hpp>
#include <limber/math/quat.hpp>

namespace limber {

namespace {

using Values = std::vector<Expr>;

Vec3<Expr> vec(const Expr* x) { return {x[0], x[1], x[2]}; }
Quat<Expr> quat(const Expr* x) { return {x[0], x[1], x[2], x[3]}; }
void write(const Vec3<Expr>& a, Expr* x) { x[0] = a.x, x[1] = a.y, x[2] = a.z; }
void write(const Quat<Expr>& a, Expr* x) { x[0] = a.x, x[1] = a.y, x[2] = a.z, x[3] = a.w; }

Quat<Expr> unit(const Quat<Expr>& a) {
  const Expr scale = Expr(1) / sqrt(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
  return {a.x * scale, a.y * scale, a.z * scale, a.w * scale};
}

/// sin(n/2)/n, cos(n/2), (1 − cos n)/n² and (n − sin n)/n³ of n² = n2, by series where they cancel.
struct TurnCoefficients {
  Expr half_sine, half_cosine, b, c;
  explicit TurnCoefficients(Expr n2) {
    const Expr n = sqrt(n2);
    Expr s, co, s2, c2;
    sincos(n * Expr(0.5), s, co);
    sincos(n, s2, c2);
    const auto tiny = n2 < Expr(1e-8);
    const auto small = n2 < Expr(1e-4);
    half_sine = select(tiny, Expr(0.5) - n2 / Expr(48) + n2 * n2 / Expr(3840), s / n);
    half_cosine = co;
    b = select(tiny, Expr(0.5) - n2 / Expr(24), Expr(2) * s * s / n2);
    c = select(small, Expr(1.0 / 6) - n2 / Expr(120) + n2 * n2 / Expr(5040), (n - s2) / (n2 * n));
  }
};

/// Calls f(body, first position, first velocity) for the joints with variables of their own.
template <class F>
void for_joints(const BasicModel<Expr>& m, F&& f) {
  int q = 0, v = 0;
  for (std::size_t b = 1; b < m.parent.size(); ++b) {
    if (m.master[b] >= 0) continue;
    if (m.custom_index[b] >= 0 && m.custom[static_cast<std::size_t>(m.custom_index[b])].integrate)
      throw Error("robot '" + m.name + "': joint '" + m.joint_name[b] +
                  "' moves its positions by a function of its own, which cannot be compiled into a "
                  "step; integrate it in your own code");
    f(b, q, v);
    q += m.q_count[b], v += m.v_count[b];
  }
}

/// q moved by the constant velocity v for the time h, as integrate().
Values moved(const BasicModel<Expr>& m, const Values& q, const Values& v, Expr h) {
  Values next = q;
  for_joints(m, [&](std::size_t b, int first_q, int first_v) {
    const Expr *q0 = q.data() + first_q, *rate = v.data() + first_v;
    Expr* q1 = next.data() + first_q;
    const bool is_free = m.kind[b] == JointKind::free;
    if (!is_free && m.kind[b] != JointKind::spherical) {
      for (int k = 0; k < m.q_count[b]; ++k) q1[k] = q0[k] + rate[k] * h;
      return;
    }
    const Vec3<Expr> turn = vec(rate) * h;
    const TurnCoefficients by(dot(turn, turn));
    const Quat<Expr> start = quat(q0 + (is_free ? 3 : 0));
    const Quat<Expr> change{turn.x * by.half_sine, turn.y * by.half_sine, turn.z * by.half_sine,
                            by.half_cosine};
    if (is_free) {  // the origin runs along a screw
      const Vec3<Expr> x = vec(rate + 3) * h, tx = cross(turn, x);
      write(vec(q0) + to_matrix(start) * (x + tx * by.b + cross(turn, tx) * by.c), q1);
    }
    write(unit(start * change), q1 + (is_free ? 3 : 0));
  });
  return next;
}

/// q̇ for the velocity v.
Values position_rate(const BasicModel<Expr>& m, const Values& q, const Values& v) {
  Values rates(q.size());
  for_joints(m, [&](std::size_t b, int first_q, int first_v) {
    const Expr *q0 = q.data() + first_q, *rate = v.data() + first_v;
    Expr* q_dot = rates.data() + first_q;
    const bool is_free = m.kind[b] == JointKind::free;
    if (!is_free && m.kind[b] != JointKind::spherical) {
      for (int k = 0; k < m.q_count[b]; ++k) q_dot[k] = rate[k];
      return;
    }
    const Quat<Expr> turn = quat(q0 + (is_free ? 3 : 0));
    const Vec3<Expr> half = vec(rate) * Expr(0.5);
    if (is_free) write(to_matrix(turn) * vec(rate + 3), q_dot);
    write(turn * Quat<Expr>{half.x, half.y, half.z, Expr(0)}, q_dot + (is_free ? 3 : 0));
  });
  return rates;
}

void normalize(const BasicModel<Expr>& m, Values& q) {
  for_joints(m, [&](std::size_t b, int first, int) {
    if (m.kind[b] == JointKind::free) first += 3;
    else if (m.kind[b] != JointKind::spherical) return;
    Expr* x = q.data() + first;
    write(unit(quat(x)), x);
  });
}

/// x + y · h
Values sum(const Values& x, const Values& y, Expr h) {
  Values r = x;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += y[i] * h;
  return r;
}

}  // namespace

StepValues traced_step(const BasicModel<Expr>& m,
                       const std::map<std::string, std::vector<Expr>, std::less<>>& in,
                       StepMethod method, BasicWorkspace<Expr>& ws) {
  const Values &q = in.at("q"), &v = in.at("v"), &kp = in.at("kp"), &kd = in.at("kd");
  const Expr h = in.at("h")[0];
  Loads<Expr> loads;
  loads.passive = Passive::included;
  auto acceleration = [&](const Values& at, const Values& rate) {
    Values force = in.at("tau");
    for (std::size_t k = 0; k < force.size(); ++k) {
      if (m.dof_q[k] >= 0)
        force[k] += kp[k] * (in.at("target")[k] - at[static_cast<std::size_t>(m.dof_q[k])]);
      force[k] -= kd[k] * rate[k];
    }
    const std::span<const Expr> a = forward_dynamics<Expr>(m, at, rate, force, ws, loads);
    return Values(a.begin(), a.end());
  };
  if (method == StepMethod::semi_implicit_euler) {
    const Values next = sum(v, acceleration(q, v), h);
    return {moved(m, q, next, h), next};
  }
  const Expr half = h * Expr(0.5), sixth = h * Expr(1.0 / 6), third = h * Expr(1.0 / 3);
  const Values r1 = position_rate(m, q, v), a1 = acceleration(q, v);
  const Values q2 = sum(q, r1, half), v2 = sum(v, a1, half);
  const Values r2 = position_rate(m, q2, v2), a2 = acceleration(q2, v2);
  const Values q3 = sum(q, r2, half), v3 = sum(v, a2, half);
  const Values r3 = position_rate(m, q3, v3), a3 = acceleration(q3, v3);
  const Values q4 = sum(q, r3, h), v4 = sum(v, a3, h);
  const Values r4 = position_rate(m, q4, v4), a4 = acceleration(q4, v4);
  auto combined = [&](const Values& x, const Values& k1, const Values& k2, const Values& k3,
                      const Values& k4) {
    return sum(sum(sum(sum(x, k1, sixth), k2, third), k3, third), k4, sixth);
  };
  StepValues next{combined(q, r1, r2, r3, r4), combined(v, a1, a2, a3, a4)};
  normalize(m, next.q);
  return next;
}

}  // namespace limber
