// Loops and named states: what build makes of them, what it refuses, and what becomes of them when
// robots are put together.
#include <array>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/model/mount.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

template <class F>
void expect_message(F&& call, const std::vector<std::string>& words) {
  const std::string message = message_of(call);
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << word << " is missing in: " << message;
}

// two links in a row on joints `a` and `b`, a tool on the second, closed to the world at its tip
Spec two_links() {
  Spec spec;
  spec.name = "two";
  spec.add_body("upper", 1, {0, 0, -0.5}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_body("lower", 1, {0, 0, -0.5}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_body("tool", 1);
  spec.add_joint("a", JointKind::revolute, "", "upper", {0, 1, 0});
  spec.add_joint("b", JointKind::revolute, "upper", "lower", {0, 1, 0},
                 Transform<double>::translation({0, 0, -1}));
  spec.add_joint("c", JointKind::fixed, "lower", "tool", {0, 0, 1},
                 Transform<double>::translation({0, 0, -1}));
  LoopSpec loop;
  loop.name = "tip";
  loop.body_a = "tool";
  loop.placement_a.p = {0, 0, -0.25};
  loop.placement_b.p = {1, 0, -1};
  spec.loops = {loop};
  return spec;
}

LoopSpec coupling(const std::string& joint, const std::string& leader) {
  LoopSpec loop;
  loop.name = "tied";
  loop.kind = LoopSpec::Kind::coupling;
  loop.joint = joint;
  loop.leader = leader;
  return loop;
}

TEST(Loops, EndsAreOnMovingBodies) {
  const Model model = build(two_links());
  ASSERT_EQ(model.loops.count(), 1);
  const BasicLoop<double>& loop = model.loops[0];
  EXPECT_EQ(loop.body_a, model.body("lower"));  // which the tool is welded to
  EXPECT_EQ(loop.body_b, 0);
  // where the point is, by way of its loop and by way of its frame
  Workspace ws(model);
  const std::array<double, 2> q{0.3, 0.4};
  const auto& poses = forward_kinematics(model, q, ws);
  const Transform<double> tool = frame_pose(model, poses, model.frame("tool"));
  const Transform<double> lower = frame_pose(model, poses, model.frame("lower"));
  const Transform<double> canonical = lower * inverse(model.body_placement[loop.body_a]);
  const Vec3<double> found = (canonical * loop.placement_a).p,
                     expected = transform_point(tool, {0, 0, -0.25});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 1e-15);
}

TEST(Loops, InactiveOnesAreNoPartOfTheModel) {
  Spec spec = two_links();
  spec.loops[0].is_active = false;
  EXPECT_TRUE(build(spec).loops.empty());
}

TEST(Loops, BadOnesAreRefused) {
  Spec spec = two_links();
  spec.loops[0].body_b = "uper";
  expect_message([&] { build(spec); }, {"'uper'", "did you mean 'upper'"});
  const auto refused = [](const LoopSpec& loop, const std::vector<std::string>& words) {
    Spec bad = two_links();
    bad.loops = {loop};
    expect_message([&] { build(bad); }, words);
  };
  refused(coupling("a", "x"), {"'x'"});
  refused(coupling("c", "a"), {"'c'"});
  refused(coupling("a", "a"), {"'a'", "itself"});
  LoopSpec infinite = coupling("a", "b");
  infinite.polynomial[2] = HUGE_VAL;
  refused(infinite, {"finite"});
}

LoopSpec closing_joint(JointKind kind) {
  LoopSpec loop;
  loop.name = "hinge";
  loop.kind = LoopSpec::Kind::joint;
  loop.body_a = "tool";
  loop.joint_kind = kind;
  loop.axis = {0, 3, 0};
  loop.axis2 = {0, 0, 2};
  loop.pitch = 0.1;
  return loop;
}

TEST(Loops, JointsThatClose) {
  Spec spec = two_links();
  spec.loops = {closing_joint(JointKind::universal), closing_joint(JointKind::helical),
                closing_joint(JointKind::spherical)};
  const Model model = build(spec);
  EXPECT_EQ(model.nv, 2);
  EXPECT_EQ(model.loops[0].joint_kind, JointKind::universal);
  EXPECT_EQ(model.loops[0].axis.y, 1);
  EXPECT_EQ(model.loops[0].axis2.z, 1);
  EXPECT_EQ(model.loops[1].pitch, 0.1);
  EXPECT_EQ(model.loops[1].body_a, model.body("lower"));
  EXPECT_EQ(model.loops[2].joint_kind, JointKind::spherical);
  const auto refused = [](const LoopSpec& loop, const std::vector<std::string>& words) {
    Spec bad = two_links();
    bad.loops = {loop};
    expect_message([&] { build(bad); }, words);
  };
  refused(closing_joint(JointKind::free), {"free joint", "cannot close"});
  refused(closing_joint(JointKind::custom), {"custom joint", "cannot close"});
  LoopSpec bad = closing_joint(JointKind::revolute);
  bad.axis = {};
  refused(bad, {"axis", "zero"});
  bad = closing_joint(JointKind::universal);
  bad.axis2 = bad.axis;
  refused(bad, {"perpendicular"});
  bad = closing_joint(JointKind::helical);
  bad.pitch = HUGE_VAL;
  refused(bad, {"finite"});
}

TEST(Loops, FamiliesOfMountedRobotsStayApart) {
  Spec one = two_links();
  one.bodies[0].family = one.bodies[1].family = 2;
  Spec both = one;
  mount(both, one, {.name = "other", .placement = {}});
  EXPECT_EQ(both.bodies[0].family, 2);
  EXPECT_EQ(both.bodies[2].family, 0);
  EXPECT_EQ(both.bodies[3].family, 4);
  EXPECT_EQ(both.bodies[5].family, 0);
}

TEST(Loops, SimulationAndDynamicsRefuseThem) {
  const Model model = build(two_links());
  Workspace ws(model);
  const std::array<double, 2> x{0.1, 0.2};
  std::array<Known, 2> known{Known::force, Known::force};
  const std::vector<std::string> words{"robot 'two'", "1 loop", "'tip'", "--open-loops"};
  expect_message([&] { forward_dynamics(model, x, x, x, ws); }, words);
  expect_message([&] { forward_dynamics_by_mass_matrix(model, x, x, x, ws); }, words);
  expect_message([&] { inverse_dynamics(model, x, x, x, ws); }, words);
  expect_message([&] { hybrid_dynamics(model, x, x, known, x, ws); }, words);
  EXPECT_NO_THROW(mass_matrix(model, x, ws));
  EXPECT_NO_THROW(bias_forces(model, x, x, ws));
}

TEST(Loops, MountedRobotsBringTheirs) {
  Spec both = two_links();
  const Transform<double> aside = Transform<double>::translation({0, 2, 0});
  mount(both, two_links(), {.name = "other", .placement = aside});
  const Model model = build(both);
  ASSERT_EQ(model.loops.count(), 2);
  EXPECT_EQ(model.loops[1].name, "other.tip");
  EXPECT_EQ(model.loops[1].body_a, model.body("other.lower"));
  EXPECT_NEAR(model.loops[1].placement_b.p.y, 2, 1e-15);
  // on a link: the end that was on the world is on the link
  Spec stacked = two_links();
  mount(stacked, two_links(), {.name = "top", .parent = "upper"});
  const Model upon = build(stacked);
  EXPECT_EQ(upon.loops[1].body_b, upon.body("upper"));
}

TEST(Keyframes, AreStatesOfTheModel) {
  Spec spec = two_links();
  spec.actuators.resize(2);
  spec.actuators[0].name = "m";
  spec.actuators[1].name = "n";
  spec.keyframes = {{"home", 2.0, {{"b", {0.5}}}, {{"a", {3}}, {"b", {4}}}, {{"n", {7}}}}};
  const Model model = build(spec);
  ASSERT_EQ(model.keyframes.count(), 1);
  EXPECT_EQ(model.keyframes[0].q, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(model.keyframes[0].v, (std::vector<double>{3, 4}));
  EXPECT_EQ(model.keyframes[0].control, (std::vector<double>{0, 7}));
  spec.keyframes[0].position[0].name = "x";
  expect_message([&] { build(spec); }, {"joint 'x'", "does not exist"});
  spec.keyframes[0].position[0] = {"a", {1, 2}};
  expect_message([&] { build(spec); }, {"2 numbers", "'a'", "1 expected"});
  spec.keyframes[0].position[0] = {"c", {}};  // fixed: nothing to set
  EXPECT_NO_THROW(build(spec));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
