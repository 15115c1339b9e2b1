// What limber info, convert and diff say about links in water, and dynamics in water.
#include <cmath>
#include <filesystem>
#include <numbers>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::string vehicle(const std::string& volume) {
  return temporary_file(R"(name: rov
bodies:
  - name: hull
    mass: 13.5
    inertia: [0.26, 0.23, 0.37]
    hydrodynamics:
      added_mass: [6.3567, 7.1206, 18.6863, 0.1858, 0.1348, 0.2215]
      linear_damping: [13.7, 0, 33, 0, 0.8, 0]
      volume: )" + volume + R"(
  - {name: fin, mass: 1, inertia: [1, 1, 1], hydrodynamics: {cylinders: [{start: [0, 0, 0], end: [1, 0, 0], radius: 0.1}]}, shapes: [{kind: box, size: [0.1, 0.1, 0.1]}]}
  - {name: dry, mass: 1, inertia: [1, 1, 1]}
joints:
  - {name: root, kind: free, parent: world, child: hull}
  - {name: a, kind: revolute, parent: hull, child: fin}
  - {name: b, kind: revolute, parent: hull, child: dry}
)",
                        ".yaml");
}
void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

TEST(WaterInfo, ShowsALineForEachLinkInWater) {
  const std::string file = vehicle("0.0134");
  const Outcome text = run_limber({"info", file});
  ASSERT_EQ(text.status, 0) << text.err;
  // 1025 · 0.0134 · 9.81 and 13.5 · 9.81
  expect_words(text.out, {"link in water", "6.357 7.121 18.69 0.1858 0.1348 0.2215", "linear",
                          "0.0134", "134.74", "132.435", "1 cylinder", "1025 kg/m³"});
  const Json water = run_limber({"info", file, "--json"}).lines().at(0)["water"];
  ASSERT_EQ(water.size(), 2U);
  EXPECT_EQ(water[0]["link"], "hull");
  EXPECT_EQ(water[0]["added_mass"][2][2], 18.6863);
  EXPECT_EQ(water[0]["linear_damping"][4][4], 0.8);
  EXPECT_NEAR(water[0]["buoyancy"], 134.74035, 1e-9);
  EXPECT_NEAR(water[0]["weight"], 132.435, 1e-9);
  EXPECT_NEAR(water[1]["volume"], 1e-3, 1e-12);  // of its box
  EXPECT_EQ(water[1]["cylinders"], 1);
  EXPECT_EQ(run_limber({"info", "arm7"}).out.find("in water"), std::string::npos);
}

TEST(WaterInfo, ConversionsSayWhatIsLost) {
  const std::string file = vehicle("0.0134");
  expect_refused(run_limber({"convert", file, "--to", "sdf"}),
                 {"move in another way", "--lossy", "'fin'", "cylinders"});
  const Outcome lossy = run_limber({"convert", file, "--to", "sdf", "--lossy"});
  EXPECT_EQ(lossy.status, 0);
  expect_words(lossy.out, {"<zz>18.6863</zz>", "<xU>-13.7</xU>", "<link_name>hull</link_name>"});
  expect_words(run_limber({"convert", file, "--to", "mjcf", "--lossy"}).err,
               {"added mass, damping in water, displaced volume"});
}

TEST(WaterInfo, DifferencesAreSeen) {
  const std::string file = vehicle("0.0134"), other = vehicle("0.0135");
  EXPECT_EQ(run_limber({"diff", file, file}).status, 0);
  const Outcome diff = run_limber({"diff", file, other});
  EXPECT_EQ(diff.status, 1);
  expect_words(diff.out, {"body 'hull': displaced volume: 0.0134 | 0.0135"});
}

// a free ball of 2 kg with the radius 0.1 m
std::string ball() {
  return temporary_file(R"(name: ball
bodies:
  - {name: ball, mass: 2, inertia: [0.01, 0.01, 0.01], shapes: [{kind: sphere, size: [0.1]}]}
joints:
  - {name: root, kind: free, parent: world, child: ball}
)",
                        ".yaml");
}
constexpr double density = 1000, ball_volume = 4e-3 / 3 * std::numbers::pi;
constexpr double displaced = density * ball_volume;

TEST(WaterInfo, ComputesCoefficientsFromShapes) {
  const std::string file = ball();
  const Outcome text = run_limber({"info", file, "--water", "1000"});
  ASSERT_EQ(text.status, 0) << text.err;
  // half of the displaced mass; ½ ρ C_D π r² with C_D = 1; 41.0925 N up and 19.62 N down
  expect_words(text.out, {"2.094 2.094 2.094 0 0 0", "15.71 15.71 15.71", "41.092", "19.62",
                          "it rises with 21.47"});
  const Json water = run_limber({"info", file, "--water", "1000", "--json"}).lines().at(0);
  const Json& all = water["in_water"];
  const Json& link = all["links"][0];
  EXPECT_EQ(link["link"], "ball");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(link["added_mass"][k][k], displaced / 2, 1e-12 * displaced);
    EXPECT_NEAR(link["drag_at_1_m_s"][k], 5 * std::numbers::pi, 1e-12);
  }
  EXPECT_NEAR(all["volume"], ball_volume, 1e-15);
  EXPECT_EQ(all["mass"], 2);
  // what the file does not say is not said to be the file's
  EXPECT_TRUE(water["water"].empty());
  expect_refused(run_limber({"info", "plate", "--water", "0"}), {"--water", "range"});
}

