// The figure of a robot without shapes: checked against joint origins that forward kinematics
// gives.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <limber/dynamics/kinematics.hpp>
#include <limber/io/load.hpp>
#include <limber/model/joint_space.hpp>

#include "report/skeleton.hpp"

namespace limber {
namespace LIMBER_TEST_FILE {

using Shapes = std::vector<std::vector<ShapeSpec>>;
using Kind = ShapeSpec::Kind;

// ends of a capsule or drum along its z axis
std::pair<Vec3<double>, Vec3<double>> ends(const ShapeSpec& shape) {
  const Vec3<double> half = shape.placement.R.column(2) * (shape.size.y / 2);
  return {shape.placement.p - half, shape.placement.p + half};
}

bool touches(const std::vector<ShapeSpec>& shapes, const Vec3<double>& point) {
  for (const ShapeSpec& shape : shapes) {
    if (shape.kind != Kind::capsule) continue;
    const auto [from, to] = ends(shape);
    if (norm(from - point) < 1e-9 || norm(to - point) < 1e-9) return true;
  }
  return false;
}

std::size_t count(const std::vector<ShapeSpec>& shapes, Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(shapes.begin(), shapes.end(), [&](const auto& s) { return s.kind == kind; }));
}

// a chain of links of one kilogram: yaw, pitch, pitch with an offset along its axis, tool
Spec arm_spec() {
  Spec spec;
  spec.name = "arm";
  spec.add_body("base", 2);
  for (const char* name : {"shoulder", "upper", "fore"})
    spec.add_body(name, 1, {0, 0, 0.1}, {0.01, 0.01, 0.01});
  spec.add_joint("stand", JointKind::fixed, "", "base");
  spec.add_joint("yaw", JointKind::revolute, "base", "shoulder", {0, 0, 1},
                 Transform<double>::translation({0, 0, 0.3}));
  spec.add_joint("pitch", JointKind::revolute, "shoulder", "upper", {0, 1, 0},
                 Transform<double>::translation({0, 0, 0.1}));
  spec.add_joint("elbow", JointKind::revolute, "upper", "fore", {0, 1, 0},
                 Transform<double>::translation({0, 0.15, 0.4}));
  spec.frames.push_back({"tool", "fore", Transform<double>::translation({0, 0, 0.35}), {}});
  return spec;
}

TEST(Skeleton, CapsulesSpanTheJoints) {
  const Spec spec = arm_spec();
  const Model model = build(spec);
  const Shapes all = skeleton(spec, model, {});
  const auto shapes = [&](const char* body) {
    return all[static_cast<std::size_t>(model.body(body))];
  };
  ASSERT_EQ(all.size(), static_cast<std::size_t>(model.bodies()));
  EXPECT_TRUE(touches(shapes("shoulder"), {0, 0, 0}));
  EXPECT_TRUE(touches(shapes("shoulder"), {0, 0, 0.1}));
  // across to the elbow's axis first, then along it
  EXPECT_TRUE(touches(shapes("upper"), {0, 0, 0}));
  EXPECT_TRUE(touches(shapes("upper"), {0, 0, 0.4}));
  EXPECT_TRUE(touches(shapes("upper"), {0, 0.15, 0.4}));
  EXPECT_EQ(count(shapes("upper"), Kind::capsule), 2U);
  // the last link ends at its tool
  EXPECT_TRUE(touches(shapes("fore"), {0, 0, 0}));
  EXPECT_TRUE(touches(shapes("fore"), {0, 0, 0.35}));
  // a column and a plate in the world
  ASSERT_GE(count(all[0], Kind::cylinder), 2U);
  const auto [foot, head] = ends(all[0].front());
  EXPECT_NEAR(norm(foot), 0, 1e-12);
  EXPECT_NEAR(norm(head - Vec3<double>{0, 0, 0.3}), 0, 1e-12);
}

TEST(Skeleton, DrumsLieAlongTheAxesOfTurningJoints) {
  const Spec spec = arm_spec();
  const Model model = build(spec);
  const Shapes all = skeleton(spec, model, {});
  for (const char* body : {"upper", "fore"}) {
    const auto& shapes = all[static_cast<std::size_t>(model.body(body))];
    const auto drum = std::find_if(shapes.begin(), shapes.end(),
                                   [](const auto& s) { return s.kind == Kind::cylinder; });
    ASSERT_NE(drum, shapes.end()) << body;
    EXPECT_NEAR(std::abs(drum->placement.R.column(2).y), 1, 1e-12) << body;
    EXPECT_NEAR(norm(drum->placement.p), 0, 1e-12) << body;
  }
}

TEST(Skeleton, ALeafWithoutFramesReachesTwiceAsFarAsItsCentreOfMass) {
  Spec spec = arm_spec();
  spec.frames.clear();
  const Model model = build(spec);
  const auto shapes = skeleton(spec, model, {})[static_cast<std::size_t>(model.body("fore"))];
  EXPECT_TRUE(touches(shapes, {0, 0, 0}));
  EXPECT_TRUE(touches(shapes, {0, 0, 0.2}));
}

TEST(Skeleton, ASlideHasARailAlongItsRange) {
  Spec spec;
  spec.add_body("post", 1);
  spec.add_body("sledge", 1, {0, 0, 0.2}, {0.01, 0.01, 0.01});
  spec.add_joint("stand", JointKind::fixed, "", "post");
  JointSpec& joint = spec.add_joint("slide", JointKind::prismatic, "post", "sledge", {1, 0, 0},
                                    Transform<double>::translation({0, 0, 0.5}));
  joint.dof().lower = -0.3;
  joint.dof().upper = 0.5;
  const Model model = build(spec);
  const Shapes all = skeleton(spec, model, {});
  const auto rail =
      std::find_if(all[0].begin(), all[0].end(), [](const auto& s) { return s.kind == Kind::box; });
  ASSERT_NE(rail, all[0].end());
  EXPECT_NEAR(std::abs(rail->placement.R.column(2).x), 1, 1e-12);
  EXPECT_NEAR(rail->placement.p.x, 0.1, 1e-12);
  EXPECT_NEAR(rail->placement.p.z, 0.5, 1e-12);
  EXPECT_GE(rail->size.z, 0.8);
  EXPECT_LT(rail->size.z, 1.2);
}

TEST(Skeleton, AWheelIsADiscOfItsRadius) {
  Spec spec;
  const double r = 0.2, m = 3;
  spec.add_body("cart", 10, {}, {1, 1, 1});
  spec.add_body("wheel", m, {}, {m * r * r / 4, m * r * r / 2, m * r * r / 4});
  spec.add_joint("root", JointKind::free, "", "cart");
  spec.add_joint("hub", JointKind::revolute, "cart", "wheel", {0, 1, 0},
                 Transform<double>::translation({0.3, 0.3, 0}));
  const Model model = build(spec);
  const auto shapes = skeleton(spec, model, {})[static_cast<std::size_t>(model.body("wheel"))];
  ASSERT_FALSE(shapes.empty());
  EXPECT_EQ(shapes.front().kind, Kind::cylinder);
  EXPECT_NEAR(shapes.front().size.x, r, 1e-12);
}

TEST(Skeleton, FingersStayThinAndLimbsHaveColoursOfTheirOwn) {
  Spec spec;
  spec.add_body("trunk", 10, {}, {1, 1, 1});
  spec.add_joint("root", JointKind::free, "", "trunk");
  for (const std::string side : {"left", "right"}) {
    const double y = side == "left" ? 0.2 : -0.2;
    spec.add_body(side + " arm", 2, {0, 0, -0.2}, {0.05, 0.05, 0.01});
    spec.add_joint(side + " shoulder", JointKind::revolute, "trunk", side + " arm", {0, 1, 0},
                   Transform<double>::translation({0, y, 0.3}));
    for (const double x : {-0.02, 0.02}) {
      const std::string finger = side + (x < 0 ? " thumb" : " finger");
      spec.add_body(finger, 0.02, {0, 0, -0.02}, {1e-6, 1e-6, 1e-6});
      spec.add_joint(finger + " joint", JointKind::revolute, side + " arm", finger, {0, 1, 0},
                     Transform<double>::translation({x, 0, -0.4}));
    }
  }
  const Model model = build(spec);
  const Shapes all = skeleton(spec, model, {});
  const auto radius = [&](const std::string& body) {
    return all[static_cast<std::size_t>(model.body(body))].front().size.x;
  };
  const auto color = [&](const std::string& body) {
    return all[static_cast<std::size_t>(model.body(body))].front().color;
  };
  EXPECT_LT(radius("left finger"), 0.02);
  EXPECT_GT(radius("left arm"), 1.5 * radius("left finger"));
  EXPECT_NE(color("left arm"), color("right arm"));
  EXPECT_NE(color("left arm"), color("trunk"));
}

// every robot that ships, and where they are the files of others
class SkeletonOf : public testing::TestWithParam<std::string> {};

TEST_P(SkeletonOf, IsBoundedAndLeavesNobodyOut) {
  std::string name = GetParam();
  if (name.find('/') != std::string::npos) {
    name = (std::filesystem::path(LIMBER_SOURCE_DIR) / name).string();
    if (!std::filesystem::exists(name)) GTEST_SKIP() << name << " is not there";
  }
  const Spec spec = load_spec(name);
  const Model model = build(spec);
  const Shapes all = skeleton(spec, model, {});
  // how far joints are from each other, by forward kinematics
  Workspace ws(model);
  const Poses& bodies = forward_kinematics<double>(model, neutral_position(model), ws);
  double reach = 0;
  for (int b = 1; b < model.bodies(); ++b)
    for (int other = 1; other < model.bodies(); ++other)
      reach =
          std::max(reach, norm(body_pose(model, bodies, b).p - body_pose(model, bodies, other).p));
  for (int b = 1; b < model.bodies(); ++b) {
    const auto& shapes = all[static_cast<std::size_t>(b)];
    for (const ShapeSpec& shape : shapes) {
      EXPECT_TRUE(std::isfinite(norm(shape.placement.p)));
      EXPECT_GT(shape.size.x, 0);
      EXPECT_NE(shape.kind, Kind::mesh);
      if (shape.kind == Kind::capsule && reach > 0) {
        EXPECT_LT(shape.size.x, 0.15 * reach) << model.body_name[static_cast<std::size_t>(b)];
      }
    }
    for (const int child : model.children(b)) {
      if (model.is_rotor[static_cast<std::size_t>(child)]) continue;
      const double length = norm(body_pose(model, bodies, b).p - body_pose(model, bodies, child).p);
      if (length > 0.05 * reach) {
        EXPECT_FALSE(shapes.empty()) << model.body_name[static_cast<std::size_t>(b)];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, SkeletonOf,
                         testing::Values("puma560", "quadruped", "humanoid", "arm7", "every_joint",
                                         "pendulum", "double_pendulum", "driven_pendulum",
                                         "../shared/robots/ur5.urdf", "../shared/robots/panda.urdf",
                                         "../shared/robots/g1_29dof_with_hand.urdf",
                                         "../shared/robots/romeo.urdf",
                                         "../shared/robots/husky.urdf"),
                         [](const auto& test) {
                           std::string name = std::filesystem::path(test.param).stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
