// Forward dynamics: the inverse of inverse dynamics, by articulated bodies and by the inertia
// matrix.
#include <limber/dynamics/forward_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(ForwardDynamics, InvertsInverseDynamics) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    const VectorXd tau = r.plain.tau();
    EXPECT_TRUE(near(matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(tau), r.ws)), r.a,
                     solve_tolerance(r, tau)));
  });
}

TEST(ForwardDynamics, ByMassMatrixInvertsInverseDynamics) {
  for_random_robots(240, [](Robot& r) {
    r.move_plain();
    const VectorXd tau = r.plain.tau();
    const VectorXd found =
        matrix(forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(tau), r.ws));
    EXPECT_TRUE(near(found, r.a, solve_tolerance(r, tau)));
  });
}

TEST(ForwardDynamics, GivesTheForcesBack) {
  for_random_robots(240, [](Robot& r) {
    const VectorXd a = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
    r.plain.move(r.q, r.v, a);
    EXPECT_TRUE(near(r.plain.tau(), r.tau, 1e-9));
  });
}

TEST(ForwardDynamics, BothRoutesAgree) {
  for_random_robots(240, [](Robot& r) {
    const VectorXd first = matrix(forward_dynamics(r.model, in(r.q), in(r.v), in(r.tau), r.ws));
    // what is solved for is tau minus the bias forces: both are rounded
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
    const VectorXd forces = r.tau.cwiseAbs() + bias.cwiseAbs();
    EXPECT_TRUE(
        near(matrix(forward_dynamics_by_mass_matrix(r.model, in(r.q), in(r.v), in(r.tau), r.ws)),
             first, solve_tolerance(r, forces)));
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
