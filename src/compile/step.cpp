#include "compile/step.hpp"

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

/// The quaternion of a turn (rotation vector), by series where sin(n/2)/n cancels.
Quat<Expr> turn_quat(const Vec3<Expr>& turn) {
  const Expr n2 = dot(turn, turn), n = sqrt(n2);
  Expr s, c;
  sincos(n * Expr(0.5), s, c);
  const Expr half_sine =
      select(n2 < Expr(1e-8), Expr(0.5) - n2 / Expr(48) + n2 * n2 / Expr(3840), s / n);
  return {turn.x * half_sine, turn.y * half_sine, turn.z * half_sine, c};
}

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

/// v + h a, and q moved by it. The velocity of a free body is that of its centre of mass, in axes
/// that do not turn (model/fixed_axes.hpp), here those of the body at the step's beginning.
StepValues semi_implicit_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                              const Values& q, const Values& v, const Values& a, Expr h) {
  StepValues next{q, v};
  for_joints(m, [&](std::size_t b, int first_q, int first_v) {
    const Expr *q0 = q.data() + first_q, *v0 = v.data() + first_v, *a0 = a.data() + first_v;
    Expr *q1 = next.q.data() + first_q, *v1 = next.v.data() + first_v;
    for (int k = 0; k < m.v_count[b]; ++k) v1[k] = v0[k] + a0[k] * h;
    const bool is_free = m.kind[b] == JointKind::free;
    if (!is_free && m.kind[b] != JointKind::spherical) {
      for (int k = 0; k < m.q_count[b]; ++k) q1[k] = q0[k] + v1[k] * h;
      return;
    }
    const Quat<Expr> before = quat(q0 + (is_free ? 3 : 0)), change = turn_quat(vec(v1) * h);
    const Quat<Expr> after = unit(before * change);
    write(after, q1 + (is_free ? 3 : 0));
    if (!is_free) return;
    const Vec3<Expr> c{centers[b].x, centers[b].y, centers[b].z};
    const Vec3<Expr> omega = vec(v0), u = vec(v0 + 3) + cross(omega, c);
    const Vec3<Expr> u1 = u + (vec(a0 + 3) + cross(vec(a0), c) + cross(omega, u)) * h;
    write(vec(q0) + to_matrix(before) * (c + u1 * h) - to_matrix(after) * c, q1);
    write(transpose_times(to_matrix(change), u1) - cross(vec(v1), c), v1 + 3);
  });
  return next;
}

/// q̇ for the velocity v. `unit_q`: q with its quaternions unit.
Values position_rate(const BasicModel<Expr>& m, const Values& q, const Values& unit_q,
                     const Values& v) {
  Values rates(q.size());
  for_joints(m, [&](std::size_t b, int first_q, int first_v) {
    const Expr* rate = v.data() + first_v;
    Expr* q_dot = rates.data() + first_q;
    const bool is_free = m.kind[b] == JointKind::free;
    if (!is_free && m.kind[b] != JointKind::spherical) {
      for (int k = 0; k < m.q_count[b]; ++k) q_dot[k] = rate[k];
      return;
    }
    const int turn = first_q + (is_free ? 3 : 0);
    const Vec3<Expr> half = vec(rate) * Expr(0.5);
    if (is_free) write(to_matrix(quat(unit_q.data() + turn)) * vec(rate + 3), q_dot);
    write(quat(q.data() + turn) * Quat<Expr>{half.x, half.y, half.z, Expr(0)}, rates.data() + turn);
  });
  return rates;
}

/// q with its quaternions unit.
Values normalized(const BasicModel<Expr>& m, Values q) {
  for_joints(m, [&](std::size_t b, int first, int) {
    if (m.kind[b] == JointKind::free) first += 3;
    else if (m.kind[b] != JointKind::spherical) return;
    Expr* x = q.data() + first;
    write(unit(quat(x)), x);
  });
  return q;
}

/// x + y · h
Values sum(const Values& x, const Values& y, Expr h) {
  Values r = x;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += y[i] * h;
  return r;
}

}  // namespace

StepValues traced_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                       const std::map<std::string, std::vector<Expr>, std::less<>>& in,
                       StepMethod method, ForwardWay way, BasicWorkspace<Expr>& ws) {
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
    return traced_forward_dynamics(m, at, rate, force, ws, loads, way);
  };
  if (method == StepMethod::semi_implicit_euler)
    return semi_implicit_step(m, centers, q, v, acceleration(q, v), h);
  // as the simulator: between the stages quaternions leave the unit sphere, and what depends on
  // where bodies are sees them brought back to it
  struct Slope {
    Values q, v;
  };
  const auto slope = [&](const Values& at, const Values& unit_at, const Values& rate) {
    return Slope{position_rate(m, at, unit_at, rate), acceleration(unit_at, rate)};
  };
  const auto slope_after = [&](const Slope& s, Expr t) {
    const Values at = sum(q, s.q, t);
    return slope(at, normalized(m, at), sum(v, s.v, t));
  };
  const Expr half = h * Expr(0.5), sixth = h * Expr(1.0 / 6), third = h * Expr(1.0 / 3);
  const Slope k1 = slope(q, q, v), k2 = slope_after(k1, half), k3 = slope_after(k2, half),
              k4 = slope_after(k3, h);
  const auto combined = [&](const Values& x, Values Slope::*part) {
    return sum(sum(sum(sum(x, k1.*part, sixth), k2.*part, third), k3.*part, third), k4.*part,
               sixth);
  };
  return {normalized(m, combined(q, &Slope::q)), combined(v, &Slope::v)};
}

}  // namespace limber
