// What float_base does to a robot, and what build, names and sizes refuse. The robots to compare
// with are written out by hand.
#include <cstdlib>

#include <gtest/gtest.h>

#include <limber/limber.hpp>

#include "support/message.hpp"

namespace LIMBER_TEST_FILE {

using namespace limber;
using limber::test::mentions;
using limber::test::message_of;

const Transform<double> somewhere{rotation_from_rpy(0.3, -0.2, 0.5), {0.4, -0.1, 0.7}};

// trunk and arm on a revolute joint; how the trunk is held is left to the caller
Spec trunk_and_arm() {
  Spec spec;
  spec.name = "robot";
  spec.add_body("trunk", 3, {0.1, 0.2, -0.1}, {0.3, 0.4, 0.35, 0.01, 0.02, -0.01});
  spec.add_body("arm", 1.5, {0, 0.3, 0}, {0.2, 0.05, 0.2});
  spec.add_joint("shoulder", JointKind::revolute, "trunk", "arm", {0, 1, 0}, somewhere);
  return spec;
}

std::vector<double> some_torques(const Model& model) {
  std::vector<double> q = neutral_position(model), v, a;
  for (int k = 0; k < model.nv; ++k) v.push_back(0.3 - 0.1 * k), a.push_back(0.2 * k - 0.5);
  std::vector<double> moved(q.size());
  integrate(model, q, v, 0.7, moved);
  Workspace ws(model);
  const auto tau = inverse_dynamics<double>(model, moved, v, a, ws);
  return {tau.begin(), tau.end()};
}

void expect_same_robot(const Spec& spec, const Spec& by_hand) {
  const Model model = build(spec), expected = build(by_hand);
  ASSERT_EQ(model.nv, expected.nv);
  ASSERT_EQ(model.nq, expected.nq);
  EXPECT_DOUBLE_EQ(model.mass(), expected.mass());
  const std::vector<double> tau = some_torques(model), wanted = some_torques(expected);
  for (std::size_t k = 0; k < tau.size(); ++k) EXPECT_NEAR(tau[k], wanted[k], 1e-12) << k;
}

TEST(FloatBase, RootLinkAndFixedJointFromTheWorldAreFreed) {
  Spec by_hand = trunk_and_arm();
  by_hand.add_joint("six", JointKind::free, "", "trunk");
  Spec root = trunk_and_arm();
  float_base(root);
  expect_same_robot(root, by_hand);

  // the place of a fixed joint stays the place of the free one
  Spec placed_by_hand = trunk_and_arm();
  placed_by_hand.add_joint("six", JointKind::free, "", "trunk", {0, 0, 1}, somewhere);
  Spec bolted = trunk_and_arm();
  bolted.add_joint("bolts", JointKind::fixed, "", "trunk", {0, 0, 1}, somewhere);
  EXPECT_EQ(build(bolted).nv, 1);
  float_base(bolted);
  expect_same_robot(bolted, placed_by_hand);
  EXPECT_TRUE(build(bolted).find_body_of_joint("root").has_value());
}

TEST(FloatBase, AFreeJointIsNotDoubled) {
  for (const char* parent : {"", "ground", "plate"}) {
    Spec spec = trunk_and_arm();
    spec.add_body("ground", 0);
    spec.add_body("plate", 0);
    spec.add_joint("weld", JointKind::fixed, "ground", "plate");
    spec.add_joint("six", JointKind::free, parent, "trunk");
    // an empty link without a free joint floats by itself; keep it out of the first case
    if (*parent == 0) spec.bodies.erase(spec.bodies.begin() + 2, spec.bodies.end());
    if (*parent == 0) spec.joints.erase(spec.joints.begin() + 1);
    Spec floating = spec;
    float_base(floating);
    expect_same_robot(floating, spec);
    EXPECT_EQ(build(floating).nv, 7) << parent;
  }
}

TEST(FloatBase, RefusesWhatHasNoMeaning) {
  Spec hinged = trunk_and_arm();
  hinged.add_joint("hinge", JointKind::revolute, "", "trunk");
  EXPECT_TRUE(mentions(message_of([&] { float_base(hinged); }),
                       {"joint 'hinge'", "revolute", "ties it to the world", "remove"}));
  // which one is the base: the heavy plate on the world, or the trunk that is free of it?
  Spec plate = trunk_and_arm();
  plate.add_body("plate", 100);
  plate.add_joint("six", JointKind::free, "plate", "trunk");
  EXPECT_TRUE(mentions(message_of([&] { float_base(plate); }),
                       {"joint 'six'", "not clear", "'plate'", "'trunk'"}));
  // an empty ground that carries a free robot and a door
  Spec door = trunk_and_arm();
  door.add_body("ground", 0);
  door.add_body("leaf", 5);
  door.add_joint("six", JointKind::free, "ground", "trunk");
  door.add_joint("door", JointKind::revolute, "ground", "leaf");
  EXPECT_TRUE(mentions(message_of([&] { float_base(door); }), {"joint 'door'", "ties"}));
}

TEST(FloatBase, SetBaseWeldsAFreeRobot) {
  Spec by_hand = trunk_and_arm();
  by_hand.add_joint("bolts", JointKind::fixed, "", "trunk", {0, 0, 1}, somewhere);
  for (const char* parent : {"", "ground"}) {
    Spec spec = trunk_and_arm();
    if (*parent) spec.add_body("ground", 0);
    spec.add_joint("six", JointKind::free, parent, "trunk", {0, 0, 1}, somewhere).dof().damping = 1;
    Spec described = spec;
    set_base(described, Base::as_described);
    EXPECT_EQ(build(described).nv, 7);
    set_base(spec, Base::fixed);
    expect_same_robot(spec, by_hand);
  }
  Spec hinged = trunk_and_arm(), same = trunk_and_arm();
  hinged.add_joint("hinge", JointKind::revolute, "", "trunk");
  same.add_joint("hinge", JointKind::revolute, "", "trunk");
  set_base(hinged, Base::fixed);  // is fixed already
  expect_same_robot(hinged, same);
}

// --- names ---

TEST(Names, ControlCharactersAndBrokenTextAreRefusedInEveryName) {
  const std::vector<std::string> bad = {
      "a\nb", "a\rb",     "\x1b[31m", "a\tb",         "a\x7f",        "\xc2\x9b",
      "\xff", "\xc0\x80", "\xe2\x80", "\xed\xa0\x80", "\xe2\x80\xa8", std::string(1, '\0')};
  for (const std::string& name : bad) {
    for (int place = 0; place < 5; ++place) {
      Spec spec = trunk_and_arm();
      if (place == 0) spec.name = name;
      if (place == 1) spec.add_body(name, 1);
      if (place == 2) spec.joints[0].name = name;
      if (place == 3) spec.frames.push_back({name, "arm", {}, {}});
      if (place == 4) spec.bodies[0].shapes.emplace_back().name = name;
      const std::string message = message_of([&] { build(spec); });
      EXPECT_TRUE(mentions(message, {"name of", "UTF-8 without control characters"})) << place;
      for (const char c : message) EXPECT_FALSE(c >= 0 && c < ' ') << message;
    }
  }
  for (const char* good :
       {"two words", "a\"b'c\\d", "größe", "手", "a/b", "?\?\?/", "$(x);`", "😀"}) {
    Spec spec = trunk_and_arm();
    spec.joints[0].name = good;
    EXPECT_EQ(build(spec).joint_name[1], good);
  }
  Spec spec = trunk_and_arm();
  spec.joints[0].name = std::string(1001, 'x');
  EXPECT_TRUE(mentions(message_of([&] { build(spec); }), {"1001 bytes", "1000"}));
}

// --- numbers that mislead ---

TEST(Masses, OneBodyThatOutweighsAllOthersIsWarnedOf) {
  Spec spec = trunk_and_arm();
  spec.add_body("tool", 654000);
  spec.add_joint("wrist", JointKind::revolute, "arm", "tool");
  float_base(spec);
  EXPECT_TRUE(mentions(build(spec).warnings, {"'tool'", "6.54e+05 kg", "4.5 kg", "units"}));
  spec.bodies[2].inertia.m = 400;  // a heavy load
  for (const std::string& warning : build(spec).warnings)
    EXPECT_EQ(warning.find("weighs"), std::string::npos) << warning;
}

TEST(Masses, TooSmallAndTooLargeAreNamed) {
  Spec spec = trunk_and_arm();
  spec.bodies[1].inertia = Inertia<double>::from_com(1e-310, {}, {});
  EXPECT_TRUE(mentions(message_of([&] { build(spec); }), {"body 'arm'", "too small", "write 0"}));
  spec.bodies[1].inertia = Inertia<double>::from_com(1e300, {0, 0, 1e5}, {});
  EXPECT_TRUE(mentions(message_of([&] { build(spec); }), {"body 'arm'", "too large"}));
  Spec heavy;
  for (const char* name : {"a", "b"}) heavy.add_body(name, 1.7e308, {}, Sym3<double>::identity());
  heavy.add_joint("x", JointKind::prismatic, "", "a");
  heavy.add_joint("y", JointKind::fixed, "a", "b");
  EXPECT_TRUE(mentions(message_of([&] { build(heavy); }), {"'a'", "welded", "too large"}));
  // the sum overflows only in the recursion
  heavy.joints[1].kind = JointKind::revolute;
  const Model model = build(heavy);
  Workspace ws(model);
  const std::vector<double> zero{0, 0};
  const std::string message =
      message_of([&] { forward_dynamics<double>(model, zero, zero, zero, ws); });
  EXPECT_TRUE(mentions(message, {"too large to compute with"}));
  EXPECT_EQ(message.find("no inertia"), std::string::npos);
}

TEST(Masses, GearRatioZeroIsRefused) {
  Spec spec = trunk_and_arm();
  spec.joints[0].dof().gear_ratio = 0;
  EXPECT_TRUE(
      mentions(message_of([&] { build(spec); }), {"joint 'shoulder'", "gear ratio is zero"}));
}

// --- sizes ---

Spec many_links(int count, JointKind kind, bool as_chain) {
  Spec spec;
  spec.add_body("base", 1);
  for (int i = 0; i < count; ++i) {
    const std::string name = "l" + std::to_string(i);
    const std::string parent = as_chain && i > 0 ? "l" + std::to_string(i - 1) : "base";
    spec.add_body(name, 1, {0, 0.1, 0});
    spec.add_joint("j" + std::to_string(i), kind, parent, name);
  }
  return spec;
}

TEST(Sizes, HundredThousandLinksAreBuilt) {
  const Model star = build(many_links(100'000, JointKind::revolute, false));
  EXPECT_EQ(star.nv, 100'000);
  EXPECT_EQ(star.frames.size(), 100'002u);
  const Model welded = build(many_links(100'000, JointKind::fixed, false));
  EXPECT_EQ(welded.nv, 0);
  EXPECT_EQ(welded.mass(), 100'001);
  EXPECT_EQ(build(many_links(100'000, JointKind::fixed, true)).nv, 0);
}

TEST(Sizes, ATreeNeedsMemoryInProportionToItsBodies) {
  const Model star = build(many_links(100'000, JointKind::revolute, false));
  const Workspace ws(star);
  EXPECT_EQ(ws.factor.M.values.size(), 800'000u);  // a diagonal, each entry in a row of eight
  const Model chain = build(many_links(100'000, JointKind::revolute, true));
  EXPECT_TRUE(Workspace(chain).factor.M.values.empty());
}

TEST(Sizes, AWorldOfFreeBodiesNeedsLittle) {
  const Model model = build(many_links(700, JointKind::free, false));
  EXPECT_EQ(model.nv, 4200);
  const Workspace ws(model);
  EXPECT_LT((ws.factor.M.values.size() + ws.factor.L.size()) * sizeof(double), 1'000'000u);
}

TEST(Sizes, MatricesThatWouldNotFitAreRefusedBeforeTheyAreAllocated) {
  const Model chain = build(many_links(100'000, JointKind::revolute, true));
  EXPECT_TRUE(mentions(message_of([&] { TreeFactor{chain}; }),
                       {"100000 freedoms", "100 GB", "fewer joints"}));
  const Model small = build(many_links(25'000, JointKind::revolute, true));
  EXPECT_TRUE(mentions(message_of([&] { TreeFactor{small}; }),
                       {"25000 freedoms", "6.25 GB", "limit is 4 GB", "LIMBER_MEMORY"}));
  EXPECT_TRUE(mentions(message_of([&] { MatrixWorkspace{small}; }), {"15", "GB", "LIMBER_MEMORY"}));
}

TEST(Sizes, TheLimitCanBeSet) {
  const Model model = build(many_links(500, JointKind::revolute, true));
  setenv("LIMBER_MEMORY", "0.001", 1);
  EXPECT_TRUE(mentions(message_of([&] { Workspace{model}; }), {"0.00254", "limit is 0.001 GB"}));
  setenv("LIMBER_MEMORY", "0.1", 1);
  EXPECT_NO_THROW(Workspace{model});
  setenv("LIMBER_MEMORY", "much", 1);
  EXPECT_TRUE(mentions(message_of([&] { Workspace{model}; }), {"LIMBER_MEMORY", "'much'", "16"}));
  unsetenv("LIMBER_MEMORY");
}

}  // namespace LIMBER_TEST_FILE
