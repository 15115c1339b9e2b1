// Frictionless contact: the book's facts, and random problems against enumeration of all patterns.
// [RDA] §9.6-9.8
#include <limber/contact/exact_contact.hpp>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limber/dynamics/forward_dynamics.hpp>

#include "contact/plain_contact.hpp"
#include "support/random_mechanisms.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> by_rows(const MatrixXd& A) {
  std::vector<double> all;
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) all.push_back(A(i, j));
  return all;
}

/// Every pattern of open and closed contacts: C'' α = −d''. F9.8-ENUM. Returns the first valid α;
/// empty: there is none. `patterns`: how many are valid with different forces.
VectorXd by_enumeration(const MatrixXd& C, const VectorXd& d, double tolerance) {
  const int n = static_cast<int>(d.size());
  for (int pattern = 0; pattern < 1 << n; ++pattern) {
    std::vector<int> closed;
    for (int i = 0; i < n; ++i)
      if (pattern >> i & 1) closed.push_back(i);
    const int m = static_cast<int>(closed.size());
    MatrixXd part(m, m);
    VectorXd right(m);
    for (int i = 0; i < m; ++i) {
      right[i] = -d[closed[static_cast<std::size_t>(i)]];
      for (int j = 0; j < m; ++j)
        part(i, j) = C(closed[static_cast<std::size_t>(i)], closed[static_cast<std::size_t>(j)]);
    }
    VectorXd alpha = VectorXd::Zero(n);
    if (m > 0) {
      const Eigen::LDLT<MatrixXd> factor(part);
      if (factor.vectorD().minCoeff() < 1e-9) continue;  // an independent subset will do
      const VectorXd found = factor.solve(right);
      for (int i = 0; i < m; ++i) alpha[closed[static_cast<std::size_t>(i)]] = found[i];
    }
    if (alpha.minCoeff() >= -tolerance && (C * alpha + d).minCoeff() >= -tolerance) return alpha;
  }
  return {};
}

struct Unilateral : UnilateralSolver {
  void operator()(const MatrixXd& C, const VectorXd& d) { solve(by_rows(C), in(d)); }
  VectorXd forces() const { return test::matrix(force()); }
};

MatrixXd random_definite(int n, Random& random) {
  MatrixXd R(n, n);
  for (double& x : R.reshaped()) x = random.uniform();
  return R * R.transpose();
}
VectorXd random_vector(int n, Random& random) {
  VectorXd d(n);
  for (double& x : d) x = random.uniform();
  return d;
}

TEST(ExactContact, AgreesWithEnumeration) {
  Unilateral solver;
  int definite = 0;
  for (int k = 0; k < share_of(10000); ++k) {
    SCOPED_TRACE(k);
    Random random(static_cast<std::uint64_t>(k) + 1);
    // most are small: enumeration of twelve contacts takes 4096 patterns
    const int n = k % 100 == 0 ? random.integer(9, 12) : random.integer(1, 7);
    const int rank = k % 2 == 0 ? n : random.integer(1, n);
    MatrixXd R(n, rank);
    for (double& x : R.reshaped()) x = random.uniform();
    const MatrixXd C = R * R.transpose();
    // d in the range of C has solutions; any d may have none
    VectorXd d = random_vector(n, random);
    if (k % 4 == 1) d = C * random_vector(n, random);
    const VectorXd expected = by_enumeration(C, d, 1e-9);
    solver(C, d);
    if (expected.size() == 0) {
      EXPECT_EQ(solver.status, ContactStatus::infeasible);
      continue;
    }
    ASSERT_NE(solver.status, ContactStatus::infeasible);
    const VectorXd w = C * solver.forces() + d;
    EXPECT_GE(solver.forces().minCoeff(), 0);
    EXPECT_GE(w.minCoeff(), -1e-8);
    EXPECT_LT(std::abs(w.dot(solver.forces())), 1e-7 * (1 + solver.forces().norm()));
    EXPECT_TRUE(near(w, C * expected + d, 1e-6));  // accelerations are the same for all solutions
    if (solver.status == ContactStatus::unique && solver.rank == n) {
      ++definite;
      EXPECT_TRUE(near(solver.forces(), expected, 1e-5));
    }
  }
  EXPECT_GT(definite, share_of(4000));
}

