// Joints that follow a trajectory whatever it takes, in a System.
#include <limber/control/prescribed.hpp>
#include <limber/limber.hpp>

#include "control/closed_loop.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(PrescribedJoint, MovesAsItsTrajectoryAndCarriesTheRest) {
  // a pendulum of 1 kg at 1 m on a cart that is moved: θ̈ = −(g sin θ + ẍ cos θ) / 1 m
  Spec spec;
  spec.add_body("cart", 3);
  spec.add_body("bob", 1, {0, 0, -1});
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  spec.add_joint("hinge", JointKind::revolute, "cart", "bob", {0, -1, 0});
  const Model m = build(spec);
  const auto shake = function_trajectory(m, 10, [](double t, auto q, auto v, auto a) {
    q[0] = 0.1 * std::sin(5 * t), v[0] = 0.5 * std::cos(5 * t), a[0] = -2.5 * std::sin(5 * t);
    q[1] = v[1] = a[1] = 0;
  });
  System system(m);
  system.add(std::make_unique<PrescribedJoint>(PrescribedJointSettings{"shaker", {"rail"}, shake}));
  // the plain equation, by Runge and Kutta with small steps
  double theta = 0.3, omega = 0, clock = 0;
  const auto rate = [](double t, double angle) {
    return -(9.81 * std::sin(angle) - 2.5 * std::sin(5 * t) * std::cos(angle));
  };
  const auto reach = [&](double end) {
    const int steps = 400;
    const double h = (end - clock) / steps;
    for (int i = 0; i < steps; ++i, clock += h) {
      const double k1 = omega, l1 = rate(clock, theta);
      const double k2 = omega + h / 2 * l1, l2 = rate(clock + h / 2, theta + h / 2 * k1);
      const double k3 = omega + h / 2 * l2, l3 = rate(clock + h / 2, theta + h / 2 * k2);
      const double k4 = omega + h * l3, l4 = rate(clock + h, theta + h * k3);
      theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
  };
  run_closed_loop(system, {0, 0.3}, {0, 0}, 2, 0.25, [&](double t, auto q, auto v) {
    if (t > 0) reach(t);
    EXPECT_NEAR(q[0], 0.1 * std::sin(5 * t), 1e-14) << t;
    EXPECT_NEAR(v[0], 0.5 * std::cos(5 * t), 1e-14) << t;
    EXPECT_NEAR(q[1], theta, 1e-9) << t;
  });
}

TEST(PrescribedJoint, Refusals) {
  const Model m = load("puma560");
  const auto rest = constant_trajectory(m, std::vector<double>(6, 0.0));
  EXPECT_TRUE(mentions(message_of([&] { PrescribedJoint({"p", {}, rest}); }), {"joints"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         PrescribedJoint({"p", {"elbow"}, nullptr});
                       }),
                       {"trajectory"}));
  EXPECT_TRUE(mentions(message_of([&] {
                         System(m).add(std::make_unique<PrescribedJoint>(
                             PrescribedJointSettings{"p", {"elbo"}, rest}));
                       }),
                       {"elbo", "elbow"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
