// What is read from good YAML texts: DH tables in both conventions, and lists of bodies and joints.
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/io/load.hpp>

#include "io/messages.hpp"

namespace LIMBER_TEST_FILE {

using limber::DofSpec;
using limber::JointKind;
using limber::JointSpec;
using limber::parse_yaml;
using limber::Spec;
using limber::Sym3;
using limber::Transform;
using limber::Vec3;

constexpr double pi = std::numbers::pi;

struct Matrix {
  double m[4][4];
};

// pose of the child body in the parent body with the joint at q; its axis is z
Matrix step(const JointSpec& joint, double q) {
  EXPECT_EQ(joint.axis.z, 1);
  Transform<double> motion;
  if (joint.kind == JointKind::revolute) motion.R = limber::rotation<double>({0, 0, 1}, q);
  else motion.p.z = q;
  const Transform<double> X = joint.placement * motion * joint.child_placement;
  Matrix result{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.m[i][j] = X.R.row(i)[j];
    result.m[i][3] = X.p[i];
  }
  result.m[3][3] = 1;
  return result;
}

void expect_near(const Matrix& actual, const Matrix& expected) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(actual.m[i][j], expected.m[i][j], 1e-14) << i << " " << j;
}

// link matrices as the textbooks print them
Matrix standard_dh(double theta, double d, double a, double alpha) {
  const double ct = std::cos(theta), st = std::sin(theta), ca = std::cos(alpha),
               sa = std::sin(alpha);
  return {{{ct, -st * ca, st * sa, a * ct},
           {st, ct * ca, -ct * sa, a * st},
           {0, sa, ca, d},
           {0, 0, 0, 1}}};
}
Matrix modified_dh(double theta, double d, double a, double alpha) {
  const double ct = std::cos(theta), st = std::sin(theta), ca = std::cos(alpha),
               sa = std::sin(alpha);
  return {{{ct, -st, 0, a},
           {st * ca, ct * ca, -sa, -d * sa},
           {st * sa, ct * sa, ca, d * ca},
           {0, 0, 0, 1}}};
}

TEST(DhTable, BothConventionsAgreeWithTheLinkMatrices) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int round = 0; round < 20; ++round) {
    const double theta = uniform(random), d = uniform(random), a = uniform(random),
                 alpha = uniform(random), offset = uniform(random), q = uniform(random);
    for (const char* convention : {"standard", "modified"})
      for (const char* kind : {"revolute", "prismatic"}) {
        const Spec spec =
            parse_yaml(fmt::format("convention: {}\njoints:\n- {{kind: {}, theta: {}, d: {}, a: "
                                   "{}, alpha: {}, offset: {}}}\n",
                                   convention, kind, theta, d, a, alpha, offset));
        const bool turns = std::string(kind) == "revolute";
        const double angle = theta + (turns ? q + offset : 0), slide = d + (turns ? 0 : q + offset);
        const bool standard = std::string(convention) == "standard";
        expect_near(step(spec.joints[0], q), standard ? standard_dh(angle, slide, a, alpha)
                                                      : modified_dh(angle, slide, a, alpha));
      }
  }
}

