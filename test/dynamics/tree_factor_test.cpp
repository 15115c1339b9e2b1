// The factor of the mass matrix against dense algebra, and long chains in linear time and memory.
#include <gtest/gtest.h>

#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/dynamics/tree_factor.hpp>
#include <limber/model/generate.hpp>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// columns of numbers, row by row
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
std::span<double> all(RowMatrix& X) { return {X.data(), static_cast<std::size_t>(X.size())}; }

RowMatrix some(int rows, int columns) {
  RowMatrix X(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) X(i, j) = std::sin(1.0 + 3 * i + 7 * j);
  return X;
}

TEST(TreeFactor, SolvesBlocksOfRightHandSides) {
  for_random_robots(60, [](Robot& r) {
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    TreeFactor factor(r.model);
    factorize(r.model, in(r.q), r.ws, factor);
    const RowMatrix B = some(r.model.nv, 5);
    RowMatrix X = B;
    solve(factor, all(X));
    EXPECT_TRUE(near(M * X, B, 1e-9));
  });
}

TEST(TreeFactor, HalfSolvesGiveTheInverseSeenThroughRows) {
  for_random_robots(60, [](Robot& r) {
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    TreeFactor factor(r.model);
    factorize(r.model, in(r.q), r.ws, factor);
    const RowMatrix B = some(r.model.nv, 3);
    RowMatrix Y = B;
    half_solve(factor, all(Y));
    VectorXd D_inverse(r.model.nv);
    for (int k = 0; k < r.model.nv; ++k) D_inverse[k] = inverse_pivot(factor, k);
    const MatrixXd found = Y.transpose() * D_inverse.asDiagonal() * Y;
    EXPECT_TRUE(near(found, B.transpose() * M.ldlt().solve(B), 1e-8));
    finish_solve(factor, all(Y));
    EXPECT_TRUE(near(M * Y, B, 1e-9));
  });
}

TEST(TreeFactor, KnownAccelerationsLeaveTheRestOfTheMatrix) {
  for_random_robots(60, [](Robot& r) {
    const int nv = r.model.nv;
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    std::vector<Known> known(static_cast<std::size_t>(nv), Known::force);
    for (std::size_t k = 0; k < known.size(); k += 3) known[k] = Known::acceleration;
    TreeFactor factor(r.model);
    factorize(r.model, in(r.q), r.ws, factor, {}, known);
    RowMatrix x = some(nv, 1);
    for (int k = 0; k < nv; k += 3) x(k, 0) = 0;
    const RowMatrix b = x;
    solve(factor, all(x));
    const VectorXd back = M * x;
    for (int k = 0; k < nv; ++k) {
      if (k % 3 == 0) EXPECT_EQ(x(k, 0), 0);
      else EXPECT_NEAR(back[k], b(k, 0), 1e-8 * (1 + M.norm() * x.norm()));
    }
  });
}

TEST(TreeFactor, DenseAndSparseMatricesAreTheSame) {
  for_random_robots(60, [](Robot& r) {
    const MatrixXd M = matrix(mass_matrix(r.model, in(r.q), r.ws));
    RowMatrix dense(r.model.nv, r.model.nv);
    mass_matrix(r.model, in(r.q), r.ws, all(dense));
    EXPECT_EQ(MatrixXd(dense), M);
  });
}

TEST(TreeFactor, MisuseIsNamed) {
  const Model model = build(generate_chain(3)), other = build(generate_chain(3));
  Workspace ws(model);
  TreeFactor factor(model);
  const std::vector<double> q(3, 0.1);
  std::vector<double> x(4, 1.0);
  EXPECT_TRUE(mentions(message_of([&] { solve(factor, std::span<double>(x).first(3)); }),
                       {"solve", "call factorize() first"}));
  EXPECT_TRUE(mentions(message_of([&] { factorize(other, q, ws, factor); }),
                       {"factorize", "another model"}));
  factorize(model, q, ws, factor);
  EXPECT_TRUE(mentions(message_of([&] { half_solve(factor, std::span<double>(x)); }),
                       {"half_solve", "X has 4", "3"}));
}

// --- long chains -------------------------------------------------------------------------------

// of n links that hang on each other, all swinging about parallel axes
Model long_chain(int n) {
  Spec spec;
  std::string parent;
  for (int i = 0; i < n; ++i) {
    const std::string name = "l" + std::to_string(i);
    spec.add_body(name, 1, {0, 0, -0.05}, {1e-3, 1e-3, 1e-3, 0, 0, 0});
    JointSpec& joint =
        spec.add_joint("j" + std::to_string(i), JointKind::revolute, parent, name, {0, 1, 0});
    joint.placement.p = {0, 0, i == 0 ? 0.0 : -0.1};
    parent = name;
  }
  return build(spec);
}

TEST(LongChain, InverseAndForwardDynamicsUndoEachOther) {
  const int n = 100'000;
  const Model model = long_chain(n);
  Workspace ws(model);
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> q(size), v(size), a(size);
  for (std::size_t k = 0; k < size; ++k) {
    const auto x = static_cast<double>(k);
    q[k] = 1e-5 * std::sin(x), v[k] = 1e-5 * std::cos(x), a[k] = 1e-3 * std::sin(2 * x);
  }
  const std::span<const double> view = inverse_dynamics(model, q, v, a, ws);
  const std::vector<double> tau(view.begin(), view.end());
  const std::span<const double> found = forward_dynamics(model, q, v, tau, ws);
  const std::vector<double> again(found.begin(), found.end());
  const std::span<const double> forces = inverse_dynamics(model, q, v, again, ws);
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < size; ++k) {
    worst = std::max(worst, std::abs(forces[k] - tau[k]));
    largest = std::max(largest, std::abs(tau[k]));
  }
  EXPECT_LT(worst, 1e-10 * largest);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
