// Robots as SDF: by structure, and back with the same dynamics where Limber reads SDF.
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>

#include "io/messages.hpp"
#include "io/same_dynamics.hpp"

namespace LIMBER_TEST_FILE {

using limber::JointKind;
using limber::Loss;
using limber::RobotFormat;
using limber::Spec;
using limber::write_robot;
using limber::WrittenRobot;
using limber::test::error_of;
using limber::test::expect_same_dynamics;
using limber::test::expect_words;
using limber::test::is_listed;
using limber::test::keeps_dynamics;
using limber::test::random_robot;
using limber::test::text_of;

struct Document {
  explicit Document(const std::string& text) {
    EXPECT_EQ(xml.Parse(text.c_str()), tinyxml2::XML_SUCCESS) << text;
  }
  const tinyxml2::XMLElement* model() const {
    const tinyxml2::XMLElement* root = xml.RootElement();
    const tinyxml2::XMLElement* world = root->FirstChildElement("world");
    return (world ? world : root)->FirstChildElement("model");
  }
  const tinyxml2::XMLElement* named(const char* tag, const std::string& name) const {
    for (const auto* one = model()->FirstChildElement(tag); one; one = one->NextSiblingElement(tag))
      if (name == one->Attribute("name")) return one;
    return nullptr;
  }
  tinyxml2::XMLDocument xml;
};

std::string text_of_child(const tinyxml2::XMLElement* element, const char* tag) {
  const tinyxml2::XMLElement* child = element->FirstChildElement(tag);
  return child && child->GetText() ? child->GetText() : "";
}

Spec two_links() {
  Spec spec;
  spec.name = "two";
  spec.add_body("base", 1, {0, 0, 0.5}, {1, 2, 3, 0.1, 0.2, 0.3});
  spec.add_body("arm", 2, {}, {1, 1, 1, 0, 0, 0});
  limber::JointSpec& joint = spec.add_joint("elbow", JointKind::helical, "base", "arm", {0, 2, 0},
                                            limber::Transform<double>::translation({1, 2, 3}));
  joint.child_placement = limber::Transform<double>::translation({0, 0, 1});
  joint.pitch = 0.5;
  joint.dof() = {.lower = -1, .velocity_limit = 4, .damping = 0.1};
  return spec;
}

TEST(WriteSdf, LinksJointsAndPosesByTheSpecification) {
  const WrittenRobot written = write_robot(two_links(), RobotFormat::sdf);
  const Document document(written.text);
  EXPECT_STREQ(document.xml.RootElement()->Attribute("version"), "1.11");
  EXPECT_STREQ(document.model()->Attribute("name"), "two");
  const auto* arm = document.named("link", "arm");
  ASSERT_TRUE(arm);
  const auto* pose = arm->FirstChildElement("pose");
  EXPECT_STREQ(pose->Attribute("relative_to"), "base");
  EXPECT_STREQ(pose->GetText(), "1 2 4 0 0 0");
  const auto* inertial = document.named("link", "base")->FirstChildElement("inertial");
  EXPECT_EQ(text_of_child(inertial, "mass"), "1");
  EXPECT_EQ(text_of_child(inertial, "pose"), "0 0 0.5 0 0 0");
  EXPECT_EQ(text_of_child(inertial->FirstChildElement("inertia"), "iyz"), "0.3");
  // roots of Limber's are welded to the world, links of SDF without a joint would be free
  const auto* weld = document.named("joint", "base_fixed");
  ASSERT_TRUE(weld);
  EXPECT_STREQ(weld->Attribute("type"), "fixed");
  EXPECT_EQ(text_of_child(weld, "parent"), "world");
  const auto* elbow = document.named("joint", "elbow");
  ASSERT_TRUE(elbow);
  EXPECT_STREQ(elbow->Attribute("type"), "screw");
  EXPECT_EQ(text_of_child(elbow, "pose"), "0 0 -1 0 0 0");  // in the child
  EXPECT_NEAR(std::stod(text_of_child(elbow, "screw_thread_pitch")), 3.14159265358979, 1e-13);
  const auto* axis = elbow->FirstChildElement("axis");
  EXPECT_EQ(text_of_child(axis, "xyz"), "0 1 0");
  EXPECT_EQ(text_of_child(axis->FirstChildElement("limit"), "lower"), "-1");
  EXPECT_EQ(text_of_child(axis->FirstChildElement("limit"), "upper"), "");
  EXPECT_EQ(text_of_child(axis->FirstChildElement("limit"), "velocity"), "4");
  EXPECT_EQ(text_of_child(axis->FirstChildElement("dynamics"), "damping"), "0.1");
}

TEST(WriteSdf, FreeLinksFramesGravityAndLoops) {
  Spec spec = two_links();
  spec.gravity = {0, 0, -1.6};
  spec.add_joint("root", JointKind::free, "", "base");
  spec.add_body("tip", 0);
  spec.add_joint("tip_mount", JointKind::fixed, "arm", "tip", {0, 0, 1},
                 limber::Transform<double>::translation({0, 0, 2}));
  limber::LoopSpec pin;
  pin.name = "pin";
  pin.body_a = "base";
  pin.placement_a.p = {1, 2, 4};
  pin.body_b = "arm";
  limber::LoopSpec apart = pin;
  apart.name = "apart";
  apart.placement_a.p = {1, 2, 5};
  spec.loops = {pin, apart};
  const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
  const Document document(written.text);
  EXPECT_EQ(text_of_child(document.xml.RootElement()->FirstChildElement("world"), "gravity"),
            "0 0 -1.6");
  EXPECT_FALSE(document.named("joint", "base_fixed"));
  EXPECT_FALSE(document.named("joint", "root"));
  EXPECT_FALSE(document.named("link", "tip"));
  ASSERT_TRUE(document.named("frame", "tip"));
  EXPECT_STREQ(document.named("frame", "tip")->Attribute("attached_to"), "arm");
  EXPECT_EQ(text_of_child(document.named("frame", "tip"), "pose"), "0 0 2 0 0 0");
  ASSERT_TRUE(document.named("joint", "pin"));
  EXPECT_STREQ(document.named("joint", "pin")->Attribute("type"), "ball");
  using Kind = Loss::Kind;
  EXPECT_TRUE(is_listed(written.losses, Kind::dynamics, "loop 'apart'", "apart"));
  EXPECT_TRUE(is_listed(written.losses, Kind::description, "body 'tip'", "frame"));
  EXPECT_TRUE(is_listed(written.losses, Kind::description, "joint 'root'", "no name"));
  const Spec back = limber::parse_sdf(written.text);
  expect_same_dynamics(spec, back);
  EXPECT_EQ(back.gravity.z, -1.6);
  ASSERT_EQ(back.loops.size(), 1u);
  EXPECT_EQ(back.loops[0].kind, limber::LoopSpec::Kind::connect);
}

TEST(WriteSdf, CouplingsAreGearboxesWhereTheyFit) {
  Spec spec;
  for (const char* name : {"base", "a", "b"}) spec.add_body(name, 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("ja", JointKind::revolute, "base", "a", {0, 0, 2});
  spec.add_joint("jb", JointKind::revolute, "base", "b", {0, 1, 0});
  limber::LoopSpec gear;
  gear.name = "gear";
  gear.kind = limber::LoopSpec::Kind::coupling;
  gear.joint = "jb";
  gear.leader = "ja";
  gear.polynomial = {0, -3, 0, 0, 0};
  spec.loops = {gear};
  const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
  EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
  const Document document(written.text);
  const auto* joint = document.named("joint", "gear");
  ASSERT_TRUE(joint);
  EXPECT_STREQ(joint->Attribute("type"), "gearbox");
  EXPECT_EQ(text_of_child(joint, "gearbox_ratio"), "3");
  EXPECT_EQ(text_of_child(joint, "gearbox_reference_body"), "base");
  const Spec back = limber::parse_sdf(written.text);
  ASSERT_EQ(back.loops.size(), 1u);
  EXPECT_EQ(back.loops[0].joint, "jb");
  EXPECT_EQ(back.loops[0].polynomial, gear.polynomial);
  spec.loops[0].polynomial[2] = 1;  // no straight line
  EXPECT_TRUE(is_listed(write_robot(spec, RobotFormat::sdf).losses, Loss::Kind::dynamics,
                        "loop 'gear'", "left open"));
}

TEST(WriteSdf, ReservedAndSharedNamesAreChanged) {
  Spec spec = two_links();
  spec.bodies[1].name = spec.joints[0].child = "a::b ";
  spec.joints[0].name = "base";
  const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
  const Document document(written.text);
  EXPECT_TRUE(document.named("link", "a_b_"));
  EXPECT_TRUE(document.named("joint", "base_joint"));
  EXPECT_TRUE(is_listed(written.losses, Loss::Kind::description, "body 'a::b '", "a_b_"));
  EXPECT_TRUE(is_listed(written.losses, Loss::Kind::description, "joint 'base'", "base_joint"));
}

TEST(WriteSdf, WhatSdfLacksIsNamed) {
  Spec spec = limber::load_spec("every_joint");
  const std::vector<Loss> losses = write_robot(spec, RobotFormat::sdf).losses;
  EXPECT_TRUE(is_listed(losses, Loss::Kind::dynamics, "joint 'turn'", "rotor"));
  EXPECT_TRUE(is_listed(losses, Loss::Kind::description, "joint 'glide'", "planar"));
  spec.add_body("bird", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("soar", JointKind::free, "base", "bird");
  expect_words(error_of([&] { write_robot(spec, RobotFormat::sdf); }), {"joint 'soar'", "'base'"});
}

TEST(WriteSdf, ShippedAndRandomRobotsKeepTheirDynamics) {
  std::vector<Spec> robots;
  for (const char* robot :
       {"pendulum", "double_pendulum", "driven_pendulum", "arm7", "quadruped", "humanoid"})
    robots.push_back(limber::load_spec(robot));
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    robots.push_back(
        random_robot(seed, {JointKind::fixed, JointKind::revolute, JointKind::prismatic,
                            JointKind::helical, JointKind::cylindrical, JointKind::planar,
                            JointKind::universal, JointKind::spherical, JointKind::translation}));
    for (limber::JointSpec& joint :
         robots.back().joints)  // SDF has neither rotors nor friction there
      for (limber::DofSpec& dof : joint.dofs) {
        dof.rotor_inertia = 0;
        if (joint.kind == JointKind::spherical) dof = {};
      }
  }
  int compared = 0;
  for (const Spec& spec : robots) {
    SCOPED_TRACE(spec.name);
    const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
    EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
    // free links come last in SDF: the same robot, but with its variables in another order
    if (text_of(written.losses).find("come before") != std::string::npos) continue;
    ++compared;
    const Spec back = limber::parse_sdf(written.text);
    expect_same_dynamics(spec, back);
  }
  EXPECT_GE(compared, 25);
}

}  // namespace LIMBER_TEST_FILE
