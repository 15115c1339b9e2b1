// Links in a fluid in our YAML files: what is read, what is refused, and that it comes back bit for
// bit.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>

#include "io/messages.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// a robot of one body with this text under `hydrodynamics`
Spec read(const std::string& hydrodynamics) {
  return parse_yaml("bodies:\n  - name: hull\n    mass: 1\n    hydrodynamics:\n" + hydrodynamics,
                    "rov.yaml");
}
HydrodynamicsSpec water_of(const std::string& hydrodynamics) {
  return read(hydrodynamics).bodies.at(0).hydrodynamics.value();
}
std::string complaint_about(const std::string& hydrodynamics) {
  return error_of([&] { read(hydrodynamics); });
}
std::string numbers_from(int first, int count) {
  std::string text;
  for (int k = first; k < first + count; ++k) text += (k > first ? ", " : "") + std::to_string(k);
  return "[" + text + "]";
}

TEST(Hydrodynamics, EveryKeyIsRead) {
  const HydrodynamicsSpec water = water_of(R"(
      added_mass: [6.3567, 7.1206, 18.6863, 0.1858, 0.1348, 0.2215]
      linear_damping: [13.7, 0, 33, 0, 0.8, 0]
      quadratic_damping: [141, 217, 190, 1.192, 0.470, 1.500]
      volume: 0.0134
      center_of_buoyancy: [0, 0, 0.01]
      drag_coefficient: 1.1
      cylinders:
        - {start: [0, 0, 0], end: [0.3, 0, 0], radius: 0.02}
        - {start: [1, 2, 3], end: [4, 5, 6], radius: 7, drag_coefficient: 8, end_coefficient: 9,
           skin_coefficient: 10}
)");
  EXPECT_EQ(water.added_mass, diagonal_matrix({6.3567, 7.1206, 18.6863, 0.1858, 0.1348, 0.2215}));
  EXPECT_EQ(water.linear_damping, diagonal_matrix({13.7, 0, 33, 0, 0.8, 0}));
  EXPECT_EQ(water.quadratic_damping, diagonal_matrix({141, 217, 190, 1.192, 0.470, 1.500}));
  EXPECT_EQ(water.volume, 0.0134);
  EXPECT_EQ(water.center_of_buoyancy.value().z, 0.01);
  EXPECT_EQ(water.drag_coefficient, 1.1);
  ASSERT_EQ(water.cylinders.size(), 2U);
  EXPECT_EQ(water.cylinders[0].end.x, 0.3);
  EXPECT_EQ(water.cylinders[0].drag_coefficient, 1);
  EXPECT_EQ(water.cylinders[0].end_coefficient, 1);
  EXPECT_EQ(water.cylinders[0].skin_coefficient, 0);
  EXPECT_EQ(water.cylinders[1].start.y, 2);
  EXPECT_EQ(water.cylinders[1].end.z, 6);
  EXPECT_EQ(water.cylinders[1].radius, 7);
  EXPECT_EQ(water.cylinders[1].drag_coefficient, 8);
  EXPECT_EQ(water.cylinders[1].end_coefficient, 9);
  EXPECT_EQ(water.cylinders[1].skin_coefficient, 10);
}

TEST(Hydrodynamics, DampingMayHaveAFrameOfItsOwn) {
  const std::string text = R"(
      quadratic_damping: [1, 2, 3, 4, 5, 6]
      damping_frame: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}
)";
  const Spec spec = read(text);
  const Transform<double> frame = spec.bodies[0].hydrodynamics.value().damping_frame;
  EXPECT_EQ(frame.p.z, 0.3);
  EXPECT_NEAR(frame.R.zx, -std::sin(0.5), 1e-15);
  const WrittenRobot written = write_robot(spec, RobotFormat::yaml);
  const Spec back = parse_yaml(written.text, "back.yaml");
  EXPECT_TRUE(compare(spec, back, 0).equal()) << written.text;
  Spec moved = spec;
  moved.bodies[0].hydrodynamics->damping_frame.p.z = 0;
  EXPECT_FALSE(compare(spec, moved, 1e-9).equal());
  expect_words(complaint_about("      volume: 1\n      damping_frame: {xyz: [0, 0, 1]}\n"),
               {"damping_frame", "no damping"});
  expect_words(complaint_about("      linear_damping: [1, 1, 1, 1, 1, 1]\n"
                               "      damping_frame: {rpy: [90, 0, 0]}\n"),
               {"rpy", "radians"});
  Spec turned = spec;
  turned.bodies[0].hydrodynamics->damping_frame.R.xx = 2;
  expect_words(error_of([&] { build(turned); }), {"hull", "frame of damping", "no rotation"});
}

