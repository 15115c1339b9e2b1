// Other ways to the same motion, and the two methods for two arms.
#include "constraint/arm_case.hpp"

#include <limber/constraint/arm_rivals.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Method = void (*)(const ArmTeam&, std::span<const ArmState<double>>,
                        const ObjectState<double>&, TeamMotion&);

bool has_simple_columns(const TeamCase& t) {
  for (const auto& r : t.robots)
    if (r->model.has_mimic()) return false;
  return true;
}

// accelerations by `method` where the dense system can tell them; returns how many teams it took
int expect_dense_motion(Method method, bool needs_simple_columns) {
  int taken = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(share_of(150)); ++seed) {
    SCOPED_TRACE("team " + std::to_string(seed));
    TeamCase t = random_team(seed);
    if (needs_simple_columns && !has_simple_columns(t)) continue;
    const DenseMotion expected = dense_motion(t);
    if (expected.residual > 1e-9 || expected.condition > 1e7) continue;
    const ArmTeam team = t.team();
    TeamMotion found(team);
    method(team, t.states(), t.object, found);
    const double tolerance = std::max(1e-10, 1e-13 * expected.condition);
    for (std::size_t k = 0; k < t.arms(); ++k)
      EXPECT_TRUE(near(matrix(found.arms[k].acceleration), expected.acceleration[k], tolerance));
    EXPECT_TRUE(near(plain(found.object.acceleration), expected.object, tolerance));
    for (std::size_t k = 0; k < t.arms() && expected.indeterminate == 0; ++k)
      EXPECT_TRUE(near(plain(found.arms[k].force), expected.force[k], 100 * tolerance));
    ++taken;
    if (testing::Test::HasFailure()) return taken;
  }
  return taken;
}

TEST(ArmRivals, ArticulatedBodies) {
  EXPECT_GT(expect_dense_motion(&articulated_team_dynamics<double>, true), share_of(50));
}
TEST(ArmRivals, AugmentedSystem) {
  EXPECT_GT(expect_dense_motion(&augmented_team_dynamics<double>, false), share_of(50));
}
TEST(ArmRivals, BlockSystem) {
  EXPECT_GT(expect_dense_motion(&block_team_dynamics<double>, false), share_of(50));
}

// a symmetric mobility of the given rank: the rows of a random J
Matrix6 random_mobility(Random& random, int rank) {
  MatrixXd J(6, rank);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < rank; ++j) J(i, j) = random.uniform();
  return J * J.transpose();
}
Small6<double> small(const Matrix6& A) {
  Small6<double> r;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) r(i, j) = A(i, j);
  return r;
}

struct DualCase {
  Matrix6 A_1, A_2;
  DualArm<double> arms;
  // [I −1 −1; 1 A_1 0; 1 0 A_2] (a, f_1, f_2) = (force, x_1, x_2)
  VectorXd solution() const {
    MatrixXd A = MatrixXd::Zero(18, 18);
    VectorXd b(18);
    for (int i = 0; i < 6; ++i) {
      const auto k = static_cast<std::size_t>(i);
      A(i, i) = arms.inertia[k];
      A(i, 6 + i) = A(i, 12 + i) = -1;
      A(6 + i, i) = A(12 + i, i) = 1;
      b[i] = arms.force[k], b[6 + i] = arms.x_1[k], b[12 + i] = arms.x_2[k];
    }
    A.block(6, 6, 6, 6) = A_1;
    A.block(12, 12, 6, 6) = A_2;
    return A.completeOrthogonalDecomposition().solve(b);
  }
};

DualCase dual_case(Random& random, int rank_1, int rank_2) {
  DualCase c;
  c.A_1 = random_mobility(random, rank_1);
  c.A_2 = random_mobility(random, rank_2);
  c.arms.mobility_1 = small(c.A_1);
  c.arms.mobility_2 = small(c.A_2);
  for (std::size_t i = 0; i < 6; ++i) {
    c.arms.x_1[i] = random.uniform(), c.arms.x_2[i] = random.uniform();
    c.arms.force[i] = random.uniform();
    c.arms.inertia[i] = i < 3 ? random.uniform(0.1, 1) : 4;
  }
  return c;
}

VectorXd stacked(const DualArm<double>& d) {
  VectorXd x(18);
  for (int i = 0; i < 6; ++i) {
    const auto k = static_cast<std::size_t>(i);
    x[i] = d.a[k], x[6 + i] = d.f_1[k], x[12 + i] = d.f_2[k];
  }
  return x;
}

TEST(DualArm, BothMethodsSolveTheBlockSystem) {
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    DualCase c = dual_case(random, 9, 8);
    const VectorXd expected = c.solution();
    dual_arm_method_1(c.arms);
    EXPECT_TRUE(near(stacked(c.arms), expected, 1e-9));
    dual_arm_method_2(c.arms);
    EXPECT_TRUE(near(stacked(c.arms), expected, 1e-10));
    EXPECT_EQ(c.arms.indeterminate, 0);
  }
}

TEST(DualArm, SecondMethodTakesSingularArms) {
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    DualCase c = dual_case(random, 5, 4);
    const VectorXd expected = c.solution();
    dual_arm_method_2(c.arms);
    EXPECT_TRUE(near(stacked(c.arms), expected, 1e-9));
    EXPECT_EQ(c.arms.indeterminate, 0);
  }
}

// both arms do not feel the force v: x must agree along it, and then a is unique
TEST(DualArm, CommonNullForceIsReported) {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    DualCase c = dual_case(random, 9, 9);
    Vector6 v;
    for (int k = 0; k < 6; ++k) v[k] = random.normal();
    v.normalize();
    const Matrix6 without = Matrix6::Identity() - v * v.transpose();
    c.A_1 = without * c.A_1 * without, c.A_2 = without * c.A_2 * without;
    c.arms.mobility_1 = small(c.A_1), c.arms.mobility_2 = small(c.A_2);
    double gap = 0;
    for (std::size_t k = 0; k < 6; ++k)
      gap += v[static_cast<Eigen::Index>(k)] * (c.arms.x_2[k] - c.arms.x_1[k]);
    for (std::size_t k = 0; k < 6; ++k) c.arms.x_1[k] += gap * v[static_cast<Eigen::Index>(k)];
    const VectorXd expected = c.solution();
    dual_arm_method_2(c.arms);
    EXPECT_EQ(c.arms.indeterminate, 1);
    const VectorXd found = stacked(c.arms);
    EXPECT_TRUE(near(found.head(6), expected.head(6), 1e-9));
    // the forces differ by ±v alone
    const Vector6 difference = found.segment(6, 6) - expected.segment(6, 6);
    EXPECT_TRUE(near(difference, v * v.dot(difference), 1e-8));
    EXPECT_TRUE(near(found.segment(12, 6) - expected.segment(12, 6), -difference, 1e-8));
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
