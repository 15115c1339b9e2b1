// Springs, damping, friction, limits and efforts of joints that close loops, against the same
// mechanism whose tree has that joint.
#include <limber/sim/loop_joints.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/four_bar.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Cut = FourBar::Cut;
const FourBar bars;
constexpr double theta0 = 0.7, rate0 = 3;

DofSpec numbers() {
  DofSpec dof;
  dof.stiffness = 12;
  dof.spring_reference = 0.4;
  dof.damping = 0.8;
  return dof;
}

/// The joint between coupler and rocker (`tip`) or that of the rocker has the numbers.
Model mechanism(Cut cut, const std::string& joint, const DofSpec& dof) {
  Spec spec = bars.spec(cut);
  for (JointSpec& one : spec.joints)
    if (one.name == joint) one.dofs = {dof};
  for (LoopSpec& one : spec.loops)
    if (one.name == joint) one.dofs = {dof};
  return build(spec);
}

std::vector<double> end_of(System system, Cut cut, double duration = 1) {
  SimulationSettings settings;
  settings.duration = duration;
  Simulation run(std::move(system), settings, bars.q(cut, theta0), bars.v(cut, theta0, rate0));
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  // the crank, the coupler, and the energy error
  System at_end(run.system());
  const std::vector<double> x(run.x().begin(), run.x().end());
  EXPECT_EQ(at_end.evaluate(run.t(), x), Evaluated::ok);
  EXPECT_LT(std::abs(at_end.energy(x).error()), 1e-7);
  return {x[0], x[1], x[3], x[4], x.back()};
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], tolerance) << k;
}

TEST(LoopJoints, SpringsAndDampersActAsInTheTree) {
  for (const char* joint : {"tip", "rocker_hinge"}) {
    SCOPED_TRACE(joint);
    std::vector<std::vector<double>> found;
    for (const Cut cut : {Cut::tip, Cut::rocker_hinge})
      found.push_back(end_of(System(mechanism(cut, joint, numbers())), cut));
    expect_same(found[0], found[1], 1e-9);
    const std::vector<double> without = end_of(System(build(bars.spec(Cut::tip))), Cut::tip);
    EXPECT_GT(std::abs(found[0][0] - without[0]), 1e-2);
  }
}

TEST(LoopJoints, FrictionActsAsInTheTreeWhileNothingComesToRest) {
  DofSpec dof;
  dof.friction_positive = 0.3;
  dof.friction_negative = 0.2;
  std::vector<std::vector<double>> found;
  for (const Cut cut : {Cut::tip, Cut::rocker_hinge})
    found.push_back(end_of(System(mechanism(cut, "tip", dof)), cut, 0.1));
  expect_same(found[0], found[1], 1e-9);
}

TEST(LoopJoints, EffortsAreInputs) {
  DofSpec dof;
  dof.effort_limit = 5;
  System by_input(mechanism(Cut::rocker_hinge, "rocker_hinge", dof));
  SimulationSettings settings;
  settings.duration = 0.5;
  Simulation run(std::move(by_input), settings, bars.q(Cut::rocker_hinge, theta0),
                 bars.v(Cut::rocker_hinge, theta0, rate0));
  run.change("loop joints.rocker_hinge.effort", 4);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  System by_force(build(bars.spec(Cut::tip)));
  by_force.add(
      std::make_unique<FunctionPart>("motor", Role::world, [](Evaluation& at) { at.tau[2] += 4; }));
  const std::vector<double> expected = end_of(std::move(by_force), Cut::tip, 0.5);
  EXPECT_NEAR(run.x()[0], expected[0], 1e-9);
  EXPECT_NEAR(run.x()[3], expected[2], 1e-9);
  EXPECT_TRUE(mentions(message_of([&] {
                         Simulation other(System(mechanism(Cut::rocker_hinge, "rocker_hinge", dof)),
                                          settings, bars.q(Cut::rocker_hinge, theta0),
                                          bars.v(Cut::rocker_hinge, theta0, rate0));
                         other.change("loop joints.rocker_hinge.effort", 6);
                       }),
                       {"rocker_hinge.effort"}));
}

