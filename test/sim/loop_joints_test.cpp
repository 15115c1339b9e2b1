// Springs, damping, friction, limits and efforts of joints that close loops, against the same
// mechanism whose tree has that joint.
#include <limber/sim/loop_joints.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/model/joint_kind.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/simulation.hpp>

#include "sim/parts.hpp"
#include "support/four_bar.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Cut = MovingFourBar::Cut;
const MovingFourBar bars;
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

/// A body on a joint of any kind, in the tree or as the loop of a free body.
Model body_on(JointKind kind, const std::vector<DofSpec>& dofs, bool by_loop) {
  Spec spec;
  spec.name = "body";
  BodySpec body;
  body.name = "bob";
  body.inertia = Inertia<double>::from_com(1.5, {0.1, 0.2, -0.4}, {0.05, 0.06, 0.04});
  spec.bodies.push_back(body);
  const Vec3<double> axis{0.48, 0.6, 0.64}, axis2{0.8, 0, -0.6};
  if (!by_loop) {
    JointSpec& joint = spec.add_joint("joint", kind, "", "bob", axis);
    joint.axis2 = axis2;
    joint.dofs = dofs;
    return build(spec);
  }
  spec.add_joint("root", JointKind::free, "", "bob");
  LoopSpec loop;
  loop.name = "joint";
  loop.kind = LoopSpec::Kind::joint;
  loop.joint_kind = kind;
  loop.axis = axis, loop.axis2 = axis2;
  loop.body_b = "bob";
  loop.dofs = dofs;
  spec.loops.push_back(loop);
  return build(spec);
}

Transform<double> pose_of_bob(const Model& m, std::span<const double> q) {
  Workspace ws(m);
  return frame_pose(m, forward_kinematics<double>(m, q, ws), m.frame("bob"));
}

void expect_same_motion(JointKind kind, const std::vector<DofSpec>& dofs, double effort) {
  SCOPED_TRACE(name(kind));
  const Model tree = body_on(kind, dofs, false), free = body_on(kind, dofs, true);
  std::vector<double> v;
  for (int k = 0; k < tree.nv; ++k) v.push_back(1.2 - 0.5 * k);
  Workspace ws(tree);
  const Motion<double> start =
      frame_velocity(tree, forward_kinematics<double>(tree, neutral_position(tree), v, ws),
                     tree.frame("bob"), Reference::body);
  const std::vector<double> free_v{start.angular.x, start.angular.y, start.angular.z,
                                   start.linear.x,  start.linear.y,  start.linear.z};
  SimulationSettings settings;
  settings.duration = 0.8;
  System pushed(tree);
  pushed.add(std::make_unique<FunctionPart>("motor", Role::world,
                                            [effort](Evaluation& at) { at.tau.back() += effort; }));
  Simulation by_tree(std::move(pushed), settings, neutral_position(tree), v);
  Simulation by_loop(System(free), settings, neutral_position(free), free_v);
  const std::string label(facts(kind).velocities.back().label);
  by_loop.change("loop joints.joint." + label + ".effort", effort);
  ASSERT_EQ(by_tree.run(), RunStatus::finished) << by_tree.message();
  ASSERT_EQ(by_loop.run(), RunStatus::finished) << by_loop.message();
  const Transform<double> a = pose_of_bob(tree,
                                          by_tree.x().first(static_cast<std::size_t>(tree.nq))),
                          b = pose_of_bob(free, by_loop.x().first(7));
  EXPECT_LT(norm(a.p - b.p), 1e-8);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.R.row(i)[k], b.R.row(i)[k], 1e-8);
  EXPECT_GT(norm(a.p) + std::abs(a.R.xx - 1), 1e-3);
  System at_end(by_loop.system());
  const std::vector<double> x(by_loop.x().begin(), by_loop.x().end());
  ASSERT_EQ(at_end.evaluate(by_loop.t(), x), Evaluated::ok);
  EXPECT_LT(std::abs(at_end.energy(x).error()), 1e-6);
}

