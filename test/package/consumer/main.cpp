#include <cmath>
#include <limber/limber.hpp>

int main() {
  const limber::Model arm = limber::load("puma560");
  limber::Workspace ws(arm);
  const std::vector<double> q(6, 0.5), v(6, 0.1), a(6, 1.0);
  const auto forces = limber::inverse_dynamics(arm, q, v, a, ws);
  const std::vector<double> tau(forces.begin(), forces.end());
  for (double back : limber::forward_dynamics(arm, q, v, tau, ws))
    if (std::abs(back - 1) > 1e-9) return 1;
}
