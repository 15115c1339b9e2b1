// Robots on legs: the shipped scenarios stand, walk and trot, and say what is wrong with a gait.
#include <limber/scenario/run.hpp>

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenario/height_field.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

limber::Run run(const std::string& name, const std::vector<Override>& changes = {}) {
  return run_scenario(read_scenario(name, changes));
}

// LIMBER_LONG_WALKS=1: 5 m, 20 grounds, eight pushes, instead of some of each
bool wants_all() { return std::getenv("LIMBER_LONG_WALKS") != nullptr; }

// what the reader says about a scenario with another value
std::string refusal(const std::string& scenario, const std::string& path,
                    const std::string& value) {
  const std::vector<Override> change{{path, value}};
  return message_of([&] { read_scenario(scenario, change); });
}

// finished and accurate, every number of the recording is finite, contact is solved (compliant
// contact has no residual)
void expect_sound(const limber::Run& run, double residual = 1e-9) {
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  for (const double x : run.recording.values) ASSERT_TRUE(std::isfinite(x));
  ASSERT_TRUE(run.contacts);
  EXPECT_LE(run.contacts->totals.worst_residual, residual);  // the tolerance, unless it is said
}

double last(const limber::Run& run, const std::string& column) {
  return run.recording.series(column).back();
}
// the least and the largest of a column from an instant on
std::pair<double, double> range(const limber::Run& run, const std::string& column,
                                double from = 0) {
  std::pair<double, double> found{HUGE_VAL, -HUGE_VAL};
  const std::vector<double> times = run.recording.series("time"),
                            all = run.recording.series(column);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (times[i] < from) continue;
    found = {std::fmin(found.first, all[i]), std::fmax(found.second, all[i])};
  }
  return found;
}
// the part of the time in which a pair touches
double part_of_contact(const limber::Run& run, const std::vector<std::string>& pairs, double from,
                       double to) {
  const std::vector<double> times = run.recording.series("time");
  double count = 0, touching = 0;
  std::vector<std::vector<double>> states;
  for (const std::string& pair : pairs) states.push_back(run.recording.series(pair + ".state"));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < from || times[i] > to) continue;
    ++count;
    double on = 0;
    for (const auto& state : states) on = std::fmax(on, state[i] > 0 ? 1 : 0);
    touching += on;
  }
  return touching / count;
}

constexpr double aquarobot_weight = 711.82 * 9.81;

TEST(Legs, TheAquarobotStands) {
  const limber::Run run = LIMBER_TEST_FILE::run("aquarobot_stand");
  expect_sound(run);
  // six feet carry the weight, each a sixth by symmetry, once the push has faded
  double sum = 0;
  for (int leg = 1; leg <= 6; ++leg) {
    const double force = last(run, fmt::format("leg{}_foot-ground.normal_force", leg));
    EXPECT_NEAR(force, aquarobot_weight / 6, 0.02 * aquarobot_weight / 6) << leg;
    sum += force;
  }
  EXPECT_NEAR(sum, aquarobot_weight, 1e-3 * aquarobot_weight);
  EXPECT_GT(range(run, "body.y").second, 1e-3);  // it was pushed
  EXPECT_LT(range(run, "body.y").second, 0.05);
  EXPECT_NEAR(last(run, "body.y"), 0, 5e-3);  // dry friction of the motors holds it there
  EXPECT_NEAR(last(run, "body.z"), 1.05 - 0.52 * 0.1428016800731449, 0.01);
}

