// What limber info, convert and diff say about links in water.
#include <filesystem>

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

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
