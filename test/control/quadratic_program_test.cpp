// Quadratic programs: the conditions of Karush, Kuhn and Tucker, which decide for convex problems,
// on random problems and on those where rows depend on each other; what has no solution.
#include <limber/control/quadratic_program.hpp>

#include <cmath>

#include "support/message.hpp"
#include "support/random.hpp"

#include <Eigen/Dense>

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::VectorXd;

struct Problem {
  Matrix H, A;
  VectorXd g, lower, upper;

  Problem(int n, int m) : H(n, n), A(m, n), g(n), lower(m), upper(m) {
    H.setIdentity(), A.setZero(), g.setZero();
    lower.setConstant(-HUGE_VAL), upper.setConstant(HUGE_VAL);
  }
  static std::span<const double> all(const auto& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
  QpProblem view() const { return {all(H), all(g), all(A), all(lower), all(upper)}; }
  int n() const { return static_cast<int>(g.size()); }
  int m() const { return static_cast<int>(lower.size()); }
};

Eigen::Map<const VectorXd> vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

void expect_optimal(const Problem& p, const QpResult& found, double tolerance) {
  ASSERT_EQ(found.status, QpStatus::solved) << name(found.status);
  const VectorXd x = vector(found.x), y = vector(found.y), value = p.A * x;
  const double scale = 1 + x.cwiseAbs().maxCoeff() + p.g.cwiseAbs().maxCoeff() +
                       (y.size() ? y.cwiseAbs().maxCoeff() : 0);
  EXPECT_LT((p.H * x + p.g - p.A.transpose() * y).cwiseAbs().maxCoeff(), tolerance * scale);
  for (Eigen::Index k = 0; k < y.size(); ++k) {
    EXPECT_GT(value[k], p.lower[k] - tolerance * scale) << k;
    EXPECT_LT(value[k], p.upper[k] + tolerance * scale) << k;
    if (p.lower[k] == p.upper[k]) continue;
    // a row that pushes is at its bound
    EXPECT_TRUE(!(y[k] > tolerance * scale) || value[k] < p.lower[k] + tolerance * scale) << k;
    EXPECT_TRUE(!(y[k] < -tolerance * scale) || value[k] > p.upper[k] - tolerance * scale) << k;
  }
}

// a problem that has a solution: the bounds lie about the values at some point
Problem random_problem(std::uint64_t seed) {
  Random random(seed);
  const int n = random.integer(1, 30), m = random.integer(0, 40);
  Problem p(n, m);
  Matrix B(n, n);
  VectorXd inside(n);
  for (int i = 0; i < n; ++i) {
    p.g[i] = random.uniform(-10, 10), inside[i] = random.uniform();
    for (int j = 0; j < n; ++j) B(i, j) = random.uniform();
  }
  p.H = B * B.transpose() + 0.1 * Matrix::Identity(n, n);
  int equations = 0;
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < n; ++i) p.A(k, i) = random.integer(0, 1) ? random.uniform(-2, 2) : 0;
    const double value = p.A.row(k).dot(inside);
    const int sort = random.integer(0, 4);
    if (sort == 0 && equations++ < n - 1) p.lower[k] = p.upper[k] = value;
    if (sort == 1 || sort == 3) p.lower[k] = value - random.uniform(0, 0.5);
    if (sort == 2 || sort == 3) p.upper[k] = value + random.uniform(0, 0.5);
    if (sort == 4) p.lower[k] = value;
  }
  return p;
}

TEST(QuadraticProgram, RandomProblemsAreOptimal) {
  long active = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("problem " + std::to_string(seed));
    const Problem p = random_problem(seed);
    QuadraticProgram solver(p.n(), p.m());
    const QpResult found = solver.solve(p.view());
    expect_optimal(p, found, 1e-9);
    for (const double y : found.y) active += y != 0 ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(active, 1000);
}

