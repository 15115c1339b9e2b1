// Damping, Coulomb friction and springs.
#include <limber/dynamics/inverse_dynamics.hpp>

#include <gtest/gtest.h>

namespace limber::test {
namespace {

Spec spec_with(JointKind kind, const DofSpec& dof) {
  Spec spec;
  spec.add_body("a", 1, {0, 0, 1}, Sym3<double>::identity());
  spec.add_joint("j", kind, "", "a").dofs = {dof};
  return spec;
}

std::vector<double> passive(const Spec& spec, std::vector<double> q, std::vector<double> v) {
  const Model model = build(spec);
  std::vector<double> out(static_cast<std::size_t>(model.nv), -99);
  passive_forces(model, q, v, std::span<double>(out));
  return out;
}

TEST(PassiveForces, DampingOpposesTheVelocity) {
  const Spec spec = spec_with(JointKind::revolute, {.damping = 0.5});
  EXPECT_DOUBLE_EQ(passive(spec, {0.3}, {4})[0], 2);
  EXPECT_DOUBLE_EQ(passive(spec, {0.3}, {-4})[0], -2);
  EXPECT_DOUBLE_EQ(passive(spec, {0.3}, {0})[0], 0);
}

TEST(PassiveForces, FrictionDependsOnTheSignOnly) {
  const Spec spec =
      spec_with(JointKind::prismatic, {.friction_positive = 3, .friction_negative = 5});
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {0.001})[0], 3);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {2})[0], 3);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {-2})[0], -5);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {0})[0], 0);
  EXPECT_DOUBLE_EQ(passive(spec, {0}, {-0.0})[0], 0);
}

TEST(PassiveForces, SpringPullsToItsReference) {
  const Spec spec = spec_with(JointKind::revolute, {.stiffness = 10, .spring_reference = 0.2});
  EXPECT_DOUBLE_EQ(passive(spec, {0.5}, {0})[0], 3);
  EXPECT_DOUBLE_EQ(passive(spec, {0.2}, {0})[0], 0);
  EXPECT_DOUBLE_EQ(passive(spec, {-0.3}, {0})[0], -5);
}

TEST(PassiveForces, AreSummed) {
  DofSpec dof{.damping = 2, .friction_positive = 1, .stiffness = 4, .spring_reference = 1};
  EXPECT_DOUBLE_EQ(passive(spec_with(JointKind::revolute, dof), {1.5}, {3})[0], 6 + 1 + 2);
}

TEST(PassiveForces, EveryFreedomHasItsOwn) {
  Spec spec = spec_with(JointKind::planar, {});
  spec.joints[0].dofs = {{.damping = 1}, {.stiffness = 2}, {.friction_negative = 7}};
  const std::vector<double> out = passive(spec, {0.1, 0.2, 0.3}, {5, 6, -7});
  EXPECT_DOUBLE_EQ(out[0], 5);
  EXPECT_DOUBLE_EQ(out[1], 0.4);
  EXPECT_DOUBLE_EQ(out[2], -7);
}

TEST(PassiveForces, OneSetOfDataServesAllFreedoms) {
  const std::vector<double> out =
      passive(spec_with(JointKind::cylindrical, {.damping = 3}), {0, 0}, {1, 2});
  EXPECT_DOUBLE_EQ(out[0], 3);
  EXPECT_DOUBLE_EQ(out[1], 6);
}

TEST(PassiveForces, BallsHaveDamping) {
  const Spec spec = spec_with(JointKind::spherical, {.damping = 2});
  EXPECT_EQ(passive(spec, {0, 0, 0, 1}, {1, 2, 3}), (std::vector<double>{2, 4, 6}));
}

}  // namespace
}  // namespace limber::test
