// What the replay and the summary show of contacts: scenery, terrain, arrows that move, which pairs
// carried which forces.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limber/report/report.hpp>

#include "unpacked.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Json = nlohmann::json;

const std::string sliding = R"(
duration: 0.2
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.2, 0.1], mass: 2}
    xyz: [0, 0, 0.55]
    initial: {velocity: {root: [0, 0, 0, 1, 0, 0]}}
contact:
  ground: -0.25
  friction: 0.4
  scenery:
    - {name: table, kind: box, size: [4, 2, 0.1], xyz: [0, 0, 0.45]}
    - {name: hills, kind: height_field, size: [2, 2, 1], heights: [[0, 0, 0], [0, 0.2, 0], [0, 0, 0]]}
record: {interval: 0.01}
)";

TEST(ContactScene, SceneryTerrainAndForcesAreDrawn) {
  const Scenario scenario = parse_scenario(sliding, "test.yaml");
  Report report;
  report.recording = run_scenario(scenario).recording;
  const Json data = Json::parse(report_data(scenario, report));
  const Json& scene = data["scene"];
  EXPECT_EQ(scene["ground"], -0.25);
  const Json& world = scene["bodies"][0]["shapes"];
  ASSERT_EQ(world.size(), 2U);
  EXPECT_EQ(world[0]["kind"], "box");
  EXPECT_EQ(world[0]["position"], (Json{0.0, 0.0, 0.45}));
  EXPECT_EQ(world[1]["kind"], "mesh");
  EXPECT_EQ(scene["meshes"].size(), 1U);
  ASSERT_EQ(scene["forces"].size(), 1U);
  const Json& arrow = scene["forces"][0];
  EXPECT_EQ(arrow["name"], "box.body-table");
  const std::vector<float> force = unpacked(arrow["force"]), points = unpacked(arrow["points"]);
  ASSERT_EQ(force.size(), 3 * report.recording.rows());
  const std::size_t k = 3 * 10;
  EXPECT_NEAR(force[k + 2], 2 * 9.81, 1e-4);
  EXPECT_NEAR(force[k], -0.4 * 2 * 9.81, 1e-4);
  EXPECT_NEAR(points[k + 2], 0.5, 1e-5);
  EXPECT_GT(points[k], 0.05);
}

TEST(ContactScene, TheSummarySaysWhatCarriedAndHowWellItWasSolved) {
  const Scenario scenario = parse_scenario(sliding, "test.yaml");
  const RunSummary summary = summary_of(scenario, run_scenario(scenario));
  const auto fact = [&](const std::string& label) {
    for (const Fact& one : summary.facts)
      if (one.label == label) return one.value;
    return std::string();
  };
  EXPECT_EQ(fact("Contact"), "hard, stepped");
  EXPECT_EQ(fact("Contacts that carried"), "box.body-table up to 19.6 N");
  EXPECT_NE(fact("Contact residual").find("m/s"), std::string::npos);
  EXPECT_EQ(fact("Most contacts at once"), "4");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
