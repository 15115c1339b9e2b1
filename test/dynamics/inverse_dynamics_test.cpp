// Inverse dynamics, bias and gravity forces against the plain reference.
#include <limber/dynamics/inverse_dynamics.hpp>

#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(InverseDynamics, EqualsPlainReference) {
  for_random_robots(240, [](Robot& r) {
    ASSERT_EQ(r.plain.nq(), r.model.nq);
    ASSERT_EQ(r.plain.nv(), r.model.nv);
    r.move_plain();
    EXPECT_TRUE(near(matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws)),
                     r.plain.tau(), 1e-10));
  });
}

TEST(InverseDynamics, BiasIsTauWithoutAcceleration) {
  for_random_robots(240, [](Robot& r) {
    r.plain.move(r.q, r.v, r.zero());
    EXPECT_TRUE(near(matrix(bias_forces(r.model, in(r.q), in(r.v), r.ws)), r.plain.tau(), 1e-10));
  });
}

TEST(InverseDynamics, GravityIsTauAtRest) {
  for_random_robots(240, [](Robot& r) {
    r.plain.move(r.q, r.zero(), r.zero());
    EXPECT_TRUE(near(matrix(gravity_forces(r.model, in(r.q), r.ws)), r.plain.tau(), 1e-10));
  });
}

TEST(InverseDynamics, IsLinearInTheAcceleration) {
  for_random_robots(60, [](Robot& r) {
    const VectorXd b = VectorXd::LinSpaced(r.model.nv, -1, 1), both = r.a + 2 * b;
    const VectorXd tau0 = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.zero()), r.ws));
    const VectorXd tau1 = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(r.a), r.ws));
    const VectorXd tau2 = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(b), r.ws));
    const VectorXd found = matrix(inverse_dynamics(r.model, in(r.q), in(r.v), in(both), r.ws));
    EXPECT_TRUE(near(found, tau1 + 2 * tau2 - 2 * tau0, 1e-10));
  });
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