/// A pendulum about y: on a revolute joint, or free and held by a loop joint.
Model pendulum(bool by_loop, const DofSpec& dof, JointKind kind = JointKind::revolute) {
  Spec spec;
  spec.name = "pendulum";
  BodySpec body;
  body.name = "bob";
  body.inertia = Inertia<double>::from_com(1.5, {0, 0, -0.4}, {0.02, 0.03, 0.01});
  spec.bodies.push_back(body);
  if (!by_loop) {
    JointSpec& joint = spec.add_joint("hinge", kind, "", "bob", {0, 1, 0});
    joint.dofs = {dof};
    return build(spec);
  }
  spec.add_joint("root", JointKind::free, "", "bob");
  LoopSpec loop;
  loop.name = "hinge";
  loop.kind = LoopSpec::Kind::joint;
  loop.joint_kind = kind;
  loop.axis = {0, 1, 0};
  loop.body_b = "bob";
  loop.dofs = {dof};
  spec.loops.push_back(loop);
  return build(spec);
}

TEST(LoopJoints, AnglesAreCountedOverManyTurns) {
  DofSpec dof;
  dof.stiffness = 0.05;
  SimulationSettings settings;
  settings.duration = 4;
  Simulation tree(System(pendulum(false, dof)), settings, std::vector<double>{0},
                  std::vector<double>{14});
  const Model free = pendulum(true, dof);
  std::vector<double> v(6, 0.0);
  v[1] = 14;
  Simulation loop(System(free), settings, neutral_position(free), v);
  ASSERT_EQ(tree.run(), RunStatus::finished) << tree.message();
  ASSERT_EQ(loop.run(), RunStatus::finished) << loop.message();
  EXPECT_GT(tree.x()[0], 6 * M_PI);
  EXPECT_NEAR(loop.x()[13], tree.x()[0], 1e-7);  // z: counted
  EXPECT_NEAR(loop.x()[8], tree.x()[1], 1e-7);
}

TEST(LoopJoints, SlidesHaveSpringsToo) {
  DofSpec dof;
  dof.stiffness = 30;
  dof.damping = 0.5;
  SimulationSettings settings;
  settings.duration = 1;
  Simulation tree(System(pendulum(false, dof, JointKind::prismatic)), settings,
                  std::vector<double>{0}, std::vector<double>{1});
  const Model free = pendulum(true, dof, JointKind::prismatic);
  std::vector<double> v(6, 0.0);
  v[4] = 1;
  Simulation loop(System(free), settings, neutral_position(free), v);
  ASSERT_EQ(tree.run(), RunStatus::finished) << tree.message();
  ASSERT_EQ(loop.run(), RunStatus::finished) << loop.message();
  EXPECT_NEAR(loop.x()[11], tree.x()[1], 1e-9);
}

TEST(LoopJoints, BumpersHoldTheLimits) {
  DofSpec dof;
  dof.lower = -0.5;
  dof.upper = 0.6;
  const Model free = pendulum(true, dof);
  std::vector<double> v(6, 0.0);
  v[1] = 6;
  SimulationSettings settings;
  settings.duration = 1;
  Simulation run(System(free), settings, neutral_position(free), v);
  double most = 0;
  run.go_on = [&](double) {
    most = std::max(most, std::abs(run.x()[13]));
    return true;
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_LT(most, 0.6 + 6.0 / 100);
  EXPECT_GT(most, 0.6);
  ASSERT_FALSE(run.events().empty());
  EXPECT_TRUE(mentions(run.events()[0].text, {"loop joint 'hinge'", "upper limit"}));
}

TEST(LoopJoints, WhatIsNotSimulatedIsRefusedByName) {
  DofSpec dof;
  dof.damping = 1;
  const auto spherical = [&] {
    Spec spec;
    spec.name = "ball";
    BodySpec body;
    body.name = "bob";
    body.inertia = Inertia<double>::from_com(1, {0, 0, -0.4}, {0.02, 0.03, 0.01});
    spec.bodies.push_back(body);
    spec.add_joint("root", JointKind::free, "", "bob");
    LoopSpec loop;
    loop.name = "socket";
    loop.kind = LoopSpec::Kind::joint;
    loop.joint_kind = JointKind::spherical;
    loop.body_b = "bob";
    loop.dofs = {dof, dof, dof};
    spec.loops.push_back(loop);
    return System(build(spec));
  };
  EXPECT_TRUE(mentions(message_of(spherical), {"'socket'", "spherical"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
