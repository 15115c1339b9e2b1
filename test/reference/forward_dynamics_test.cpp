// Forward dynamics by the mass matrix, by iteration and by articulated bodies in absolute
// coordinates: each must give back the acceleration for which inverse dynamics asked its forces.
#include <limber/reference/forward_dynamics.hpp>

#include <limber/dynamics/mass_matrix.hpp>
#include <limber/reference/inverse_dynamics.hpp>

#include "reference/support.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// the forces for r.a, by limber/dynamics
VectorXd forces(Robot& r, const Loads<double>& loads = {}) {
  return matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, loads));
}

TEST(ReferenceForwardDynamics, ByInertiaMatrixInvertsInverseDynamics) {
  for_random_robots(200, [](Robot& r) {
    const VectorXd tau = forces(r);
    EXPECT_TRUE(near(matrix(reference::forward_dynamics_by_mass_matrix(tree(r), in(tau))), r.a,
                     solve_tolerance(r, tau)));
  });
}

TEST(ReferenceForwardDynamics, ArticulatedBodiesInvertInverseDynamics) {
  int robots = 0;
  for_random_robots(200, [&](Robot& r) {
    if (r.model.has_mimic()) return;
    ++robots;
    const VectorXd tau = forces(r);
    const reference::Tree<double> t = tree(r);
    const double tolerance = solve_tolerance(r, tau);
    EXPECT_TRUE(near(matrix(reference::absolute_articulated_bodies(t, in(tau))), r.a, tolerance));
    EXPECT_TRUE(near(matrix(reference::absolute_articulated_bodies_without_sharing(t, in(tau))),
                     r.a, tolerance));
  });
  EXPECT_GT(robots, 100);
}

TEST(ReferenceForwardDynamics, TakesLoads) {
  for_random_robots(60, [](Robot& r) {
    const RandomLoads random(r, Random(7));
    const VectorXd tau = forces(r, random.loads);
    const double tolerance = solve_tolerance(r, tau);
    const reference::Tree<double> t = tree(r, random.loads, reference::Gravity::force);
    EXPECT_TRUE(
        near(matrix(reference::forward_dynamics_by_mass_matrix(t, in(tau))), r.a, tolerance));
    if (!r.model.has_mimic()) {
      EXPECT_TRUE(near(matrix(reference::absolute_articulated_bodies(t, in(tau))), r.a, tolerance));
    }
  });
}

TEST(ReferenceForwardDynamics, Method4ConvergesInAtMostNSteps) {
  for_random_robots(200, [](Robot& r) {
    const VectorXd tau = forces(r);
    const auto found = reference::walker_orin_4(tree(r), in(tau));
    EXPECT_LE(found.iterations, r.model.nv);
    EXPECT_LE(found.residual, 1e-12);
    EXPECT_TRUE(near(matrix(found.a), r.a, solve_tolerance(r, tau)));
  });
}

// the classical iteration stops after n steps, too, but with what rounding has left; it says so
TEST(ReferenceForwardDynamics, Method4ReportsItsResidual) {
  for_random_robots(60, [](Robot& r) {
    const reference::Tree<double> t = tree(r);
    const VectorXd bias = matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws));
    const MatrixXd H = matrix(mass_matrix(r.model, in(r.q), r.ws));
    const auto found = reference::walker_orin_4(t, in(r.tau), reference::Conjugacy::last);
    EXPECT_LE(found.iterations, r.model.nv);
    const VectorXd wanted = r.tau - bias, rest = wanted - H * matrix(found.a);
    EXPECT_TRUE(near(found.residual, rest.norm() / wanted.norm(), 1e-9));
  });
  Robot r(generate_chain(6));
  EXPECT_LE(reference::walker_orin_4(tree(r), in(r.tau), reference::Conjugacy::last).residual,
            1e-6);
}

TEST(ReferenceForwardDynamics, Method4NeedsNoStepInEquilibrium) {
  Robot r(generate_chain(5));
  r.a.setZero();
  const auto found = reference::walker_orin_4(
      tree(r), reference::absolute_inverse_dynamics(tree(r), in(r.zero())));
  EXPECT_EQ(found.iterations, 0);
  EXPECT_EQ(found.residual, 0);
  EXPECT_EQ(matrix(found.a), r.zero());
}

TEST(ReferenceForwardDynamics, RefusesMimicJointsAndMasslessTips) {
  Spec spec = generate_chain(3);
  spec.bodies.back().inertia = {};
  Robot r(spec);
  const auto t = tree(r);
  for (const auto method : {&reference::absolute_articulated_bodies<double>,
                            &reference::absolute_articulated_bodies_without_sharing<double>})
    EXPECT_TRUE(mentions(message_of([&] { method(t, in(r.tau)); }), {"inertia", "joint 'joint3'"}));
  EXPECT_TRUE(mentions(
      message_of([&] { reference::forward_dynamics_by_mass_matrix(t, in(r.tau)); }), {"inertia"}));

  Spec tied = generate_chain(3);
  tied.joints.back().mimic = MimicSpec{tied.joints.front().name, 2, 0};
  Robot follower(tied);
  EXPECT_TRUE(mentions(
      message_of([&] { reference::absolute_articulated_bodies(tree(follower), in(follower.tau)); }),
      {"mimic", "forward_dynamics_by_mass_matrix"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
