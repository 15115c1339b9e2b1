// Links in water in URDF, plug-ins in <gazebo> and <hydrodynamics>, and in MJCF.
#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>

#include "io/messages.hpp"
#include "io/same_dynamics.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::string links =
    "<link name='rov/hull'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
    "ixz='0' iyz='0'/></inertial></link><link name='arm'/>"
    "<joint name='j' type='fixed'><parent link='rov/hull'/><child link='arm'/></joint>";
Spec read(const std::string& content) {
  return parse_urdf("<robot name='rov'>" + content + "</robot>", "rov.urdf");
}
HydrodynamicsSpec water_of(const Spec& spec, std::size_t body = 0) {
  return spec.bodies.at(body).hydrodynamics.value();
}

TEST(HydrodynamicsUrdf, PluginsOfGazeboAreRead) {
  const Spec spec = read(
      links +
      "<gazebo><plugin name='gz::sim::systems::Hydrodynamics' filename='x'><link_name>arm"
      "</link_name><xDotU>-3</xDotU></plugin></gazebo>"
      "<gazebo><plugin name='uuv_plugin' filename='libuuv_underwater_object_ros_plugin.so'>"
      "<fluid_density>1028.0</fluid_density><link name='rov/hull'><volume>1.5</volume>"
      "<hydrodynamic_model><type>fossen</type><linear_damping>-1 -2 -3 -4 -5 -6</linear_damping>"
      "</hydrodynamic_model></link></plugin></gazebo><gazebo><plugin name='p'/></gazebo>");
  EXPECT_EQ(water_of(spec, 1).added_mass, diagonal_matrix({3, 0, 0, 0, 0, 0}));
  EXPECT_EQ(water_of(spec).volume, 1.5);
  EXPECT_EQ(water_of(spec).linear_damping, diagonal_matrix({1, 2, 3, 4, 5, 6}));
  expect_words(joined(spec.ignored), {"<gazebo> in <robot>"});
  expect_words(error_of([] {
                 read(links +
                      "<gazebo><plugin name='u' filename='libuuv_underwater_object_plugin.so'>"
                      "<link name='rov/hul'/></plugin></gazebo>");
               }),
               {"rov.urdf:1", "no link 'rov/hul'", "did you mean 'rov/hull'"});
  expect_words(error_of([] {
                 read(links +
                      "<gazebo><plugin name='u' filename='libuuv_underwater_object_plugin.so'>"
                      "<link name='arm'><volume>${volume}</volume></link></plugin></gazebo>");
               }),
               {"${volume}"});
}

const std::string fossen =
    "<hydrodynamics><inertial><mass value='10'/><inertia ixx='0.1' iyy='0.2' izz='0.3'/>"
    "<center_of_gravity x='0' y='0' z='0.5'/><added_mass Xdu='-1' Ydv='-2' Zdw='-3' Kdp='-4' "
    "Mdq='-5' Ndr='-6'/></inertial><damping><linear Xu='-11' Yv='-12' Zw='-13' Kp='-14' Mq='-15' "
    "Nr='-16'/><quadratic Xuu='-21' Yvv='-22' Zww='-23' Kpp='-24' Mqq='-25' Nrr='-26'/></damping>"
    "<hydrostatics><buoyancy value='100.5525'/><center_of_buoyancy x='1' y='2' z='3'/>"
    "</hydrostatics></hydrodynamics>";

