#pragma once
// Singular values of a Jacobian.
#include <Eigen/Core>

namespace limber {

/// J = U diag(σ) Vᵀ with as many columns of U and V as the smaller side of J, σ descending. By
/// rotations of pairs of rows until all are perpendicular (Hestenes 1958), which suits a matrix
/// with few rows. Where σ = 0 the column of V is zero.
struct SingularValues {
  explicit SingularValues(const Eigen::MatrixXd& J);

  Eigen::MatrixXd U, V;
  Eigen::VectorXd sigma;

  /// V diag(factor(σ)) Uᵀ b
  template <class F>
  Eigen::VectorXd times(F&& factor, const Eigen::VectorXd& b) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(V.rows());
    for (Eigen::Index k = 0; k < sigma.size(); ++k)
      x += factor(sigma[k]) * U.col(k).dot(b) * V.col(k);
    return x;
  }
  /// 1/σ, and 0 for singular values that are zero but for rounding.
  double inverse(double value) const;
  /// The x of least norm among those with the smallest |J x − b|.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
    return times([this](double value) { return inverse(value); }, b);
  }
};

}  // namespace limber
