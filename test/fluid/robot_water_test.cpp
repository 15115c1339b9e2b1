// The hydrodynamics of a robot from its shapes and its file.
#include <limber/fluid/robot_water.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "support/meshes.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi;

ShapeSpec shape_of(ShapeSpec::Kind kind, const Vec3<double>& size, ShapeSpec::Role role) {
  ShapeSpec shape;
  shape.kind = kind;
  shape.size = size;
  shape.role = role;
  return shape;
}
using Kind = ShapeSpec::Kind;
using Role = ShapeSpec::Role;

TEST(RobotWater, SumsTheShapesThatCount) {
  Spec spec;
  BodySpec hull = spec.add_body("hull", 1);
  hull.shapes = {shape_of(Kind::box, {9, 9, 9}, Role::visual),
                 shape_of(Kind::sphere, {0.1, 0, 0}, Role::collision),
                 shape_of(Kind::cylinder, {0.1, 1, 0}, Role::both),
                 shape_of(Kind::plane, {1, 1, 1}, Role::collision)};
  hull.shapes[1].placement.p = {0, 0, 3};
  spec.bodies[0] = hull;
  spec.add_body("arm", 1).shapes = {shape_of(Kind::box, {1, 1, 20}, Role::visual)};
  spec.add_body("bare", 1);
  const RobotWater water = robot_water(spec, {1000, 0.8, {}, {}});
  ASSERT_EQ(water.links.size(), 2U);
  const Hydrodynamics& sum = water.links[0].hydrodynamics;
  const double ball = 4 * pi / 3 * 1e-3, tube = pi * 0.01;
  EXPECT_NEAR(sum.displacement.volume, ball + tube, 1e-12);
  EXPECT_NEAR(sum.displacement.center.z, 3 * ball / (ball + tube), 1e-12);
  EXPECT_EQ(shape_displacement(hull).value().volume, sum.displacement.volume);
  EXPECT_FALSE(shape_displacement(spec.bodies[2]));
  // across: half of the ball and all of the strips; about x the ball counts with its distance
  EXPECT_NEAR(sum.added_mass.M.xx, 1000 * (ball / 2 + tube), 1e-9);
  EXPECT_NEAR(sum.added_mass.I.xx, 9 * 1000 * ball / 2 + 1000 * tube / 12 + 1000 * 16.0 / 45 * 1e-5,
              1e-9);
  EXPECT_EQ(sum.cylinders.size() + sum.surfaces.size(), 2U);
  EXPECT_EQ(sum.cylinders[0].coefficient, 0.8);
  EXPECT_EQ(defect_of(sum.hull), "");
  EXPECT_NEAR(displacement_of(sum.hull).volume, ball + tube, 1e-3);
  EXPECT_TRUE(mentions(water.notes, {"'hull'", "plane"}));
  // a long box by panels: between the square section's ρ·1.19·l² and nothing lost at the ends
  const double across = water.links[1].hydrodynamics.added_mass.M.xx / (1000 * 20);
  EXPECT_GT(across, 1.0);
  EXPECT_LT(across, 1.25);
}

TEST(RobotWater, AddedMassOfTheFileTakesItsPlace) {
  Spec spec;
  BodySpec& hull = spec.add_body("hull", 1);
  hull.shapes = {shape_of(Kind::sphere, {0.1, 0, 0}, Role::collision)};
  MarineMatrix& matrix = hull.hydrodynamics.emplace().added_mass.emplace();
  matrix = diagonal_matrix({5, 6, 7, 8, 9, 10});
  matrix[0][5] = matrix[5][0] = 1;
  const RobotWater water = robot_water(spec);
  const ArticulatedInertia<double>& B = water.links.at(0).hydrodynamics.added_mass;
  EXPECT_EQ(B.M.xx, 5);
  EXPECT_EQ(B.M.yy, 6);
  EXPECT_EQ(B.I.zz, 10);
  EXPECT_EQ((B * Motion<double>{{}, {1, 0, 0}}).angular.z, 1);
  EXPECT_GT(water.links[0].hydrodynamics.displacement.volume, 0);
}