void expect_fossen(const HydrodynamicsSpec& water) {
  EXPECT_EQ(water.added_mass, diagonal_matrix({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(water.linear_damping, diagonal_matrix({11, 12, 13, 14, 15, 16}));
  EXPECT_EQ(water.quadratic_damping, diagonal_matrix({21, 22, 23, 24, 25, 26}));
  EXPECT_NEAR(water.volume.value(), 0.01, 1e-12);  // 100.5525 N / (1025 kg/m³ · 9.81 m/s²)
  EXPECT_EQ(water.center_of_buoyancy.value().z, 3);
}

TEST(HydrodynamicsUrdf, AnElementOfItsOwnIsThatOfTheRoot) {
  const Spec with_links = read(links + fossen);
  expect_fossen(water_of(with_links));
  EXPECT_EQ(with_links.bodies[0].inertia.m, 1);
  EXPECT_FALSE(with_links.bodies[1].hydrodynamics);
  expect_words(joined(with_links.ignored), {"<mass> in <hydrodynamics>"});
  // a file of nothing else is a robot of one body
  const Spec alone = read(fossen);
  ASSERT_EQ(alone.bodies.size(), 1U);
  EXPECT_EQ(alone.bodies[0].name, "rov");
  EXPECT_EQ(alone.bodies[0].inertia.m, 10);
  EXPECT_EQ(alone.bodies[0].inertia.com().z, 0.5);
  EXPECT_NEAR(alone.bodies[0].inertia.rotational_about_com().yy, 0.2, 1e-12);
  expect_fossen(water_of(alone));
  expect_words(joined(alone.warnings), {"no <link>", "one body 'rov'", "100.552 N", "0.01 m³"});
  EXPECT_EQ(build(alone).bodies(), 1);
}

TEST(HydrodynamicsUrdf, BadElementsAreNamed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"<hydrodynamics/>", {"no <link>", "<mass>"}},
      {links + "<hydrodynamics><hydrostatics><buoyancy value='-1'/></hydrostatics></hydrodynamics>",
       {"hydrodynamics", "<buoyancy value=\"-1\"> is negative"}},
      {links + "<hydrodynamics><damping><linear Xu='nan'/></damping></hydrodynamics>",
       {"Xu=\"nan\"", "finite"}},
      {links + "<hydrodynamics/><hydrodynamics/>", {"second <hydrodynamics>"}}};
  for (const auto& [text, words] : cases) {
    SCOPED_TRACE(text);
    expect_words(error_of([&, content = text] { read(content); }), words);
  }
  const Spec odd =
      read(links + "<hydrodynamics><damping><linear Xu='3' Xv='1'/></damping></hydrodynamics>");
  expect_words(joined(odd.warnings), {"Xu of <linear> is positive", "unknown attribute Xv"});
}

TEST(HydrodynamicsUrdf, MatricesComeBack) {
  Spec spec;
  spec.name = "rov";
  HydrodynamicsSpec& water =
      spec.add_body("hull", 1, {}, {1, 1, 1, 0, 0, 0}).hydrodynamics.emplace();
  MarineMatrix& mass = water.added_mass.emplace(diagonal_matrix({1, 2, 3, 4, 5, 1.0 / 3}));
  mass[0][4] = mass[4][0] = 0.1;
  WrittenRobot written = write_robot(spec, RobotFormat::urdf);
  EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
  EXPECT_EQ(parse_urdf(written.text, "back.urdf").bodies[0].hydrodynamics.value().added_mass, mass);
  water.linear_damping = diagonal_matrix({0, 1, 0, 0, 0, 0});
  water.volume = 2;
  written = write_robot(spec, RobotFormat::urdf);
  EXPECT_TRUE(keeps_dynamics(written.losses)) << text_of(written.losses);
  const Spec back = parse_urdf(written.text, "back.urdf");
  EXPECT_EQ(back.bodies[0].hydrodynamics.value().volume, 2);
  EXPECT_EQ(back.bodies[0].hydrodynamics.value().linear_damping, water.linear_damping);
  EXPECT_FALSE(back.bodies[0].hydrodynamics.value().quadratic_damping);
  water.drag_coefficient = 1;
  expect_words(text_of(write_robot(spec, RobotFormat::urdf).losses),
               {"dynamics: body 'hull'", "drag coefficient", "URDF"});
  // a name that no text between tags holds
  spec.bodies[0].name = "hull ";
  written = write_robot(spec, RobotFormat::urdf);
  expect_words(text_of(written.losses), {"left out: added mass, damping in water"});
  EXPECT_EQ(parse_urdf(written.text, "b.urdf").bodies[0].hydrodynamics.value().volume, 2);
  // damping that is not given in the link's own frame
  spec.bodies[0].name = "hull";
  water.damping_frame.p = {0, 0, 1};
  written = write_robot(spec, RobotFormat::urdf);
  expect_words(text_of(written.losses), {"left out", "damping in water in a frame of its own"});
  EXPECT_FALSE(parse_urdf(written.text, "b.urdf").bodies[0].hydrodynamics.value().linear_damping);
}

// the box of equal inertia of a box is that box
TEST(HydrodynamicsMjcf, DragOnBoxesOfEqualInertiaIsDamping) {
  const Spec spec = parse_mjcf(
      "<mujoco><option density='1000' viscosity='0.5' wind='1 0 0'/><worldbody><body name='a'>"
      "<geom type='box' size='0.1 0.2 0.3' pos='1 2 3' euler='0 0 90'/></body></worldbody>"
      "</mujoco>",
      "fish.xml");
  const HydrodynamicsSpec water = water_of(spec);
  const double edges[] = {0.2, 0.4, 0.6}, d = 0.4, pi = 3.14159265358979323846;
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = edges[(k + 1) % 3], b = edges[(k + 2) % 3];
    EXPECT_NEAR((*water.quadratic_damping)[k][k], 500 * a * b, 1e-10);
    EXPECT_NEAR((*water.quadratic_damping)[k + 3][k + 3],
                1000.0 / 64 * edges[k] * (a * a * a * a + b * b * b * b), 1e-10);
    EXPECT_NEAR((*water.linear_damping)[k][k], 3 * pi * 0.5 * d, 1e-12);
    EXPECT_NEAR((*water.linear_damping)[k + 3][k + 3], pi * 0.5 * d * d * d, 1e-12);
  }
  EXPECT_TRUE(is_diagonal(*water.quadratic_damping) && is_diagonal(*water.linear_damping));
  EXPECT_LT(norm(water.damping_frame.p - Vec3<double>{1, 2, 3}), 1e-14);
  EXPECT_LT(norm(water.damping_frame.R * Vec3<double>{1, 0, 0} - Vec3<double>{0, 1, 0}), 1e-14);
  EXPECT_FALSE(water.added_mass || water.volume);
  expect_words(joined(spec.warnings),
               {"density 1000 and viscosity 0.5", "damping", "buoyancy", "wind", "`current`"});
}

