// Exact derivatives: run the same algorithm with Dual numbers. How does the torque of a double
// pendulum change with its angles?
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  using limber::Dual;
  const limber::Model model = limber::load("double_pendulum");
  const limber::BasicModel<Dual> dual_model = limber::cast<Dual>(model);
  limber::BasicWorkspace<Dual> dual_ws(dual_model);
  limber::Workspace ws(model);

  const std::vector<double> q{0.4, -0.7}, v{1.0, 0.5}, a{0.2, -0.3};
  for (std::size_t direction = 0; direction < 2; ++direction) {
    // seed: the derivative of q along the direction is one
    std::vector<Dual> dual_q{q[0], q[1]};
    dual_q[direction].derivative = 1;
    const std::vector<Dual> dual_v{v[0], v[1]}, dual_a{a[0], a[1]};
    const auto tau = limber::inverse_dynamics(dual_model, dual_q, dual_v, dual_a, dual_ws);
    std::printf("d tau / d q%zu:    %9.5f %9.5f\n", direction + 1, tau[0].derivative,
                tau[1].derivative);

    // the same by central differences
    const double h = 1e-5;
    std::vector<double> difference(2, 0.0);
    for (double sign : {1.0, -1.0}) {
      std::vector<double> moved = q;
      moved[direction] += sign * h;
      const auto near = limber::inverse_dynamics(model, moved, v, a, ws);
      for (std::size_t k = 0; k < 2; ++k) difference[k] += sign * near[k] / (2 * h);
    }
    std::printf("  by difference: %9.5f %9.5f\n", difference[0], difference[1]);
  }
}
