// Generated robots and states: the same on every machine, and physically possible.
#include <limber/model/generate.hpp>

#include <numbers>

#include <gtest/gtest.h>

#include <limber/model/model.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(Generate, ChainIsAChain) {
  const Model model = build(generate_chain(5, JointKind::helical, 9));
  EXPECT_EQ(model.nv, 5);
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(model.parent[static_cast<std::size_t>(i)], i - 1);
    EXPECT_EQ(model.kind[static_cast<std::size_t>(i)], JointKind::helical);
  }
}

TEST(Generate, SameSeedSameRobot) {
  const Spec a = generate_tree(20, 4), b = generate_tree(20, 4), c = generate_tree(20, 5);
  ASSERT_EQ(a.joints.size(), 20u);
  int different = 0;
  for (std::size_t j = 0; j < 20; ++j) {
    EXPECT_EQ(a.joints[j].parent, b.joints[j].parent);
    EXPECT_EQ(a.joints[j].axis.x, b.joints[j].axis.x);
    EXPECT_EQ(a.bodies[j].inertia.m, b.bodies[j].inertia.m);
    different += a.bodies[j].inertia.m != c.bodies[j].inertia.m;
  }
  EXPECT_EQ(different, 20);
}

TEST(Generate, EveryBodyIsPhysicallyPossible) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const BodySpec& body : generate_tree(20, seed).bodies) {
      EXPECT_EQ(physical_defect(body.inertia), InertiaDefect::none) << body.name;
      EXPECT_GT(body.inertia.m, 0);
    }
}

TEST(Generate, BuildsWithoutWarnings) {
  RandomTreeOptions options;
  options.mimic = 0.5;
  options.floating_base = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_TRUE(build(generate_tree(15, seed, options)).warnings.empty());
}

TEST(Generate, OptionsAreHonoured) {
  RandomTreeOptions options;
  options.kinds = {JointKind::prismatic};
  options.floating_base = true;
  options.branching = 1;
  options.rotor = 1;
  const Spec spec = generate_tree(30, 2, options);
  EXPECT_EQ(spec.joints[0].kind, JointKind::free);
  for (std::size_t j = 1; j < 30; ++j) {
    EXPECT_EQ(spec.joints[j].kind, JointKind::prismatic);
    EXPECT_GT(spec.joints[j].dofs.at(0).rotor_inertia, 0);
    EXPECT_FALSE(spec.joints[j].mimic.has_value());
  }
  options.mimic = 1;
  int earlier = 0, later = 0, nested = 0;
  const Spec tied = generate_tree(30, 2, options);
  for (std::size_t j = 0; j < 30; ++j) {
    if (!tied.joints[j].mimic) continue;
    for (std::size_t k = 0; k < 30; ++k)
      if (tied.joints[k].name == tied.joints[j].mimic->joint) {
        (k < j ? earlier : later) += 1;
        nested += tied.joints[k].mimic.has_value();
      }
  }
  EXPECT_GT(earlier, 0);
  EXPECT_GT(later, 0);
  EXPECT_GT(nested, 0);
  EXPECT_EQ(build(tied).nv, 7);  // the base and one master
}

TEST(Generate, StatesAreInTheirRanges) {
  const Model model = build(generate_tree(40, 6));
  const RandomState state = generate_state(model, 1);
  ASSERT_EQ(static_cast<int>(state.q.size()), model.nq);
  for (const auto* rates : {&state.v, &state.a, &state.tau}) {
    ASSERT_EQ(static_cast<int>(rates->size()), model.nv);
    for (const double x : *rates) EXPECT_LE(std::abs(x), 2);
  }
  for (const double x : state.q) EXPECT_LE(std::abs(x), std::numbers::pi);
  for (std::size_t b = 1; b < model.kind.size(); ++b) {
    const bool ball = model.kind[b] == JointKind::spherical,
               floats = model.kind[b] == JointKind::free;
    if (!ball && !floats) continue;
    double n2 = 0;
    for (int k = 0; k < 4; ++k) {
      const double x = state.q[static_cast<std::size_t>(model.q_index[b] + (floats ? 3 : 0) + k)];
      n2 += x * x;
    }
    EXPECT_NEAR(n2, 1, 1e-14);
  }
  EXPECT_EQ(generate_state(model, 1).q, state.q);
  EXPECT_NE(generate_state(model, 2).q, state.q);
}

TEST(Generate, NoBodiesAreRefused) { EXPECT_THROW(generate_tree(0, 1), Error); }

// first numbers of the generator, pinned: published results name robots by their seed
TEST(Generate, NumbersArePinned) {
  const Spec spec = generate_chain(2);
  EXPECT_DOUBLE_EQ(spec.bodies[0].inertia.m, 0.61314249434347912);
  EXPECT_DOUBLE_EQ(spec.joints[1].axis.x, 0.25128904311532574);
  EXPECT_DOUBLE_EQ(spec.joints[1].placement.p.z, 0.35253080322507546);
  EXPECT_DOUBLE_EQ(generate_state(build(spec), 1).q[1], 2.7869962581604675);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
