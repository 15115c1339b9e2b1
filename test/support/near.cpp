#include "support/near.hpp"

#include <algorithm>
#include <cmath>

namespace limber::test {

testing::AssertionResult near(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected,
                              double tolerance) {
  if (found.rows() != expected.rows() || found.cols() != expected.cols())
    return testing::AssertionFailure()
           << "found " << found.rows() << "x" << found.cols() << ", expected " << expected.rows()
           << "x" << expected.cols();
  double scale = 1, worst = 0;
  for (Eigen::Index k = 0; k < expected.size(); ++k) {
    const double size = std::abs(expected(k)), error = std::abs(found(k) - expected(k));
    scale = std::max(scale, size);
    worst = error <= worst ? worst : error;  // keeps NaN
  }
  if (worst <= tolerance * scale) return testing::AssertionSuccess();
  auto failure = testing::AssertionFailure() << "relative error " << worst / scale;
  if (expected.size() <= 64) failure << "\nfound\n" << found << "\nexpected\n" << expected;
  return failure;
}
testing::AssertionResult near(double found, double expected, double tolerance) {
  return near(Eigen::MatrixXd::Constant(1, 1, found), Eigen::MatrixXd::Constant(1, 1, expected),
              tolerance);
}

Eigen::VectorXd matrix(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}
namespace {

template <class View>
Eigen::MatrixXd symmetric(const View& A) {
  Eigen::MatrixXd M(A.size, A.size);
  for (int i = 0; i < A.size; ++i)
    for (int j = 0; j < A.size; ++j) M(i, j) = A(i, j);
  return M;
}

}  // namespace

Eigen::MatrixXd matrix(const SymmetricView<double>& A) { return symmetric(A); }
Eigen::MatrixXd matrix(const TreeMatrixView<double>& A) { return symmetric(A); }
Eigen::MatrixXd matrix(const MatrixView<double>& A) {
  Eigen::MatrixXd M(A.rows, A.columns);
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) M(i, j) = A(i, j);
  return M;
}

}  // namespace limber::test