TEST(QuadraticProgram, EveryActiveSetGivesNothingBetter) {
  // all sets of active rows of small problems, tried one after the other
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("problem " + std::to_string(seed));
    Random random(seed);
    const int n = 3, m = 5;
    Problem p(n, m);
    for (int i = 0; i < n; ++i) p.g[i] = random.uniform(-5, 5);
    for (int k = 0; k < m; ++k) {
      for (int i = 0; i < n; ++i) p.A(k, i) = random.uniform();
      p.lower[k] = -random.uniform(0, 1), p.upper[k] = random.uniform(0, 1);
    }
    double best = HUGE_VAL;
    for (int set = 0; set < 243; ++set) {  // of each row: free, at the lower, at the upper bound
      std::vector<std::pair<int, double>> rows;
      for (int k = 0, rest = set; k < m; ++k, rest /= 3)
        if (rest % 3) rows.emplace_back(k, rest % 3 == 1 ? p.lower[k] : p.upper[k]);
      const auto q = static_cast<Eigen::Index>(rows.size());
      if (q > n) continue;
      Matrix K = Matrix::Zero(n + q, n + q);
      VectorXd b(n + q);
      K.topLeftCorner(n, n) = p.H, b.head(n) = -p.g;
      for (Eigen::Index k = 0; k < q; ++k) {
        const auto& [row, bound] = rows[static_cast<std::size_t>(k)];
        K.block(n + k, 0, 1, n) = p.A.row(row);
        K.block(0, n + k, n, 1) = p.A.row(row).transpose();
        b[n + k] = bound;
      }
      const VectorXd x = VectorXd(K.fullPivLu().solve(b)).head(n), value = p.A * x;
      if (((value - p.lower).array() < -1e-9).any() || ((p.upper - value).array() < -1e-9).any())
        continue;
      best = std::min(best, 0.5 * x.dot(p.H * x) + p.g.dot(x));
    }
    QuadraticProgram solver(n, m);
    const QpResult found = solver.solve(p.view());
    const VectorXd x = vector(found.x);
    EXPECT_TRUE(found.solved());
    EXPECT_NEAR(0.5 * x.dot(p.H * x) + p.g.dot(x), best, 1e-8);
  }
}

TEST(QuadraticProgram, RowsThatDependOnEachOther) {
  Problem p(2, 9);
  p.g << -3, -4;
  for (int k = 0; k < 6; ++k) {  // six lines through one corner, some of them twice
    const double turn = 0.3 * (k / 2);
    p.A.row(k) << std::cos(turn), std::sin(turn);
    p.upper[k] = p.A.row(k).dot(Eigen::Vector2d(0.5, 0.5));
  }
  p.A.row(6) << 1, -1;
  p.A.row(7) << 2, -2;  // the same equation again
  for (int k = 6; k < 8; ++k) p.lower[k] = p.upper[k] = 0;
  p.lower[8] = -1;  // a row of nothing
  QuadraticProgram solver(2, 9);
  for (const QpStart start : {QpStart::cold, QpStart::warm}) {
    const QpResult found = solver.solve(p.view(), {start});
    expect_optimal(p, found, 1e-10);
    EXPECT_NEAR(found.x[0], 0.5, 1e-12);
  }
  p.lower[7] = p.upper[7] = 1;
  const QpResult none = solver.solve(p.view());
  EXPECT_EQ(none.status, QpStatus::infeasible);
  EXPECT_EQ(none.row, 7);
}

