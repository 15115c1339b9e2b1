// The same calls with Eigen vectors and matrices.
#include <cstdio>

#include <Eigen/Cholesky>
#include <limber/eigen.hpp>

int main() {
  const limber::Model arm = limber::load("arm7");
  limber::Workspace ws(arm);

  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(arm.nq, -0.6, 0.9);
  const Eigen::VectorXd v = Eigen::VectorXd::Constant(arm.nv, 0.2);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(arm.nv);

  // forward dynamics by hand: M a = tau - bias
  const Eigen::MatrixXd M = limber::mass_matrix(arm, q, ws);
  const Eigen::VectorXd bias = limber::bias_forces(arm, q, v, ws);
  const Eigen::VectorXd by_hand = M.llt().solve(tau - bias);
  const Eigen::VectorXd a = limber::forward_dynamics(arm, q, v, tau, ws);
  std::printf("difference of the two ways is small: %s\n",
              (a - by_hand).norm() < 1e-9 * a.norm() ? "yes" : "no");

  // kinetic energy in two ways
  const double energy = limber::kinetic_energy(arm, q, v, ws);
  std::printf("kinetic energy %.6f J, ½ vᵀ M v %.6f J\n", energy, 0.5 * v.dot(M * v));

  // a force at the last link that the joints have to balance: tau = Jᵀ f
  const int frame = arm.frame(arm.body_name.back());
  const Eigen::MatrixXd J = limber::jacobian(arm, q, frame, limber::Reference::world_aligned, ws);
  limber::EigenVector6 force;
  force << 1, 2, 3, 4, 5, 6;  // moment [N m], then force [N], in world axes
  const Eigen::VectorXd balance = J.transpose() * force;
  for (double torque : balance) std::printf("%8.4f", torque);
  std::printf(" N m\n");
}
