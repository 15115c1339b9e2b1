// The small solvers of control/ by what their results must satisfy.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limber/error.hpp>

#include "control/banded_system.hpp"
#include "math/singular_values.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Index rows, Index columns, Random& random) {
  MatrixXd A(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) A(i, j) = random.uniform(-1, 1);
  return A;
}

TEST(BandedSystem, SolutionsSatisfyTheEquations) {
  Random random(1);
  for (const int band : {1, 3})
    for (const int count : {1, 2, 4, 5, 40}) {
      const MatrixXd full = random_matrix(count, count, random),
                     b = random_matrix(count, 2, random);
      MatrixXd A = MatrixXd::Zero(count, count);
      BandedSystem system(count, band, 2);
      for (int i = 0; i < count; ++i) {
        for (int j = std::max(0, i - band); j < std::min(count, i + band + 1); ++j)
          // rows change places: the diagonal is small, and missing in the first row
          system.entry(i, j) = A(i, j) =
              i == j && count > 1 ? (i == 0 ? 0 : 1e-3 * full(i, j)) : full(i, j);
        for (int side = 0; side < 2; ++side) system.right(i, side) = b(i, side);
      }
      system.solve();
      MatrixXd x(count, 2);
      for (int i = 0; i < count; ++i)
        for (int side = 0; side < 2; ++side) x(i, side) = system.right(i, side);
      EXPECT_LT((A * x - b).cwiseAbs().maxCoeff(), 1e-12 * std::max(1.0, x.cwiseAbs().maxCoeff()))
          << count << " rows, band " << band;
    }
}

TEST(BandedSystem, RefusesASingularMatrix) {
  BandedSystem system(3, 1, 1);
  system.entry(0, 0) = system.entry(0, 1) = system.entry(1, 0) = system.entry(1, 1) = 1;
  system.entry(2, 1) = 1;
  EXPECT_THROW(system.solve(), Error);
}

std::span<const double> numbers(const MatrixXd& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
/// Vectors as the columns of a matrix.
MatrixXd side_by_side(const std::vector<std::vector<double>>& vectors) {
  MatrixXd A(static_cast<Index>(vectors[0].size()), static_cast<Index>(vectors.size()));
  for (Index j = 0; j < A.cols(); ++j)
    A.col(j) = VectorXd::Map(vectors[static_cast<std::size_t>(j)].data(), A.rows());
  return A;
}
VectorXd least_solution(const MatrixXd& J, const VectorXd& b) {
  return side_by_side({SingularValues(numbers(J), static_cast<int>(J.rows())).solve(numbers(b))});
}

void expect_decomposed(const MatrixXd& J, Index rank) {
  const SingularValues values(numbers(J), static_cast<int>(J.rows()));
  const Index count = std::min(J.rows(), J.cols());
  const MatrixXd U = side_by_side(values.u), V = side_by_side(values.v);
  const VectorXd sigma = side_by_side({values.sigma});
  ASSERT_EQ(sigma.size(), count);
  EXPECT_LT((U * sigma.asDiagonal() * V.transpose() - J).norm(), 1e-13);
  EXPECT_LT((U.transpose() * U - MatrixXd::Identity(count, count)).norm(), 1e-13);
  const MatrixXd seen = V.leftCols(rank);
  EXPECT_LT((seen.transpose() * seen - MatrixXd::Identity(rank, rank)).norm(), 1e-13);
  for (Index k = 0; k + 1 < count; ++k) EXPECT_GE(sigma[k], sigma[k + 1]);
  EXPECT_GT(sigma[rank - 1], 1e-6);
  for (Index k = rank; k < count; ++k) EXPECT_LT(sigma[k], 1e-14);
}

TEST(SingularValues, MakeTheMatrixAgain) {
  Random random(2);
  for (const Index rows : {1, 3, 6})
    for (const Index columns : {1, 2, 6, 9}) {
      expect_decomposed(random_matrix(rows, columns, random), std::min(rows, columns));
      if (rows < 3 || columns < 3) continue;
      expect_decomposed(random_matrix(rows, 2, random) * random_matrix(2, columns, random), 2);
    }
}

TEST(SingularValues, SolveWithTheLeastNorm) {
  Random random(3);
  for (const Index columns : {4, 6, 9}) {
    const MatrixXd J = random_matrix(6, columns, random);
    const VectorXd b = random_matrix(6, 1, random);
    const VectorXd x = least_solution(J, b);
    // what is left is perpendicular to what J can do, and x has no part that J does not see
    EXPECT_LT((J.transpose() * (J * x - b)).norm(), 1e-12 * (1 + x.norm()));
    const VectorXd y = least_solution(J.transpose(), x);
    EXPECT_LT((J.transpose() * y - x).norm(), 1e-12 * (1 + x.norm()) * (1 + y.norm()));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
