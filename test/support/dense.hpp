#pragma once
// What the tests ask of Eigen's solvers, compiled once: their templates cost seconds in every file
// that names them.
#include <Eigen/Core>

namespace limber::test {

Eigen::Matrix<double, 6, 6> dense_inverse(const Eigen::Matrix<double, 6, 6>& A);

/// Of a symmetric matrix, rising.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// A⁻¹ B.
Eigen::MatrixXd solve_general(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// A⁻¹ B for a symmetric positive definite A.
Eigen::MatrixXd solve_definite(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// Free oscillations: squares of the angular frequencies, rising, and the shapes as columns with
/// shapesᵀ · mass · shapes = identity.
struct Modes {
  Eigen::VectorXd squares;
  Eigen::MatrixXd shapes;
};
Modes modes(const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& mass);

/// exp(A), the solution of Ẋ = A X after one unit of time.
Eigen::MatrixXd exponential(const Eigen::MatrixXd& A);

}  // namespace limber::test
