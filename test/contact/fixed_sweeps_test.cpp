// Sweeps of fixed number without branches: by the law itself, and against the solver that iterates.
#include "contact/fixed_sweeps.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include <limber/contact/contact_rows.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "contact/plain_contact.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// The same problem for another kind of numbers; one coefficient of friction.
template <class T>
FixedSweeps<T> fixed_sweeps(const PlainProblem& p, std::vector<std::vector<int>> groups = {}) {
  std::vector<T> A, b;
  for (Eigen::Index i = 0; i < p.A.rows(); ++i) {
    for (Eigen::Index j = 0; j < p.A.cols(); ++j) A.push_back(static_cast<T>(p.A(i, j)));
    b.push_back(static_cast<T>(p.b[i]));
  }
  return {std::move(A), std::move(b), p.friction[0], std::move(groups)};
}

template <class T>
double largest_residual(const FixedSweeps<T>& solver) {
  double largest = 0;
  for (int i = 0; i < solver.contacts(); ++i)
    largest = std::max(largest, static_cast<double>(solver.residual(i)));
  return largest;
}

Eigen::VectorXd impulses_of(const FixedSweeps<double>& solver) {
  Eigen::VectorXd all(3 * solver.contacts());
  for (int i = 0; i < solver.contacts(); ++i) {
    const Vec3<double>& l = solver.impulse[static_cast<std::size_t>(i)];
    all.segment<3>(3 * i) << l.x, l.y, l.z;
  }
  return all;
}

TEST(FixedSweeps, PublishedProblems) {
  PlainProblem p;
  p.A.resize(3, 3);
  p.A << 15, -1, -2, -1, 14, 1, -2, 1, 16;
  p.b = Eigen::Vector3d(-1, 2, 3);
  p.friction = Eigen::VectorXd::Constant(1, 0.1);
  FixedSweeps<double> solver = fixed_sweeps<double>(p);
  solver.solve(10);
  EXPECT_TRUE(near(impulses_of(solver),
                   Eigen::Vector3d(.06569568289773831, -.003678614906806759, -.005443070813559287),
                   1e-13));
  EXPECT_LT(largest_residual(solver), 1e-13);
}

// the residual is what the law itself says, and many sweeps solve most problems of a few contacts
TEST(FixedSweeps, RandomProblemsObeyCoulombsLaw) {
  int solved = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    PlainProblem p = random_friction_problem(random.integer(1, 6), random);
    p.friction.setConstant(random.integer(0, 4) == 0 ? 0 : random.uniform(0.1, 1));
    FixedSweeps<double> solver = fixed_sweeps<double>(p);
    solver.solve(2000);
    ++all;
    if (largest_residual(solver) > 1e-11) continue;
    ++solved;
    EXPECT_LE(coulomb_error(p, impulses_of(solver)), 1e-9);
  }
  EXPECT_GE(solved, all * 9 / 10);
}

/// A foot that turns easily and carries much, on four corners; it comes down and sticks.
PlainProblem heavy_foot(Random& random) {
  PlainProblem p;
  Eigen::MatrixXd J(12, 6);
  for (int c = 0; c < 4; ++c) {
    const Eigen::Vector3d arm(c % 2 == 0 ? -0.1 : 0.1, c < 2 ? -0.05 : 0.05, -0.06);
    const Eigen::Vector3d axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int r = 0; r < 3; ++r) {
      J.block<1, 3>(3 * c + r, 0) = arm.cross(axes[r]).transpose();
      J.block<1, 3>(3 * c + r, 3) = axes[r].transpose();
    }
  }
  Eigen::VectorXd inertia(6), v(6);
  inertia << 0.005, 0.005, 0.005, 30, 30, 30;
  v << random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02),
      random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), random.uniform(-0.1, -0.05);
  p.A = J * inertia.cwiseInverse().asDiagonal() * J.transpose();
  p.b = J * v;
  p.friction = Eigen::VectorXd::Constant(4, 0.6);
  return p;
}