// 5 m, or the first steps of it, from which the ground is rough
TEST(Legs, TheAquarobotWalksFiveMetres) {
  const bool all = wants_all();
  std::vector<Override> changes;
  if (!all) changes = {{"duration", "14"}};
  const limber::Run run = LIMBER_TEST_FILE::run("aquarobot_walk", changes);
  expect_sound(run);
  // 0.15 m/s from 1 s on, less half of the ramp
  EXPECT_NEAR(last(run, "body.x"), all ? 5.25 : 0.15 * (14 - 1.5), 0.06);
  EXPECT_LT(std::abs(last(run, "body.y")), 0.05);
  const auto [low, high] = range(run, "body.z");
  EXPECT_GT(low, 0.93);
  EXPECT_LT(high, 1.06);
  for (const char* tilt : {"float.qx.position", "float.qy.position", "float.qz.position"}) {
    EXPECT_GT(range(run, tilt).first, -0.02) << tilt;  // half an angle [rad]
    EXPECT_LT(range(run, tilt).second, 0.02) << tilt;
  }
  // a tripod gait: each foot is in the air for a good third of the time
  for (int leg = 1; leg <= 6; ++leg) {
    const double part = part_of_contact(
        run, {fmt::format("leg{}_foot-ground", leg), fmt::format("leg{}_foot-sea bed", leg)}, 4,
        all ? 34 : 13);
    EXPECT_GT(part, 0.5) << leg;
    EXPECT_LT(part, 0.75) << leg;
  }
}

TEST(Legs, TheQuadrupedTrotsOverRoughGround) {
  const int seeds = wants_all() ? 20 : 1;
  const double height = 0.44 * std::cos(0.7) + 0.02;
  for (int seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const limber::Run run = LIMBER_TEST_FILE::run(
        "quadruped_trot", {{"contact.scenery.0.random.seed", std::to_string(seed)}});
    // where a foot lies in a valley of the ground, a step in some ten thousand falls short of 1e-9
    expect_sound(run, 2e-5);
    EXPECT_LE(run.contacts->totals.not_converged, 3);
    // 0.4 m/s for 29.5 s, less what the ramp takes
    EXPECT_NEAR(last(run, "trunk.x"), 0.4 * (29.5 - 0.5), 0.02);
    EXPECT_LT(range(run, "trunk.y").second - range(run, "trunk.y").first, 0.03);
    // above ground that lies between 0 and 3 cm
    EXPECT_GT(range(run, "trunk.z").first, height - 0.01);
    EXPECT_LT(range(run, "trunk.z").second, height + 0.03);
    for (const char* turn : {"root.qx.position", "root.qy.position", "root.qz.position"}) {
      EXPECT_GT(range(run, turn).first, -0.01) << turn;  // half an angle [rad]
      EXPECT_LT(range(run, turn).second, 0.01) << turn;
    }
    for (const char* foot : {"front_left", "hind_right"}) {
      const std::string name = fmt::format("{}_foot-", foot);
      const double part = part_of_contact(run, {name + "ground", name + "rough ground"}, 2, 30);
      EXPECT_GT(part, 0.45) << foot;
      EXPECT_LT(part, 0.75) << foot;
    }
    // the trunk touches nothing
    EXPECT_EQ(range(run, "trunk-rough ground.state").second, 0);
  }
}

// 30 N s from eight directions; docs/legs.md says where the limits lie
TEST(Legs, TheHumanoidIsPushedAndStands) {
  for (int eighth = 0; eighth < 8; eighth += wants_all() ? 1 : 3) {
    SCOPED_TRACE(eighth);
    const double angle = eighth * M_PI / 4, force = 30 / 0.1;
    const limber::Run run = LIMBER_TEST_FILE::run(
        "humanoid_push",
        {{"duration", "4"},
         {"external_forces.0.force",
          fmt::format(
              "[\"{0:.9g}*(step(t-1)-step(t-1.1))\", \"{1:.9g}*(step(t-1)-step(t-1.1))\", 0]",
              force * std::cos(angle), force * std::sin(angle))}});
    expect_sound(run, 1e-4);  // eight corners of two soles: some steps fall short of 1e-9
    // it was moved that way, and comes back; its feet stay where they are
    const double x = last(run, "center_of_mass.x") - run.recording.series("center_of_mass.x")[0],
                 y = last(run, "center_of_mass.y"),
                 z = last(run, "center_of_mass.z") - run.recording.series("center_of_mass.z")[0];
    EXPECT_GT(range(run, "kinetic_energy").second,
              4);  // of half the push squared over the mass, 7 J
    EXPECT_LT(std::hypot(x, y), 0.01);
    EXPECT_LT(std::abs(z), 0.01);
    for (const char* foot : {"left_foot-ground.state", "right_foot-ground.state"})
      EXPECT_EQ(last(run, foot), 1) << foot;
  }
}