TEST(ExactContact, TheHeuristicIsRightInMoreThan95OfAHundredChoices) {
  Unilateral solver;
  long choices = 0, right = 0;
  for (int k = 0; k < 2000; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    const int n = random.integer(2, 14);
    solver(random_definite(n, random), random_vector(n, random));
    choices += solver.choices;
    right += solver.right_choices;
  }
  EXPECT_GT(choices, 5000);
  EXPECT_GE(static_cast<double>(right), 0.95 * static_cast<double>(choices));
}

TEST(ExactContact, SignsOfD) {
  Unilateral solver;
  for (int k = 0; k < 500; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    const int n = random.integer(1, 8);
    const MatrixXd C = random_definite(n, random);
    const VectorXd d = random_vector(n, random).cwiseAbs();
    solver(C, d);
    EXPECT_EQ(solver.forces().norm(), 0) << "d ≥ 0: nothing is needed";
    VectorXd one = d;
    const int i = random.integer(0, n - 1);
    one[i] = -one[i] - 0.1;
    solver(C, one);
    EXPECT_GT(solver.forces()[i], 0) << "exactly one is negative: this contact carries";
    solver(C, -d - VectorXd::Constant(n, 0.1));
    EXPECT_GT(solver.forces().maxCoeff(), 0) << "several are negative: one of them carries";
  }
}

TEST(ExactContact, TheSmallestInfeasibleProblem) {
  Unilateral solver;
  Eigen::Matrix2d C;
  C << 2, -2, -2, 2;
  solver(C, Eigen::Vector2d(-1, 0.5));
  EXPECT_EQ(solver.status, ContactStatus::infeasible);
  solver(C, Eigen::Vector2d(-1, 1));
  EXPECT_EQ(solver.status, ContactStatus::not_unique);
  solver(C, Eigen::Vector2d(-1, 1.5));
  EXPECT_EQ(solver.status, ContactStatus::unique);
  EXPECT_TRUE(near(solver.forces(), Eigen::Vector2d(0.5, 0), 1e-12));
}

TEST(ExactContact, NothingToSolveAndNothingToSolveWith) {
  Unilateral solver;
  solver.solve({}, {});
  EXPECT_EQ(solver.status, ContactStatus::unique);
  solver(Eigen::MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1));
  EXPECT_EQ(solver.status, ContactStatus::infeasible);
  solver(Eigen::MatrixXd::Zero(1, 1), VectorXd::Constant(1, 1));
  EXPECT_EQ(solver.forces()[0], 0);
  solver(Eigen::MatrixXd::Identity(1, 1), VectorXd::Constant(1, NAN));
  EXPECT_EQ(solver.status, ContactStatus::infeasible);
  EXPECT_EQ(solver.forces()[0], 0);
  solver(Eigen::MatrixXd::Constant(2, 2, NAN), VectorXd::Constant(2, -1));
  EXPECT_EQ(solver.status, ContactStatus::infeasible);
  EXPECT_THROW(solver.solve(std::vector<double>(3), std::vector<double>(2)), Error);
}

TEST(ExactContact, ManyContactsEnd) {
  Unilateral solver;
  for (int k = 0; k < 20; ++k) {
    Random random(static_cast<std::uint64_t>(k) + 1);
    const int n = 60, rank = 20;
    MatrixXd R(n, rank);
    for (double& x : R.reshaped()) x = random.uniform();
    const MatrixXd C = R * R.transpose();
    const VectorXd d = R * random_vector(rank, random);
    solver(C, d);
    ASSERT_NE(solver.status, ContactStatus::infeasible);
    const VectorXd w = C * solver.forces() + d;
    EXPECT_GE(w.minCoeff(), -1e-8);
    EXPECT_LT(std::abs(w.dot(solver.forces())), 1e-7);
  }
}

