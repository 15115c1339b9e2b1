// Small systems of equations.
#include <limber/math/small_solve.hpp>

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(SmallSolve, SolvesEverySize) {
  Random random(1);
  for (int n = 0; n <= 6; ++n)
    for (int repeat = 0; repeat < 20; ++repeat) {
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A(n, n);
      Eigen::VectorXd x(n);
      for (int i = 0; i < n; ++i) {
        x[i] = random.uniform();
        for (int j = 0; j < n; ++j) A(i, j) = random.uniform();
      }
      if (n > 1) A(0, 0) = 0;  // needs an exchange of rows
      Eigen::VectorXd b = A * x;
      const double amplification = n > 0 ? A.inverse().norm() * A.norm() : 1;
      ASSERT_TRUE(solve_small(A.data(), b.data(), n));
      EXPECT_LE((b - x).norm(), 1e-14 * amplification);
    }
}

TEST(SmallSolve, SeesThatAMatrixIsSingular) {
  double A[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, b[] = {1, 2, 3};
  EXPECT_FALSE(solve_small(A, b, 3));
  double zero[] = {0.0}, one[] = {1.0};
  EXPECT_FALSE(solve_small(zero, one, 1));
  double nan[] = {NAN, 1, 1, 1}, c[] = {1, 2};
  EXPECT_FALSE(solve_small(nan, c, 2));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
