// The true Coulomb problem: published solutions, random problems by the law itself, what a heap
// needs.
#include <limber/contact/cone_solver.hpp>

#include <gtest/gtest.h>

#include "contact/plain_contact.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(ConeSolver, PublishedProblems) {
  PlainProblem p;
  p.A.resize(3, 3);
  p.A << 15, -1, -2, -1, 14, 1, -2, 1, 16;
  p.b = Eigen::Vector3d(-1, 2, 3);
  p.friction = Eigen::VectorXd::Constant(1, 0.1);
  ContactProblem problem = p.problem();
  ConeSolver solver;
  ConeSettings settings;
  settings.tolerance = 1e-13;
  EXPECT_TRUE(solve_contacts(problem, settings, solver).converged);
  EXPECT_TRUE(near(impulses(problem),
                   Eigen::Vector3d(.06569568289773831, -.003678614906806759, -.005443070813559287),
                   1e-13));
  p.A = Eigen::Matrix3d::Identity();
  p.b = Eigen::Vector3d(-1, 1, 3);
  problem = p.problem();
  EXPECT_TRUE(solve_contacts(problem, settings, solver).converged);
  EXPECT_TRUE(
      near(impulses(problem), Eigen::Vector3d(1, -.03162277660168379, -.09486832980505138), 1e-14));
}

TEST(ConeSolver, RandomProblemsObeyCoulombsLaw) {
  int solved = 0, all = 0;
  ConeSolver solver;
  ConeSettings settings;
  settings.tolerance = 1e-12;
  settings.most_sweeps = 2000;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const PlainProblem p = random_friction_problem(random.integer(1, 50), random);
    ContactProblem problem = p.problem();
    const ConeResult result = solve_contacts(problem, settings, solver);
    ++all;
    if (!result.converged) {
      EXPECT_GT(result.residual, settings.tolerance);
      continue;
    }
    ++solved;
    EXPECT_LE(coulomb_error(p, impulses(problem)), 1e-10);
    EXPECT_LE(contact_residual(problem).residual, 2e-12);
  }
  EXPECT_GE(solved, all * 99 / 100);
}

TEST(ConeSolver, ContactsWithoutFrictionPullInNoCase) {
  // balls in a row that have bounced: the impulses of the impact are a bad start
  PlainProblem p;
  p.A = Eigen::MatrixXd::Identity(6, 6) * 2;
  p.A(0, 3) = p.A(3, 0) = -1;
  p.friction = Eigen::VectorXd::Zero(2);
  for (const double first : {1.0, 2.0, -1.0, -2.0})
    for (const double second : {0.0, 1.0, -3.0}) {
      SCOPED_TRACE(testing::Message() << first << ", " << second);
      p.b = Eigen::VectorXd::Zero(6);
      p.b[0] = first, p.b[3] = second;
      ContactProblem problem = p.problem();
      problem.impulse[0] = {4.0 / 3, 0, 0}, problem.impulse[1] = {2.0 / 3, 0, 0};
      ConeSolver solver;
      EXPECT_TRUE(solve_contacts(problem, {}, solver).converged);
      for (int c = 0; c < 2; ++c) {
        const double u = problem.velocity(c).x, l = problem.impulse[c].x;
        EXPECT_GE(l, 0);
        EXPECT_GE(u, -1e-9);
        EXPECT_NEAR(u * l, 0, 1e-9);
      }
    }
}

TEST(ConeSolver, OneContactNeedsOneSweep) {
  ConeSolver solver;
  ConeSettings settings;
  settings.newton_contacts = 0;
  settings.most_sweeps = 1;
  settings.tolerance = 1e-11;
  int slid = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Eigen::Matrix3d R;
    for (double& x : R.reshaped()) x = random.uniform();
    PlainProblem p{R * R.transpose() + 0.05 * Eigen::Matrix3d::Identity(),
                   Eigen::Vector3d(random.uniform(-1, 0), random.uniform(), random.uniform()),
                   Eigen::VectorXd::Constant(1, random.uniform(0, 1))};
    ContactProblem problem = p.problem();
    EXPECT_TRUE(solve_contacts(problem, settings, solver).converged);
    EXPECT_LE(coulomb_error(p, impulses(problem)), 1e-10);
    slid += (p.A * impulses(problem) + p.b).tail<2>().norm() > 1e-6 ? 1 : 0;
  }
  EXPECT_GT(slid, 200);
}

TEST(ConeSolver, AStartAtTheSolutionNeedsNoSweep) {
  Random random(3);
  const PlainProblem p = random_friction_problem(12, random);
  ContactProblem problem = p.problem();
  ConeSolver solver;
  const ConeResult result = solve_contacts(problem, {}, solver);
  EXPECT_GT(result.sweeps + result.newton_steps, 0);
  const Eigen::VectorXd first = impulses(problem);
  EXPECT_EQ(solve_contacts(problem, {}, solver).sweeps, 0);
  EXPECT_EQ(impulses(problem), first);
}

