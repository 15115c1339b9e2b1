// States and inertias that can be computed with and yet look like mistakes.
#include <limber/model/plausible.hpp>

#include <filesystem>

#include <gtest/gtest.h>

#include <limber/limber.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Numbers = std::vector<double>;

// a limited hinge, a wheel without limits, a slide, and a hinge that follows the first one
Spec machine() {
  Spec spec;
  for (const std::string name : {"arm", "wheel", "sledge", "finger"})
    spec.add_body(name, 1, {0.1, 0, 0}, {0.01, 0.01, 0.01, 0, 0, 0});
  DofSpec& hinge = spec.add_joint("hinge", JointKind::revolute, "", "arm").dof();
  hinge.lower = -2;
  hinge.upper = 1.5;
  hinge.velocity_limit = 4;
  spec.add_joint("axle", JointKind::revolute, "", "wheel");
  DofSpec& slide = spec.add_joint("slide", JointKind::prismatic, "", "sledge").dof();
  slide.lower = 0;
  slide.upper = 12;
  slide.velocity_limit = 0;  // as sloppy files have it
  JointSpec& follower = spec.add_joint("follower", JointKind::revolute, "", "finger");
  follower.mimic = MimicSpec{"hinge", -2, 0.1};
  follower.dof().upper = 3;
  follower.dof().velocity_limit = 6;
  return spec;
}

std::vector<std::string> doubts(const Numbers& q, const Numbers& v = {0, 0, 0}) {
  return suspicious_state(build(machine()), q, v);
}

TEST(PlausibleState, IsNotDoubtedAtItsLimits) {
  EXPECT_TRUE(doubts({0, 0, 0}, {0, 0, 0}).empty());
  EXPECT_TRUE(doubts({1.5, 0, 12}, {3, 1e3, 1e3}).empty());
  EXPECT_TRUE(doubts({-1.45, 6.2, 10}, {-3, 0, 0}).empty());  // the follower at 3
}

TEST(PlausibleState, BeyondALimitNamesJointValueLimitAndRange) {
  const auto high = doubts({1.6, 0, 0});
  ASSERT_EQ(high.size(), 1u);
  EXPECT_TRUE(mentions(high, {"'hinge'", "1.6 rad", "upper limit of 1.5 rad", "-2 to 1.5 rad"}));
  EXPECT_TRUE(mentions(doubts({0, 0, -0.5}), {"'slide'", "-0.5 m", "lower limit of 0 m"}));
  EXPECT_TRUE(mentions(doubts({0, 0, 90}), {"'slide'", "90 m", "upper limit of 12 m"}));
  EXPECT_FALSE(mentions(doubts({0, 0, 90}), {"degrees"}));
  const auto following = doubts({-1.9, 0, 0});
  ASSERT_EQ(following.size(), 1u);
  EXPECT_TRUE(mentions(following, {"'follower'", "3.9 rad", "upper limit of 3 rad", "at most 3"}));
}

TEST(PlausibleState, DegreesAreRecognised) {
  EXPECT_TRUE(mentions(doubts({-31.7, 0, 0}), {"'hinge'", "degrees", "-31.7° are -0.553"}));
  EXPECT_FALSE(mentions(doubts({6.2, 0, 0}), {"'hinge'", "degrees"}));
  EXPECT_TRUE(mentions(doubts({0, -90, 0}), {"'axle'", "degrees", "-90° are -1.5708 rad"}));
  EXPECT_TRUE(doubts({0, 5, 0}).empty());       // less than a turn
  EXPECT_TRUE(doubts({0, 12.345, 0}).empty());  // a wheel may turn
}

TEST(PlausibleState, SpeedsBeyondTheirLimit) {
  const auto fast = doubts({0, 0, 0}, {-4.5, 0, 0});
  ASSERT_EQ(fast.size(), 2u);
  EXPECT_TRUE(mentions(fast, {"'hinge'", "-4.5 rad/s", "velocity limit of 4 rad/s", "slower"}));
  EXPECT_TRUE(mentions(fast, {"'follower'", "9 rad/s", "velocity limit of 6 rad/s"}));
  EXPECT_TRUE(mentions(message_of([] { doubts({0, 0}); }), {"q has 2", "needs 3"}));
}

