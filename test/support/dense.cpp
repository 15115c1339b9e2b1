#include "support/dense.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace limber::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Matrix<double, 6, 6> dense_inverse(const Eigen::Matrix<double, 6, 6>& A) {
  return A.inverse();
}

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

MatrixXd solve_general(const MatrixXd& A, const MatrixXd& B) { return A.partialPivLu().solve(B); }

MatrixXd solve_definite(const MatrixXd& A, const MatrixXd& B) { return A.ldlt().solve(B); }

Modes modes(const MatrixXd& stiffness, const VectorXd& mass) {
  const VectorXd scale = mass.cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * stiffness * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(scaled);
  return {solver.eigenvalues(), scale.asDiagonal() * solver.eigenvectors()};
}

// the series for a small part of A, squared again and again
MatrixXd exponential(const MatrixXd& A) {
  const int halvings = std::max(0, std::ilogb(A.norm()) + 2);
  const MatrixXd part = A / std::ldexp(1.0, halvings);
  MatrixXd sum = MatrixXd::Identity(A.rows(), A.cols()), term = sum;
  for (int k = 1; k <= 16; ++k) {
    term = term * part / k;
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum;
}

}  // namespace limber::test
