// What build() refuses and what it warns about, with the words a user needs to mend it.
#include <limber/model/model.hpp>

#include <gtest/gtest.h>

#include "support/custom_joints.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// base – arm – hand, sound in every respect
Spec sound() {
  Spec spec;
  spec.name = "sample";
  for (const char* name : {"base", "arm", "hand"})
    spec.add_body(name, 1, {0.1, 0, 0}, Sym3<double>::identity());
  spec.add_joint("shoulder", JointKind::revolute, "base", "arm", {0, 1, 0});
  spec.add_joint("wrist", JointKind::revolute, "arm", "hand", {1, 0, 0});
  return spec;
}

std::string refusal(const Spec& spec) {
  return message_of([&] { build(spec); });
}
std::vector<std::string> warnings(const Spec& spec) { return build(spec).warnings; }

constexpr double nan = static_cast<double>(NAN);

TEST(Validation, SoundRobotHasNoWarnings) { EXPECT_TRUE(warnings(sound()).empty()); }

TEST(Validation, WarningsOfTheReaderStay) {
  Spec spec = sound();
  spec.warnings = {"strange colour"};
  EXPECT_TRUE(mentions(warnings(spec), {"strange colour"}));
}

TEST(Validation, SourceStandsInTheMessage) {
  Spec spec = sound();
  spec.joints[1].axis = {};
  spec.joints[1].source = {"arm.urdf", 42, "joint 'wrist'"};
  EXPECT_TRUE(mentions(refusal(spec), {"arm.urdf:42: joint 'wrist': axis is zero"}));
}

// --- names and tree ---

TEST(Validation, TheSameOfSeveralBodiesIsSaidOnce) {
  Spec spec = sound();
  for (BodySpec& body : spec.bodies) body.inertia = Inertia<double>::from_com(1, {}, {1, 1, 3});
  spec.bodies[0].inertia = Inertia<double>::from_com(1, {}, {1, 1, 4});
  const std::vector<std::string> said = warnings(spec);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_TRUE(mentions(std::vector{said[0]}, {"triangle inequality", "1, 1, 4"}));
  EXPECT_TRUE(mentions(std::vector{said[1]}, {"triangle inequality", "1, 1, 3", "'hand'"}));
}

TEST(Validation, NoBodies) {
  Spec spec;
  spec.name = "nothing";
  EXPECT_TRUE(mentions(refusal(spec), {"nothing", "no bodies"}));
}
TEST(Validation, SecondBodyOfAName) {
  Spec spec = sound();
  spec.add_body("arm", 1);
  EXPECT_TRUE(mentions(refusal(spec), {"second body named 'arm'"}));
}
TEST(Validation, SecondJointOfAName) {
  Spec spec = sound();
  spec.add_body("foot", 1);
  spec.add_joint("wrist", JointKind::revolute, "base", "foot");
  EXPECT_TRUE(mentions(refusal(spec), {"second joint named 'wrist'"}));
}
TEST(Validation, SecondFrameOfAName) {
  Spec spec = sound();
  spec.frames = {{"tip", "hand", {}, {}}, {"tip", "arm", {}, {}}};
  EXPECT_TRUE(mentions(refusal(spec), {"'tip'"}));
  spec.frames = {{"arm", "hand", {}, {}}};
  EXPECT_TRUE(mentions(refusal(spec), {"'arm'"}));
}
TEST(Validation, NamelessBodyAndJoint) {
  Spec spec = sound();
  spec.bodies[2].name = "";
  EXPECT_TRUE(mentions(refusal(spec), {"without a name"}));
  spec = sound();
  spec.joints[0].name = "";
  EXPECT_TRUE(mentions(refusal(spec), {"without a name"}));
}
TEST(Validation, MissingParentIsSuggested) {
  Spec spec = sound();
  spec.joints[1].parent = "arn";
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "parent body 'arn'", "did you mean 'arm'"}));
}
TEST(Validation, MissingChildIsSuggested) {
  Spec spec = sound();
  spec.joints[1].child = "hnad";
  EXPECT_TRUE(mentions(refusal(spec), {"child body 'hnad'", "did you mean 'hand'"}));
}
TEST(Validation, MissingBodyOfAFrameIsSuggested) {
  Spec spec = sound();
  spec.frames = {{"tip", "hnad", {}, {}}};
  EXPECT_TRUE(mentions(refusal(spec), {"'hnad'", "did you mean 'hand'"}));
}
TEST(Validation, JointToItself) {
  Spec spec = sound();
  spec.joints[1].parent = "hand";
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "'hand' to itself"}));
}
TEST(Validation, TwoParents) {
  Spec spec = sound();
  spec.add_joint("second", JointKind::revolute, "base", "hand");
  EXPECT_TRUE(mentions(refusal(spec), {"second", "'hand'", "'wrist'"}));
}
TEST(Validation, CycleIsListed) {
  Spec spec = sound();
  for (const char* name : {"a", "b", "c"}) spec.add_body(name, 1);
  spec.add_joint("ab", JointKind::revolute, "a", "b");
  spec.add_joint("bc", JointKind::revolute, "b", "c");
  spec.add_joint("ca", JointKind::revolute, "c", "a");
  EXPECT_TRUE(mentions(refusal(spec), {"cycle", "'a'", "'b'", "'c'"}));
  EXPECT_FALSE(mentions(refusal(spec), {"'arm'"}));
}
TEST(Validation, BodyBehindACycleNamesTheCycle) {
  Spec spec;
  for (const char* name : {"tail", "a", "b"}) spec.add_body(name, 1);
  spec.add_joint("at", JointKind::revolute, "a", "tail");
  spec.add_joint("ab", JointKind::revolute, "a", "b");
  spec.add_joint("ba", JointKind::revolute, "b", "a");
  EXPECT_TRUE(mentions(refusal(spec), {"'a'", "hangs from 'b'"}));
}
TEST(Validation, SeveralRootsAreWarnedAbout) {
  Spec spec = sound();
  spec.add_body("stone", 1);
  EXPECT_TRUE(mentions(warnings(spec), {"'base'", "'stone'"}));
}