// a rod of 0.4 m that turns about its end
Spec rod(double mass, const Vec3<double>& com, double moment) {
  Spec spec;
  spec.add_body("rod", mass, com, {moment, moment, moment / 50, 0, 0, 0});
  spec.add_joint("pivot", JointKind::revolute, "", "rod", {1, 0, 0});
  spec.frames.push_back({"tip", "rod", {Mat3<double>::identity(), {0, 0, 0.4}}, {}});
  return spec;
}

TEST(PlausibleInertia, ARodIsNotDoubted) {
  EXPECT_TRUE(suspicious_inertias(rod(3, {0, 0, 0.2}, 3 * 0.4 * 0.4 / 12)).empty());
  for (const std::string& robot : shipped_robots())
    EXPECT_TRUE(suspicious_inertias(load_spec(robot)).empty()) << robot;
}

// radius of gyration √(I/m), reach 0.2 m from the centre
TEST(PlausibleInertia, RadiusOfGyrationBeyondTheReach) {
  const auto found = suspicious_inertias(rod(3, {0, 0, 0.2}, 3 * 0.45 * 0.45));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(mentions(
      found, {"radius of gyration of 0.45 m", "within 0.2 m", "mass 3 kg", "0.6075 kg m²"}));
  EXPECT_TRUE(suspicious_inertias(rod(3, {0, 0, 0.2}, 3 * 0.39 * 0.39)).empty());
}

TEST(PlausibleInertia, MassWithoutSize) {
  EXPECT_TRUE(mentions(suspicious_inertias(rod(3, {0, 0, 0.2}, 0)),
                       {"mass of 3 kg without size", "point mass"}));
  Spec sliding = rod(3, {0, 0, 0.2}, 0);  // never turns
  sliding.joints[0].kind = JointKind::prismatic;
  EXPECT_TRUE(suspicious_inertias(sliding).empty());
}

TEST(PlausibleInertia, CentreOfMassFarOutside) {
  EXPECT_TRUE(mentions(suspicious_inertias(rod(3, {0, 0, 200}, 0.04)),
                       {"centre of mass lies 200 m away", "0.4 m", "unit"}));
}

// what is welded together is one body: neither the heavy point nor the far frame is a mistake
TEST(PlausibleInertia, CountsWhatMovesTogether) {
  Spec spec = rod(3, {0, 0, 0.2}, 3 * 0.4 * 0.4 / 12);
  spec.add_body("sensor", 0.01, {}, {1e-3, 1e-3, 1e-3, 0, 0, 0});
  spec.add_joint("glue", JointKind::fixed, "rod", "sensor", {0, 0, 1},
                 {Mat3<double>::identity(), {0, 0, 0.4}});
  EXPECT_TRUE(suspicious_inertias(spec).empty());
  spec.joints.back().kind = JointKind::revolute;
  spec.bodies.back().inertia = Inertia<double>::from_com(0.01, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  EXPECT_TRUE(mentions(suspicious_inertias(spec), {"radius of gyration of 3.16 m"}));
}

TEST(PlausibleInertia, TheWristOfTheCollectionsArmAndNoOther) {
  const auto file = std::filesystem::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no robots beside the sources";
  const auto found = suspicious_inertias(load_spec((file / "ur5.urdf").string()));
  EXPECT_TRUE(mentions(found, {"'wrist_3_link'", "0.424 m", "0.0946 m", "0.1879 kg"}));
  for (const char* sane : {"panda.urdf", "iiwa14.urdf", "go2.urdf", "anymal_c.urdf", "husky.urdf",
                           "g1_29dof_with_hand.urdf", "romeo.urdf", "wam.urdf"})
    EXPECT_TRUE(suspicious_inertias(load_spec((file / sane).string())).empty()) << sane;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
