// What a hand feels: the inertia of an arm as seen at its tool, and a force that moves the tool
// straight ahead although the arm would swerve.
#include <cmath>
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  const limber::Model arm = limber::load("arm7");
  limber::Workspace ws(arm);
  limber::OperationalSpace os(arm, 1);  // room for one frame
  const std::vector<int> tool{arm.frame(arm.body_name.back())};
  const auto world = limber::Reference::world_aligned;
  const std::vector<double> q{0.2, 0.5, -0.3, -1.2, 0.4, 0.8, 0.1};

  const auto inertia = limber::operational_space_inertia(arm, q, tool, world, ws, os);
  std::printf("apparent mass at the tool, x y z: %.3f %.3f %.3f kg\n", inertia(3, 3), inertia(4, 4),
              inertia(5, 5));

  // 10 N along x on the tool: where does it go?
  const auto mobility = limber::operational_space_inverse_inertia(arm, q, tool, world, ws, os);
  std::printf("10 N along x gives  %.3f %.3f %.3f m/s^2\n", 10 * mobility(3, 3),
              10 * mobility(4, 3), 10 * mobility(5, 3));

  // 1 m/s^2 along x and nothing else: tau = Jt Lambda xdd + gravity
  const auto lambda = limber::operational_space_inertia(arm, q, tool, world, ws, os);
  double force[6];
  for (int row = 0; row < 6; ++row) force[row] = lambda(row, 3);
  std::vector<double> tau(static_cast<std::size_t>(arm.nv), 0.0);
  const auto J = limber::jacobian(arm, q, tool[0], world, ws);
  for (int k = 0; k < arm.nv; ++k)
    for (int row = 0; row < 6; ++row) tau[static_cast<std::size_t>(k)] += J(row, k) * force[row];
  const auto hold = limber::gravity_forces(arm, q, ws);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += hold[k];

  const std::vector<double> rest(tau.size(), 0.0);
  const auto found = limber::forward_dynamics(arm, q, rest, tau, ws);
  const std::vector<double> a(found.begin(), found.end());
  const limber::Accelerations& bodies = limber::forward_kinematics(arm, q, rest, a, ws);
  const auto motion = limber::frame_classical_acceleration(arm, bodies, tool[0], world);
  const auto tidy = [](double x) { return std::round(x * 1e9) / 1e9 + 0.0; };  // no -0
  std::printf("the tool accelerates %.3f %.3f %.3f m/s^2 and does not turn (%.0e rad/s^2)\n",
              tidy(motion.linear.x), tidy(motion.linear.y), tidy(motion.linear.z),
              limber::norm(motion.angular) < 1e-9 ? 0.0 : limber::norm(motion.angular));
}
