// Analytic derivatives in tangent space: how the acceleration of a floating humanoid answers to a
// small change of its position, checked against a small step; and its linear system about rest.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  const limber::Model robot = limber::load("humanoid");
  limber::Workspace ws(robot);
  limber::MatrixWorkspace mw(robot);  // room for whole matrices, made once
  const limber::RandomState s = limber::generate_state(robot, 1);

  const auto d = limber::forward_dynamics_tangent_derivatives(robot, s.q, s.v, s.tau, ws, mw);
  std::printf("da/dq is %d x %d: a step of q has the size and the axes of v (q has %d numbers)\n",
              d.a_q.rows, d.a_q.columns, robot.nq);

  // the same by a step along variable 9: q ⊕ ±h e_9
  const int k = 9;
  const double h = 1e-5;
  std::vector<double> step(static_cast<std::size_t>(robot.nv), 0.0), q(s.q);
  step[k] = 1;
  std::vector<double> slope;
  for (const double side : {h, -h}) {
    limber::integrate(robot, s.q, step, side, q);
    const auto a = limber::forward_dynamics(robot, q, s.v, s.tau, ws);
    slope.resize(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) slope[i] += a[i] * (side > 0 ? 1 : -1) / (2 * h);
  }
  double largest = 0, error = 0;
  for (int i = 0; i < robot.nv; ++i) {
    largest = std::max(largest, std::abs(d.a_q(i, k)));
    error = std::max(error, std::abs(d.a_q(i, k) - slope[static_cast<std::size_t>(i)]));
  }
  std::printf("column %d: central differences agree %s\n", k,
              error < 1e-6 * largest ? "to 1e-6" : "NOT");

  // x' = A x + B u about the upright pendulum: an unstable pole at +sqrt(m g l / I)
  const limber::Model pendulum = limber::load("pendulum");
  limber::Workspace small(pendulum);
  limber::MatrixWorkspace matrices(pendulum);
  std::vector<double> A(4), B(2);
  const double upright[] = {3.14159265358979323846}, zero[] = {0.0};
  limber::linearize(pendulum, upright, zero, zero, small, matrices, A, B);
  std::printf("pendulum upright: A = [%g %g; %.4f %g], pole at +%.4f 1/s\n", A[0], A[1], A[2],
              A[3] + 0.0, std::sqrt(A[2]));
}