TEST(ConeSolver, WhatWasSolvedBeforeDoesNotMatter) {
  ConeSolver used;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const PlainProblem p = random_friction_problem(random.integer(1, 30), random);
    ContactProblem first = p.problem(), second = p.problem();
    ConeSolver fresh;
    const ConeResult a = solve_contacts(first, {}, fresh), b = solve_contacts(second, {}, used);
    EXPECT_EQ(impulses(first), impulses(second)) << seed;
    EXPECT_EQ(a.residual, b.residual);
    EXPECT_EQ(a.sweeps, b.sweeps);
  }
}

TEST(ConeSolver, SaysWhenItDidNotConverge) {
  Random random(4);
  ContactProblem problem = random_friction_problem(40, random).problem();
  ConeSolver solver;
  ConeSettings settings;
  settings.most_sweeps = 2;
  settings.newton_contacts = 0;
  settings.tolerance = 1e-12;
  const ConeResult result = solve_contacts(problem, settings, solver);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.residual, 1e-12);
  EXPECT_GE(result.contact, 0);
}

TEST(ConeSolver, ThePyramidBearsMoreAcrossItsCorners) {
  PlainProblem p;
  p.A = Eigen::Matrix3d::Identity();
  p.b = Eigen::Vector3d(-1, 5, 5);
  p.friction = Eigen::VectorXd::Constant(1, 0.5);
  ContactProblem problem = p.problem();
  ConeSolver solver;
  ConeSettings settings;
  settings.shape = FrictionShape::pyramid;
  EXPECT_TRUE(solve_contacts(problem, settings, solver).converged);
  EXPECT_TRUE(near(impulses(problem), Eigen::Vector3d(1, -0.5, -0.5), 1e-12));
  settings.shape = FrictionShape::cone;
  EXPECT_TRUE(solve_contacts(problem, settings, solver).converged);
  EXPECT_NEAR(impulses(problem).tail<2>().norm(), 0.5, 1e-12);
}

/// One contact with its three rows of turning, each row a freedom of its own.
ContactProblem turning_contact(const ContactLaw& law, const Vec3<double>& turning) {
  ContactProblem problem;
  problem.size = 6;
  problem.z.assign(6, 0.0);
  const int places[6] = {0, 1, 2, 3, 4, 5};
  problem.add(law, places);
  for (int i = 0; i < 3; ++i) problem.W[i][i] = problem.W_turn[3 + i][i] = 1;
  problem.b[0] = {-2, 0, 0};
  problem.b_turn[0] = turning;
  problem.join_all();
  return problem;
}

TEST(ConeSolver, TorsionAndRollingHoldOrGiveWay) {
  ConeSolver solver;
  ContactProblem held =
      turning_contact({.friction = 1, .torsion = 0.1, .rolling = 0.2}, {0.1, 0.2, -0.3});
  EXPECT_TRUE(solve_contacts(held, {}, solver).converged);
  EXPECT_NEAR(held.turn_impulse[0].x, -0.1, 1e-12);
  EXPECT_NEAR(held.turn_impulse[0].y, -0.2, 1e-12);
  EXPECT_NEAR(held.turn_impulse[0].z, 0.3, 1e-12);
  ContactProblem turns =
      turning_contact({.friction = 1, .torsion = 0.1, .rolling = 0.2}, {-1, 3, 4});
  EXPECT_TRUE(solve_contacts(turns, {}, solver).converged);
  EXPECT_NEAR(turns.turn_impulse[0].x, 0.2, 1e-12);        // torsion · normal impulse of 2
  EXPECT_NEAR(turns.turn_impulse[0].y, -0.4 * 0.6, 1e-9);  // rolling · 2, against (3, 4)
  EXPECT_NEAR(turns.turn_impulse[0].z, -0.4 * 0.8, 1e-9);
}

/// Random contacts with torsion and rolling on so many freedoms, which come towards each other.
ContactProblem random_turning_problem(int contacts, int freedoms, Random& random) {
  ContactProblem problem;
  problem.size = freedoms;
  problem.z.resize(static_cast<std::size_t>(freedoms));
  std::vector<int> places(static_cast<std::size_t>(freedoms));
  std::vector<double> motion(static_cast<std::size_t>(freedoms));
  for (int k = 0; k < freedoms; ++k) {
    places[static_cast<std::size_t>(k)] = k;
    motion[static_cast<std::size_t>(k)] = random.uniform(-1, 1);
  }
  for (int c = 0; c < contacts; ++c) {
    const ContactLaw law{.friction = random.uniform(0.1, 1),
                         .torsion = random.uniform(0.01, 0.1),
                         .rolling = random.uniform(0.01, 0.1)};
    problem.add(law, places);
    for (int k = 0; k < freedoms; ++k) {
      const double speed = motion[static_cast<std::size_t>(k)];
      const Vec3<double> row = random.vec3(), turn = random.vec3();
      problem.W[problem.first[c] + k] = row;
      problem.W_turn[problem.turn[c] + k] = turn;
      problem.b[c] += row * speed;
      problem.b_turn[c] += turn * speed;
    }
  }
  problem.join_all();
  return problem;
}

