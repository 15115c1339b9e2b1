// The plain reference itself: what it says about one pendulum and one free body is known.
#include "support/random_robots.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(PlainRobot, KnowsThePendulum) {
  Spec spec;
  spec.add_body("bob", 2, {0, 0, -0.5}, Sym3<double>::diagonal(0.1, 0.2, 0.3));
  spec.add_joint("pivot", JointKind::revolute, "", "bob", {0, 1, 0});
  PlainRobot plain(spec);
  const double q = 0.7, v = 1.3, a = -0.4, inertia = 0.2 + 2 * 0.25;
  plain.move(VectorXd::Constant(1, q), VectorXd::Constant(1, v), VectorXd::Constant(1, a));
  EXPECT_TRUE(near(plain.tau()[0], inertia * a + 2 * 9.81 * 0.5 * std::sin(q), 1e-14));
  EXPECT_TRUE(near(plain.mass_matrix()(0, 0), inertia, 1e-14));
  EXPECT_TRUE(near(plain.kinetic_energy(), inertia * v * v / 2, 1e-14));
  EXPECT_TRUE(near(plain.potential_energy(), -2 * 9.81 * 0.5 * std::cos(q), 1e-14));
}

TEST(PlainRobot, KnowsEulersEquations) {
  Spec spec;
  spec.gravity = {};
  spec.add_body("stone", 2, {}, Sym3<double>::diagonal(1, 2, 3));
  spec.add_joint("free", JointKind::free, "", "stone");
  PlainRobot plain(spec);
  VectorXd q(7), v(6), a(6), tau(6);
  q << 1, 2, 3, 0.5, 0.5, 0.5, 0.5;
  v << 1, 2, 3, 0, 0, 0;
  a << 0.1, 0.2, 0.3, 0, 0, 0;
  plain.move(q, v, a);
  tau << 1 * 0.1 + (3 - 2) * 2 * 3, 2 * 0.2 + (1 - 3) * 3 * 1, 3 * 0.3 + (2 - 1) * 1 * 2, 0, 0, 0;
  EXPECT_TRUE(near(plain.tau(), tau, 1e-14));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