TEST(Hydrodynamics, WhatIsNotGivenStaysOpen) {
  const HydrodynamicsSpec water = water_of("      volume: 0\n");
  EXPECT_EQ(water.volume, 0);
  EXPECT_FALSE(water.added_mass || water.linear_damping || water.quadratic_damping);
  EXPECT_FALSE(water.center_of_buoyancy || water.drag_coefficient);
  EXPECT_FALSE(parse_yaml("bodies: [{name: a, mass: 1}]", "a.yaml").bodies[0].hydrodynamics);
}

TEST(Hydrodynamics, MatricesByTriangleAndByRows) {
  const MarineMatrix triangle =
      water_of("      added_mass: " + numbers_from(1, 21)).added_mass.value();
  const MarineMatrix expected{{{1, 2, 3, 4, 5, 6},
                               {2, 7, 8, 9, 10, 11},
                               {3, 8, 12, 13, 14, 15},
                               {4, 9, 13, 16, 17, 18},
                               {5, 10, 14, 17, 19, 20},
                               {6, 11, 15, 18, 20, 21}}};
  EXPECT_EQ(triangle, expected);
  const MarineMatrix rows =
      water_of("      quadratic_damping: " + numbers_from(1, 36)).quadratic_damping.value();
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(rows[i][j], static_cast<double>(6 * i + j + 1));
  // the key of older files, which stands in the body
  const Spec old =
      parse_yaml("bodies: [{name: a, mass: 1, added_mass: " + numbers_from(1, 21) + "}]", "a.yaml");
  EXPECT_EQ(old.bodies[0].hydrodynamics.value().added_mass, expected);
}

TEST(Hydrodynamics, AddedMassLosesWhatIsNotSymmetric) {
  const Spec spec = read("      added_mass: " + numbers_from(1, 36));
  const MarineMatrix matrix = spec.bodies[0].hydrodynamics.value().added_mass.value();
  EXPECT_EQ(matrix[0][0], 1);
  EXPECT_EQ(matrix[0][1], 4.5);  // of 2 and 7
  EXPECT_EQ(matrix[1][0], 4.5);
  EXPECT_EQ(matrix[5][0], 18.5);  // of 31 and 6
  ASSERT_EQ(spec.warnings.size(), 1U);
  expect_words(spec.warnings[0],
               {"rov.yaml:5", "'hull'", "not symmetric", "row 1, column 6 is 6", "31"});
}

TEST(Hydrodynamics, BadNumbersAreNamed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"      added_mass: [1, 2, 3]\n", {"rov.yaml:5", "'hull'", "added_mass", "3 entries", "6"}},
      {"      linear_damping: " + numbers_from(1, 21), {"21 entries", "6 or 36"}},
      {"      added_mass: [nan, 0, 0, 0, 0, 0]\n", {"'nan'", "finite"}},
      {"      quadratic_damping: [1e999, 0, 0, 0, 0, 0]\n", {"finite"}},
      {"      volume: -1\n", {"rov.yaml:5", "volume", "-1", "negative"}},
      {"      volume: inf\n", {"volume", "finite"}},
      {"      center_of_buoyancy: [0, 0]\n", {"center_of_buoyancy", "2 entries"}},
      {"      drag_coefficient: -2\n", {"drag_coefficient", "negative"}},
      {"      volumen: 1\n", {"unknown key 'volumen'", "did you mean 'volume'"}},
      {"      added_masses: 1\n", {"did you mean 'added_mass'"}},
      {"      cylinders: [{start: [0, 0, 0], end: [0, 0, 0], radius: 1}]\n", {"end", "start"}},
      {"      cylinders: [{start: [0, 0, 0], end: [1, 0, 0], radius: 0}]\n", {"radius"}},
      {"      cylinders: [{start: [0, 0, 0], radius: 1}]\n", {"'end' is missing"}},
      {"      cylinders: [{start: [0, 0, 0], end: [1, 0, 0], radius: 1, lenght: 2}]\n",
       {"unknown key 'lenght'"}},
      {"      cylinders: 5\n", {"cylinders", "list"}},
      {"      []\n", {"mapping", "added_mass"}}};
  for (const auto& [text, words] : cases) {
    SCOPED_TRACE(text);
    expect_words(complaint_about(text), words);
  }
  expect_words(error_of([] {
                 parse_yaml("bodies: [{name: a, mass: 1, hydrodynamics: {volume: 1}, added_mass: " +
                                numbers_from(1, 21) + "}]",
                            "a.yaml");
               }),
               {"added_mass", "beside", "move it"});
}