TEST(QuadraticProgram, SemidefiniteObjectives) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("problem " + std::to_string(seed));
    Random random(seed);
    const int n = random.integer(2, 8), rank = random.integer(0, n - 1);
    Problem p(n, n + 2);
    Matrix B(n, std::max(1, rank));
    for (int i = 0; i < n; ++i) {
      p.g[i] = random.uniform(-3, 3);
      for (int j = 0; j < rank; ++j) B(i, j) = random.uniform();
      p.A(i, i) = 1, p.lower[i] = -1, p.upper[i] = 2;
      p.A(n, i) = 1, p.A(n + 1, i) = i % 2;
    }
    p.H.setZero();
    if (rank > 0) p.H = B * B.transpose();
    p.lower[n] = -0.5, p.upper[n + 1] = 0.7;
    QuadraticProgram solver(n, n + 2);
    expect_optimal(p, solver.solve(p.view()), 1e-7);
    if (HasFailure()) return;
  }
}

TEST(QuadraticProgram, WhatHasNoSolution) {
  Problem p(2, 2);
  p.A << 1, 1, 1, 1;
  p.lower[0] = 1, p.upper[1] = 0;
  QuadraticProgram solver(2, 2);
  EXPECT_EQ(solver.solve(p.view()).status, QpStatus::infeasible);
  p.upper[1] = 2;
  EXPECT_EQ(solver.solve(p.view()).status, QpStatus::solved);
  p.lower[1] = 3;  // above its upper bound
  EXPECT_EQ(solver.solve(p.view()).status, QpStatus::infeasible);
  p.lower[1] = -HUGE_VAL;
  p.H << 1, 0, 0, -1;
  EXPECT_EQ(solver.solve(p.view()).status, QpStatus::not_convex);
  p.H << 1, 0, 0, 0;
  p.g << 0, -1;
  p.A.row(1) << 1, 0;
  EXPECT_EQ(solver.solve(p.view()).status, QpStatus::unbounded);
  p.H.setIdentity();
  QpOptions few;
  few.most_iterations = 1;
  Problem corner(2, 2);
  corner.A.setIdentity();
  corner.lower << 1, 1;
  EXPECT_EQ(solver.solve(corner.view(), few).status, QpStatus::iterations);
  for (const QpStatus status : {QpStatus::solved, QpStatus::infeasible, QpStatus::not_convex,
                                QpStatus::unbounded, QpStatus::iterations})
    EXPECT_GT(std::string(name(status)).size(), 5u);
}

TEST(QuadraticProgram, BeginsWithTheRowsOfTheLastSolution) {
  long cold = 0, warm = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("problem " + std::to_string(seed));
    Problem p = random_problem(seed);
    QuadraticProgram solver(p.n(), p.m()), other(p.n(), p.m());
    (void)solver.solve(p.view());
    Random random(seed);
    for (int i = 0; i < p.n(); ++i) p.g[i] += random.uniform(-0.1, 0.1);
    const QpResult found = solver.solve(p.view(), {QpStart::warm}),
                   expected = other.solve(p.view());
    expect_optimal(p, found, 1e-9);
    EXPECT_LT((vector(found.x) - vector(expected.x)).cwiseAbs().maxCoeff(), 1e-8);
    warm += found.iterations, cold += expected.iterations;
    // rows of quite another problem do no harm
    for (int i = 0; i < p.n(); ++i) p.g[i] = -3 * p.g[i];
    expect_optimal(p, solver.solve(p.view(), {QpStart::warm}), 1e-9);
    if (HasFailure()) return;
  }
  EXPECT_LT(2 * warm, cold);
}

TEST(QuadraticProgram, Refusals) {
  EXPECT_TRUE(mentions({message_of([] { QuadraticProgram solver(0, 3); })}, {"0 variables"}));
  Problem p(2, 1);
  QuadraticProgram larger(3, 1), solver(2, 1);
  EXPECT_TRUE(mentions({message_of([&] { (void)larger.solve(p.view()); })}, {"H", "9"}));
  p.g[1] = NAN;
  EXPECT_TRUE(mentions({message_of([&] { (void)solver.solve(p.view()); })}, {"g[1]"}));
  p.g[1] = 0, p.lower[0] = HUGE_VAL;
  EXPECT_TRUE(mentions({message_of([&] { (void)solver.solve(p.view()); })}, {"row 0"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