// --- numbers ---

TEST(Validation, ZeroAxis) {
  Spec spec = sound();
  spec.joints[1].axis = {};
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "axis is zero"}));
  spec.joints[1].kind = JointKind::fixed;  // needs no axis
  EXPECT_EQ(refusal(spec), no_error);
}
TEST(Validation, LongAxisIsWarnedAbout) {
  Spec spec = sound();
  spec.joints[1].axis = {0, 0, 3};
  EXPECT_TRUE(mentions(warnings(spec), {"wrist", "length 3"}));
}
TEST(Validation, NanAnywhereIsRefused) {
  const std::vector<std::pair<const char*, void (*)(Spec&)>> damages{
      {"gravity", [](Spec& s) { s.gravity.y = nan; }},
      {"mass", [](Spec& s) { s.bodies[1].inertia.m = nan; }},
      {"first moment", [](Spec& s) { s.bodies[1].inertia.h.z = nan; }},
      {"second moment", [](Spec& s) { s.bodies[1].inertia.J.xy = nan; }},
      {"infinite mass", [](Spec& s) { s.bodies[1].inertia.m = HUGE_VAL; }},
      {"axis", [](Spec& s) { s.joints[1].axis.x = nan; }},
      {"placement", [](Spec& s) { s.joints[1].placement.p.x = nan; }},
      {"rotation", [](Spec& s) { s.joints[1].placement.R.yz = nan; }},
      {"child placement", [](Spec& s) { s.joints[1].child_placement.p.y = HUGE_VAL; }},
      {"frame",
       [](Spec& s) {
         s.frames = {{"tip", "hand", {}, {}}}, s.frames[0].placement.p.z = nan;
       }},
      {"second axis",
       [](Spec& s) { s.joints[1].kind = JointKind::universal, s.joints[1].axis2.y = nan; }},
      {"pitch", [](Spec& s) { s.joints[1].kind = JointKind::helical, s.joints[1].pitch = nan; }},
      {"damping", [](Spec& s) { s.joints[1].dof().damping = nan; }},
      {"friction", [](Spec& s) { s.joints[1].dof().friction_negative = nan; }},
      {"rotor", [](Spec& s) { s.joints[1].dof().rotor_inertia = nan; }},
      {"gear", [](Spec& s) { s.joints[1].dof().gear_ratio = HUGE_VAL; }},
      {"stiffness", [](Spec& s) { s.joints[1].dof().stiffness = nan; }},
      {"spring", [](Spec& s) { s.joints[1].dof().spring_reference = nan; }},
      {"lower", [](Spec& s) { s.joints[1].dof().lower = nan; }},
      {"upper", [](Spec& s) { s.joints[1].dof().upper = nan; }},
      {"speed limit", [](Spec& s) { s.joints[1].dof().velocity_limit = nan; }},
      {"effort limit", [](Spec& s) { s.joints[1].dof().effort_limit = nan; }},
      {"multiplier",
       [](Spec& s) {
         s.joints[1].mimic = MimicSpec{"shoulder", nan, 0};
       }},
      {"offset",
       [](Spec& s) {
         s.joints[1].mimic = MimicSpec{"shoulder", 1, HUGE_VAL};
       }},
      {"shape", [](Spec& s) { s.bodies[1].shapes.emplace_back().placement.p.x = nan; }},
  };
  for (const auto& [what, damage] : damages) {
    Spec spec = sound();
    damage(spec);
    EXPECT_NE(refusal(spec), no_error) << what;
  }
}
TEST(Validation, InfiniteLimitsAreOrdinary) {
  Spec spec = sound();
  spec.joints[1].dof() = {};
  EXPECT_TRUE(warnings(spec).empty());
}
TEST(Validation, MatrixThatIsNoRotation) {
  Spec spec = sound();
  spec.joints[1].placement.R.xx = 1.01;
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "no rotation"}));
  spec = sound();
  spec.joints[1].placement.R = {1, 0, 0, 0, 1, 0, 0, 0, -1};  // a mirror
  EXPECT_TRUE(mentions(refusal(spec), {"no rotation"}));
}
TEST(Validation, NegativeMass) {
  Spec spec = sound();
  spec.bodies[1].inertia.m = -2;
  EXPECT_TRUE(mentions(refusal(spec), {"'arm'", "-2"}));
}
TEST(Validation, TriangleInequalityIsWarnedAbout) {
  Spec spec = sound();
  spec.bodies[1].inertia = Inertia<double>::from_com(1, {}, Sym3<double>::diagonal(1, 1, 3));
  EXPECT_TRUE(mentions(warnings(spec), {"'arm'", "triangle"}));
}
TEST(Validation, NegativeMomentIsWarnedAbout) {
  Spec spec = sound();
  spec.bodies[1].inertia = Inertia<double>::from_com(1, {}, Sym3<double>::diagonal(1, -1, 1));
  EXPECT_TRUE(mentions(warnings(spec), {"'arm'", "negative"}));
}
TEST(Validation, InertiaWithoutMassIsWarnedAbout) {
  Spec spec = sound();
  spec.bodies[1].inertia = {0, {}, Sym3<double>::identity()};
  EXPECT_TRUE(mentions(warnings(spec), {"no mass"}));
}
TEST(Validation, MasslessEndIsWarnedAbout) {
  Spec spec = sound();
  spec.bodies[2].inertia = {};
  EXPECT_TRUE(mentions(warnings(spec), {"wrist"}));
  EXPECT_TRUE(mentions(build(spec).singular_reason, {"'wrist'", "'hand'"}));
}
TEST(Validation, NegativeRotorIsRefused) {
  Spec spec = sound();
  spec.joints[0].dof().rotor_inertia = -1;
  EXPECT_TRUE(mentions(refusal(spec), {"shoulder", "rotor"}));
}
TEST(Validation, StrangeJointDataIsWarnedAbout) {
  const std::vector<std::pair<const char*, DofSpec>> strange{
      {"limit", {.lower = 2, .upper = 1}},     {"friction", {.damping = -1}},
      {"friction", {.friction_positive = -1}}, {"stiffness", {.stiffness = -1}},
      {"effort", {.effort_limit = -1}},        {"velocity", {.velocity_limit = -1}}};
  for (const auto& [word, dof] : strange) {
    Spec spec = sound();
    spec.joints[0].dofs = {dof};
    EXPECT_TRUE(mentions(warnings(spec), {"shoulder", word}));
  }
}
TEST(Validation, UniversalAxesMustBePerpendicular) {
  Spec spec = sound();
  spec.joints[1].kind = JointKind::universal;
  spec.joints[1].axis = {1, 0, 0};
  spec.joints[1].axis2 = {0.1, 1, 0};
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "perpendicular"}));
  spec.joints[1].axis2 = {};
  EXPECT_TRUE(mentions(refusal(spec), {"second axis is zero"}));
}
TEST(Validation, WrongNumberOfFreedoms) {
  Spec spec = sound();
  spec.joints[1].dofs.resize(2);
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "2", "1"}));
  spec.joints[1].kind = JointKind::planar;
  EXPECT_TRUE(mentions(refusal(spec), {"3"}));
  spec.joints[1].dofs.resize(3);
  EXPECT_EQ(refusal(spec), no_error);
}

