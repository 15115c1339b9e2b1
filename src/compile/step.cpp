#include "compile/step.hpp"

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/model/joint_space.hpp>

#include "compile/traced_contact.hpp"
#include "compile/traced_loops.hpp"
#include "model/entries.hpp"

namespace limber {

namespace {

using Values = std::vector<Expr>;

using Reading = std::span<const Expr>;

/// x + y · h
Values sum(const Values& x, const Values& y, Expr h) {
  Values r = x;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += y[i] * h;
  return r;
}

/// v + h a, and then q moved by it for the time `way`; where `sinks` is 1, by what v has changed,
/// too, as if the half step before had gone with the new velocity. The velocity of a free body is
/// that of its centre of mass, in axes that do not turn (model/fixed_axes.hpp), here those of the
/// body at q; turning: the velocity that turns them.
StepValues kicked(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers, const Values& q,
                  const Values& v, const Values& turning, const Values& a, Expr h, Expr way,
                  Expr sinks = 0.0) {
  StepValues next{q, sum(v, a, h), {}, {}, {}, {}};
  Values moves = next.v;
  for (std::size_t k = 0; k < moves.size(); ++k) moves[k] += (moves[k] - v[k]) * sinks;
  integrate(m, q, moves, way, next.q);
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.origin < 0) return;
    const Vec3<double>& center = centers[static_cast<std::size_t>(joint.body)];
    const Vec3<Expr> c{center.x, center.y, center.z},
        omega = vector_at(Reading(v), joint.v), omega1 = vector_at(Reading(next.v), joint.v),
        turn = vector_at(Reading(moves), joint.v), axes_turn = vector_at(Reading(turning), joint.v),
        alpha = vector_at(Reading(a), joint.v);
    const Mat3<Expr> before = to_matrix(quaternion_at(Reading(q), joint.quaternion)),
                     after = to_matrix(quaternion_at(Reading(next.q), joint.quaternion)),
                     change = to_matrix(exp_quat(turn * way));
    const Vec3<Expr> u = vector_at(Reading(v), joint.v + 3) + cross(omega, c),
                     u_turning = vector_at(Reading(turning), joint.v + 3) + cross(axes_turn, c);
    const Vec3<Expr> u_dot =
        vector_at(Reading(a), joint.v + 3) + cross(alpha, c) + cross(axes_turn, u_turning);
    const Vec3<Expr> u1 = u + u_dot * h, goes = u1 + (u1 - u) * sinks;
    put(vector_at(Reading(q), joint.origin) + before * (c + goes * way) - after * c,
        std::span(next.q), joint.origin);
    put(transpose_times(change, u1) - cross(omega1, c), std::span(next.v), joint.v + 3);
  });
  return next;
}

StepValues semi_implicit_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                              const Values& q, const Values& v, const Values& a, Expr h) {
  return kicked(m, centers, q, v, v, a, h, h);
}

/// Nothing acts.
StepValues drifted(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                   const Values& q, const Values& v, Expr way) {
  return kicked(m, centers, q, v, v, Values(v.size()), 0.0, way);
}

Values rate_of(const BasicModel<Expr>& m, const Values& q, const Values& v) {
  Values q_dot(q.size());
  position_rate(m, q, v, q_dot);
  return q_dot;
}

/// q with its quaternions unit.
Values with_unit_quaternions(const BasicModel<Expr>& m, Values q) {
  normalize(m, q);
  return q;
}

/// v and what turning axes do to it within h: the velocity of a free body, in the axes of q,
/// changes by h (a + ω × u) with the velocity u of its centre of mass, both of `turning`.
Values velocity_in_fixed_axes(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                              Values v, const Values& turning, Expr h) {
  for_each_joint(m, [&](const JointPlace& joint) {
    if (joint.origin < 0) return;
    const Vec3<double>& center = centers[static_cast<std::size_t>(joint.body)];
    const Vec3<Expr> omega = vector_at(Reading(turning), joint.v);
    const Vec3<Expr> u = vector_at(Reading(turning), joint.v + 3) +
                         cross(omega, Vec3<Expr>{center.x, center.y, center.z});
    put(vector_at(Reading(v), joint.v + 3) + cross(omega, u) * h, std::span(v), joint.v + 3);
  });
  return v;
}

