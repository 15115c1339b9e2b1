// A sphere that rolls without slipping on a turntable. Rolling is a non-holonomic joint: five
// freedoms of position, three of velocity. The table's motion is given, the sphere's is not: hybrid
// dynamics. Seen from the ground the centre runs round a circle at 2/7 of the table's rate.
#include <cmath>
#include <cstdio>

#include <limber/limber.hpp>

using Numbers = std::vector<double>;

int main() {
  const double radius = 0.1, mass = 1, inertia = 0.4 * mass * radius * radius, rate = 7;
  limber::Spec spec;
  spec.name = "turntable";
  spec.add_body("table", 5, {}, {1, 1, 1, 0, 0, 0});
  spec.add_body("ball", mass, {}, {inertia, inertia, inertia, 0, 0, 0});
  spec.add_joint("spindle", limber::JointKind::revolute, "", "table");
  spec.add_joint("roll", limber::JointKind::custom, "table", "ball").custom =
      limber::rolling_sphere(radius);
  const limber::Model model = limber::build(spec);
  limber::Workspace ws(model);

  // the table keeps its rate (acceleration 0), no drive acts on the ball (force 0)
  using limber::Known;
  const std::vector<Known> known{Known::acceleration, Known::force, Known::force, Known::force};
  const Numbers given(4, 0.0);

  // one vector for q = (table's angle; x, y, quaternion on the table) and v = (table's rate; the
  // ball's angular velocity relative to the table, in its own axes)
  Numbers state{0, 0.5, 0, 0, 0, 0, 1, rate, 30, 0, -rate};
  const auto derivative = [&](const Numbers& x) {
    const std::span<const double> q(x.data(), 7), v(x.data() + 7, 4);
    Numbers d(x.size());
    limber::position_rate(model, q, v, std::span(d).first(7));
    const auto a = limber::hybrid_dynamics(model, q, v, known, given, ws).a;
    for (std::size_t k = 0; k < a.size(); ++k) d[7 + k] = a[k];
    return d;
  };
  const auto plus = [](Numbers x, double step, const Numbers& d) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += step * d[k];
    return x;
  };

  const double quarter = std::acos(0.0), dt = quarter / 2 / 500;  // round the circle in π seconds
  for (int step = 0; step <= 2000; ++step) {
    if (step % 500 == 0) {
      const auto& bodies = limber::forward_kinematics(model, std::span(state).first(7), ws);
      const auto p = limber::frame_pose(model, bodies, model.frame("ball")).p;
      const double angle = step / 500 * quarter;
      std::printf("x %.4f  y %7.4f    closed form: x %.4f  y %7.4f\n", p.x, p.y + 1e-9,
                  0.25 + 0.25 * std::cos(angle), 0.25 * std::sin(angle) + 1e-9);
    }
    const Numbers a = derivative(state), b = derivative(plus(state, dt / 2, a)),
                  c = derivative(plus(state, dt / 2, b)), d = derivative(plus(state, dt, c));
    for (std::size_t k = 0; k < state.size(); ++k)
      state[k] += dt / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
}
