// Links in water in SDF: Gazebo's plug-ins, with their signs, orders and axes; and back.
#include <algorithm>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/messages.hpp"
#include "io/same_dynamics.hpp"
#include "io/sdf_text.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::string plugin(const std::string& content, const std::string& link = "a") {
  return "<plugin filename='gz-sim-hydrodynamics-system' "
         "name='gz::sim::systems::Hydrodynamics'><link_name>" +
         link + "</link_name>" + content + "</plugin>";
}
Spec with_plugin(const std::string& content) {
  return sdf::parse(sdf::link_of("a") + sdf::link_of("b") + plugin(content));
}
HydrodynamicsSpec water_of(const Spec& spec, std::size_t body = 0) {
  return spec.bodies.at(body).hydrodynamics.value();
}
using Six = std::array<double, 6>;

TEST(HydrodynamicsSdf, DerivativesAreNegativeNumbers) {
  const Spec spec = with_plugin(
      "<xDotU>-1</xDotU><yDotV>-2</yDotV><zDotW>-3</zDotW><kDotP>-4</kDotP><mDotQ>-5</mDotQ>"
      "<nDotR>-6</nDotR><xU>-11</xU><yV>-12</yV><zW>-13</zW><kP>-14</kP><mQ>-15</mQ><nR>-16</nR>"
      "<xUabsU>-21</xUabsU><yVabsV>-22</yVabsV><zWabsW>-23</zWabsW><kPabsP>-24</kPabsP>"
      "<mQabsQ>-25</mQabsQ><nRabsR>-26</nRabsR>");
  const HydrodynamicsSpec water = water_of(spec);
  EXPECT_EQ(water.added_mass, diagonal_matrix({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(water.linear_damping, diagonal_matrix({11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(water.quadratic_damping, diagonal_matrix({21, 22, 23, 24, 25, 26}));
  EXPECT_FALSE(water.volume || water.center_of_buoyancy);
  EXPECT_FALSE(spec.bodies[1].hydrodynamics);
  EXPECT_TRUE(spec.warnings.empty()) << joined(spec.warnings);
}

TEST(HydrodynamicsSdf, CrossTermsHaveTheirRowAndColumn) {
  // force along y from yaw: row 2, column 6
  const HydrodynamicsSpec water =
      water_of(with_plugin("<yDotR>-7</yDotR><nDotV>-7</nDotV><yR>-8</yR><mWabsW>-9</mWabsW>"));
  MarineMatrix mass{}, linear{}, quadratic{};
  mass[1][5] = mass[5][1] = 7;
  linear[1][5] = 8;
  quadratic[4][2] = 9;
  EXPECT_EQ(water.added_mass, mass);
  EXPECT_EQ(water.linear_damping, linear);
  EXPECT_EQ(water.quadratic_damping, quadratic);
}

TEST(HydrodynamicsSdf, WhatThePluginDoesNotNameComesFromShapes) {
  const HydrodynamicsSpec water = water_of(with_plugin("<xU>-1</xU>"));
  EXPECT_TRUE(water.linear_damping);
  EXPECT_FALSE(water.added_mass || water.quadratic_damping);
  EXPECT_EQ(water_of(with_plugin("<xDotU>0</xDotU>")).added_mass, MarineMatrix{});
}

TEST(HydrodynamicsSdf, OlderVersionsWroteSquaresWithoutAbs) {
  const Spec old = with_plugin("<xUU>-6.2282</xUU>");
  EXPECT_EQ(water_of(old).quadratic_damping, diagonal_matrix({6.2282, 0, 0, 0, 0, 0}));
  expect_words(joined(old.warnings), {"<xUU>", "<xUabsU>", "older versions"});
  // beside the new name, and across axes, it is what new versions make of it
  const Spec both = with_plugin("<xUabsU>-1</xUabsU><xUU>-2</xUU><xVW>-3</xVW>");
  EXPECT_EQ(water_of(both).quadratic_damping, diagonal_matrix({1, 0, 0, 0, 0, 0}));
  expect_words(joined(both.warnings), {"<xUU> is not read", "<xVW> is not read", "drives"});
  expect_words(joined(with_plugin("<xUabsV>-1</xUabsV>").warnings),
               {"<xUabsV> is not read", "two different velocities"});
  EXPECT_TRUE(with_plugin("<xUabsV>0</xUabsV><xUU>0</xUU>").warnings.empty());
}

TEST(HydrodynamicsSdf, PositiveDerivativesAreWarnedOf) {
  const Spec spec = with_plugin("<xDotU>4</xDotU>\n<yV>5</yV>");
  EXPECT_EQ(water_of(spec).added_mass, diagonal_matrix({-4, 0, 0, 0, 0, 0}));
  EXPECT_EQ(water_of(spec).linear_damping, diagonal_matrix({0, -5, 0, 0, 0, 0}));
  expect_words(joined(spec.warnings),
               {"robot.sdf:1", "<xDotU> is positive", "−4 kg", "robot.sdf:2", "<yV> is positive"});
}

TEST(HydrodynamicsSdf, WhatBelongsToTheWaterIsNamed) {
  const Spec spec = with_plugin(
      "<xU>-1</xU><water_density>1025</water_density><default_current>1 0 0</default_current>"
      "<lookup_current_x>east</lookup_current_x><namespace>n</namespace>");
  expect_words(joined(spec.warnings),
               {"<default_current> is not read", "belongs to the water", "lookup_current_x"});
  expect_words(joined(spec.ignored), {"<water_density>, which belongs to the water"});
  EXPECT_TRUE(with_plugin("<xU>-1</xU><default_current>0 0 0</default_current>").warnings.empty());
}

TEST(HydrodynamicsSdf, AddedMassCanBeSwitchedOff) {
  const std::string off = "<disable_added_mass>true</disable_added_mass>",
                    without = "<disable_coriolis>1</disable_coriolis>";
  EXPECT_EQ(water_of(with_plugin("<xDotU>-1</xDotU>" + off + without)).added_mass, MarineMatrix{});
  EXPECT_TRUE(with_plugin("<xDotU>-1</xDotU>" + off + without).warnings.empty());
  expect_words(joined(with_plugin("<xDotU>-1</xDotU>" + off).warnings), {"Coriolis", "as well"});
  const Spec alone = with_plugin("<xDotU>-1</xDotU>" + without);
  EXPECT_EQ(water_of(alone).added_mass, diagonal_matrix({1, 0, 0, 0, 0, 0}));
  expect_words(joined(alone.warnings), {"<disable_coriolis> is not read"});

  // beside <fluid_added_mass>: Gazebo counts both, unless the plug-in's is off
  const auto both = [](const std::string& more) {
    return sdf::parse(
        "<link name='a'><inertial><mass>1</mass><inertia><ixx>1</ixx></inertia><fluid_added_mass>"
        "<xx>10</xx><yq>2</yq></fluid_added_mass></inertial></link>" +
        plugin("<xDotU>-1</xDotU>" + more));
  };
  MarineMatrix expected = diagonal_matrix({11, 0, 0, 0, 0, 0});
  expected[1][4] = expected[4][1] = 2;
  EXPECT_EQ(water_of(both("")).added_mass, expected);
  expect_words(joined(both("").warnings), {"Gazebo adds both"});
  expected[0][0] = 10;
  EXPECT_EQ(water_of(both(off + without)).added_mass, expected);
}

TEST(HydrodynamicsSdf, PluginsOfOneLinkAddUp) {
  const Spec spec = sdf::parse(sdf::link_of("a") + plugin("<xU>-1</xU>") + plugin("<xU>-2</xU>"));
  EXPECT_EQ(water_of(spec).linear_damping, diagonal_matrix({3, 0, 0, 0, 0, 0}));
}

TEST(HydrodynamicsSdf, LinksOfNestedModelsAreFound) {
  const Spec spec = sdf::parse("<model name='inner'>" + sdf::link_of("a") + plugin("<xU>-1</xU>") +
                               "</model>" + plugin("<yV>-2</yV>", "inner::a"));
  EXPECT_EQ(water_of(spec).linear_damping, diagonal_matrix({1, 2, 0, 0, 0, 0}));
}

TEST(HydrodynamicsSdf, BadPluginsAreNamed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {plugin("<xU>nan</xU>"), {"robot.sdf:1", "Hydrodynamics", "<xU>nan</xU>", "finite"}},
      {plugin("<xU>-1 -2</xU>"), {"<xU>-1 -2</xU>", "one finite number"}},
      {plugin("<xU>-1</xU><xU>-1</xU>"), {"a second <xU>"}},
      {plugin("<disable_coriolis>maybe</disable_coriolis>"), {"neither true nor false"}},
      {plugin("<default_current>1 2</default_current>"), {"default_current", "2 numbers", "3"}},
      {plugin("", "aa"), {"'aa' does not exist", "'a'"}},
      {"<plugin name='ignition::gazebo::systems::Hydrodynamics' filename='x'/>", {"<link_name>"}}};
  for (const auto& [text, words] : cases) {
    SCOPED_TRACE(text);
    expect_words(error_of([&text = text] { sdf::parse(sdf::link_of("a") + text); }), words);
  }
  expect_words(joined(with_plugin("<xUabs>1</xUabs><link_nam>a</link_nam>").warnings),
               {"unknown element <xUabs>", "did you mean 'link_name'"});
  const std::string many(100000, '7');
  const std::string error =
      error_of([&] { with_plugin("<default_current>" + many + " 1</default_current>"); });
  EXPECT_LT(error.size(), 400U);
}

TEST(HydrodynamicsSdf, BuoyancyConcernsLinksThatItIsEnabledFor) {
  const auto world = [](const std::string& content) {
    return parse_sdf(
        "<sdf version='1.9'><world name='w'><plugin name='gz::sim::systems::Buoyancy' "
        "filename='gz-sim-buoyancy-system'>" +
            content + "</plugin><plugin name='p' filename='other'/><model name='m'>" +
            sdf::link_of("a") + sdf::link_of("b") + "</model><model name='n'>" + sdf::link_of("a") +
            "</model></world></sdf>",
        "sea.sdf");
  };
  const Spec all = world("<uniform_fluid_density>1025</uniform_fluid_density>");
  for (const BodySpec& body : all.bodies) EXPECT_FALSE(body.hydrodynamics);
  expect_words(joined(all.ignored), {"<uniform_fluid_density>", "<plugin> in <world>"});
  const Spec some = world("<enable>m::b</enable><enable>n</enable>");
  EXPECT_EQ(water_of(some, 0).volume, 0);
  EXPECT_FALSE(some.bodies[1].hydrodynamics || some.bodies[2].hydrodynamics);
  expect_words(joined(world("<graded_buoyancy/>").warnings), {"<graded_buoyancy> is not read"});
}

// what moves a vehicle is named with the place where it stands here
TEST(HydrodynamicsSdf, ThrustersAndFinsBelongToScenarios) {
  const auto plugin = [](const std::string& name) {
    return "<plugin filename='gz-sim' name='gz::sim::systems::" + name + "'/>";
  };
  const Spec spec =
      parse_sdf("<sdf version='1.9'><model name='m'>" + sdf::link_of("a") + plugin("Thruster") +
                    plugin("Thruster") + plugin("LiftDrag") + plugin("Imu") + "</model></sdf>",
                "rov.sdf");
  EXPECT_EQ(spec.ignored.size(), 3U);
  expect_words(joined(spec.ignored),
               {"Thruster", "`thrusters` (and 1 more like this)", "LiftDrag", "`fins`"});
}

// --- uuv_simulator ---

std::string uuv(const std::string& link) {
  return "<plugin name='uuv_plugin' filename='libuuv_underwater_object_ros_plugin.so'>"
         "<fluid_density>1000</fluid_density><link name='a'>" +
         link + "</link></plugin>";
}
std::string fossen(const std::string& content) {
  return "<hydrodynamic_model><type>fossen</type>" + content + "</hydrodynamic_model>";
}

TEST(HydrodynamicsSdf, UuvSimulatorIsReadInItsAxes) {
  MarineMatrix Ma{}, D{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      Ma[i][j] = 10.0 * static_cast<double>(std::min(i, j)) + static_cast<double>(i + j + 1);
      D[i][j] = -1.0 - static_cast<double>(6 * i + j);
    }
  const auto text = [](const MarineMatrix& m) {
    std::string all;
    for (const double x : numbers_of(m)) all += std::to_string(x) + " ";
    return all;
  };
  const Spec spec = sdf::parse(
      sdf::link_of("a") +
      uuv("<volume>0.5</volume><center_of_buoyancy>0 0 0.3</center_of_buoyancy>" +
          fossen("<added_mass>" + text(Ma) + "</added_mass><linear_damping>" + text(D) +
                 "</linear_damping><quadratic_damping>-1 -2 -3 -4 -5 -6</quadratic_damping>")));
  const HydrodynamicsSpec water = water_of(spec);
  EXPECT_EQ(water.volume, 0.5);
  EXPECT_EQ(water.center_of_buoyancy.value().z, 0.3);
  EXPECT_EQ(water.quadratic_damping, diagonal_matrix({1, 2, 3, 4, 5, 6}));

  // what uuv_simulator does: to axes y right, z down, f = −Ma a − D v there with D = −(the file's
  // numbers), and back
  const auto turned = [](const Six& x) { return Six{x[0], -x[1], -x[2], x[3], -x[4], -x[5]}; };
  const auto times = [](const MarineMatrix& m, const Six& x) {
    Six y{};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) y[i] += m[i][j] * x[j];
    return y;
  };
  const Six motion{0.3, -0.7, 1.1, 0.2, 0.9, -1.3};
  const Six mass = turned(times(Ma, turned(motion))), damping = turned(times(D, turned(motion)));
  const Six our_mass = times(water.added_mass.value(), motion),
            our_damping = times(water.linear_damping.value(), motion);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(our_mass[k], mass[k], 1e-12);
    EXPECT_NEAR(our_damping[k], -damping[k], 1e-12);
  }
}

TEST(HydrodynamicsSdf, UuvSimulatorsOtherElements) {
  const auto read = [](const std::string& link) {
    return sdf::parse(sdf::link_of("a") + uuv(link));
  };
  // neutral: as heavy as the water, by the density of the file
  EXPECT_DOUBLE_EQ(water_of(read("<neutrally_buoyant>1</neutrally_buoyant>")).volume.value(), 1e-3);
  EXPECT_EQ(water_of(read("<volume>2</volume>")).center_of_buoyancy.value().z, 0);
  const Spec type = read(
      "<hydrodynamic_model type='fossen'><quadratic_damping>-1 0 0 0 0 0"
      "</quadratic_damping></hydrodynamic_model>");
  EXPECT_EQ(water_of(type).quadratic_damping, diagonal_matrix({1, 0, 0, 0, 0, 0}));
  expect_words(
      joined(read("<hydrodynamic_model><type>sphere</type></hydrodynamic_model>").warnings),
      {"'sphere' is not read", "'fossen'"});
  expect_words(joined(read(fossen("<linear_damping>1 0 0 0 0 0</linear_damping>")).warnings),
               {"positive", "<linear_damping>"});
  expect_words(joined(read(fossen("<linear_damping_forward_speed>1 0 0 0 0 0"
                                  "</linear_damping_forward_speed>"))
                          .warnings),
               {"<linear_damping_forward_speed> is not read"});
  std::string full = "-1";
  for (int k = 1; k < 36; ++k) full += " -1";
  const Spec all = read(fossen("<quadratic_damping>" + full + "</quadratic_damping>"));
  EXPECT_EQ(water_of(all).quadratic_damping, diagonal_matrix({1, 1, 1, 1, 1, 1}));
  expect_words(joined(all.warnings), {"the diagonal is taken"});
  // Gazebo classic's own
  const Spec classic = sdf::parse(
      sdf::link_of("a") +
      "<plugin name='b' filename='libBuoyancyPlugin.so'><link name='a'><center_of_volume>1 2 3"
      "</center_of_volume><volume>4</volume></link></plugin>");
  EXPECT_EQ(water_of(classic).volume, 4);
  EXPECT_EQ(water_of(classic).center_of_buoyancy.value().y, 2);
  // forces at a centre of mass that is elsewhere
  const Spec heavy = sdf::parse(
      "<link name='a'><inertial><pose>0 0 1 0 0 0</pose><mass>1</mass><inertia><ixx>1</ixx>"
      "</inertia></inertial></link>" +
      uuv("<volume>1</volume>"));
  expect_words(joined(heavy.warnings), {"centre of mass", "about the link's origin"});
}

TEST(HydrodynamicsSdf, BadUuvNumbersAreNamed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {uuv("<volume>-1</volume>"), {"<volume> is negative"}},
      {uuv("<volume>inf</volume>"), {"<volume>inf</volume>", "finite"}},
      {uuv("<center_of_buoyancy>1 2</center_of_buoyancy>"), {"2 numbers, 3 expected"}},
      {uuv(fossen("<added_mass>1 2 3 4 5 6</added_mass>")), {"6 numbers, 36 expected"}},
      {uuv(fossen("<linear_damping>1 2</linear_damping>")), {"2 numbers, 36 expected"}},
      {uuv(fossen("<linear_damping>1 2 3 4 5 nan</linear_damping>")), {"'nan'"}},
      {"<plugin name='u' filename='libuuv_underwater_object_plugin.so'><link name='z'/></plugin>",
       {"'z' does not exist"}},
      {"<plugin name='u' filename='libuuv_underwater_object_plugin.so'><fluid_density>0"
       "</fluid_density></plugin>",
       {"<fluid_density>", "positive"}}};
  for (const auto& [text, words] : cases) {
    SCOPED_TRACE(text);
    expect_words(error_of([&text = text] { sdf::parse(sdf::link_of("a") + text); }), words);
  }
}

// --- back ---

TEST(HydrodynamicsSdf, MatricesComeBackAndTheRestIsListed) {
  Spec spec;
  spec.name = "rov";
  spec.add_body("hull", 1, {}, {1, 1, 1, 0, 0, 0});
  spec.add_joint("root", JointKind::free, "", "hull");
  HydrodynamicsSpec& water = spec.bodies[0].hydrodynamics.emplace();
  MarineMatrix &mass = water.added_mass.emplace(), &linear = water.linear_damping.emplace(),
               &quadratic = water.quadratic_damping.emplace();
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      mass[i][j] = 0.1 + 1.0 / static_cast<double>(1 + i * j + i + j);
      linear[i][j] = 0.7 + static_cast<double>(i) / 3 - static_cast<double>(j) / 7;
      quadratic[i][j] = i + j == 4 ? 0 : 0.3 * static_cast<double>(i) + static_cast<double>(j);
    }
  WrittenRobot written = write_robot(spec, RobotFormat::sdf);
  EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
  const Spec back = parse_sdf(written.text, "back.sdf");
  EXPECT_EQ(back.bodies[0].hydrodynamics.value().added_mass, mass);
  EXPECT_EQ(back.bodies[0].hydrodynamics.value().linear_damping, linear);
  EXPECT_EQ(back.bodies[0].hydrodynamics.value().quadratic_damping, quadratic);

  // volume and centre by Gazebo classic's plug-in, the one without the other too
  water.volume = 1.0 / 3;
  const auto again = [&] {
    return parse_sdf(write_robot(spec, RobotFormat::sdf).text, "again.sdf").bodies[0].hydrodynamics;
  };
  EXPECT_EQ(again().value().volume, 1.0 / 3);
  EXPECT_FALSE(again().value().center_of_buoyancy);
  water.center_of_buoyancy = {0.1, 0.2, 1};
  EXPECT_EQ(again().value().center_of_buoyancy.value().y, 0.2);
  written = write_robot(spec, RobotFormat::sdf);
  EXPECT_TRUE(keeps_dynamics(written.losses));
  expect_words(text_of(written.losses), {"body 'hull'", "Gazebo classic", "collision shapes"});

  water.drag_coefficient = 1;
  water.cylinders = {{{}, {1, 0, 0}, 1}};
  written = write_robot(spec, RobotFormat::sdf);
  EXPECT_FALSE(keeps_dynamics(written.losses));
  expect_words(text_of(written.losses),
               {"dynamics: body 'hull'", "cylinders for drag", "drag coefficient", "SDF"});
  const std::string lost = text_of(write_robot(spec, RobotFormat::mjcf).losses);
  expect_words(lost, {"added mass", "damping in water", "displaced volume", "MJCF"});
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