TEST(Hydrodynamics, BuildRefusesWhatCannotBe) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<void (*)(HydrodynamicsSpec&, double), const char*>> cases = {
      {[](HydrodynamicsSpec& w, double x) { w.added_mass.emplace()[2][3] = x; }, "added mass"},
      {[](HydrodynamicsSpec& w, double x) { w.linear_damping.emplace()[5][0] = x; }, "linear"},
      {[](HydrodynamicsSpec& w, double x) { w.quadratic_damping.emplace()[0][0] = x; },
       "quadratic"},
      {[](HydrodynamicsSpec& w, double x) { w.volume = x; }, "volume"},
      {[](HydrodynamicsSpec& w, double x) { w.center_of_buoyancy.emplace().y = x; }, "buoyancy"},
      {[](HydrodynamicsSpec& w, double x) { w.drag_coefficient = x; }, "drag coefficient"},
      {[](HydrodynamicsSpec& w, double x) {
         w.cylinders = {{{}, {1, 0, 0}, x}};
       },
       "radius"},
      {[](HydrodynamicsSpec& w, double x) {
         w.cylinders = {{{}, {x, 0, 0}, 1}};
       },
       "end"},
      {[](HydrodynamicsSpec& w, double x) {
         w.cylinders = {{{}, {1, 0, 0}, 1, x}};
       },
       "drag"}};
  for (const auto& [change, word] : cases) {
    Spec spec;
    change(spec.add_body("hull", 1).hydrodynamics.emplace(), nan);
    expect_words(error_of([&] { build(spec); }), {"hydrodynamics", word, "nan"});
  }
  Spec spec;
  spec.add_body("hull", 1).hydrodynamics.emplace().volume = -1;
  expect_words(error_of([&] { build(spec); }), {"volume", "-1", "negative"});
  spec.bodies[0].hydrodynamics.emplace().cylinders = {{{}, {}, 1}};
  expect_words(error_of([&] { build(spec); }), {"length", "positive"});
}

// numbers that no short text holds
double odd(int k) { return std::sqrt(2.0 + k) * (k % 3 == 0 ? -1e-7 : 1e3); }

TEST(Hydrodynamics, YamlKeepsEveryBit) {
  Spec spec;
  spec.name = "rov";
  HydrodynamicsSpec& water = spec.add_body("hull", 1).hydrodynamics.emplace();
  MarineMatrix &mass = water.added_mass.emplace(), &linear = water.linear_damping.emplace(),
               &quadratic = water.quadratic_damping.emplace();
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      mass[i][j] = odd(static_cast<int>(i * j + i + j));
      linear[i][j] = odd(static_cast<int>(10 * i + j));
      quadratic[i][j] = i == j ? odd(static_cast<int>(i)) : 0.0;
    }
  linear[2][3] = -0.0;
  water.volume = odd(1) * 1e-300;
  water.center_of_buoyancy = {odd(0), -0.0, odd(5)};
  water.drag_coefficient = 5e-324;
  water.cylinders = {{{odd(1), odd(2), odd(3)}, {0, 0, odd(4)}, odd(7), 0, odd(8), odd(10)},
                     {{}, {1, 0, 0}, 1}};
  spec.add_body("arm", 1).hydrodynamics.emplace().volume = 0;
  spec.add_joint("elbow", JointKind::revolute, "hull", "arm");
  spec.add_body("hand", 1).hydrodynamics.emplace();  // in water, with nothing to say about it
  spec.add_joint("wrist", JointKind::revolute, "arm", "hand");
  const WrittenRobot written = write_robot(spec, RobotFormat::yaml);
  EXPECT_TRUE(written.losses.empty());
  const Spec back = parse_yaml(written.text, "back.yaml");
  EXPECT_TRUE(compare(spec, back, 0).numbers.empty());
  EXPECT_TRUE(compare(spec, back, 0).structure.empty());
  EXPECT_TRUE(std::signbit(back.bodies[0].hydrodynamics->linear_damping.value()[2][3]));
  EXPECT_TRUE(std::signbit(back.bodies[0].hydrodynamics->center_of_buoyancy->y));
  EXPECT_TRUE(back.bodies[2].hydrodynamics);
  EXPECT_EQ(write_robot(back, RobotFormat::yaml).text, written.text);
  EXPECT_NE(written.text.find("hydrodynamics"), std::string::npos);
}

TEST(Hydrodynamics, DhTablesHaveThemToo) {
  const Spec spec = parse_yaml(R"(
name: arm
convention: standard
base: {mass: 1, hydrodynamics: {volume: 0.1}}
joints: [{mass: 1, hydrodynamics: {volume: 0.2}}]
)",
                               "arm.yaml");
  EXPECT_EQ(spec.bodies.at(0).hydrodynamics.value().volume, 0.1);
  EXPECT_EQ(spec.bodies.at(1).hydrodynamics.value().volume, 0.2);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
