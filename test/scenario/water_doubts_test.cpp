// What is possible in water but seldom meant is warned of, with the way out; what cannot be is
// refused.
#include <limber/scenario/run.hpp>
#include <limber/scenario/scenario.hpp>

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::string deep(const std::string& z) {
  return "duration: 1\ngravity: [0, 0, -9.81]\nrobots:\n  - body: {kind: sphere, size: [0.1], "
         "mass: "
         "5}\n    xyz: [0, 0, " +
         z + "]\n";
}
std::vector<std::string> warnings(const std::string& water, const std::string& before) {
  return parse_scenario(before + water, "w.yaml").warnings;
}
std::vector<std::string> warnings(const std::string& water) { return warnings(water, deep("-5")); }
void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

TEST(WaterDoubts, NothingIsSaidOfUsualWater) {
  EXPECT_TRUE(warnings("water: {}\n").empty());
  EXPECT_TRUE(
      warnings("water: {density: 1000, level: 0, depth: 20, current: [1, 0, 0]}\n").empty());
  EXPECT_TRUE(warnings("water: {level: 0}\n", deep("0.05")).empty()) << "half in the water";
}

TEST(WaterDoubts, UnitsOfDensity) {
  EXPECT_TRUE(
      mentions(warnings("water: {density: 1.025}\n"), {"1.025 kg/m³", "gas", "1025 kg/m³"}));
  EXPECT_TRUE(mentions(warnings("water: {density: 1025000}\n"), {"1.025e+06 kg/m³", "1025"}));
  EXPECT_TRUE(warnings("water: {density: 13534}\n").empty()) << "mercury";
}

TEST(WaterDoubts, UnitsOfCurrents) {
  for (const std::string keys :
       {"current: [10, 0, 0]", "current: [0, \"10*sin(pi*t)\", 0]",
        "profile: [{depth: 0, velocity: [0, 0, 0]}, {depth: 5, velocity: [6, 8, 0]}]"})
    EXPECT_TRUE(mentions(warnings("water: {" + keys + "}\n"),
                         {"10 m/s", "10 knots are 5.14 m/s", "10 km/h are 2.78 m/s"}))
        << keys;
}

TEST(WaterDoubts, UnitsOfVolumes) {
  EXPECT_TRUE(mentions(warnings("water: {links: [{link: body, volume: 5}]}\n"),
                       {"'body'", "5 m³", "5125 kg", "a litre is 0.001 m³"}));
}

TEST(WaterDoubts, TheWrongWayUp) {
  EXPECT_TRUE(
      mentions(warnings("water: {}\n",
                        "duration: 1\ngravity: [0, 0, 9.81]\nrobots:\n  - body: {kind: sphere, "
                        "size: [0.1], mass: 5}\n"),
               {"gravity points along z", "z is up", "NED"}));
}

TEST(WaterDoubts, WhereTheRunBegins) {
  EXPECT_TRUE(
      mentions(warnings("water: {level: 0}\n", deep("5")),
               {"where the run begins", "nothing is in the water", "'body'", "5 m", "0 m"}));
  EXPECT_TRUE(mentions(warnings("water: {level: 0, depth: 3}\n"),
                       {"where the run begins", "'body'", "-5 m", "below the sea bed at -3 m"}));
}

constexpr const char* two_bodies = R"yaml(bodies:
  - {name: hull, mass: 20, inertia: [1, 1, 1]MORE}
  - {name: arm, mass: 1, inertia: [0.1, 0.1, 0.1], shapes: [{kind: box, size: [0.1, 0.1, 0.1]}]}
joints:
  - {name: float, kind: free, parent: world, child: hull}
  - {name: turn, kind: revolute, parent: hull, child: arm}
)yaml";

// a hull without shapes or numbers falls as in air
TEST(WaterDoubts, BodiesThatDisplaceNothing) {
  const auto robot = [](const std::string& more) {
    std::string text = two_bodies;
    const std::string file = ::testing::TempDir() + "water_doubts_robot.yaml";
    text.replace(text.find("MORE"), 4, more);
    write(file, text);
    return "duration: 1\nrobots: [{model: " + file + "}]\n";
  };
  EXPECT_TRUE(mentions(warnings("water: {}\n", robot("")),
                       {"'hull'", "20 kg", "displaces 0 kg", "shapes or meshes", "`links:"}));
  for (const std::string keys : {"exclude: [hull]", "links: [{link: hull, volume: 0.02}]"})
    EXPECT_FALSE(mentions(warnings("water: {" + keys + "}\n", robot("")), {"displaces"})) << keys;
}

