// Who sinks through a sea bed that nothing stands on is told so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/report/report.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

std::vector<std::string> warnings_at(double depth, const std::string& more = "") {
  const Scenario scenario = parse_scenario(fmt::format(R"yaml(duration: 4
gravity: [0, 0, -9.81]
robots:
  - body: {{kind: sphere, size: [0.1], mass: 8}}
    xyz: [0, 0, -0.5]
water: {{level: 0, depth: {}}}
integrator: {{method: rk4, step: 5e-3}}
)yaml",
                                                       depth) +
                                               more,
                                           "s.yaml");
  return summary_of(scenario, run_scenario(scenario)).warnings;
}

TEST(SeaBed, SinkingThroughItIsAWarning) {
  EXPECT_TRUE(mentions(warnings_at(3), {"'body'", "sank through", "-3 m", "ground: -3"}));
  EXPECT_TRUE(warnings_at(20).empty());
  EXPECT_TRUE(warnings_at(3, "contact: {ground: -3, compliance: {stiffness: 1e4, damping: 200}}\n")
                  .empty());
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
