// The robots that ship with Limber: complete, physically possible, and what their names promise.
#include <set>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::BodySpec;
using limber::DofSpec;
using limber::InertiaDefect;
using limber::JointKind;
using limber::JointSpec;
using limber::load;
using limber::load_spec;
using limber::Model;
using limber::ShapeSpec;
using limber::Spec;
using limber::test::joined;

class ShippedRobot : public testing::TestWithParam<std::string> {};

TEST_P(ShippedRobot, LoadsWithoutWarnings) {
  const Model model = load(GetParam());
  EXPECT_EQ(model.name, GetParam());
  EXPECT_GT(model.nv, 0);
  EXPECT_EQ(model.singular_reason, "");
  if (GetParam() == "puma560") return;  // its published inertias are warned of, see below
  EXPECT_TRUE(model.warnings.empty()) << joined(model.warnings);
}

TEST_P(ShippedRobot, IsPhysicallyPossible) {
  for (const BodySpec& body : load_spec(GetParam()).bodies) {
    // of the Puma's first link only one number is known, the published moments of the third are not
    // possible
    if (GetParam() == "puma560" && (body.name == "link1" || body.name == "link3")) continue;
    EXPECT_EQ(physical_defect(body.inertia), InertiaDefect::none) << body.name;
  }
}

TEST_P(ShippedRobot, CanBeSeen) {
  for (const BodySpec& body : load_spec(GetParam()).bodies)
    EXPECT_TRUE(body.inertia.m == 0 || !body.shapes.empty()) << body.name;
}

INSTANTIATE_TEST_SUITE_P(Robots, ShippedRobot,
                         testing::Values("pendulum", "double_pendulum", "puma560", "arm7",
                                         "quadruped", "humanoid", "every_joint", "four_bar",
                                         "slider_crank", "five_bar", "squeezer", "bricard",
                                         "stewart_platform", "delta_robot", "three_finger_hand",
                                         "bicycle", "excavator", "closed_leg_biped", "plate"),
                         [](const auto& robot) { return robot.param; });

TEST(Robots, PendulumIsAUniformRod) {
  for (const char* name : {"pendulum", "double_pendulum"})
    for (const BodySpec& body : load_spec(name).bodies) {
      if (body.inertia.m == 0) continue;
      const ShapeSpec& rod = body.shapes.at(0);
      ASSERT_EQ(rod.kind, ShapeSpec::Kind::cylinder);
      const double r = rod.size.x, l = rod.size.y;
      EXPECT_EQ(body.inertia.m, 1);
      EXPECT_EQ(l, 1);
      EXPECT_NEAR(body.inertia.com().z, -l / 2, 1e-15);
      EXPECT_NEAR(body.inertia.rotational_about_com().xx, (3 * r * r + l * l) / 12, 1e-10);
      EXPECT_NEAR(body.inertia.rotational_about_com().zz, r * r / 2, 1e-12);
    }
}

TEST(Robots, FreedomsOfTheLargeOnes) {
  EXPECT_EQ(load("arm7").nv, 7);
  EXPECT_EQ(load("quadruped").nv, 18);
  EXPECT_EQ(load("quadruped").nq, 19);
  EXPECT_EQ(load("humanoid").nv, 37);
  EXPECT_EQ(load("humanoid").kind[1], JointKind::free);
}

TEST(Robots, LeftAndRightAreMirrorImages) {
  const Spec spec = load_spec("humanoid");
  auto body = [&](const std::string& name) {
    for (const BodySpec& b : spec.bodies)
      if (b.name == name) return b;
    ADD_FAILURE() << name;
    return BodySpec{};
  };
  for (const BodySpec& left : spec.bodies) {
    if (left.name.rfind("left_", 0) != 0) continue;
    const BodySpec right = body("right_" + left.name.substr(5));
    EXPECT_EQ(left.inertia.m, right.inertia.m) << left.name;
    EXPECT_NEAR(left.inertia.h.y, -right.inertia.h.y, 1e-12) << left.name;
    EXPECT_NEAR(left.inertia.J.xx, right.inertia.J.xx, 1e-12) << left.name;
    EXPECT_NEAR(left.inertia.J.xy, -right.inertia.J.xy, 1e-12) << left.name;
  }
}

TEST(Robots, EveryJointHasEveryKindOfAFile) {
  std::set<JointKind> kinds;
  for (const JointSpec& joint : load_spec("every_joint").joints) kinds.insert(joint.kind);
  EXPECT_EQ(kinds.size(), static_cast<std::size_t>(JointKind::custom));
}

// Corke and Armstrong-Helouvry 1994: friction at the joint is G² B and |G| Tc
TEST(Robots, PumaMotorsAtTheJoint) {
  const Spec spec = load_spec("puma560");
  const DofSpec& waist = spec.joints.at(0).dofs.at(0);
  EXPECT_NEAR(waist.damping, 62.6111 * 62.6111 * 1.48e-3, 1e-12);
  EXPECT_NEAR(waist.friction_positive, 62.6111 * 0.395, 1e-12);
  EXPECT_NEAR(waist.friction_negative, 62.6111 * 0.435, 1e-12);
  EXPECT_EQ(waist.rotor_inertia, 200e-6);
  double mass = 0;
  for (const BodySpec& body : spec.bodies) mass += body.inertia.m;
  EXPECT_NEAR(mass, 17.4 + 4.8 + 0.82 + 0.34 + 0.09, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
