#pragma once
// near(): comparison of matrices relative to their largest entry; the library's spans and views as
// Eigen matrices and back.
#include <span>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <limber/model/workspace.hpp>

namespace limber::test {

/// Largest difference is at most `tolerance` times the largest expected entry (or 1). NaN is never
/// near.
testing::AssertionResult near(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected,
                              double tolerance);
testing::AssertionResult near(double found, double expected, double tolerance);

/// An Eigen vector as the library wants it.
inline std::span<const double> in(const Eigen::VectorXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
Eigen::VectorXd matrix(std::span<const double> x);
Eigen::MatrixXd matrix(const SymmetricView<double>& A);
Eigen::MatrixXd matrix(const TreeMatrixView<double>& A);
Eigen::MatrixXd matrix(const MatrixView<double>& A);

}  // namespace limber::test
