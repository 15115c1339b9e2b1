// Forces within limits: Coulomb's law at rest holds in each of them, for random matrices of any
// rank.
#include "constraint/box_problem.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(BoxProblem, CoulombsLawHolds) {
  int slipping = 0, sticking = 0;
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 1 + seed % 12, rank = std::max(1, n - seed % 5);
    Dense B(rank, n);
    for (double& x : B.data) x = random.uniform(-1, 1);
    const Dense A = transpose(B) * B;
    Numbers b, lower, upper;
    for (int i = 0; i < n; ++i) {
      b.push_back(random.uniform(-2, 2));
      lower.push_back(-random.uniform(0.1, 2));
      upper.push_back(random.uniform(0.1, 2));
    }
    const Numbers f = solve_in_box(A, b, Numbers(b.size(), 0.0), lower, upper);
    Numbers a = A * f;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    for (std::size_t i = 0; i < f.size(); ++i) {
      ASSERT_GE(f[i], lower[i]);
      ASSERT_LE(f[i], upper[i]);
      if (a[i] > 1e-9) {
        EXPECT_EQ(f[i], lower[i]);
      } else if (a[i] < -1e-9) {
        EXPECT_EQ(f[i], upper[i]);
      }
      ++(std::abs(a[i]) > 1e-9 ? slipping : sticking);
    }
  }
  EXPECT_GT(slipping, 100);
  EXPECT_GT(sticking, 100);
}

// within the limits nothing changes
TEST(BoxProblem, ForcesThatHoldStay) {
  Dense A(2, 2);
  A(0, 0) = A(1, 1) = 1;
  A(0, 1) = A(1, 0) = 1;  // one freedom: only the sum counts
  const Numbers low{-1, -1}, high{1, 1};
  const Numbers same = solve_in_box(A, {-0.1, -0.1}, {0.3, -0.2}, low, high);
  EXPECT_NEAR(same[0], 0.3, 1e-9);
  EXPECT_NEAR(same[1], -0.2, 1e-9);
  // 1.6 together: what one cannot bear the other one does
  const Numbers shared = solve_in_box(A, {-1.6, -1.6}, {1.8, -0.2}, low, high);
  EXPECT_EQ(shared[0], 1);
  EXPECT_NEAR(shared[1], 0.6, 1e-9);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