TEST(WaterDoubts, AFixedVehicleNeedsAFloatingBase) {
  const std::string file = ::testing::TempDir() + "water_doubts_fixed.urdf";
  write(file,
        "<robot name='b'><link name='hull'><inertial><mass value='10'/><inertia ixx='1' "
        "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry><box "
        "size='1 1 1'/></geometry></collision></link></robot>");
  const auto with = [&](const std::string& base) {
    return message_of([&] {
      parse_scenario("duration: 1\nrobots: [{model: " + file + base + "}]\nwater: {}\n", "w.yaml");
    });
  };
  EXPECT_TRUE(mentions(with(""), {"w.yaml:3", "nothing is in the water", "`base: floating`"}));
  EXPECT_EQ(with(", base: floating"), "(no error)");
}

TEST(WaterDoubts, AddedMassOfTheWrongSignIsRefused) {
  const auto added = [](const std::string& numbers) {
    return message_of(
        [&] { warnings("water:\n  links: [{link: body, added_mass: [" + numbers + "]}]\n"); });
  };
  EXPECT_TRUE(
      mentions(added("-1, -2, -2, -1, -1, -1"), {"w.yaml:7", "'body'", "negative", "signs"}));
  EXPECT_EQ(added("-1, 2, 2, 1, 1, 1"), "(no error)") << "a warning";
  EXPECT_EQ(added("0, 0, 0, 0, 0, 0"), "(no error)");
}

TEST(WaterDoubts, Thrusters) {
  const auto thruster = [](const std::string& keys) {
    return deep("-5") + "water: {}\nthrusters: [{frame: body, forward: 0.01, " + keys + "}]\n";
  };
  EXPECT_TRUE(
      mentions(message_of([&] { warnings(thruster("dead_band: 20, limits: [-10, 15]"), ""); }),
               {"w.yaml:7", "dead_band", "20", "-10 to 15", "never push"}));
  EXPECT_TRUE(warnings(thruster("dead_band: 10, limits: [-5, 15]"), "").empty());
  EXPECT_TRUE(mentions(warnings(thruster("command: 1525"), ""),
                       {"'body'", "1525 rad/s", "14563 turns per minute", "`1525*2*pi/60`"}));
  EXPECT_TRUE(warnings(thruster("command: 160"), "").empty());
  EXPECT_TRUE(mentions(warnings("thrusters: [{frame: body, forward: 1}]\n"),
                       {"thrusters", "has not", "`water: {}`"}));
}

// what was doubted is said where the run cannot begin because of it
TEST(WaterDoubts, ARunThatCannotBeginNamesThem) {
  const std::string file = ::testing::TempDir() + "water_doubts_negative.yaml";
  write(file,
        "bodies:\n  - {name: hull, mass: 10, inertia: [1, 1, 1], hydrodynamics: {added_mass: "
        "[-16, 7, 18, 0.1, 0.1, 0.2], volume: 0.01}}\n");
  const Scenario scenario = parse_scenario(
      "duration: 1\nrobots: [{model: " + file + ", base: floating}]\nwater: {}\n", "w.yaml");
  EXPECT_TRUE(mentions(message_of([&] { run_scenario(scenario); }),
                       {"cannot begin", "no inertia", "'hull'", "negative eigenvalue -16"}));
}

// eight links with the same missing mesh are one warning
TEST(WaterDoubts, AMissingMeshIsNamedOnce) {
  const std::string file = ::testing::TempDir() + "water_doubts_meshes.urdf";
  std::string text = "<robot name='b'>";
  for (int k = 0; k < 5; ++k)
    text += "<link name='l" + std::to_string(k) +
            "'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' "
            "iyz='0'/></inertial><visual><geometry><mesh filename='no.stl'/></geometry></visual>"
            "<collision><geometry>" +
            std::string(k == 0 ? "<box size='0.2 0.2 0.2'/>" : "<mesh filename='no.stl'/>") +
            "</geometry></collision></link>";
  for (int k = 1; k < 5; ++k)
    text += "<joint name='j" + std::to_string(k) +
            "' type='continuous'><parent link='l0'/><child "
            "link='l" +
            std::to_string(k) + "'/></joint>";
  write(file, text + "</robot>");
  const std::vector<std::string> all =
      warnings("water: {}\n", "duration: 1\nrobots: [{model: " + file + ", base: floating}]\n");
  const auto about = [](const std::string& one) { return one.find("no.stl") != one.npos; };
  EXPECT_EQ(std::count_if(all.begin(), all.end(), about), 1);
  EXPECT_TRUE(mentions(all, {"link 'l1'", "no.stl", "and 3 more links"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
