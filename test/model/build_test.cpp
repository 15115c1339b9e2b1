// What build() makes of a sound Spec: merged links, frames, numbering, look-ups, casts.
#include <limber/model/model.hpp>

#include <gtest/gtest.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/model/generate.hpp>
#include <limber/model/workspace.hpp>

#include "support/message.hpp"
#include "support/near.hpp"
#include "support/plain_robot.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// base (root) – weld – plinth – turn – arm – weld – camera – weld – lens, and a frame on the lens
Spec welded() {
  Random random(1);
  Spec spec;
  for (const char* name : {"base", "plinth", "arm", "camera", "lens"})
    spec.add_body(name, 0).inertia = random.inertia();
  auto join = [&](const char* name, JointKind kind, const char* parent, const char* child) {
    spec.add_joint(name, kind, parent, child, random.direction(), random.transform())
        .child_placement = random.transform();
  };
  join("w1", JointKind::fixed, "base", "plinth");
  join("turn", JointKind::revolute, "plinth", "arm");
  join("w2", JointKind::fixed, "arm", "camera");
  join("w3", JointKind::fixed, "camera", "lens");
  spec.frames = {{"focus", "lens", random.transform(), {}}, {"mark", "", random.transform(), {}}};
  return spec;
}

TEST(Build, MergesFixedJointsAndKeepsTheirFrames) {
  const Spec spec = welded();
  const Model model = build(spec);
  EXPECT_EQ(model.bodies(), 2);
  EXPECT_EQ(model.nv, 1);
  for (const char* frame : {"base", "plinth", "arm", "camera", "lens", "focus", "mark", "world"})
    EXPECT_TRUE(model.find_frame(frame).has_value()) << frame;
  EXPECT_FALSE(model.find_body("camera").has_value());
  EXPECT_FALSE(model.find_body_of_joint("w2").has_value());
}

TEST(Build, FramesOfMergedLinksStandWhereTheyDid) {
  const Spec spec = welded();
  const Model model = build(spec);
  Workspace ws(model);
  PlainRobot plain_robot(spec);
  const double q[] = {0.8};
  const Poses& bodies = forward_kinematics<double>(model, q, ws);
  plain_robot.move(VectorXd::Constant(1, 0.8), VectorXd::Zero(1), VectorXd::Zero(1));
  for (const char* link : {"base", "plinth", "arm", "camera", "lens"})
    EXPECT_TRUE(near(plain(frame_pose(model, bodies, model.frame(link))).matrix(),
                     plain_robot.link(link).pose.matrix(), 1e-13))
        << link;
  const Pose focus = plain_robot.link("lens").pose * plain(spec.frames[0].placement);
  EXPECT_TRUE(
      near(plain(frame_pose(model, bodies, model.frame("focus"))).matrix(), focus.matrix(), 1e-13));
  EXPECT_TRUE(near(plain(frame_pose(model, bodies, model.frame("mark"))).matrix(),
                   plain(spec.frames[1].placement).matrix(), 1e-15));
}

// the merged inertia, brought to the arm's own frame, is the sum of the three links' inertias there
TEST(Build, InertiasOfMergedLinksAddUp) {
  const Spec spec = welded();
  const Model model = build(spec);
  PlainRobot plain_robot(spec);
  plain_robot.move(VectorXd::Constant(1, 0.8), VectorXd::Zero(1), VectorXd::Zero(1));
  Matrix6 sum = Matrix6::Zero();
  for (const char* link : {"arm", "camera", "lens"}) sum += plain_robot.link(link).inertia;
  const auto b = static_cast<std::size_t>(model.body("arm"));
  Workspace ws(model);
  const double q[] = {0.8};
  const Poses& bodies = forward_kinematics<double>(model, q, ws);
  const Pose canonical = plain(body_pose(model, bodies, static_cast<int>(b))) *
                         plain(model.body_placement[b]).inverse();
  const Matrix6 X = motion_matrix(canonical.inverse());
  EXPECT_TRUE(near(X.transpose() * inertia_matrix(model.inertia[b]) * X, sum, 1e-13));
  const Matrix6 welded_to_world =
      plain_robot.link("base").inertia + plain_robot.link("plinth").inertia;
  EXPECT_TRUE(near(inertia_matrix(model.inertia[0]), welded_to_world, 1e-13));
  EXPECT_TRUE(near(model.mass(), plain_robot.mass(), 1e-15));
}

