// The stacked form against limber/dynamics, and its tree matrix.
#include <limber/reference/stacked.hpp>

#include <limber/dynamics/forward_dynamics.hpp>

#include "reference/support.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Stacked, EquationsOfMotionAgree) {
  for_random_robots(200, [](Robot& r) {
    const auto form = reference::stacked_form(tree(r, {}, reference::Gravity::force));
    const VectorXd tau = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    EXPECT_TRUE(near(matrix(form.A), matrix(mass_matrix(r.model, in(r.q), r.ws)), 1e-10));
    EXPECT_TRUE(near(matrix(reference::inverse_dynamics(form, in(r.a))), tau, 1e-10));
    EXPECT_TRUE(
        near(matrix(reference::forward_dynamics(form, in(tau))), r.a, solve_tolerance(r, tau)));
  });
}

TEST(Stacked, TakesLoadsAndAMovingBase) {
  for_random_robots(40, [](Robot& r) {
    const RandomLoads random(r, Random(8));
    const auto form = reference::stacked_form(tree(r, random.loads));
    EXPECT_TRUE(near(
        matrix(reference::inverse_dynamics(form, in(r.a))),
        matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws, random.loads)), 1e-10));
  });
}

// Δ has ones where a body carries another, and I^C holds the composite inertias
TEST(Stacked, TreeMatrixIsTheSupportOfTheTree) {
  for_random_robots(40, [](Robot& r) {
    const auto form = reference::stacked_form(tree(r));
    const MatrixXd P = matrix(form.P), Delta = matrix(form.Delta);
    const MatrixXd one = MatrixXd::Identity(P.rows(), P.cols());
    EXPECT_EQ(Delta * (one - P), one);
    const MatrixXd I = matrix(form.I), Ic = matrix(form.Ic);
    for (int i = 1; i < r.model.bodies(); ++i)
      for (int j = 1; j < r.model.bodies(); ++j) {
        const MatrixXd expected = (r.model.supports(j, i) ? 1 : 0) * MatrixXd::Identity(6, 6);
        EXPECT_EQ(MatrixXd(Delta.block(6 * i - 6, 6 * j - 6, 6, 6)), expected);
        MatrixXd composite = MatrixXd::Zero(6, 6);
        for (int b = 1; b < r.model.bodies(); ++b)
          if (r.model.supports(i, b) && r.model.supports(j, b))
            composite += I.block(6 * b - 6, 6 * b - 6, 6, 6);
        EXPECT_TRUE(near(Ic.block(6 * i - 6, 6 * j - 6, 6, 6), composite, 1e-12));
      }
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
