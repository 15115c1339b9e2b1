// Forces from outside: their histories, and what they do to a body.
#include <limber/sim/external_force.hpp>

#include <limber/limber.hpp>
#include <limber/sim/system.hpp>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(ForceHistory, IsTheSumOfItsParts) {
  ForceHistory history;
  history.constant = {{}, {1, 0, 0}};
  history.times = {1, 2, 4};
  history.values = {{{}, {0, 0, 0}}, {{}, {10, 0, 0}}, {{}, {-10, 0, 0}}};
  history.amplitude = {{}, {0, 2, 0}};
  history.frequency = 0.5;
  history.phase = 0.1;
  EXPECT_NO_THROW(history.check());
  EXPECT_NEAR(history.at(0.5).linear.x, 1, 1e-15);
  EXPECT_NEAR(history.at(1.5).linear.x, 6, 1e-14);
  EXPECT_NEAR(history.at(2).linear.x, 11, 1e-14);
  EXPECT_NEAR(history.at(3).linear.x, 1, 1e-14);
  EXPECT_NEAR(history.at(4).linear.x, -9, 1e-14);
  EXPECT_NEAR(history.at(4.1).linear.x, 1, 1e-15);
  EXPECT_NEAR(history.at(0.7).linear.y, 2 * std::sin(std::acos(-1.0) * 0.7 + 0.1), 1e-14);
}

TEST(ForceHistory, Refusals) {
  ForceHistory history;
  history.times = {1, 1};
  history.values.resize(2);
  EXPECT_TRUE(mentions(message_of([&] { history.check(); }), {"times", "entry 2"}));
  history.times = {1, 2, 3};
  EXPECT_TRUE(mentions(message_of([&] { history.check(); }), {"3 times", "2 values"}));
  ForceHistory sine;
  sine.frequency = -1;
  EXPECT_TRUE(mentions(message_of([&] {
                         ExternalForce({"wind", "x", sine});
                       }),
                       {"wind", "frequency"}));
}

/// Accelerations of a robot with an external force, and the ones that J^T f gives.
void expect_jacobian_transpose(ForceAxes axes) {
  const Model m = load("puma560");
  const std::string frame = "link4";
  Random random(9);
  ExternalForceSettings settings{"push", frame, {}};
  settings.force.constant = random.force();
  settings.force.axes = axes;
  System system(m);
  system.add(std::make_unique<ExternalForce>(settings));
  const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, v{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};
  const auto x = system.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0.2, x), Evaluated::ok);
  Workspace ws(m);
  const auto reference = axes == ForceAxes::world ? Reference::world_aligned : Reference::body;
  const Eigen::MatrixXd J = matrix(jacobian<double>(m, q, m.frame(frame), reference, ws));
  const Force<double>& f = settings.force.constant;
  Eigen::Matrix<double, 6, 1> six{f.angular.x, f.angular.y, f.angular.z,
                                  f.linear.x,  f.linear.y,  f.linear.z};
  const Eigen::VectorXd tau = J.transpose() * six;
  Loads<double> loads;
  loads.passive = Passive::included;
  const auto a = forward_dynamics<double>(m, q, v, in(tau), ws, loads);
  EXPECT_TRUE(near(matrix(system.accelerations()), matrix(a), 1e-10));
}

TEST(ExternalForce, ActsByTheJacobianOfItsFrame) {
  expect_jacobian_transpose(ForceAxes::world);
  expect_jacobian_transpose(ForceAxes::frame);
}

TEST(ExternalForce, RefusesTheWorld) {
  Spec spec = load_spec("puma560");
  spec.frames.push_back({"anchor", "", {}, {}});
  const Model m = build(spec);
  const auto message = [&](const std::string& frame) {
    return message_of([&] {
      System(m).add(std::make_unique<ExternalForce>(ExternalForceSettings{"wind", frame, {}}));
    });
  };
  EXPECT_TRUE(mentions(message("anchor"), {"wind", "anchor", "world"}));
  EXPECT_TRUE(mentions(message("link44"), {"link44", "did you mean"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
