// Shipped scenarios of closed mechanisms: published numbers and closed forms, by the simulator.
#include <limber/scenario/run.hpp>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace limber::test {
namespace LIMBER_TEST_FILE {

double last(const Run& run, const std::string& column) {
  return run.recording.series(column).back();
}
double largest(const Run& run, const std::string& column) {
  double most = 0;
  for (const double x : run.recording.series(column)) most = std::fmax(most, std::abs(x));
  return most;
}

// Test Set for IVP Solvers (Mazzia and Magherini), "Andrews' squeezing mechanism"
TEST(ClosedScenario, SqueezerAtItsPublishedAngles) {
  const limber::Run run = run_scenario(read_scenario("squeezer"));
  const std::array<const char*, 7> names{"beta",  "Theta", "gamma",  "Phi",
                                         "delta", "Omega", "epsilon"};
  const std::array<double, 7> q{15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                1.048080741042263};
  for (std::size_t k = 0; k < 7; ++k)
    EXPECT_NEAR(last(run, std::string(names[k]) + ".position"), q[k], 1e-6) << names[k];
}

// IFToMM library of computational benchmark problems, A04; numbers of a reduced model
TEST(ClosedScenario, BricardAfterTenSeconds) {
  const limber::Run run = run_scenario(read_scenario("bricard"));
  EXPECT_NEAR(last(run, "P3.x"), 0.999999964, 1e-6);
  EXPECT_NEAR(last(run, "P3.y"), -1.000269013, 1e-6);
  EXPECT_NEAR(last(run, "P3.z"), 0.999730951, 1e-6);
  EXPECT_LT(largest(run, "energy_error"), 1e-8);
  ASSERT_TRUE(run.loops);
  EXPECT_EQ(run.loops->freedoms, 1);
}

// the wheels of a stable bicycle stay on the ground, and it rights itself
TEST(ClosedScenario, BicycleRightsItself) {
  const limber::Run run = run_scenario(read_scenario("bicycle"));
  EXPECT_GT(largest(run, "root.qx.position"), 0.05);
  EXPECT_LT(std::abs(last(run, "root.qx.position")), 0.01);
  EXPECT_GT(largest(run, "steer.position"), 0.1);
  EXPECT_LT(std::abs(last(run, "steer.position")), 0.01);
  EXPECT_LT(largest(run, "loop_gap"), 1e-11);
}

// three tips bear a ball of 0.2 kg in equal parts where it is at rest, and carry it where they go
TEST(ClosedScenario, ThreeFingersLiftAndTurnABall) {
  const limber::Run run = run_scenario(read_scenario("three_finger_hand"));
  const auto at = [&](const std::string& column, double time) {
    return run.recording.series(column)[static_cast<std::size_t>(std::lround(time / 0.005))];
  };
  EXPECT_NEAR(at("object.z.position", 0.8), 0.012, 1e-5);
  EXPECT_NEAR(at("object.qz.position", 1.6), std::sin(0.5 * 0.402620), 1e-4);
  EXPECT_NEAR(at("object.x.position", 1.6), 0.006, 1e-5);
  for (const char* tip : {"tip1", "tip2", "tip3"})
    for (const double time : {0.0, 3.0})
      EXPECT_NEAR(at(std::string(tip) + ".force.z", time), -0.2 * 9.81 / 3, 1e-4) << tip;
  EXPECT_LT(largest(run, "loop_gap"), 1e-11);
}

TEST(ClosedScenario, DeltaRobotStaysLevel) {
  const limber::Run run = run_scenario(read_scenario("delta_robot"));
  for (const char* part : {"platform.qx.position", "platform.qy.position", "platform.qz.position"})
    EXPECT_LT(largest(run, part), 1e-10) << part;
  EXPECT_GT(largest(run, "platform.z.position"), 0.1);
}

TEST(ClosedScenario, FourArmsLiftTheirLoad) {
  const limber::Run run = run_scenario(read_scenario("four_puma_lift"));
  const std::vector<double> height = run.recording.series("load.plate.z");
  EXPECT_NEAR(height.back() - height.front(), 0.8, 5e-3);
  ASSERT_TRUE(run.loops);
  EXPECT_EQ(run.loops->freedoms, 6);
  // friction holds all 24 joints before and after; the others move in the planes of the arms
  const auto sticking = [&](std::size_t row) {
    int count = 0;
    for (std::size_t k = 0; k < run.recording.columns.size(); ++k)
      if (run.recording.columns[k].group == "Sticking")
        count += run.recording.row(row)[k] != 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(sticking(0), 24);
  EXPECT_EQ(sticking(run.recording.rows() / 2), 12);
  EXPECT_EQ(sticking(run.recording.rows() - 1), 24);
  // at rest each arm carries a quarter of 4 kg
  for (const char* grasp : {"grasp_a", "grasp_b", "grasp_c", "grasp_d"})
    EXPECT_NEAR(last(run, std::string(grasp) + ".force.z"), 9.81, 0.05) << grasp;
}

TEST(ClosedScenario, CrankOfTheFourBarTurnsFully) {
  const limber::Run run = run_scenario(read_scenario("four_bar"));
  EXPECT_GT(last(run, "crank.position"), 4 * M_PI);
  EXPECT_LT(largest(run, "rocker.position"), M_PI);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
