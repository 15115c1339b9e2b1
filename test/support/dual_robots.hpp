#pragma once
// Derivatives of the library's own recursions by Dual, in tangent space.
#include <limber/model/joint_space.hpp>

#include "support/dense.hpp"
#include "support/random_robots.hpp"

namespace limber::test {

/// q̇ for the velocity `rate`, by Richardson's extrapolation of integrate(): (8 d₁ − d₂) / 12h.
inline VectorXd position_rate_along(const Robot& r, const VectorXd& rate) {
  auto moved = [&](double h) {
    VectorXd q(r.model.nq);
    integrate(r.model, in(r.q), in(rate), h, {q.data(), static_cast<std::size_t>(q.size())});
    return q;
  };
  const double h = 1e-3;
  return (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
}

/// Values with derivatives.
inline std::vector<Dual> dual(const VectorXd& value, const VectorXd& derivative) {
  std::vector<Dual> x;
  for (Eigen::Index i = 0; i < value.size(); ++i) x.emplace_back(value[i], derivative[i]);
  return x;
}
inline std::vector<Dual> dual(const VectorXd& value) {
  return dual(value, VectorXd::Zero(value.size()));
}

/// The derivatives of a Dual result.
inline VectorXd derivative(std::span<const Dual> x) {
  VectorXd d(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) d[static_cast<Eigen::Index>(i)] = x[i].derivative;
  return d;
}
template <class View>
MatrixXd derivative(const View& A, int rows, int columns) {
  MatrixXd d(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) d(i, j) = A(i, j).derivative;
  return d;
}

/// Matrices of a function of (q, v, third) by Dual, column by column.
struct ByDual {
  MatrixXd q, v, third;
};
template <class F>
ByDual by_dual(Robot& r, const VectorXd& third, F&& function) {
  const BasicModel<Dual> model = cast<Dual>(r.model);
  BasicWorkspace<Dual> ws(model);
  const int n = r.model.nv;
  ByDual d{MatrixXd(n, n), MatrixXd(n, n), MatrixXd(n, n)};
  for (int k = 0; k < n; ++k) {
    const VectorXd unit = VectorXd::Unit(n, k);
    d.q.col(k) = derivative(
        function(model, dual(r.q, position_rate_along(r, unit)), dual(r.v), dual(third), ws));
    d.v.col(k) = derivative(function(model, dual(r.q), dual(r.v, unit), dual(third), ws));
    d.third.col(k) = derivative(function(model, dual(r.q), dual(r.v), dual(third, unit), ws));
  }
  return d;
}

/// Entries of M X + Y against the size of the terms that cancel in them.
inline double residual(const MatrixXd& M, const MatrixXd& X, const MatrixXd& Y) {
  const MatrixXd size = M.cwiseAbs() * X.cwiseAbs() + Y.cwiseAbs();
  return (M * X + Y).cwiseAbs().maxCoeff() / std::max(1.0, size.maxCoeff());
}

/// dM/dt when q moves with the velocity `rate`.
inline MatrixXd mass_matrix_rate(const Robot& r, const VectorXd& rate) {
  const BasicModel<Dual> model = cast<Dual>(r.model);
  BasicWorkspace<Dual> ws(model);
  return derivative(mass_matrix(model, dual(r.q, position_rate_along(r, rate)), ws), r.model.nv,
                    r.model.nv);
}

/// Condition number of a symmetric positive definite matrix.
inline double condition(const MatrixXd& M) {
  const VectorXd values = symmetric_eigenvalues(M);
  return values.maxCoeff() / values.minCoeff();
}

}  // namespace limber::test