TEST(LoopJoints, EveryFreedomOfAJointActsAsInTheTree) {
  DofSpec dof;
  dof.stiffness = 25;
  dof.spring_reference = 0.1;
  dof.damping = 0.7;
  for (const JointKind kind :
       {JointKind::universal, JointKind::cylindrical, JointKind::planar, JointKind::translation}) {
    std::vector<DofSpec> dofs;
    for (std::size_t k = 0; k < facts(kind).velocities.size(); ++k) {
      dofs.push_back(dof);
      dof.stiffness += 10, dof.damping += 0.3;
    }
    expect_same_motion(kind, dofs, 2);
  }
  DofSpec damper;
  damper.damping = 0.4;
  DofSpec stronger = damper;
  stronger.damping = 1.1;
  expect_same_motion(JointKind::spherical, {damper, stronger, damper}, 0.3);
}

// springs of a ball about the components of its rotation vector: a turn about one of them is a
// harmonic oscillation; any other motion keeps its energy
TEST(LoopJoints, BallsHaveSprings) {
  DofSpec dof;
  dof.stiffness = 3;
  std::vector<DofSpec> dofs{dof, dof, dof};
  dofs[1].stiffness = 5, dofs[2].stiffness = 1.5;
  Model m = body_on(JointKind::spherical, dofs, true);
  m.gravity = {};
  SimulationSettings settings;
  settings.duration = 2;
  std::vector<double> v{1.5, -2, 1, 0, 0, 0};
  Simulation run(System(m), settings, neutral_position(m), v);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  System at_end(run.system());
  std::vector<double> x(run.x().begin(), run.x().end());
  ASSERT_EQ(at_end.evaluate(run.t(), x), Evaluated::ok);
  EXPECT_LT(std::abs(at_end.energy(x).error()), 1e-8);
  EXPECT_GT(at_end.energy(x).potential, 0.05);
  // about z alone, with a body that is balanced
  Spec spec;
  spec.name = "balanced";
  spec.gravity = {};
  spec.add_body("bob", 1, {}, {0.2, 0.3, 0.4, 0, 0, 0});
  spec.add_joint("root", JointKind::free, "", "bob");
  LoopSpec loop;
  loop.name = "joint";
  loop.kind = LoopSpec::Kind::joint;
  loop.joint_kind = JointKind::spherical;
  loop.body_b = "bob";
  loop.dofs = dofs;
  spec.loops.push_back(loop);
  Simulation swing(System(build(spec)), settings, std::vector<double>{0, 0, 0, 0, 0, 0, 1},
                   std::vector<double>{0, 0, 1, 0, 0, 0});
  ASSERT_EQ(swing.run(), RunStatus::finished) << swing.message();
  const double omega = std::sqrt(1.5 / 0.4), angle = std::sin(omega * 2) / omega;
  EXPECT_NEAR(2 * std::atan2(swing.x()[5], swing.x()[6]), angle, 1e-8);
}

TEST(LoopJoints, LimitsHoldInEachFreedom) {
  DofSpec dof;
  dof.upper = 0.4;
  const Model m = body_on(JointKind::universal, {DofSpec{}, dof}, true);
  System system(m);
  std::vector<std::string> names;
  for (const Column& column : system.columns()) names.push_back(column.name);
  EXPECT_EQ(names[0], "joint.angle2.position");
  Workspace ws(m);
  const Model tree = body_on(JointKind::universal, {}, false);
  Workspace tree_ws(tree);
  const std::vector<double> rates{0, 4};
  const Motion<double> start =
      frame_velocity(tree, forward_kinematics<double>(tree, neutral_position(tree), rates, tree_ws),
                     tree.frame("bob"), Reference::body);
  SimulationSettings settings;
  settings.duration = 0.5;
  Simulation run(std::move(system), settings, neutral_position(m),
                 std::vector<double>{start.angular.x, start.angular.y, start.angular.z,
                                     start.linear.x, start.linear.y, start.linear.z});
  double most = 0;
  run.go_on = [&](double) {
    most = std::max(most, run.x()[13]);
    return true;
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_GT(most, 0.4);
  EXPECT_LT(most, 0.4 + 4.0 / 100);
}

TEST(LoopJoints, WhatIsNotSimulatedIsRefusedByName) {
  DofSpec dof;
  dof.rotor_inertia = 1e-4;
  const auto geared = [&] { return System(pendulum(true, dof)); };
  EXPECT_TRUE(mentions(message_of(geared), {"'hinge'", "rotor"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