TEST(ExactContact, DependentSets) {
  // in the plane: normals along x, against x, and two between x and y
  MatrixXd F(2, 4);
  F << 1, -1, 1, 2, 0, 0, 1, 1;
  const MatrixXd C = F.transpose() * F;
  const auto sets = dependent_contacts(by_rows(C), 4);
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].kind, Dependency::cannot_break);
  EXPECT_EQ(sets[0].contacts, (std::vector<int>{0, 1}));
  EXPECT_EQ(sets[1].kind, Dependency::redundant);  // (2, 1) is (1, 0) + (1, 1)
  EXPECT_EQ(sets[1].redundant, 3);
  const auto null = dependent_contacts(std::vector<double>{1, 0, 0, 0}, 2);
  ASSERT_EQ(null.size(), 1u);
  EXPECT_EQ(null[0].kind, Dependency::null);
}

/// A block of 2 × 2 × 1 m and 3 kg on a free joint, its centre one half above the ground.
struct Block {
  Block() {
    spec.name = "block";
    spec.add_body("block", 3);
    spec.bodies.back().inertia =
        Inertia<double>::from_com(3, {}, Sym3<double>::diagonal(1.25, 1.25, 2));
    spec.add_joint("free", JointKind::free, "", "block");
    model = build(spec);
    for (int i = 0; i < 4; ++i) {
      ExactContact c;
      c.body_a = 1;
      c.point = {i == 0 || i == 3 ? 1.0 : -1.0, i < 2 ? 1.0 : -1.0, 0};
      c.normal = {0, 0, 1};
      corners.push_back(c);
    }
  }
  Spec spec;
  Model model;
  std::vector<ExactContact> corners;
  std::vector<double> q{0, 0, 0.5, 0, 0, 0, 1}, v = std::vector<double>(6),
                                                tau = std::vector<double>(6);
};

TEST(ExactContact, ABlockOnFourCorners) {
  Block block;
  const Mechanism mechanism(block.model);
  ExactContactDynamics dynamics(mechanism, 4);
  const auto a = dynamics.compute(mechanism, 0, block.q, block.v, block.tau, block.corners);
  EXPECT_LT(matrix(a).norm(), 1e-9);
  EXPECT_EQ(dynamics.solver.rank, 3);
  EXPECT_EQ(dynamics.status, ContactStatus::not_unique);
  EXPECT_NEAR(matrix(dynamics.force).sum(), -3 * block.model.gravity.z, 1e-8);
  // (+, −, +, −): none may be left out beforehand
  MatrixXd F(3, 4);
  for (int i = 0; i < 4; ++i) {
    const Vec3<double>& p = block.corners[static_cast<std::size_t>(i)].point;
    F.col(i) = Eigen::Vector3d(p.y, -p.x, 1);
  }
  const Eigen::Vector3d M(1.25, 1.25, 3);
  const auto sets =
      dependent_contacts(by_rows(F.transpose() * M.cwiseInverse().asDiagonal() * F), 4);
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_EQ(sets[0].kind, Dependency::mixed);
  EXPECT_EQ(sets[0].contacts.size(), 4u);
  // pushed up beyond its weight it leaves all four; pushed up at one side it tips over the other
  block.tau[5] = 40;
  dynamics.compute(mechanism, 0, block.q, block.v, block.tau, block.corners);
  EXPECT_EQ(matrix(dynamics.force).norm(), 0);
  EXPECT_EQ(dynamics.breaks, List<std::uint8_t>(4, std::uint8_t(1)));
  block.tau[5] = 0;
  block.tau[0] = 40;  // about x: the corners at y < 0 are pressed
  dynamics.compute(mechanism, 0, block.q, block.v, block.tau, block.corners);
  // the block turns about the edge y = −1 and the corners at y = 1 rise
  EXPECT_EQ(dynamics.breaks, (List<std::uint8_t>{1, 1, 0, 0}));
  EXPECT_EQ(dynamics.status, ContactStatus::unique);
  EXPECT_NEAR(dynamics.force[2], dynamics.force[3], 1e-9);
  // without friction the edge slides: I α = 40 − N, m α = N − m g at an arm of 1 m
  EXPECT_NEAR(dynamics.acceleration[0], (40 + 3 * block.model.gravity.z) / (1.25 + 3), 1e-9);
}

