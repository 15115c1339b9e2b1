// Analysis of closed mechanisms: torques against the closed form of a four-bar linkage, for a
// reference motion and for a simulated one.
#include <gtest/gtest.h>

#include <limber/analysis/analysis.hpp>
#include <limber/control/joint_controller.hpp>

#include "support/four_bar.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Cut = MovingFourBar::Cut;
const MovingFourBar bars;
constexpr double theta0 = 0.7;

Scenario four_bar(const std::vector<std::string>& driven, const Spec& spec = bars.spec(Cut::tip)) {
  Scenario scenario;
  scenario.title = "four-bar";
  scenario.spec = spec;
  scenario.model = scenario.nominal = build(spec);
  scenario.q = bars.q(Cut::tip, theta0);
  scenario.v.assign(3, 0);
  scenario.simulation.duration = 1;
  scenario.simulation.record_interval = 0.01;
  std::vector<double> to = scenario.q;
  to[0] += 2;
  JointControlSettings control;
  control.name = "crank";
  control.joints = driven;
  control.law = JointLaw::computed_torque;
  control.reference = quintic_trajectory(scenario.model, {scenario.q, {}, {}}, {to, {}, {}}, 1);
  control.stiffness = {400};
  control.damping = {40};
  control.model = std::make_shared<const Model>(scenario.model);
  scenario.parts.push_back(std::make_shared<const JointController>(control));
  auto settings = std::make_shared<AnalysisSettings>();
  settings->interval = 0.01;
  settings->reference = control.reference;
  scenario.analysis = settings;
  return scenario;
}

void expect_torques(const Analysis& analysis, double tolerance) {
  double most = 0;
  for (std::size_t k = 0; k < analysis.motion.times.size(); ++k) {
    const double theta = analysis.motion.q[3 * k], rate = analysis.motion.v[3 * k],
                 acceleration = analysis.motion.a[3 * k];
    const double expected = bars.torque(theta, rate, acceleration);
    EXPECT_NEAR(analysis.joints[0].torques[k], expected, tolerance);
    EXPECT_NEAR(analysis.joints[1].torques[k], 0, tolerance);  // nothing drives them
    EXPECT_NEAR(analysis.joints[2].torques[k], 0, tolerance);
    EXPECT_NEAR(analysis.motion.q[3 * k + 2], bars.q(Cut::tip, theta)[2], 1e-9);
    most = std::max(most, std::abs(expected));
  }
  EXPECT_GT(most, 1);
  EXPECT_EQ(analysis.motion.times.size(), 101u);
}

TEST(ClosedAnalysis, TorquesOfAReferenceMotionAreThoseOfTheClosedForm) {
  const Analysis analysis = analyse(four_bar({"crank_hinge"}));
  EXPECT_NEAR(analysis.motion.q[300], theta0 + 2, 1e-12);
  expect_torques(analysis, 1e-8);
}

TEST(ClosedAnalysis, TorquesOfASimulatedMotionAreThoseOfTheClosedForm) {
  Scenario scenario = four_bar({"crank_hinge"});
  auto settings = std::make_shared<AnalysisSettings>(*scenario.analysis);
  settings->reference = nullptr;
  scenario.analysis = settings;
  expect_torques(analyse(scenario), 1e-7);
}

// the reference of both, as the loop has it: the smallest efforts are along (1, k)
TEST(ClosedAnalysis, MoreDrivesThanFreedomsShareTheTorque) {
  class Both final : public JointTrajectory {
   public:
    double duration() const override { return 1; }
    void sample(double t, std::span<double> q, std::span<double> v,
                std::span<double> a) const override {
      const double theta = theta0 + t * t, rate = 2 * t, h = 1e-5;
      const auto k = [&](double x) { return bars.pose(x).rocker_rate; };
      const std::vector<double> all = bars.q(Cut::tip, theta),
                                rates = bars.v(Cut::tip, theta, rate);
      std::copy(all.begin(), all.end(), q.begin());
      std::copy(rates.begin(), rates.end(), v.begin());
      a[0] = 2, a[1] = 0;
      a[2] = 2 * k(theta) + rate * rate * (k(theta + h) - k(theta - h)) / (2 * h);
    }
  };
  Scenario scenario = four_bar({"crank_hinge", "rocker_hinge"});
  auto settings = std::make_shared<AnalysisSettings>(*scenario.analysis);
  settings->reference = std::make_shared<Both>();
  scenario.analysis = settings;
  const Analysis analysis = analyse(scenario);
  for (std::size_t i = 0; i < analysis.motion.times.size(); ++i) {
    const double t = analysis.motion.times[i], theta = theta0 + t * t;
    const double k = bars.pose(theta).rocker_rate, T = bars.torque(theta, 2 * t, 2);
    EXPECT_NEAR(analysis.joints[0].torques[i], T / (1 + k * k), 1e-4) << t;
    EXPECT_NEAR(analysis.joints[2].torques[i], T * k / (1 + k * k), 1e-4) << t;
    EXPECT_NEAR(analysis.joints[1].torques[i], 0, 1e-6);
  }
}

TEST(ClosedAnalysis, WhatIsNotDeterminedIsSaid) {
  Scenario nobody = four_bar({"crank_hinge"});
  nobody.parts.clear();
  EXPECT_TRUE(mentions(message_of([&] { analyse(nobody); }), {"'tip'", "driven"}));
  Spec five = bars.spec(Cut::tip);
  // one more hinge in the coupler: two freedoms, one drive
  JointSpec& coupler = five.joints[1];
  coupler.child = "stub";
  BodySpec stub;
  stub.name = "stub";
  stub.inertia = Inertia<double>::from_com(0.1, {0, 0, 0}, {0.01, 0.01, 0.01});
  five.bodies.push_back(stub);
  JointSpec& more = five.add_joint("more", JointKind::revolute, "stub", "coupler");
  more.axis = {0, -1, 0};
  Scenario loose = four_bar({"crank_hinge"});
  loose.spec = five;
  loose.model = loose.nominal = build(five);
  loose.q = neutral_position(loose.model);
  loose.v.assign(4, 0);
  JointControlSettings control;
  control.name = "crank";
  control.joints = {"crank_hinge"};
  control.reference = constant_trajectory(loose.model, loose.q);
  loose.parts = {std::make_shared<const JointController>(control)};
  auto settings = std::make_shared<AnalysisSettings>(*loose.analysis);
  settings->reference = control.reference;
  loose.analysis = settings;
  EXPECT_TRUE(mentions(message_of([&] { analyse(loose); }), {"leave 1 more free"}));
  Spec coupled = bars.spec(Cut::tip);
  LoopSpec gear;
  gear.name = "gear";
  gear.kind = LoopSpec::Kind::coupling;
  gear.joint = "rocker_hinge";
  gear.leader = "crank_hinge";
  coupled.loops.push_back(gear);
  EXPECT_TRUE(mentions(message_of([&] { analyse(four_bar({"crank_hinge"}, coupled)); }),
                       {"coupling 'gear'"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
