// A force at the tool, and what the bearings of the joints have to carry.
#include <cmath>
#include <cstdio>

#include <limber/limber.hpp>

// four decimals, and never -0.0000
double rounded(double x) { return std::round(x * 1e4) / 1e4 + 0.0; }

int main() {
  const limber::Model arm = limber::load("puma560");
  limber::Workspace ws(arm);
  const std::vector<double> q{0, 0.8, 2.2, 0, 0.7, 0}, still(6, 0.0);

  // 20 N downwards in the world at the origin of the last body's frame; external forces are given
  // in each body's own axes, so turn it there first
  const int last = arm.bodies() - 1;
  const limber::Poses& bodies = limber::forward_kinematics(arm, q, ws);
  const limber::Vec3<double> down{0, 0, -20};
  std::vector<limber::Force<double>> body_forces(static_cast<std::size_t>(arm.bodies()));
  body_forces.back().linear = transpose_times(limber::body_pose(arm, bodies, last).R, down);

  limber::Loads<double> loads;
  loads.body_forces = body_forces;
  const auto without = limber::gravity_forces(arm, q, ws);
  const std::vector<double> weight(without.begin(), without.end());
  const auto tau = limber::inverse_dynamics(arm, q, still, still, ws, loads);
  std::printf("joint   own weight   with 20 N at the wrist [N m]\n");
  for (std::size_t k = 0; k < tau.size(); ++k)
    std::printf("%zu     %12.4f %12.4f\n", k + 1, rounded(weight[k]), rounded(tau[k]));

  // the whole force through each joint, in its body's frame: the drive's part and the bearing's
  for (int body = 1; body <= last; ++body) {
    const limber::Force<double> r = limber::joint_reaction(arm, tau, body);
    std::printf("%-10s force %8.3f N, moment %8.3f N m\n",
                arm.joint_name[static_cast<std::size_t>(body)].c_str(), norm(r.linear),
                norm(r.angular));
  }
}
