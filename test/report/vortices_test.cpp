// Vortices in the summary of a run: where they were shed near the natural frequency of a spring.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limber/report/report.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// two rods of 1 m and 4 cm across hang in a current of 0.4 m/s, where they shed vortices at
// 0.2118 · 0.4/0.04 = 2.118 Hz
RunSummary summary_with(double elbow_stiffness, double current) {
  const Scenario scenario = parse_scenario(fmt::format(R"yaml(duration: 4
gravity: [0, 0, -9.81]
robots:
  - model: double_pendulum
    changes:
      - {{joint: shoulder, stiffness: 1e6, damping: 1000}}
      - {{joint: elbow, stiffness: {}, damping: 20}}
water: {{current: [{}, 0, 0]}}
integrator: {{method: rk4, step: 1e-3}}
record: {{interval: 0.02}}
)yaml",
                                                       elbow_stiffness, current),
                                           "v.yaml");
  return summary_of(scenario, run_scenario(scenario));
}

std::string warnings_of(const RunSummary& summary) {
  std::string all;
  for (const std::string& one : summary.warnings) all += one + "\n";
  return all;
}

// about the elbow: the rod of 1 kg, and the water that it carries along, 1025 π r² per length
double stiffness_at(double frequency) {
  const double inertia = (1 + 1025 * M_PI * 4e-4) / 3, rate = 2 * M_PI * frequency;
  return rate * rate * inertia;
}

TEST(Vortices, NearANaturalFrequencyAreWarnedOf) {
  EXPECT_TRUE(mentions(warnings_of(summary_with(stiffness_at(2.118), 0.4)),
                       {"'lower'", "vortices", "'elbow'", "not simulated"}));
  for (const double far : {0.5, 8.0})
    EXPECT_EQ(warnings_of(summary_with(stiffness_at(far), 0.4)).find("vortices"), std::string::npos)
        << far;
}

TEST(Vortices, AreAmongTheFacts) {
  const auto fact = [](const RunSummary& summary) {
    for (const Fact& one : summary.facts)
      if (one.label == "Vortices, not simulated") return one.value;
    return std::string();
  };
  const std::string found = fact(summary_with(1e5, 0.4));
  EXPECT_TRUE(mentions(found, {"lower up to 2.1", "Hz", "Reynolds number 1.3e+04"})) << found;
  // none below a Reynolds number of 50
  EXPECT_EQ(fact(summary_with(1e5, 0)), "");
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
