// Steps of Newton's method of fixed number: by the law itself, on feet of several points.
#include "contact/fixed_newton.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "contact/plain_contact.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Feet with corners on a robot with some freedoms, and the same problem between the points.
template <class T>
struct Feet {
  ContactBodies<T> bodies;
  PlainProblem plain;
};

/// Two feet of four corners and one that is a point, heavy and easily turned as feet at the end of
/// legs are, each with freedoms of its own, and some that all share. `held` of the own ones are
/// missing: then the feet have more rows than the robot has freedoms.
template <class T>
Feet<T> random_feet(int held, Random& random) {
  Feet<T> feet;
  feet.bodies.bodies = {{0, 6}, {6, 6}, {12, 3}};
  // roots of inverse inertias: about and along the normal and the tangents
  const double own[6] = {6.5, 18, 11, 0.2, 0.6, 0.6};
  const int shared = 6;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(15, 15 + shared), P = Eigen::MatrixXd::Zero(27, 15);
  for (int r = 0; r < 15; ++r) {
    const double size = own[r < 12 ? r % 6 : r - 9] * random.uniform(0.7, 1.4);
    if (r % 6 != 1 || r / 6 >= held) J(r, r) = size;
    for (int k = 15; k < J.cols(); ++k) J(r, k) = 0.2 * size * random.uniform(-1, 1);
  }
  for (int i = 0; i < 9; ++i) {
    const int body = i / 4;
    Eigen::Vector3d arm(random.uniform(-0.002, 0.002), i % 2 == 0 ? -0.1 : 0.1,
                        i % 4 < 2 ? -0.05 : 0.05);
    if (body == 2) arm.setZero();
    feet.bodies.points.push_back({body, {T(arm[0]), T(arm[1]), T(arm[2])}});
    for (int r = 0; r < 3; ++r) {
      P(3 * i + r, (body == 2 ? 12 : 6 * body + 3) + r) = 1;
      if (body < 2)
        P.block<1, 3>(3 * i + r, 6 * body) = arm.cross(Eigen::Vector3d::Unit(r)).transpose();
    }
  }
  const Eigen::MatrixXd G = J * J.transpose();
  for (Eigen::Index i = 0; i < 15; ++i)
    for (Eigen::Index j = 0; j < 15; ++j) feet.bodies.G.push_back(static_cast<T>(G(i, j)));
  Eigen::VectorXd V(15);
  for (Eigen::Index r = 0; r < 15; ++r)
    V[r] = random.uniform(-0.02, 0.02) - (r % 6 == 3 ? 0.02 : 0);
  feet.plain.A = P * G * P.transpose();
  feet.plain.b = P * V;
  feet.plain.friction = Eigen::VectorXd::Constant(9, random.uniform(0.3, 1));
  return feet;
}

template <class T>
FixedSweeps<T> sweeps_of(const Feet<T>& feet) {
  std::vector<T> b;
  for (const double x : feet.plain.b) b.push_back(static_cast<T>(x));
  return {feet.bodies.between_points(),
          std::move(b),
          feet.plain.friction[0],
          {{0, 1, 2, 3}, {4, 5, 6, 7}}};
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

TEST(ContactBodies, PointsAreThoseOfTheBodies) {
  Random random(1);
  const Feet<double> feet = random_feet<double>(0, random);
  const std::vector<double> A = feet.bodies.between_points();
  ASSERT_EQ(A.size(), 27u * 27u);
  for (Eigen::Index i = 0; i < 27; ++i)
    for (Eigen::Index j = 0; j < 27; ++j)
      EXPECT_NEAR(A[static_cast<std::size_t>(i * 27 + j)], feet.plain.A(i, j), 1e-12);
}

// also where the bodies have more rows than the robot has freedoms
TEST(FixedNewton, FeetObeyCoulombsLaw) {
  for (const int held : {0, 2}) {
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const Feet<double> feet = random_feet<double>(held, random);
      FixedSweeps<double> solver = sweeps_of(feet);
      solver.solve(12);
      const double before = largest_residual(solver);
      FixedNewton<double> newton(feet.bodies, solver);
      newton.solve(40);
      EXPECT_LE(newton.residual(), before);
      EXPECT_NEAR(newton.residual(), largest_residual(solver), 1e-12);
      if (newton.residual() > 1e-10) continue;
      ++solved;
      EXPECT_LE(coulomb_error(feet.plain, impulses_of(solver)), 1e-8);
    }
    EXPECT_GE(solved, 80) << held;
  }
}

// of the hardest problems sweeps leave more
TEST(FixedNewton, IsBetterThanSweeps) {
  std::vector<double> swept, both;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const Feet<float> feet = random_feet<float>(0, random);
    FixedSweeps<float> plain = sweeps_of(feet), solver = plain;
    plain.solve(24);
    solver.solve(8);
    FixedNewton<float>(feet.bodies, solver).solve(12);
    swept.push_back(largest_residual(plain));
    both.push_back(largest_residual(solver));
  }
  std::sort(swept.begin(), swept.end());
  std::sort(both.begin(), both.end());
  EXPECT_GT(swept[198], 1e-5);
  EXPECT_LT(both[198], 1e-6);
}

// without friction, and where nothing touches
TEST(FixedNewton, IceAndAir) {
  Random random(7);
  Feet<double> feet = random_feet<double>(0, random);
  feet.plain.friction.setZero();
  FixedSweeps<double> ice = sweeps_of(feet);
  ice.solve(12);
  FixedNewton<double> newton(feet.bodies, ice);
  newton.solve(20);
  EXPECT_LT(newton.residual(), 1e-10);
  EXPECT_LE(coulomb_error(feet.plain, impulses_of(ice)), 1e-8);
  for (Eigen::Index i = 0; i < 27; i += 3) feet.plain.b[i] = 1;
  FixedSweeps<double> air = sweeps_of(feet);
  FixedNewton<double> nothing(feet.bodies, air);
  nothing.solve(3);
  EXPECT_EQ(nothing.residual(), 0);
  EXPECT_EQ(impulses_of(air).norm(), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
