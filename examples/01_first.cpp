// Load a robot and compute its inverse dynamics, mass matrix and forward dynamics.
#include <cstdio>

#include <limber/limber.hpp>

int main() {
  const limber::Model arm = limber::load("puma560");  // or a file: limber::load("arm.urdf")
  limber::Workspace ws(arm);                          // scratch, one per thread

  const std::vector<double> q{0.1, 0.8, 2.2, 0.2, 0.7, 0.3};  // joint angles [rad]
  const std::vector<double> v{0.1, 0.2, 0.8, 0.2, 0.5, 1.0};  // joint speeds [rad/s]
  const std::vector<double> a(6, 1.0);                        // joint accelerations [rad/s²]

  // results are views into the workspace, valid until the next call that writes them: copy to keep
  const std::span<const double> forces = limber::inverse_dynamics(arm, q, v, a, ws);
  const std::vector<double> tau(forces.begin(), forces.end());
  std::printf("joint    tau [N m]\n");
  for (int k = 0; k < arm.nv; ++k)
    std::printf("%-8d %9.4f\n", k + 1, tau[static_cast<std::size_t>(k)]);

  const limber::TreeMatrixView<double> M = limber::mass_matrix(arm, q, ws);
  std::printf("inertia seen by joint 1: %.4f kg m²\n", M(0, 0));

  // the forces found above give the accelerations from which they were computed
  const std::span<const double> back = limber::forward_dynamics(arm, q, v, tau, ws);
  for (double acceleration : back) std::printf("%.6f ", acceleration);
  std::printf("rad/s²\n");
}