TEST(ExactContact, ContactsThatSeparateAreLeftOutAndImpactsAreNamed) {
  Block block;
  const Mechanism mechanism(block.model);
  ExactContactDynamics dynamics(mechanism, 4);
  block.v[5] = 0.1;
  dynamics.compute(mechanism, 0, block.q, block.v, block.tau, block.corners);
  EXPECT_EQ(dynamics.is_separate, List<std::uint8_t>(4, std::uint8_t(1)));
  EXPECT_NEAR(dynamics.acceleration[5], block.model.gravity.z, 1e-12);
  EXPECT_EQ(dynamics.impact, -1);
  block.v[5] = -0.1;
  dynamics.compute(mechanism, 0, block.q, block.v, block.tau, block.corners);
  EXPECT_EQ(dynamics.impact, 0);
}

TEST(ExactContact, ABlockThatTurnsOnItsCornersKeepsThem) {
  // spinning about the vertical the corners move in circles: the bias of each row is zero only if
  // the rates of point and normal are in it
  Block block;
  const Mechanism mechanism(block.model);
  ExactContactDynamics dynamics(mechanism, 4);
  block.v[2] = 3;
  Workspace ws(block.model);
  Velocities bodies(block.model);
  forward_kinematics<double>(block.model, block.q, block.v, ws, bodies);
  for (ExactContact& c : block.corners) set_corner_rates(c, NormalOn::b, bodies);
  const auto a = dynamics.compute(mechanism, 0, block.q, block.v, block.tau, block.corners);
  EXPECT_LT(matrix(a).norm(), 1e-9);
  // tilting about the edge y = −1 at speed ω, the two corners there stay at rest: the block's
  // centre goes round them
  block.v.assign(6, 0.0);
  const double w = 2;
  block.v[0] = w;         // about x
  block.v[4] = -w * 0.5;  // ω × r of the centre: r = (0, 1, 0.5) from the edge
  block.v[5] = w * 1;
  forward_kinematics<double>(block.model, block.q, block.v, ws, bodies);
  std::vector<ExactContact> edge(block.corners.begin() + 2, block.corners.end());
  for (ExactContact& c : edge) set_corner_rates(c, NormalOn::b, bodies);
  block.tau[0] = -5;
  dynamics.compute(mechanism, 0, block.q, block.v, block.tau, edge);
  EXPECT_EQ(dynamics.impact, -1);
  // classical acceleration of the corners along z is zero: centre's z̈ + (α × r + ω × (ω × r))_z
  const auto& acc = dynamics.acceleration;
  const double z = acc[5] + w * block.v[4];  // v̇ in body axes, turning: + (ω × v)_z
  EXPECT_GT(dynamics.force[0], 0);
  EXPECT_NEAR(z + acc[0] * -1 - w * w * -0.5, 0, 1e-9);
}

TEST(ExactContact, SeparationIsTheAccelerationOfTheCorner) {
  int carried = 0;
  for_random_robots(share_of(60), [&](Robot& r) {
    const Mechanism mechanism(r.model);
    ExactContactDynamics dynamics(mechanism, 1);
    Random random(11);
    const std::vector<int> bodies = moving_bodies(r.model);
    ExactContact c;
    c.body_a =
        bodies[static_cast<std::size_t>(random.integer(0, static_cast<int>(bodies.size()) - 1))];
    c.point = random.vec3();
    c.normal = random.direction();
    r.move_plain();
    const std::string& link = r.model.body_name[c.body_a];
    const auto velocity = [&](const Vector6& m) -> Vector3d {
      return m.tail<3>() + m.head<3>().cross(plain(c.point));
    };
    if (velocity(r.plain.link(link).v).dot(plain(c.normal)) > 0) c.normal = -c.normal;
    Velocities moving(r.model);
    forward_kinematics<double>(r.model, in(r.q), in(r.v), r.ws, moving);
    set_corner_rates(c, NormalOn::b, moving);
    r.a = matrix(dynamics.compute(mechanism, 0, in(r.q), in(r.v), in(r.tau), {&c, 1}));
    carried += dynamics.force[0] > 0 ? 1 : 0;
    r.move_plain();
    // the ordinary acceleration of the body's point: the normal stands still
    const PlainLink& body = r.plain.link(link);
    const Vector3d a = velocity(body.a) + Vector3d(body.v.head<3>()).cross(velocity(body.v));
    const double size = 1 + a.norm() + body.v.squaredNorm();
    EXPECT_NEAR(dynamics.separation[0], a.dot(plain(c.normal)), 1e-8 * size);
  });
  EXPECT_GT(carried, share_of(10));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