TEST(WaterDynamics, ABallInWaterThatAccelerates) {
  const std::string file = ball();
  // (m + ρV/2) a = m g + ρV (a_f − g) + ρV/2 a_f, at rest relative to the current
  const Outcome outcome =
      run_limber({"fd", file, "--water", "1000", "--current", "0.3,-0.2,0.1", "--json"},
                 R"({"q":[0,0,0,0,0,0,1],"v":[0,0,0,0.3,-0.2,0.1],"current_acceleration":[1,2,3]})"
                 "\n"
                 R"({"q":[0,0,0,0,0,0,1],"v":[0,0,0,1,1,0],"current":[1,0,0]})");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json a = outcome.lines().at(0)["a"], b = outcome.lines().at(1)["a"];
  const double moved = 2 + displaced / 2, up = 9.81 * (displaced - 2);
  EXPECT_NEAR(a[3], 1.5 * displaced * 1 / moved, 1e-12);
  EXPECT_NEAR(a[4], 1.5 * displaced * 2 / moved, 1e-12);
  EXPECT_NEAR(a[5], (1.5 * displaced * 3 + up) / moved, 1e-12);
  // 1 m/s through the water along y
  EXPECT_NEAR(b[3], 0, 1e-12);
  EXPECT_NEAR(b[4], -5 * std::numbers::pi / moved, 1e-12);
  EXPECT_NEAR(b[5], up / moved, 1e-12);
  const Json M = run_limber({"mass", file, "--water", "1000", "--json"}, R"({"q":[0,0,0,0,0,0,1]})")
                     .lines()
                     .at(0)["M"];
  EXPECT_NEAR(M[5][5], moved, 1e-12);
  EXPECT_NEAR(M[0][0], 0.01, 1e-15);
}

TEST(WaterDynamics, InverseAndHybridUndoForwardDynamics) {
  const std::string state =
      R"("q":[0.1,0.2,-3,0.1,-0.2,0.3,0.9273618495495703,0.4,-0.9,0.3,0.5,0.2],)"
      R"("v":[0.2,-0.1,0.3,0.5,0.1,-0.2,1,-1,0.5,0.3,0.7],)"
      R"("current":[0.4,-0.2,0.1],"current_acceleration":[0.1,0.3,-0.2])";
  const std::string tau = R"([1,2,3,4,5,6,0.5,-0.4,0.3,-0.2,0.1])";
  const std::vector<std::string> water{"bluerov_arm", "--water", "1025", "--json"};
  const auto run = [&](const std::string& command, const std::string& more) {
    std::vector<std::string> arguments{command};
    arguments.insert(arguments.end(), water.begin(), water.end());
    const Outcome outcome = run_limber(arguments, "{" + state + "," + more + "}");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.lines().at(0);
  };
  const Json a = run("fd", R"("tau":)" + tau)["a"];
  const Json back = run("id", R"("a":)" + a.dump())["tau"];
  const Json given = Json::parse(tau);
  for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(back[k], given[k], 1e-10);
  const Json hybrid = run("hybrid", R"("given":)" + tau)["a"];
  for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(hybrid[k], a[k], 1e-10 * std::abs(double(a[k])));
}

TEST(WaterDynamics, MistakesAreNamed) {
  const std::string file = ball(), q = R"({"q":[0,0,0,0,0,0,1])";
  expect_refused(run_limber({"fd", file, "--current", "1,0,0"}, q + "}"), {"--water"});
  expect_refused(run_limber({"fd", file, "--water", "1000", "--current", "1,0"}, q + "}"),
                 {"--current", "'1,0'", "three numbers"});
  expect_refused(run_limber({"fd", file}, q + R"(,"current":[1,0,0]})"), {"--water"});
  expect_refused(run_limber({"id", file, "--water", "1000"}, q + R"(,"current":[1,0]})"),
                 {"key 'current'", "expected 3", "m/s"});
  expect_refused(run_limber({"mass", file, "--water", "1000"}, q + R"(,"current":[1,0,0]})"),
                 {"key 'current'"});
  expect_refused(run_limber({"fd",
                             temporary_file(R"(name: bare
bodies: [{name: arm, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: a, kind: revolute, parent: world, child: arm}]
)",
                                            ".yaml"),
                             "--water", "1000"},
                            R"({"q":[0]})"),
                 {"no link has a shape"});
  // numbers between whole ones are densities, too; other units are doubted
  EXPECT_EQ(run_limber({"fd", file, "--water", "1025.5"}, q + "}").err, "");
  expect_words(run_limber({"fd", file, "--water", "1.03"}, q + "}").err,
               {"warning", "gas", "g/cm³"});
  expect_words(run_limber({"fd", file, "--water", "1e3", "--current", "0,30,0"}, q + "}").err,
               {"warning", "30 knots"});
  // a robot meant for water is not taken out of it without a word
  expect_words(run_limber({"fd", "remus"}, q + "}").err, {"on land", "--water 1025"});
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