TEST(DhTable, NamesDefaultsAndParents) {
  const Spec spec = parse_yaml(
      "name: arm\nconvention: modified\ngravity: [0, 0, -1.62]\nbase: {mass: 3}\njoints:\n- {}\n"
      "- {name: elbow, link: forearm, alpha: -pi/2}\ntool: {name: gripper, xyz: [0, 0, 0.1], rpy: "
      "[0, 0, pi]}\n",
      "arm.yaml");
  EXPECT_EQ(spec.name, "arm");
  EXPECT_EQ(spec.gravity.z, -1.62);
  ASSERT_EQ(spec.bodies.size(), 3u);
  EXPECT_EQ(spec.bodies[0].name, "base");
  EXPECT_EQ(spec.bodies[0].inertia.m, 3);
  EXPECT_EQ(spec.bodies[1].name, "link1");
  EXPECT_EQ(spec.joints[0].name, "joint1");
  EXPECT_EQ(spec.joints[0].kind, JointKind::revolute);
  EXPECT_EQ(spec.joints[0].parent, "base");
  EXPECT_EQ(spec.joints[1].name, "elbow");
  EXPECT_EQ(spec.joints[1].parent, "link1");
  EXPECT_EQ(spec.joints[1].child, "forearm");
  EXPECT_EQ(to_string(spec.joints[1].source), "arm.yaml:7: joint 'elbow'");
  ASSERT_EQ(spec.frames.size(), 1u);
  EXPECT_EQ(spec.frames[0].name, "gripper");
  EXPECT_EQ(spec.frames[0].body, "forearm");
  EXPECT_NEAR(spec.frames[0].placement.R.xx, -1, 1e-15);
}

TEST(DhTable, InertiaIsAboutTheCentreOfMass) {
  const Spec spec = parse_yaml(
      "convention: standard\njoints:\n- {mass: 2, com: [0.1, 0.2, 0.3], inertia: [1, 2, 2.5, 0.1, "
      "0.2, 0.3]}\n"
      "- {mass: 1, inertia: [1, 2, 3]}\n");
  const Sym3<double> about_com = spec.bodies[1].inertia.rotational_about_com();
  EXPECT_NEAR(about_com.xx, 1, 1e-14);
  EXPECT_NEAR(about_com.yy, 2, 1e-14);
  EXPECT_NEAR(about_com.zz, 2.5, 1e-14);
  EXPECT_NEAR(about_com.xy, 0.1, 1e-14);
  EXPECT_NEAR(about_com.xz, 0.2, 1e-14);
  EXPECT_NEAR(about_com.yz, 0.3, 1e-14);
  EXPECT_NEAR(spec.bodies[1].inertia.com().y, 0.2, 1e-15);
  EXPECT_NEAR(spec.bodies[2].inertia.rotational().zz, 3, 1e-14);
}

TEST(DhTable, MotorFrictionIsBroughtToTheJoint) {
  const DofSpec dof =
      parse_yaml(
          "convention: standard\njoints:\n- limits: [-pi, pi]\n  velocity_limit: 2\n  "
          "effort_limit: 9\n"
          "  damping: 0.5\n  friction: 0.25\n  rotor_inertia: 2e-4\n  gear_ratio: -10\n"
          "  motor_damping: 1e-3\n  motor_friction: [0.3, 0.4]\n  stiffness: 7\n  "
          "spring_reference: 0.1\n")
          .joints[0]
          .dofs.at(0);
  EXPECT_EQ(dof.lower, -pi);
  EXPECT_EQ(dof.upper, pi);
  EXPECT_EQ(dof.velocity_limit, 2);
  EXPECT_EQ(dof.effort_limit, 9);
  EXPECT_EQ(dof.rotor_inertia, 2e-4);
  EXPECT_EQ(dof.gear_ratio, -10);
  EXPECT_NEAR(dof.damping, 0.5 + 100 * 1e-3, 1e-15);
  EXPECT_NEAR(dof.friction_positive, 0.25 + 10 * 0.3, 1e-15);
  EXPECT_NEAR(dof.friction_negative, 0.25 + 10 * 0.4, 1e-15);
  EXPECT_EQ(dof.stiffness, 7);
  EXPECT_EQ(dof.spring_reference, 0.1);
}

