// Friction problems against other solvers: a slow fixed-point iteration written here, and Siconos
// where it is installed (libsiconos-numerics-dev). Coulomb's problem may have several solutions, so
// both are measured by the law itself; velocities are compared where the solution is the only one
// for certain, with small coefficients.
#include <gtest/gtest.h>

#include <limber/contact/cone_solver.hpp>

#include "contact/plain_contact.hpp"

#ifdef LIMBER_SICONOS
#include <Friction_cst.h>
#include <FrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#endif

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

/// λ ← projection of λ − ρ (u + μ |u_t| n) on the cone, for ever (De Saxcé and Feng).
VectorXd by_fixed_point(const PlainProblem& p, int iterations) {
  const double rho = 1 / p.A.norm();
  VectorXd l = VectorXd::Zero(p.b.size());
  for (int k = 0; k < iterations; ++k) {
    const VectorXd u = p.A * l + p.b;
    for (int c = 0; c < p.contacts(); ++c) {
      const double mu = p.friction[c], slip = u.segment<2>(3 * c + 1).norm();
      Eigen::Vector3d x = l.segment<3>(3 * c) - rho * u.segment<3>(3 * c);
      x[0] -= rho * mu * slip;
      const double t = x.tail<2>().norm();
      if (t > mu * x[0]) {
        const double n = std::max(0.0, (x[0] + mu * t) / (1 + mu * mu));
        x << n, (t > 0 ? Eigen::Vector2d(x.tail<2>() * (mu * n / t)) : Eigen::Vector2d::Zero());
      }
      l.segment<3>(3 * c) = x;
    }
  }
  return l;
}

VectorXd by_limber(const PlainProblem& p, ConeResult& result) {
  ContactProblem problem = p.problem();
  ConeSolver solver;
  ConeSettings settings;
  settings.tolerance = 1e-12;
  settings.most_sweeps = 2000;
  result = solve_contacts(problem, settings, solver);
  return impulses(problem);
}

TEST(FrictionPeers, AFixedPointIterationFindsTheSame) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    PlainProblem p = random_friction_problem(random.integer(1, 6), random);
    p.friction *= 0.2;  // so small that there is one solution
    ConeResult result;
    const VectorXd ours = by_limber(p, result), slow = by_fixed_point(p, 20000);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(coulomb_error(p, ours), 1e-10);
    if (coulomb_error(p, slow) > 1e-9) continue;
    ++compared;
    EXPECT_TRUE(near(p.A * ours, p.A * slow, 1e-6));
  }
  EXPECT_GT(compared, 40);
}

TEST(SiconosOracle, AThousandProblems) {
#ifndef LIMBER_SICONOS
  GTEST_SKIP() << "Siconos is not installed (libsiconos-numerics-dev)";
#else
  int solved = 0, theirs_solved = 0, same = 0;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    PlainProblem p = random_friction_problem(random.integer(1, 50), random);
    if (seed % 2 == 0) p.friction *= 0.3;
    ConeResult result;
    const VectorXd ours = by_limber(p, result);
    solved += result.converged ? 1 : 0;
    worst = std::max(worst, coulomb_error(p, ours));
    Eigen::MatrixXd A = p.A;  // column by column, as Siconos has it
    VectorXd b = p.b, mu = p.friction;
    VectorXd theirs = VectorXd::Zero(b.size()), u = VectorXd::Zero(b.size());
    const int n = static_cast<int>(b.size());
    FrictionContactProblem problem{};
    problem.dimension = 3;
    problem.numberOfContacts = p.contacts();
    problem.M = NM_create_from_data(NM_DENSE, n, n, A.data());
    problem.q = b.data();
    problem.mu = mu.data();
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 5000;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    fc3d_driver(&problem, theirs.data(), u.data(), options);
    solver_options_delete(options);
    const double error = coulomb_error(p, theirs);
    if (error > 1e-6) continue;
    ++theirs_solved;
    const VectorXd difference = p.A * (ours - theirs);
    same += difference.lpNorm<Eigen::Infinity>() < 1e-5 ? 1 : 0;
  }
  RecordProperty("solved", solved);
  std::printf(
      "Limber solved %d, Siconos %d of 1000; the same velocities in %d; worst error of ours %g\n",
      solved, theirs_solved, same, worst);
  EXPECT_GE(solved, 995);
  EXPECT_GE(solved, theirs_solved - 2);
  EXPECT_GE(same, theirs_solved * 9 / 10);
#endif
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