TEST(HydrodynamicsMjcf, WhatIsNotTakenIsNamed) {
  const Spec spec = parse_mjcf(
      "<mujoco><option density='1000' viscosity='0.001'/><worldbody><body>"
      "<geom size='1' fluidshape='ellipsoid' fluidcoef='0.5 0.25 1.5 1 1'/>"
      "<geom size='1' fluidcoef='0.5'/></body></worldbody></mujoco>",
      "fish.xml");
  for (const BodySpec& body : spec.bodies) EXPECT_FALSE(body.hydrodynamics);
  expect_words(joined(spec.warnings),
               {"fluidshape", "blunt", "slender", "angular", "Kutta", "Magnus"});
  expect_words(joined(spec.ignored), {"fluidcoef of <geom>"});
  for (const auto& [option, words] :
       {std::pair{"density='1.2' viscosity='1.8e-5'", "those of a gas"},
        std::pair{"density='-1000'", "is negative"},
        std::pair{"viscosity='-1' density='1000'", "is negative"}}) {
    const Spec other = parse_mjcf("<mujoco><option " + std::string(option) +
                                      "/><worldbody><body><geom size='1'/></body></worldbody>"
                                      "</mujoco>",
                                  "fish.xml");
    EXPECT_FALSE(other.bodies[0].hydrodynamics);
    expect_words(joined(other.warnings), {words, "not read"});
  }
  EXPECT_TRUE(parse_mjcf("<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>",
                         "fish.xml")
                  .warnings.empty());
  expect_words(error_of([] {
                 parse_mjcf(
                     "<mujoco><worldbody><body><geom size='1' fluidcoef='a b'/></body>"
                     "</worldbody></mujoco>",
                     "fish.xml");
               }),
               {"fluidcoef", "'a'"});
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