/// How far the impulses are from the laws of force and moments, each by itself.
double turning_error(const ContactProblem& problem) {
  double worst = 0;
  const auto opposes = [&](double u1, double u2, double l1, double l2, double most) {
    const double u = std::hypot(u1, u2), l = std::hypot(l1, l2);
    worst = std::max(worst, l - most);
    // what moves is held by all there is, against the motion
    worst = std::max(worst, u * l + (u1 * l1 + u2 * l2));
    worst = std::max(worst, u * (most - l));
  };
  for (int c = 0; c < problem.contacts(); ++c) {
    const ContactLaw& law = problem.law[c];
    const Vec3<double>&l = problem.impulse[c], &m = problem.turn_impulse[c];
    const Vec3<double> u = problem.velocity(c), w = problem.turn_velocity(c);
    worst = std::max({worst, -l.x, -u.x, std::abs(l.x * u.x)});
    opposes(u.y, u.z, l.y, l.z, law.friction * l.x);
    opposes(w.x, 0, m.x, 0, law.torsion * l.x);
    opposes(w.y, w.z, m.y, m.z, law.rolling * l.x);
  }
  return worst;
}

TEST(ConeSolver, RandomProblemsWithTorsionAndRolling) {
  int solved = 0, all = 0;
  ConeSolver solver;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int contacts = random.integer(1, 8);
    ContactProblem problem = random_turning_problem(contacts, random.integer(1, 40), random);
    const ConeResult result = solve_contacts(problem, {}, solver);
    ++all;
    solved += result.converged;
    problem.fill_response(problem.islands[0]);
    // solved or not, contacts give no energy
    double power = 0;
    for (int c = 0; c < contacts; ++c)
      power += dot(problem.impulse[c], problem.velocity(c)) +
               dot(problem.turn_impulse[c], problem.turn_velocity(c));
    EXPECT_LE(power, 1e-7);
    if (result.converged) {
      EXPECT_LE(turning_error(problem), 1e-6);
    }
  }
  EXPECT_GE(solved, all * 95 / 100);
}

TEST(ConeSolver, ContactsThatContradictEachOtherEndWithoutEnergy) {
  // one mass between two walls: it is to leave the first with speed 1, and not to touch the other
  PlainProblem p;
  p.A = Eigen::MatrixXd::Zero(6, 6);
  Eigen::VectorXd n(6);
  n << 1, 0, 0, -1, 0, 0;
  p.A = n * n.transpose();
  p.b = Eigen::VectorXd::Zero(6);
  p.b(0) = -2, p.b(3) = 1;
  p.friction = Eigen::VectorXd::Constant(2, 0.5);
  ContactProblem problem = p.problem();
  ConeSolver solver;
  const ConeResult result = solve_contacts(problem, {}, solver);
  EXPECT_FALSE(result.converged);
  EXPECT_GE(result.residual, 0.1);
  double power = 0;
  for (int c = 0; c < 2; ++c) {
    EXPECT_LT(norm(problem.impulse[c]), 1e6);  // what they press each other with has no bound
    power += dot(problem.impulse[c], problem.velocity(c));
  }
  EXPECT_LE(power, 1e-12);
}

TEST(ConeSolver, ComplianceLetsTheContactGive) {
  PlainProblem p;
  p.A = Eigen::Matrix3d::Identity();
  p.b = Eigen::Vector3d(-1, 0, 0);
  p.friction = Eigen::VectorXd::Constant(1, 0.5);
  ContactProblem problem = p.problem();
  problem.law[0].compliance = 3;
  ConeSolver solver;
  EXPECT_TRUE(solve_contacts(problem, {}, solver).converged);
  EXPECT_NEAR(problem.impulse[0].x, 0.25, 1e-12);
}

TEST(ConeSolver, NumbersThatAreNoneAreNoSolution) {
  PlainProblem p;
  p.A = Eigen::Matrix3d::Identity();
  p.b = Eigen::Vector3d(-1, 0, 0);
  p.friction = Eigen::VectorXd::Constant(1, 0.5);
  ContactProblem problem = p.problem();
  problem.b[0].y = NAN;
  ConeSolver solver;
  EXPECT_FALSE(solve_contacts(problem, {}, solver).converged);
}

TEST(ContactProblem, RefusesMatricesThatCannotBe) {
  const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1}, b[3] = {}, mu[1] = {0.5};
  EXPECT_THROW(contact_problem(A, b, mu), Error);
  const double skewed[9] = {1, 1, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_THROW(contact_problem(skewed, b, mu), Error);
  EXPECT_THROW(contact_problem(std::span(A).first(4), b, mu), Error);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