TEST(FixedSweeps, PointsOfOneFootArePushedTogether) {
  std::vector<double> alone, together;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const PlainProblem p = heavy_foot(random);
    FixedSweeps<double> plain = fixed_sweeps<double>(p),
                        grouped = fixed_sweeps<double>(p, {{0, 1, 2, 3}});
    plain.solve(20);
    grouped.solve(20);
    alone.push_back(largest_residual(plain));
    together.push_back(largest_residual(grouped));
    grouped.solve(500);
    EXPECT_LT(largest_residual(grouped), 1e-9);
    EXPECT_LE(coulomb_error(p, impulses_of(grouped)), 1e-8);
  }
  std::sort(alone.begin(), alone.end());
  std::sort(together.begin(), together.end());
  EXPECT_GT(alone[50], 1e-3);
  EXPECT_LT(together[90], 1e-9);
}

/// Feet of the quadruped near the ground, in any motion.
PlainProblem feet_near_ground(const Model& m, Workspace& ws, Random& random) {
  const Mechanism mechanism(m);
  std::vector<double> q = neutral_position(m), v(static_cast<std::size_t>(m.nv)), tau(v.size());
  const double bend[3] = {0, 0.6, -1.2}, h = 1e-3;
  for (std::size_t k = 7; k < q.size(); ++k) q[k] = bend[(k - 7) % 3] + random.uniform(-0.3, 0.3);
  for (std::size_t k = 3; k < 6; ++k) q[k] = random.uniform(-0.05, 0.05);
  normalize(m, q);
  for (std::size_t k = 0; k < v.size(); ++k)
    v[k] = random.uniform(-1, 1), tau[k] = k < 6 ? 0 : random.uniform(-10, 10);
  const Poses bodies = forward_kinematics<double>(m, q, ws);
  std::vector<RowContact> contacts;
  for (const char* foot :
       {"front_left_foot", "front_right_foot", "hind_left_foot", "hind_right_foot"}) {
    RowContact row;
    row.body_a = m.frames[m.frame(foot)].body;
    row.point = frame_pose(m, bodies, m.frame(foot)).p - Vec3<double>{0, 0, 0.02};
    row.normal = {0, 0, 1};
    row.law.friction = 0.8;
    row.target = -std::max(random.uniform(-1e-3, 1e-3), 0.0) / h;
    contacts.push_back(row);
  }
  const std::span<const double> a = forward_dynamics<double>(m, q, v, tau, ws);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] += h * a[k];
  TreeFactor factor(m);
  factorize<double>(m, q, ws, factor);
  ContactRows rows(mechanism, 4);
  rows.place(mechanism, 0, q, factor, contacts, ws);
  rows.set_free_velocity(v);
  const ContactProblem& from = rows.problem;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(12, from.size);
  PlainProblem p;
  p.b.resize(12);
  p.friction = Eigen::VectorXd::Constant(4, 0.8);
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) {
      p.b[3 * c + r] = from.b[c][r];
      for (int e = from.first[c]; e < from.first[c + 1]; ++e)
        W(3 * c + r, from.place[e]) = from.W[e][r];
    }
  p.A = W * W.transpose();
  return p;
}

TEST(FixedSweeps, FourSweepsAreEnoughForFourFeet) {
  const Model m = load("quadruped");
  Workspace ws(m);
  std::vector<double> in_single, in_double;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const PlainProblem p = feet_near_ground(m, ws, random);
    FixedSweeps<float> single = fixed_sweeps<float>(p);
    FixedSweeps<double> twice = fixed_sweeps<double>(p);
    single.solve(4);
    twice.solve(12);
    in_single.push_back(largest_residual(single));
    in_double.push_back(largest_residual(twice));
    // by the law itself, in double precision
    EXPECT_LT(coulomb_error(p, impulses_of(twice)), 1e-9) << seed;
  }
  std::sort(in_single.begin(), in_single.end());
  EXPECT_LT(in_single[990], 1e-4);
  EXPECT_LT(*std::max_element(in_double.begin(), in_double.end()), 1e-9);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
