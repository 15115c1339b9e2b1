// The mass matrix, its zeros, its factor and its solve.
#include <limber/dynamics/mass_matrix.hpp>

#include <limber/dynamics/energy.hpp>

#include "support/dense.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(MassMatrix, EqualsPlainReference) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    EXPECT_TRUE(near(matrix(mass_matrix(r.model, in(r.q), r.ws)), r.plain.mass_matrix(), 1e-10));
  });
}

TEST(MassMatrix, TimesAccelerationPlusBiasIsInverseDynamics) {
  for_random_robots(100, [](Robot& r) {
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    EXPECT_TRUE(near(M * r.a + bias, tau, 1e-10));
  });
}

TEST(MassMatrix, GivesKineticEnergy) {
  for_random_robots(100, [](Robot& r) {
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    EXPECT_TRUE(
        near(kinetic_energy(r.model, in(r.q), in(r.v), r.ws), 0.5 * r.v.dot(M * r.v), 1e-10));
  });
}

TEST(MassMatrix, SolveEqualsDenseFactorisation) {
  for_random_robots(240, [](Robot& r) {
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    factorize(r.ws.factor);
    VectorXd x = r.tau;
    solve(r.ws.factor, std::span<double>(x.data(), static_cast<std::size_t>(x.size())));
    if (x.size() == 0) return;
    EXPECT_TRUE(near(M * x, r.tau, 1e-9));
    EXPECT_TRUE(near(x, solve_definite(M, r.tau), 1e-8));
  });
}

TEST(MassMatrix, FactorisationKeepsTheMatrix) {
  Robot r(random_spec(6), 6);
  const MatrixXd before = matrix(mass_matrix(r.model, in(r.q), r.ws));
  factorize(r.ws.factor);
  EXPECT_EQ(matrix(r.ws.factor.M.view()), before);
}

// the tree of [RDA] §7.3 with parents λ = (0, 1, 2, 1, 4, 4)
Spec book_tree() {
  Spec spec = generate_tree(6, 3, {.kinds = {JointKind::revolute}, .branching = 0});
  const int parents[] = {0, 1, 2, 1, 4, 4};
  for (std::size_t j = 0; j < 6; ++j)
    spec.joints[j].parent = parents[j] == 0 ? "" : "body" + std::to_string(parents[j]);
  return spec;
}

TEST(MassMatrix, IsZeroBetweenBranches) {
  Robot r(book_tree());
  for (int i = 1; i <= 6; ++i)
    ASSERT_EQ(r.model.body_name[static_cast<std::size_t>(i)], "body" + std::to_string(i));
  const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
  auto H = [&](int i, int j) { return M(i - 1, j - 1); };
  EXPECT_EQ(H(2, 5), 0);
  EXPECT_EQ(H(3, 5), 0);
  for (int i = 1; i <= 6; ++i) {
    const bool expected = i == 1 || i == 4 || i == 5;
    EXPECT_EQ(H(i, 5) != 0, expected) << i;
    EXPECT_EQ(H(5, i) != 0, expected) << i;
  }
  for (int i = 1; i <= 6; ++i)
    for (int j = 1; j <= 6; ++j)
      EXPECT_EQ(H(i, j) != 0, r.model.supports(i, j) || r.model.supports(j, i)) << i << ' ' << j;
}

// the factor holds one number for every entry of M on the branches, and no more
TEST(MassMatrix, FactorHasNoFillIn) {
  Robot r(book_tree());
  const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
  int entries = 0;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) entries += M(i, j) != 0;
  int kept = 0;
  for (int k = 0; k < 6; ++k) kept += r.ws.factor.M.pattern.depth(k) + 1;
  EXPECT_EQ(kept, entries);
}

TEST(MassMatrix, TreeKnowsItsRelations) {
  const Model model = build(book_tree());
  using List = std::vector<int>;
  EXPECT_EQ(model.children(0), (List{1}));
  EXPECT_EQ(model.children(1), (List{2, 4}));
  EXPECT_EQ(model.children(4), (List{5, 6}));
  EXPECT_EQ(model.children(6), List{});
  EXPECT_EQ(model.support(3), (List{1, 2, 3}));
  EXPECT_EQ(model.support(5), (List{1, 4, 5}));
  EXPECT_EQ(model.support(0), List{});
  EXPECT_EQ(model.subtree_end, (List{7, 7, 4, 4, 7, 6, 7}));
  EXPECT_TRUE(model.supports(4, 6));
  EXPECT_TRUE(model.supports(0, 3));
  EXPECT_TRUE(model.supports(5, 5));
  EXPECT_FALSE(model.supports(2, 4));
  EXPECT_FALSE(model.supports(6, 4));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