TEST(RobotWater, NumbersOfTheFileWinAndTheRestComesFromShapes) {
  Spec spec;
  BodySpec& hull = spec.add_body("hull", 1);
  hull.shapes = {shape_of(Kind::sphere, {0.1, 0, 0}, Role::collision)};
  hull.shapes[0].placement.p = {1, 0, 0};
  HydrodynamicsSpec& given = hull.hydrodynamics.emplace();
  given.volume = 0.5;
  RobotWater water = robot_water(spec, {1000, 0.8, {}, {}});
  const double ball = 4 * pi / 3 * 1e-3;
  // all of the ball but its volume
  const Hydrodynamics& first = water.links.at(0).hydrodynamics;
  EXPECT_EQ(first.displacement.volume, 0.5);
  EXPECT_NEAR(first.displacement.center.x, 1, 1e-12);
  EXPECT_NEAR(first.added_mass.M.yy, 1000 * ball / 2, 1e-9);
  ASSERT_EQ(first.surfaces.size(), 1U);
  EXPECT_EQ(first.surfaces[0].coefficient, 0.8);
  EXPECT_TRUE(mentions(water.notes, {"'hull'", "volume as the file says",
                                     "added mass, drag, centre of buoyancy from its shapes"}));

  // damping is all of the drag, and the hull goes to the centre of buoyancy
  given.linear_damping = diagonal_matrix({1, 2, 3, 4, 5, 6});
  given.center_of_buoyancy = {1, 0, 0.25};
  water = robot_water(spec);
  const Hydrodynamics& second = water.links.at(0).hydrodynamics;
  EXPECT_TRUE(second.surfaces.empty());
  EXPECT_EQ(second.linear_damping, given.linear_damping);
  EXPECT_EQ(second.quadratic_damping, MarineMatrix{});
  EXPECT_NEAR(displacement_of(second.hull).center.z, 0.25, 1e-12);
  EXPECT_EQ(second.displacement.center.z, 0.25);

  // unless a coefficient is given as well
  given.drag_coefficient = 0.3;
  given.cylinders = {{{0, 0, 0}, {0, 0, 1}, 0.05, 1.2, 0.9, 0.01}};
  water = robot_water(spec);
  const Hydrodynamics& third = water.links.at(0).hydrodynamics;
  ASSERT_EQ(third.surfaces.size(), 1U);
  EXPECT_EQ(third.surfaces[0].coefficient, 0.3);
  ASSERT_EQ(third.cylinders.size(), 1U);
  EXPECT_EQ(third.cylinders[0].radius, 0.05);
  EXPECT_EQ(third.cylinders[0].coefficient, 1.2);
  EXPECT_EQ(third.cylinders[0].end_coefficient, 0.9);
  EXPECT_EQ(third.cylinders[0].skin_coefficient, 0.01);
  EXPECT_EQ(third.cylinders[0].end.z, 1);
  EXPECT_TRUE(mentions(water.notes, {"'hull'", "further drag from its shapes"}));
}

TEST(RobotWater, ALinkWithoutShapeHasWhatTheFileGives) {
  Spec spec;
  HydrodynamicsSpec& given = spec.add_body("hull", 1).hydrodynamics.emplace();
  given.added_mass = diagonal_matrix({1, 2, 3, 4, 5, 6});
  (*given.added_mass)[0][1] = 0.5;
  const RobotWater water = robot_water(spec);
  const Hydrodynamics& found = water.links.at(0).hydrodynamics;
  EXPECT_EQ(found.added_mass.M.xy, 0.25);  // the symmetric part
  EXPECT_EQ(found.displacement.volume, 0);
  EXPECT_TRUE(mentions(water.notes, {"hull", "symmetric"}));
  EXPECT_TRUE(mentions(water.notes, {"'hull'", "volume, centre of buoyancy zero", "no shape"}));
}

TEST(RobotWater, ReadsMeshesAndClosesThem) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("limber_water_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const Mesh& mesh) {
    std::ofstream(folder / name, std::ios::binary) << binary_stl(mesh);
  };
  Mesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  write("open.stl", open);
  write("ball.stl", ellipsoid({1, 1, 1}, 20, 24));
  Spec spec;
  for (const char* name : {"open", "ball", "missing"}) {
    ShapeSpec shape = shape_of(Kind::mesh, {0.5, 0.5, 0.5}, Role::collision);
    shape.mesh_file = std::string(name) + ".stl";
    spec.add_body(name, 1).shapes = {shape};
  }
  RobotWaterSettings settings;
  settings.density = 1000;
  settings.meshes = mesh_search((folder / "robot.urdf").string());
  settings.panels.panels = 300;
  const RobotWater water = robot_water(spec, settings);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(water.links.size(), 2U);
  EXPECT_NEAR(water.links[0].hydrodynamics.displacement.volume, 0.125, 1e-6);
  EXPECT_TRUE(mentions(water.notes, {"'open'", "convex hull", "not closed"}));
  EXPECT_TRUE(mentions(water.notes, {"'missing'", "missing.stl", "passed over"}));
  const double half = 1000 * 2 * pi / 3 * 0.125;
  EXPECT_NEAR(water.links[1].hydrodynamics.added_mass.M.zz / half, 1, 0.03);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
