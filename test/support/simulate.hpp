#pragma once
// A plain Runge-Kutta integrator of fourth order for tests.
#include <limber/model/joint_space.hpp>

#include "support/near.hpp"

namespace limber::test {

/// A state on its way.
struct Moving {
  double t = 0;
  Eigen::VectorXd q, v;
};

/// One step of dt; acceleration(t, q, v) gives the derivative of v. Positions move by q̇ as
/// position_rate() says; quaternions are made unit again.
template <class F>
void runge_kutta_step(const Model& model, Moving& x, double dt, F&& acceleration) {
  using Eigen::VectorXd;
  auto rate = [&](const VectorXd& q, const VectorXd& v) {
    VectorXd q_dot(q.size());
    position_rate(model, in(q), in(v), {q_dot.data(), static_cast<std::size_t>(q_dot.size())});
    return q_dot;
  };
  const VectorXd q1 = rate(x.q, x.v), v1 = acceleration(x.t, x.q, x.v);
  const VectorXd qa = x.q + dt / 2 * q1, va = x.v + dt / 2 * v1;
  const VectorXd q2 = rate(qa, va), v2 = acceleration(x.t + dt / 2, qa, va);
  const VectorXd qb = x.q + dt / 2 * q2, vb = x.v + dt / 2 * v2;
  const VectorXd q3 = rate(qb, vb), v3 = acceleration(x.t + dt / 2, qb, vb);
  const VectorXd qc = x.q + dt * q3, vc = x.v + dt * v3;
  const VectorXd q4 = rate(qc, vc), v4 = acceleration(x.t + dt, qc, vc);
  x.q += dt / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
  x.v += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  x.t += dt;
  normalize(model, {x.q.data(), static_cast<std::size_t>(x.q.size())});
}

template <class F>
void simulate(const Model& model, Moving& x, double duration, int steps, F&& acceleration) {
  for (int i = 0; i < steps; ++i) runge_kutta_step(model, x, duration / steps, acceleration);
}

}  // namespace limber::test