TEST(Legs, TheSameTrotTwiceIsTheSameBitForBit) {
  const std::vector<Override> brief{{"duration", "1.5"}};
  const limber::Run a = run("quadruped_trot", brief), b = run("quadruped_trot", brief);
  EXPECT_EQ(a.recording.values, b.recording.values);
}

TEST(Legs, WrongGaitsNameFileLineAndWayOut) {
  const auto says = [](const std::string& path, const std::string& value) {
    return refusal("quadruped_trot", path, value);
  };
  EXPECT_TRUE(mentions(says("controllers.0.period", "0"),
                       {"quadruped_trot", "'trot'", "period", "more than 0"}));
  EXPECT_TRUE(mentions(says("controllers.0.feet", "[]"), {"without feet"}));
  EXPECT_TRUE(mentions(says("controllers.0.feet.1.frame", "hind_right_fot"),
                       {"hind_right_fot", "hind_right_foot"}));
  EXPECT_TRUE(mentions(says("controllers.0.feet.1.frame", "front_left_foot"),
                       {"front_left_foot", "twice"}));
  EXPECT_TRUE(mentions(says("controllers.0.feet.1.phase", "1"), {"phase 1"}));
  EXPECT_TRUE(mentions(says("controllers.0.duty", "1.5"), {"duty", "1.5"}));
  EXPECT_TRUE(mentions(says("controllers.0.sample_time", "0"), {"sample_time", "samples"}));
  EXPECT_TRUE(mentions(says("controllers.0.swing", "{kp: 1, weight: 0}"), {"swing", "weight 0"}));
  EXPECT_TRUE(mentions(says("controllers.0.gait", "trot"), {"gait"}));
  EXPECT_TRUE(
      mentions(says("contact.scenery.0.random.points", "[1, 5]"), {"points", "1 found", "2 to"}));
  EXPECT_TRUE(mentions(says("contact.scenery.0.random.seed", "-1"), {"seed", "-1"}));
  EXPECT_TRUE(
      mentions(says("contact.scenery.0.heights", "[[0, 1], [0, 1]]"), {"one of", "random"}));
  const auto pushed = [](const std::string& path, const std::string& value) {
    return refusal("humanoid_push", path, value);
  };
  EXPECT_TRUE(
      mentions(pushed("controllers.0.contacts.0.frame", "left_fot"), {"left_fot", "left_foot"}));
  EXPECT_TRUE(mentions(pushed("controllers.0.tasks.0.frame", "chst"), {"chst", "chest"}));
  EXPECT_TRUE(mentions(pushed("controllers.0.contacts.0.friction", "0"), {"friction 0"}));
}

// another ground for each seed, uniform between 0 and 1
TEST(Legs, RandomGroundIsUniformAndFollowsItsSeed) {
  const HeightField a = random_height_field(200, 100, 7), b = random_height_field(200, 100, 7),
                    c = random_height_field(200, 100, 8);
  EXPECT_EQ(a.heights, b.heights);
  EXPECT_NE(a.heights, c.heights);
  double mean = 0, square = 0, product = 0;
  for (std::size_t i = 0; i < a.heights.size(); ++i) {
    const double x = a.heights[i];
    EXPECT_TRUE(x >= 0 && x < 1);
    mean += x, square += x * x, product += x * c.heights[i];
  }
  const double n = 20000;
  EXPECT_NEAR(mean / n, 0.5, 5 * std::sqrt(1 / 12.0 / n));
  EXPECT_NEAR(square / n, 1 / 3.0, 5 * std::sqrt(4 / 45.0 / n));
  EXPECT_NEAR(product / n, 0.25, 5 * std::sqrt(7 / 144.0 / n));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