// --- mimic joints ---

TEST(Validation, MimicOfUnknownJointIsSuggested) {
  Spec spec = sound();
  spec.joints[1].mimic = MimicSpec{"sholder"};
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "'sholder'", "did you mean 'shoulder'"}));
}
TEST(Validation, MimicInACircle) {
  Spec spec = sound();
  spec.joints[0].mimic = MimicSpec{"wrist"};
  spec.joints[1].mimic = MimicSpec{"shoulder"};
  EXPECT_TRUE(mentions(refusal(spec), {"circle"}));
  spec = sound();
  spec.joints[0].mimic = MimicSpec{"shoulder"};
  EXPECT_TRUE(mentions(refusal(spec), {"circle"}));
}
TEST(Validation, MimicNeedsOneFreedom) {
  Spec spec = sound();
  spec.joints[0].kind = JointKind::spherical;
  spec.joints[1].mimic = MimicSpec{"shoulder"};
  EXPECT_TRUE(mentions(refusal(spec), {"wrist", "spherical", "revolute"}));
  spec = sound();
  spec.joints[1].kind = JointKind::planar;
  spec.joints[1].mimic = MimicSpec{"shoulder"};
  EXPECT_TRUE(mentions(refusal(spec), {"planar"}));
  spec = sound();
  spec.joints[0].kind = JointKind::fixed;
  spec.joints[1].mimic = MimicSpec{"shoulder"};
  EXPECT_TRUE(mentions(refusal(spec), {"fixed"}));
}
TEST(Validation, FixedJointCannotMimic) {
  Spec spec = sound();
  spec.joints[1].kind = JointKind::fixed;
  spec.joints[1].mimic = MimicSpec{"shoulder"};
  EXPECT_TRUE(mentions(warnings(spec), {"wrist", "mimic"}));
}
TEST(Validation, NestedMimicsAreFollowedToTheirEnd) {
  Spec spec = sound();
  spec.add_body("finger", 1, {}, Sym3<double>::identity());
  spec.add_joint("knuckle", JointKind::prismatic, "hand", "finger");
  spec.joints[0].mimic = MimicSpec{"wrist", 2, 0.5};  // the master comes later
  spec.joints[1].mimic = MimicSpec{"knuckle", -3, 0.25};
  const Model model = build(spec);
  EXPECT_EQ(model.nv, 1);
  EXPECT_EQ(model.tree_nv, 3);
  const auto at = static_cast<std::size_t>(
      model.q_index[static_cast<std::size_t>(model.body_of_joint("shoulder"))]);
  EXPECT_DOUBLE_EQ(model.q_fold[at].ratio, -6);
  EXPECT_DOUBLE_EQ(model.q_fold[at].offset, 2 * 0.25 + 0.5);
  EXPECT_EQ(model.master[static_cast<std::size_t>(model.body_of_joint("shoulder"))],
            model.body_of_joint("knuckle"));
}
TEST(Validation, ZeroMultiplierHoldsTheJoint) {
  Spec spec = sound();
  spec.joints[1].mimic = MimicSpec{"shoulder", 0, 0.7};
  EXPECT_EQ(refusal(spec), no_error);
  EXPECT_EQ(build(spec).nv, 1);
}

// --- custom joints ---

TEST(Validation, CustomJointsMustBeComplete) {
  auto with = [](const CustomJoint& custom) {
    Spec spec = sound();
    spec.joints[1].kind = JointKind::custom;
    spec.joints[1].custom = custom;
    return refusal(spec);
  };
  EXPECT_EQ(with(cam_joint(1)), no_error);
  EXPECT_EQ(with(ball_joint()), no_error);
  EXPECT_TRUE(mentions(with({}), {"wrist"}));
  CustomJoint joint = cam_joint(1);
  joint.nv = 7;
  EXPECT_TRUE(mentions(with(joint), {"7"}));
  joint = cam_joint(1);
  joint.kinematics_float = nullptr;
  EXPECT_TRUE(mentions(with(joint), {"custom_joint()"}));
  joint = ball_joint();
  joint.integrate = nullptr;
  EXPECT_TRUE(mentions(with(joint), {"integrate"}));
  joint = ball_joint();
  joint.difference = nullptr;
  EXPECT_TRUE(mentions(with(joint), {"difference"}));
  joint = ball_joint();
  joint.neutral = {0, 1};
  EXPECT_TRUE(mentions(with(joint), {"neutral"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