TEST(Build, FloatingBaseIsAFreeJointNamedRoot) {
  Spec spec = welded();
  float_base(spec);
  const Model model = build(spec);
  const auto root = static_cast<std::size_t>(model.body_of_joint("root"));
  EXPECT_EQ(root, 1u);
  EXPECT_EQ(model.kind[root], JointKind::free);
  EXPECT_EQ(model.body_name[root], "base");
  EXPECT_EQ(model.nq, 8);
  EXPECT_EQ(model.nv, 7);
  float_base(spec);  // nothing is left to free
  EXPECT_EQ(build(spec).nv, 7);
}

TEST(Build, FloatingSeveralRootsNamesThemByTheirBodies) {
  Spec spec;
  spec.add_body("a", 1, {}, Sym3<double>::identity());
  spec.add_body("b", 1, {}, Sym3<double>::identity());
  float_base(spec);
  const Model model = build(spec);
  EXPECT_TRUE(model.find_body_of_joint("root_a").has_value());
  EXPECT_TRUE(model.find_body_of_joint("root_b").has_value());
  EXPECT_EQ(model.nv, 12);
}

TEST(Build, FloatingRefusesATakenName) {
  Spec spec;
  spec.add_body("a", 1);
  spec.add_body("b", 1);
  spec.add_joint("root", JointKind::revolute, "a", "b");
  EXPECT_THROW(float_base(spec), Error);
}

// depth first, children in the order of the file
TEST(Build, NumbersBodiesDepthFirst) {
  Spec spec;
  for (const char* name : {"e", "d", "c", "b", "a"})
    spec.add_body(name, 1, {}, Sym3<double>::identity());
  spec.add_joint("to_d", JointKind::revolute, "b", "d");
  spec.add_joint("to_b", JointKind::revolute, "a", "b");
  spec.add_joint("to_e", JointKind::spherical, "b", "e");
  spec.add_joint("to_c", JointKind::prismatic, "a", "c");
  const Model model = build(spec);  // a is the root
  EXPECT_EQ(model.body_name, (std::vector<std::string>{"world", "b", "d", "e", "c"}));
  EXPECT_EQ(model.parent, (std::vector<int>{0, 0, 1, 1, 0}));
  EXPECT_EQ(model.q_index, (std::vector<int>{0, 0, 1, 2, 6}));
  EXPECT_EQ(model.v_index, (std::vector<int>{0, 0, 1, 2, 5}));
}

TEST(Build, LookUpsThrowWithTheNearestName) {
  Spec spec = welded();
  spec.name = "studio";
  const Model model = build(spec);
  EXPECT_TRUE(
      mentions(message_of([&] { model.body("arn"); }), {"studio", "'arn'", "did you mean 'arm'"}));
  EXPECT_TRUE(mentions(message_of([&] { model.body_of_joint("turm"); }), {"did you mean 'turn'"}));
  EXPECT_TRUE(mentions(message_of([&] { model.frame("camra"); }), {"did you mean 'camera'"}));
  EXPECT_EQ(
      message_of([&] { model.body("arm"), model.body_of_joint("turn"), model.frame("focus"); }),
      no_error);
  EXPECT_FALSE(model.find_body("arn").has_value());
  EXPECT_FALSE(model.find_body_of_joint("").has_value());
  EXPECT_FALSE(model.find_frame("camra").has_value());
}

TEST(Build, BodyNamedWorldIsTold) {
  Spec spec;
  spec.add_body("world", 1, {}, Sym3<double>::identity());
  float_base(spec);
  const Model model = build(spec);
  EXPECT_EQ(model.body("world"), 1);
  EXPECT_EQ(model.body("ground"), 0);
  EXPECT_TRUE(mentions(model.warnings, {"ground"}));
}