TEST(Tree, EveryKindAndItsOwnData) {
  const Spec spec = parse_yaml(R"(
name: r
bodies:
- {name: a, mass: 1}
- {name: b, shapes: [{kind: sphere, size: [0.2], role: collision}, {kind: mesh, file: x.stl}]}
joints:
- {name: j, kind: helical, parent: world, child: a, xyz: [1, 2, 3], rpy: [0, 0, pi/2], axis: [0, 1, 0], pitch: 0.02,
   mimic: {joint: k, multiplier: 2, offset: 1}}
- {name: k, kind: universal, parent: a, child: b, axis: [1, 0, 0], axis2: [0, 0, 1], dofs: [{damping: 1}, {damping: 2}]}
frames:
- {name: f, body: b, xyz: [0, 0, 1]}
- {name: g, body: world}
)");
  EXPECT_EQ(spec.joints[0].kind, JointKind::helical);
  EXPECT_EQ(spec.joints[0].parent, "");
  EXPECT_EQ(spec.joints[0].pitch, 0.02);
  EXPECT_EQ(spec.joints[0].placement.p.z, 3);
  EXPECT_NEAR(spec.joints[0].placement.R.yx, 1, 1e-15);
  EXPECT_EQ(spec.joints[0].axis.y, 1);
  EXPECT_EQ(spec.joints[0].mimic->joint, "k");
  EXPECT_EQ(spec.joints[0].mimic->multiplier, 2);
  EXPECT_EQ(spec.joints[0].mimic->offset, 1);
  EXPECT_EQ(spec.joints[1].kind, JointKind::universal);
  EXPECT_EQ(spec.joints[1].axis2.z, 1);
  ASSERT_EQ(spec.joints[1].dofs.size(), 2u);
  EXPECT_EQ(spec.joints[1].dofs[1].damping, 2);
  EXPECT_EQ(spec.bodies[1].shapes.at(0).size.x, 0.2);
  EXPECT_EQ(spec.bodies[1].shapes.at(0).role, limber::ShapeSpec::Role::collision);
  EXPECT_EQ(spec.bodies[1].shapes.at(1).mesh_file, "x.stl");
  EXPECT_EQ(spec.bodies[1].shapes.at(1).size.y, 1);
  EXPECT_EQ(spec.frames.at(0).body, "b");
  EXPECT_EQ(spec.frames.at(1).body, "");
}

TEST(Tree, RotorsAndActuators) {
  const Spec spec = parse_yaml(R"(
bodies: [{name: a}, {name: b}]
joints:
- {name: j, kind: revolute, parent: world, child: a, rotor_inertia: 0.1, rotor_mount: b, rotor_axis: [1, 0, 2]}
- {name: k, kind: universal, parent: a, child: b, axis: [1, 0, 0],
   actuation: [{moment: [1, 2, 3], force: [4, 5, 6]}, {moment: [0, pi, 0]}]}
)");
  const DofSpec& dof = spec.joints[0].dofs.at(0);
  EXPECT_EQ(dof.rotor_mount, "b");
  EXPECT_EQ(dof.rotor_axis.x, 1);
  EXPECT_EQ(dof.rotor_axis.z, 2);
  EXPECT_TRUE(spec.joints[0].actuation.empty());
  ASSERT_EQ(spec.joints[1].actuation.size(), 2u);
  EXPECT_EQ(spec.joints[1].actuation[0].angular.y, 2);
  EXPECT_EQ(spec.joints[1].actuation[0].linear.z, 6);
  EXPECT_EQ(spec.joints[1].actuation[1].angular.y, pi);
  EXPECT_EQ(spec.joints[1].actuation[1].linear.x, 0);
}

TEST(Tree, AllBuiltInKindsByName) {
  for (int i = 0; i < static_cast<int>(JointKind::custom); ++i) {
    const auto kind = static_cast<JointKind>(i);
    const std::string pitch = kind == JointKind::helical ? ", pitch: 0" : "";
    const Spec spec = parse_yaml(fmt::format(
        "bodies: [{{name: a}}]\njoints: [{{name: j, kind: {}, parent: world, child: a{}}}]",
        name(kind), pitch));
    EXPECT_EQ(spec.joints[0].kind, kind);
  }
}

}  // namespace LIMBER_TEST_FILE
