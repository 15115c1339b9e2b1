// Vehicles of the field in water, where a collection lies beside the source tree.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include <limber/fluid/robot_water.hpp>
#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/messages.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;
const fs::path folder = fs::path(LIMBER_SOURCE_DIR) / ".." / "shared" / "robots" / "underwater";

Spec load(const char* file) { return load_spec((folder / file).string()); }
const BodySpec& body_of(const Spec& spec, const std::string& name) {
  for (const BodySpec& body : spec.bodies)
    if (body.name == name) return body;
  throw Error("there is no " + name);
}

// the numbers stand in the file; of the ellipsoid they are those of a published test of Gazebo
TEST(Collection, EllipsoidsHaveTheirAddedMass) {
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection beside the source tree";
  const Spec spec = load("added_mass_ellipsoids.sdf");
  const double density[] = {1, 0.1, 10};
  for (std::size_t k = 0; k < 3; ++k) {
    const MarineMatrix found = spec.bodies.at(k).hydrodynamics.value().added_mass.value();
    const std::array<double, 6> expected{236.14304779483277, 901.6370915802705,
                                         901.6370915802705,  0,
                                         64.40264939859075,  64.40264939859075};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        EXPECT_NEAR(found[i][j], i == j ? expected[i] * density[k] : 0, 1e-9);
  }
  EXPECT_TRUE(spec.warnings.empty()) << joined(spec.warnings);
}

TEST(Collection, BlueRovHeavyHasQuadraticDragAlone) {
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection beside the source tree";
  const Spec spec = load("bluerov2_heavy.sdf");
  const HydrodynamicsSpec& water = body_of(spec, "base_link").hydrodynamics.value();
  EXPECT_EQ(water.quadratic_damping, diagonal_matrix({58.42, 55.137, 124.818, 4, 4, 4}));
  EXPECT_EQ(water.linear_damping, MarineMatrix{});
  EXPECT_EQ(water.added_mass, MarineMatrix{});
  // its box is there for buoyancy: neutral in sea water to 4 %
  const RobotWater wet = robot_water(spec);
  const auto base = std::find_if(wet.links.begin(), wet.links.end(),
                                 [](const auto& link) { return link.link == "base_link"; });
  ASSERT_NE(base, wet.links.end());
  EXPECT_NEAR(base->hydrodynamics.displacement.volume, 0.457 * 0.575 * 0.05, 1e-12);
  EXPECT_TRUE(base->hydrodynamics.surfaces.empty());
}

TEST(Collection, RexRovIsDampedAsInGazebo) {
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection beside the source tree";
  const Spec spec = load("rexrov.sdf");
  const HydrodynamicsSpec& water = body_of(spec, "base_link").hydrodynamics.value();
  EXPECT_EQ(water.added_mass, diagonal_matrix({4.876161, 126.324739, 126.324739, 0, 33.46, 33.46}));
  EXPECT_EQ(water.linear_damping, diagonal_matrix({74.82, 69.48, 728.4, 268.8, 309.77, 105}));
  EXPECT_EQ(water.quadratic_damping,
            diagonal_matrix({748.22, 992.53, 1821.01, 672, 774.44, 523.27}));
  // and back, but for what SDF has no place for: nothing here
  const WrittenRobot written = write_robot(spec, RobotFormat::sdf);
  const Spec back = parse_sdf(written.text, "back.sdf");
  const HydrodynamicsSpec& again = body_of(back, "base_link").hydrodynamics.value();
  EXPECT_EQ(again.added_mass, water.added_mass);
  EXPECT_EQ(again.linear_damping, water.linear_damping);
  EXPECT_EQ(again.quadratic_damping, water.quadratic_damping);
}

TEST(Collection, BlueRovOfItsDerivativesIsOneBody) {
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection beside the source tree";
  const Spec spec = load("bluerov2.hydro.urdf");
  ASSERT_EQ(spec.bodies.size(), 1U);
  EXPECT_EQ(spec.bodies[0].inertia.m, 10);
  const HydrodynamicsSpec& water = spec.bodies[0].hydrodynamics.value();
  EXPECT_EQ(water.added_mass, diagonal_matrix({5.5, 12.7, 14.6, 0.12, 0.12, 0.12}));
  EXPECT_EQ(water.linear_damping, diagonal_matrix({4.03, 6.22, 5.18, 0.07, 0.07, 0.07}));
  EXPECT_EQ(water.quadratic_damping, diagonal_matrix({18.18, 21.66, 36.99, 1.55, 1.55, 1.55}));
  EXPECT_NEAR(water.volume.value() * 1025 * 9.81, 100.06, 1e-9);
}

// what xacro makes of the macro, in a plug-in of a robot
TEST(Collection, RexRovsMacroIsReadInItsAxes) {
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection beside the source tree";
  std::stringstream text;
  text << std::ifstream(folder / "rexrov_hydro.gazebo.xacro").rdbuf();
  const auto begin = text.str().find("<link name"), end = text.str().find("</link>");
  std::string link = text.str().substr(begin, end + 7 - begin);
  link = std::regex_replace(link, std::regex("\\$\\{namespace\\}"), "rexrov");
  link = std::regex_replace(link, std::regex("\\$\\{volume\\}"), "1.83826");
  link = std::regex_replace(link, std::regex("\\$\\{cob\\}"), "0.0 0.0 0.3");
  const Spec spec = parse_urdf(
      "<robot name='r'><link name='rexrov/base_link'><inertial><mass value='1862.87'/><inertia "
      "ixx='525.39' iyy='794.2' izz='691.23' ixy='1.44' ixz='33.41' iyz='2.6'/></inertial></link>"
      "<gazebo><plugin name='uuv_plugin' filename='libuuv_underwater_object_ros_plugin.so'>"
      "<fluid_density>1028.0</fluid_density>" +
          link + "</plugin></gazebo></robot>",
      "rexrov.urdf");
  const HydrodynamicsSpec& water = spec.bodies[0].hydrodynamics.value();
  EXPECT_EQ(water.volume, 1.83826);
  EXPECT_EQ(water.center_of_buoyancy.value().z, 0.3);
  EXPECT_EQ(water.linear_damping, diagonal_matrix({74.82, 69.48, 728.4, 268.8, 309.77, 105}));
  const MarineMatrix& B = water.added_mass.value();
  // x with y and z, and roll with pitch and yaw, change their sign with the axes; y with z does not
  EXPECT_EQ(B[0][0], 779.79);
  EXPECT_EQ(B[0][1], 6.8773);
  EXPECT_EQ(B[0][3], 8.5426);
  EXPECT_EQ(B[0][4], 165.54);
  EXPECT_EQ(B[1][2], 51.29);
  EXPECT_EQ(B[1][3], -409.44);
  EXPECT_EQ(B[2][4], -386.42);
  EXPECT_EQ(B[3][5], -21.019);
  EXPECT_NEAR(B[2][5], 10.7745, 1e-12);
  EXPECT_EQ(B[2][5], B[5][2]);
  expect_words(joined(spec.warnings), {"not symmetric", "row 3, column 6 is 10.774", "10.775"});
}

TEST(Collection, AnArmOnABlueRovKeepsItsNumbers) {
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection beside the source tree";
  const Spec spec = load("bluerov2_reach_alpha.urdf");
  // it names no water; shapes give it
  for (const BodySpec& body : spec.bodies) EXPECT_FALSE(body.hydrodynamics);
  EXPECT_GE(robot_water(spec).links.size(), 5U);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