TEST(Build, RootLinkNamedWorldIsTheWorld) {
  Spec spec;
  spec.add_body("world", 0);
  spec.add_body("arm", 1, {}, Sym3<double>::identity());
  spec.add_joint("turn", JointKind::revolute, "world", "arm");
  const Model model = build(spec);
  EXPECT_EQ(model.body("world"), 0);
  EXPECT_EQ(model.frames[static_cast<std::size_t>(model.frame("world"))].body, 0);
}

TEST(Build, DofDataGoesToTheRightFreedom) {
  Spec spec = generate_chain(2, JointKind::cylindrical);
  spec.joints[0].dofs = {{.damping = 1}, {.rotor_inertia = 2, .gear_ratio = -3}};
  spec.joints[1].dofs = {{.effort_limit = 5}};
  const Model model = build(spec);
  EXPECT_EQ(model.dof[0].damping, 1);
  EXPECT_EQ(model.armature[1], 18);
  EXPECT_EQ(model.reflected_inertias()[1], 18);
  EXPECT_EQ(model.dof[2].effort_limit, 5);
  EXPECT_EQ(model.dof[3].effort_limit, 5);
}

TEST(Build, RotorsOfMimicJointsGoToTheirMaster) {
  Spec spec = generate_chain(3);
  spec.joints[0].dof().rotor_inertia = 1;
  spec.joints[2].dof().rotor_inertia = 10;
  spec.joints[2].mimic = MimicSpec{"joint1", -2, 0};
  EXPECT_DOUBLE_EQ(build(spec).reflected_inertias()[0], 1 + 4 * 10);
}

// --- other scalars ---

template <class T>
void expect_cast_keeps_everything() {
  RandomTreeOptions options;
  options.mimic = 0.5;
  const Model model = build(generate_tree(15, 3, options));
  const BasicModel<T> other = cast<T>(model);
  EXPECT_EQ(other.name, model.name);
  EXPECT_EQ(other.nq, model.nq);
  EXPECT_EQ(other.nv, model.nv);
  EXPECT_EQ(other.tree_nq, model.tree_nq);
  EXPECT_EQ(other.tree_nv, model.tree_nv);
  EXPECT_EQ(other.parent, model.parent);
  EXPECT_EQ(other.kind, model.kind);
  EXPECT_EQ(other.form, model.form);
  EXPECT_EQ(other.subtree_end, model.subtree_end);
  EXPECT_EQ(other.dof_parent, model.dof_parent);
  EXPECT_EQ(other.column_parent, model.column_parent);
  EXPECT_EQ(other.body_name, model.body_name);
  EXPECT_EQ(other.joint_name, model.joint_name);
  EXPECT_EQ(other.master, model.master);
  EXPECT_EQ(other.warnings, model.warnings);
  EXPECT_EQ(other.frames.size(), model.frames.size());
  EXPECT_EQ(other.shapes.size(), model.shapes.size());
  EXPECT_EQ(other.v_fold.size(), model.v_fold.size());
  EXPECT_EQ(other.step.size(), model.step.size());
  EXPECT_EQ(other.find_body_of_joint("joint4"), model.find_body_of_joint("joint4"));
}

TEST(Build, CastKeepsEverything) {
  expect_cast_keeps_everything<double>();
  expect_cast_keeps_everything<float>();
  expect_cast_keeps_everything<Dual>();
  expect_cast_keeps_everything<Counted>();
}

// --- size ---

TEST(Build, LongChainsAreBuiltWithoutDeepRecursion) {
  const Model model = build(generate_chain(5000));
  EXPECT_EQ(model.nv, 5000);
  EXPECT_EQ(model.support(5000).size(), 5000u);
  EXPECT_EQ(model.subtree_end[1], 5001);
}

TEST(Build, WideTreesAreBuilt) {
  Spec spec = generate_chain(3000);
  for (std::size_t j = 1; j < spec.joints.size(); ++j) spec.joints[j].parent = "body1";
  const Model model = build(spec);
  EXPECT_EQ(model.children(1).size(), 2999u);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