using StepInputValues = std::map<std::string, std::vector<Expr>, std::less<>>;

/// tau with the forces of the PD controller.
Values controlled_forces(const BasicModel<Expr>& m, const StepInputValues& in, const Values& q,
                         const Values& v) {
  const Values &kp = in.at("kp"), &kd = in.at("kd");
  Values force = in.at("tau");
  for (std::size_t k = 0; k < force.size(); ++k) {
    if (m.dof_q[k] >= 0)
      force[k] += kp[k] * (in.at("target")[k] - q[static_cast<std::size_t>(m.dof_q[k])]);
    force[k] -= kd[k] * v[k];
  }
  return force;
}

/// forward(q, v, tau): accelerations.
template <class F>
StepValues open_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                     const StepInputValues& in, StepMethod method, F&& forward) {
  const Values &q = in.at("q"), &v = in.at("v");
  const Expr h = in.at("h")[0];
  auto acceleration = [&](const Values& at, const Values& rate) {
    return forward(at, rate, controlled_forces(m, in, at, rate));
  };
  if (method == StepMethod::semi_implicit_euler)
    return semi_implicit_step(m, centers, q, v, acceleration(q, v), h);
  if (method == StepMethod::midpoint) {
    const Expr half = h * Expr(0.5);
    const StepValues mid = drifted(m, centers, q, v, half);
    const Values v_mid = sum(velocity_in_fixed_axes(m, centers, mid.v, mid.v, half),
                             acceleration(mid.q, mid.v), half);
    return kicked(m, centers, mid.q, mid.v, v_mid, acceleration(mid.q, v_mid), h, half);
  }
  // as the simulator: between the stages quaternions leave the unit sphere, and what depends on
  // where bodies are sees them brought back to it
  struct Slope {
    Values q, v;
  };
  const auto slope = [&](const Values& at, const Values& unit_at, const Values& rate) {
    return Slope{rate_of(m, at, rate), acceleration(unit_at, rate)};
  };
  const auto slope_after = [&](const Slope& s, Expr t) {
    const Values at = sum(q, s.q, t);
    return slope(at, with_unit_quaternions(m, at), sum(v, s.v, t));
  };
  const Expr half = h * Expr(0.5), sixth = h * Expr(1.0 / 6), third = h * Expr(1.0 / 3);
  const Slope k1 = slope(q, q, v), k2 = slope_after(k1, half), k3 = slope_after(k2, half),
              k4 = slope_after(k3, h);
  const auto combined = [&](const Values& x, Values Slope::*part) {
    return sum(sum(sum(sum(x, k1.*part, sixth), k2.*part, third), k3.*part, third), k4.*part,
               sixth);
  };
  return {with_unit_quaternions(m, combined(q, &Slope::q)), combined(v, &Slope::v), {}, {}, {}, {}};
}

/// A semi-implicit step whose velocity obeys the ground.
StepValues contact_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                        const StepInputValues& in, const StepContact& contact,
                        const Loads<Expr>& loads, BasicWorkspace<Expr>& ws) {
  const Values &q = in.at("q"), &v = in.at("v");
  const Expr h = in.at("h")[0];
  Values rest = controlled_forces(m, in, q, v);
  const std::span<const Expr> bias = bias_forces<Expr>(m, q, v, ws, loads);
  for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= bias[k];
  const auto last = in.find("last_forces");
  ContactMotion motion =
      traced_contact(m, contact, q, velocity_in_fixed_axes(m, centers, v, v, h), rest,
                     last == in.end() ? Reading() : Reading(last->second), h, loads, ws);
  StepValues next = semi_implicit_step(m, centers, q, v, motion.a, h);
  next.forces = std::move(motion.forces);
  next.residual = {motion.residual};
  return next;
}

