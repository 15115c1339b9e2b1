// The robots that ship with Limber: complete, physically possible, and what their names promise.
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include <limber/dynamics/kinematics.hpp>
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
  // published inertias are warned of, see below
  if (GetParam() == "puma560" || GetParam() == "aquarobot") return;
  EXPECT_TRUE(model.warnings.empty()) << joined(model.warnings);
}

TEST_P(ShippedRobot, IsPhysicallyPossible) {
  for (const BodySpec& body : load_spec(GetParam()).bodies) {
    // of the Puma's first link only one number is known, the published moments of the third are not
    // possible
    if (GetParam() == "puma560" && (body.name == "link1" || body.name == "link3")) continue;
    // so are those of the Aquarobot's first links and feet
    if (GetParam() == "aquarobot" && (body.name.ends_with("hip") || body.name.ends_with("foot")))
      continue;
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
                                         "bicycle", "excavator", "closed_leg_biped", "plate",
                                         "aquarobot", "remus", "bluerov_arm", "tiburon"),
                         [](const auto& robot) { return robot.param; });

TEST(Robots, AquarobotHasItsPublishedMassesAndMotors) {
  const Model m = load("aquarobot");
  EXPECT_NEAR(m.mass(), 711.82, 1e-9);
  EXPECT_EQ(m.nv, 42);
  EXPECT_EQ(m.bodies(), 1 + 25);
  ASSERT_EQ(m.keyframes.size(), 1u);
  const std::vector<double>& q = m.keyframes[0].q;
  limber::Workspace ws(m);
  const limber::Poses& bodies = limber::forward_kinematics<double>(m, q, ws);
  for (int leg = 1; leg <= 6; ++leg) {
    const std::string name = "leg" + std::to_string(leg);
    const auto motor = [&](const char* joint) {
      return m.dof[m.v_index[m.body_of_joint(name + joint)]].rotor_inertia;
    };
    EXPECT_EQ(motor("_hip"), 5.3);
    EXPECT_EQ(motor("_knee1"), 148.5);
    EXPECT_EQ(motor("_knee2"), 66);
    // the soles stand on the ground, on a circle, each straight out of its side of the body
    const limber::Transform<double> sole = frame_pose(m, bodies, m.frame(name + "_sole"));
    EXPECT_NEAR(sole.p.z, 0, 1e-12);
    const double out = 0.375 + 0.2 + 0.52 * std::cos(8.21 * std::numbers::pi / 180);
    const double turn = (leg - 1) * std::numbers::pi / 3;
    EXPECT_NEAR(sole.p.x, out * std::cos(turn), 1e-9);
    EXPECT_NEAR(sole.p.y, out * std::sin(turn), 1e-9);
    EXPECT_NEAR(sole.R.zx, -1, 1e-12);  // and point down
  }
}

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
