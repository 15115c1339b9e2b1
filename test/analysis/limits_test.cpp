// Limits of an analysis: each figure is checked against the limit that belongs to it.
#include <tuple>

#include <gtest/gtest.h>

#include <limber/analysis/analysis.hpp>

namespace limber::test {
namespace LIMBER_TEST_FILE {

// all limits differ, so that none can be taken for another
const char* const lifted_rod = R"(duration: 0.5
robots:
  - model: pendulum
    changes: [{joint: pivot, velocity_limit: 11, effort_limit: 12}]
trajectories: [{name: lift, segments: [{kind: move, to: [1], duration: 0.5}]}]
controllers: [{kind: computed_torque, trajectory: lift, kp: 100, kd: 20}]
drives:
  - joint: pivot
    gear: {ratio: 30}
    motor:
      torque_constant: 0.1
      resistance: 1
      rotor_inertia: 1e-5
      voltage_limit: 13
      current_limit: 14
      speed_limit: 150
      thermal: {winding_capacity: 10, housing_capacity: 100, winding_to_housing: 1, housing_to_ambient: 5, winding_limit: 160}
analyse:
  limits: [{figure: rms_torque, at_most: 17, of: pivot}]
)";

TEST(AnalysisLimits, BelongToTheirFigures) {
  const Analysis analysis = analyse(parse_scenario(lifted_rod, "test.yaml"));
  std::vector<std::tuple<std::string, double, std::string>> found;
  for (const LimitCheck& check : analysis.checks) {
    EXPECT_EQ(check.of, "pivot");
    EXPECT_GT(check.found.value, 0) << name(check.figure);
    found.emplace_back(name(check.figure), check.limit, check.from);
  }
  const std::vector<std::tuple<std::string, double, std::string>> expected = {
      {"rms_torque", 17, "scenario"},
      {"peak_torque", 12, "robot"},
      {"peak_speed", 11, "robot"},
      {"voltage", 13, "motor"},
      {"current", 14, "motor"},
      {"motor_speed", 150, "motor"},
      {"winding_temperature", 160, "motor"},
      {"steady_temperature", 160, "motor"}};
  EXPECT_EQ(found, expected);
}

TEST(AnalysisLimits, AreBrokenAboveThemAndNotAtThem) {
  LimitCheck check;
  check.limit = 2;
  check.found.value = 2;
  EXPECT_FALSE(check.violated());
  check.found.value = 2.001;
  EXPECT_TRUE(check.violated());
  EXPECT_NEAR(check.margin(), -0.0005, 1e-12);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