/// A step by the midpoint rule whose velocity obeys the ground at its end.
StepValues contact_midpoint_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                                 const StepInputValues& in, const StepContact& contact,
                                 const Loads<Expr>& loads, BasicWorkspace<Expr>& ws) {
  const Values &q = in.at("q"), &v = in.at("v"), &last = in.at("last_forces");
  const Expr h = in.at("h")[0], half = h * Expr(0.5);
  const StepValues mid = drifted(m, centers, q, v, half);
  // the damping of the controller is that of the middle: (M + h/2 kd) a = what it does at v
  Loads<Expr> damped = loads;
  Values inertia = in.at("kd");
  for (std::size_t k = 0; k < inertia.size(); ++k) {
    inertia[k] *= half;
    if (!loads.joint_inertia.empty()) inertia[k] += loads.joint_inertia[k];
  }
  damped.joint_inertia = inertia;
  const Values controlled = controlled_forces(m, in, mid.q, mid.v);
  const auto rest_at = [&](const Values& rate) {
    Values rest = controlled;
    const std::span<const Expr> bias = bias_forces<Expr>(m, mid.q, rate, ws, loads);
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= bias[k];
    return rest;
  };
  // the velocity in the middle, with what contacts did in the last step
  Values a = sum(rest_at(mid.v), generalized_contact_forces(m, contact, mid.q, last, ws), 1.0);
  BasicTreeFactor<Expr> factor(m);
  factorize<Expr>(m, mid.q, ws, factor, damped);
  solve<Expr>(factor, a);
  const Values v_mid = sum(velocity_in_fixed_axes(m, centers, mid.v, mid.v, half), a, half);
  // what nothing accelerates: a = −ω × u in turning axes
  const Values none(v.size()),
      resting = sum(none, velocity_in_fixed_axes(m, centers, none, v_mid, 1.0), -1.0);
  const ContactMiddle middle{mid.v, contact_rates(m, contact, mid.q, v_mid, resting, ws)};
  ContactMotion motion =
      traced_contact(m, contact, mid.q, velocity_in_fixed_axes(m, centers, mid.v, v_mid, h),
                     rest_at(v_mid), last, h, damped, ws, &middle);
  StepValues next = kicked(m, centers, mid.q, mid.v, v_mid, motion.a, h, half, motion.sinks);
  next.forces = std::move(motion.forces);
  next.residual = {motion.residual};
  return next;
}

}  // namespace

StepValues traced_step(const BasicModel<Expr>& m, std::span<const Vec3<double>> centers,
                       const StepInputValues& in, const FunctionOptions& options,
                       const Loads<Expr>& loads, ForwardWay way, BasicWorkspace<Expr>& ws) {
  const StepMethod method = options.method;
  if (!options.contact.candidates.empty())
    return method == StepMethod::midpoint
               ? contact_midpoint_step(m, centers, in, options.contact, loads, ws)
               : contact_step(m, centers, in, options.contact, loads, ws);
  if (m.loops.empty())
    return open_step(m, centers, in, method,
                     [&](const Values& q, const Values& v, const Values& tau) {
                       return traced_forward_dynamics(m, q, v, tau, ws, loads, way);
                     });
  TracedLoops loops(m);
  const StepValues open =
      open_step(m, centers, in, method, [&](const Values& q, const Values& v, const Values& tau) {
        return loops.acceleration(q, v, tau, ws, loads);
      });
  TracedLoops::State next = loops.state_on_loops(open.q, open.v, ws);
  return {std::move(next.q), std::move(next.v), std::move(next.gap), std::move(next.rate), {}, {}};
}

}  // namespace limber
