// Hard contact by the simulator: closed forms of bouncing, sliding and rolling, things that must
// stand still, the same bits for every number of threads.
#include <limber/scenario/run.hpp>

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

double last(const limber::Run& run, const std::string& column) {
  return run.recording.series(column).back();
}
double largest(const limber::Run& run, const std::string& column) {
  double most = 0;
  for (const double x : run.recording.series(column)) most = std::fmax(most, std::abs(x));
  return most;
}
limber::Run run_text(const std::string& text, const std::vector<Override>& changes = {}) {
  return run_scenario(parse_scenario(text, "contact.yaml", changes));
}
limber::Run run_shipped(const std::string& name, const std::vector<Override>& changes = {}) {
  return run_scenario(read_scenario(name, changes));
}
// never more energy than before, but for rounding
void expect_no_gain(const limber::Run& run, double rounding = 1e-9) {
  double before = HUGE_VAL;
  for (const double energy : run.recording.series("total_energy")) {
    EXPECT_LE(energy, before + rounding);
    before = energy;
  }
}

const std::string ball = R"(
duration: 3
gravity: [0, 0, -9.81]
robots:
  - name: ball
    body: {kind: sphere, size: [0.1], mass: 1}
    xyz: [0, 0, 1.1]
contact: {ground: 0, friction: 0.5, restitution: 0.9}
record: {interval: 0.001}
)";

// z, v and the number of impacts of an event-driven solution in closed form
TEST(HardContact, ABallBouncesAsInTheClosedForm) {
  const limber::Run run = run_shipped("bouncing_ball", {{"duration", "8.5"}});
  EXPECT_NEAR(last(run, "ball.root.z.position") - 0.1, 5.565551009e-6, 1e-11);
  EXPECT_NEAR(last(run, "ball.root.vz.velocity"), -0.04166519580978, 1e-10);
  ASSERT_TRUE(run.contacts);
  EXPECT_EQ(run.contacts->totals.impacts, 44);
  EXPECT_LT(largest(run, "energy_error"), 1e-11);
}

TEST(HardContact, HeightsAreThePowersOfTheRestitution) {
  for (const double e : {0.3, 0.7, 1.0}) {
    const limber::Run run = run_text(ball, {{"contact.restitution", fmt::format("{}", e)}});
    expect_no_gain(run, 2e-6);
    // the energy above that of rest, as a height
    std::vector<double> heights;
    for (const double energy : run.recording.series("total_energy")) {
      const double height = energy / 9.81 - 0.1;
      if (heights.empty() || std::abs(height - heights.back()) > 1e-9) heights.push_back(height);
    }
    if (e == 1) {
      EXPECT_EQ(heights.size(), 1U);
      EXPECT_NEAR(heights[0], 1, 1e-9);
      continue;
    }
    ASSERT_GT(heights.size(), 4U);
    for (std::size_t n = 0; n < 5; ++n)
      EXPECT_NEAR(heights[n], std::pow(e, 2.0 * static_cast<double>(n)), 1e-4 * 1e-4) << e << n;
  }
}

// the plane is tilted by 30°; friction is a millionth more and less than its tangent
TEST(HardContact, ABlockSticksBelowTheAngleOfFrictionAndSlidesAboveIt) {
  const double slope = std::tan(M_PI / 6);
  for (const double part : {1 + 1e-6, 1 - 1e-6}) {
    const limber::Run run = run_shipped(
        "incline", {{"duration", "0.5"},
                    {"contact.solver", "{tolerance: 1e-12}"},
                    {"contact.pairs.0.friction", fmt::format("{:.17g}", slope * part)}});
    const double way = std::hypot(last(run, "holds.root.x.position") - 0.025,
                                  last(run, "holds.root.z.position") - 0.0433012701892219);
    const double expected = part > 1 ? 0 : 9.81 * 0.5 * 1e-6 * 0.25 / 2;
    EXPECT_NEAR(way, expected, 0.1 * 9.81 * 0.5 * 1e-6 * 0.25 / 2) << part;
  }
}

TEST(HardContact, ASlidingBlockStopsWhereItShould) {
  const limber::Run run = run_text(R"(
duration: 1.2
gravity: [0, 0, -9.81]
robots:
  - name: block
    body: {kind: box, size: [0.4, 0.4, 0.02], mass: 3}
    xyz: [0, 0, 0.01]
    initial: {velocity: {root: [0, 0, 0, 5, 0, 0]}}
contact: {friction: 0.5}
record: {interval: 0.01}
)");
  EXPECT_NEAR(last(run, "block.root.x.position"), 2.548420, 2e-6);
  EXPECT_LT(std::abs(last(run, "block.root.vx.velocity")), 1e-9);
  EXPECT_NEAR(last(run, "contact.dissipated"), 3 * 25 / 2.0, 1e-3);
  expect_no_gain(run);
}

TEST(HardContact, ASphereSlidesThenRolls) {
  const limber::Run run = run_text(R"(
duration: 0.4
gravity: [0, 0, -9.81]
robots:
  - name: ball
    body: {kind: sphere, size: [0.1], mass: 2}
    xyz: [0, 0, 0.1]
    initial: {velocity: {root: [0, 0, 0, 2, 0, 0]}}
contact: {friction: 0.3}
integrator: {step: 2e-4}
record: {interval: 0.0002}
)");
  const std::vector<double> t = run.recording.series("time"),
                            slip = run.recording.series("ball.body-ground.slip"),
                            x = run.recording.series("ball.root.x.position");
  std::size_t k = 1;
  while (k < t.size() && slip[k] > 1e-6) ++k;
  EXPECT_NEAR(t[k], 0.19416533178, 3e-4);
  EXPECT_NEAR(x[k] - (t[k] - 0.19416533178) * 10.0 / 7, 0.33285485448, 1e-6);
  const double omega = last(run, "ball.root.wy.velocity");
  EXPECT_NEAR(omega * 0.1, 2 * 5.0 / 7, 1e-6);
}

// a box with balls on it: 150 − 0.4 · 35 g = 60 f, a_ball = f, a_box = 3.5 f
TEST(HardContact, BallsRollOnABoxThatIsPulled) {
  const limber::Run run = run_shipped("rolling_box", {{"duration", "0.3"}});
  const double f = (150 - 0.4 * 35 * 9.81) / 60;
  EXPECT_NEAR(last(run, "box.root.vx.velocity") / 0.3, 3.5 * f, 0.01 * 3.5 * f);
  EXPECT_NEAR(last(run, "box.root.vx.velocity") / 0.3, 0.7385, 1e-3);
  // balls turn: their own axes are not those of the world
  const double ball_speed =
      std::hypot(last(run, "ball13.root.vx.velocity"), last(run, "ball13.root.vy.velocity"),
                 last(run, "ball13.root.vz.velocity"));
  EXPECT_NEAR(ball_speed / 0.3, f, 0.01 * f);
}

TEST(HardContact, AHeldCapsuleDoesNotCreep) {
  for (const char* press : {"12", "60"}) {
    const limber::Run run =
        run_shipped("held_capsule", {{"duration", "1"},
                                     {"inputs.0.force", press},
                                     {"inputs.1.force", std::string("-") + press}});
    const std::vector<double> z = run.recording.series("capsule.root.z.position");
    const double creep = std::abs(z.back() - z[z.size() / 2]) / 0.5;  // [m/s]
    EXPECT_LT(creep, 0.01e-6) << press;
    EXPECT_LT(std::abs(z.back() - 0.1), 1e-6);
  }
}

TEST(HardContact, TowerAndCardHouseStand) {
  for (const auto& [scenario, top, height] :
       {std::tuple{"tower", "box10.root.z.position", 1.9},
        std::tuple{"card_house", "top.root.z.position", 0.0958112822219165}}) {
    const limber::Run run = run_shipped(scenario, {{"duration", "0.6"}});
    EXPECT_NEAR(last(run, top), height, 1e-6) << scenario;
    EXPECT_LT(largest(run, "contact.slip"), 1e-6) << scenario;
    EXPECT_EQ(run.contacts->totals.not_converged, 0) << scenario;
  }
}

// the state after a while, as bits
std::vector<std::uint64_t> bits_after(const std::string& threads, const std::string& scenario) {
  const limber::Run run = run_shipped(scenario, {{"integrator.threads", threads},
                                                 {"duration", "0.25"},
                                                 {"robots.0.copies.count", "[3, 3, 3]"}});
  std::vector<std::uint64_t> bits;
  for (const double x : run.end.x) bits.push_back(std::bit_cast<std::uint64_t>(x));
  return bits;
}

TEST(HardContact, TheSameBitsWithOneTwoAndFourThreads) {
  const auto one = bits_after("1", "balls_in_box");
  EXPECT_EQ(bits_after("1", "balls_in_box"), one);
  EXPECT_EQ(bits_after("2", "balls_in_box"), one);
  EXPECT_EQ(bits_after("4", "balls_in_box"), one);
}

TEST(HardContact, BallsInABoxGainNoEnergy) {
  for (const char* restitution : {"0", "0.6"}) {
    const limber::Run run = run_shipped("balls_in_box", {{"duration", "0.6"},
                                                         {"contact.restitution", restitution},
                                                         {"robots.0.copies.count", "[3, 3, 4]"}});
    expect_no_gain(run, 1e-4 * run.recording.series("total_energy").front());
    EXPECT_LT(largest(run, "contact.penetration"), 1e-3);
  }
}

// crank, rod, piston and block at once: Newton's law at the contact, the loop closed, momentum
// along the rail through the crank's bearing alone
TEST(HardContact, ASliderCrankHitsABlock) {
  const limber::Run run = run_shipped("slider_crank_impact");
  EXPECT_LT(largest(run, "loop_gap"), 1e-11);
  EXPECT_GE(run.contacts->totals.impacts, 1);
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  const std::vector<double> piston = run.recording.series("engine.piston.velocity"),
                            block = run.recording.series("block.root.vx.velocity");
  std::size_t k = 1;
  while (k < block.size() && block[k] < 0.1) ++k;
  ASSERT_LT(k, block.size());
  const double before = piston[k - 1] - block[k - 1], after = block[k] - piston[k];
  EXPECT_NEAR(after / before, 0.5, 0.05);  // records are 1 ms apart
}

// a belt takes a block with it
TEST(HardContact, ABeltCarriesABlock) {
  const limber::Run run = run_text(R"(
duration: 0.5
gravity: [0, 0, -9.81]
robots:
  - name: block
    body: {kind: box, size: [0.1, 0.1, 0.1], mass: 1}
    xyz: [0, 0, 0.05]
contact: {ground: {friction: 0.4, belt: [1, 0, 0]}, friction: 0.4}
record: {interval: 0.01}
)");
  const std::vector<double> v = run.recording.series("block.root.vx.velocity"),
                            t = run.recording.series("time");
  EXPECT_NEAR(v[10], 0.4 * 9.81 * t[10], 1e-6);
  EXPECT_NEAR(v.back(), 1, 1e-9);
  EXPECT_LT(largest(run, "energy_error"), 1e-6);
}

TEST(HardContact, ABallRollsDownATerrainToItsLowestPoint) {
  const limber::Run run = run_text(R"(
duration: 6
gravity: [0, 0, -9.81]
robots:
  - name: ball
    body: {kind: sphere, size: [0.1], mass: 1}
    xyz: [0.5, 0, 0.6]
contact:
  ground: none
  friction: {static: 0.8, rolling: 0.01}
  scenery:
    - {name: valley, kind: height_field, size: [2, 2, 1], heights: [[0.4, 0, 0.4], [0.4, 0, 0.4], [0.4, 0, 0.4]]}
integrator: {step: 2e-3}
record: {interval: 0.02}
)");
  EXPECT_NEAR(last(run, "ball.root.x.position"), 0, 0.01);
  expect_no_gain(run, 1e-3);
}

// three equal balls, one comes with speed 1: which law was used is part of the answer
TEST(HardContact, ThreeBallsAnswerByTheLawThatIsChosen) {
  const std::string row = R"(
duration: 0.1
gravity: [0, 0, 0]
robots:
  - name: first
    body: {kind: sphere, size: [0.1], mass: 1}
    xyz: [-0.25, 0, 0]
    initial: {velocity: {root: [0, 0, 0, 1, 0, 0]}}
  - name: second
    body: {kind: sphere, size: [0.1], mass: 1}
  - name: third
    body: {kind: sphere, size: [0.1], mass: 1}
    xyz: [0.2, 0, 0]
contact: {ground: none, friction: 0, restitution: 1, solver: {impact_order: ORDER}}
record: {interval: 0.01}
)";
  for (const auto& [order, v1, v2, v3] : {std::tuple{"simultaneous", -1.0 / 3, 2.0 / 3, 2.0 / 3},
                                          std::tuple{"sequential", 0.0, 0.0, 1.0}}) {
    std::string text = row;
    text.replace(text.find("ORDER"), 5, order);
    const limber::Run run = run_text(text);
    EXPECT_NEAR(last(run, "first.root.vx.velocity"), v1, 1e-8) << order;
    EXPECT_NEAR(last(run, "second.root.vx.velocity"), v2, 1e-8) << order;
    EXPECT_NEAR(last(run, "third.root.vx.velocity"), v3, 1e-8) << order;
    EXPECT_NEAR(last(run, "kinetic_energy"), 0.5, 1e-8) << order;
  }
}

// one step against two halves: long steps where little happens
TEST(HardContact, ErrorControlFindsItsSteps) {
  const limber::Run run = run_text(R"(
duration: 1.2
gravity: [0, 0, -9.81]
robots:
  - name: block
    body: {kind: box, size: [0.4, 0.4, 0.02], mass: 3}
    xyz: [0, 0, 0.01]
    initial: {velocity: {root: [0, 0, 0, 5, 0, 0]}}
contact: {friction: 0.5}
integrator: {method: time_stepping_adaptive, relative_tolerance: 1e-6, absolute_tolerance: 1e-6, max_step: 0.02}
record: {interval: 0.01}
)");
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_NEAR(last(run, "block.root.x.position"), 2.548420, 2e-5);
  EXPECT_LT(run.cost.steps, 300);
}

// two boxes sleep until a ball falls on them
TEST(HardContact, WhatRestsSleepsUntilSomethingComes) {
  const limber::Run run = run_text(R"(
duration: 1.2
gravity: [0, 0, -9.81]
robots:
  - name: low
    body: {kind: box, size: [0.2, 0.2, 0.2], mass: 1}
    xyz: [0, 0, 0.1]
  - name: high
    body: {kind: box, size: [0.2, 0.2, 0.2], mass: 1}
    xyz: [0.01, 0, 0.3]
  - name: ball
    body: {kind: sphere, size: [0.05], mass: 1}
    xyz: [0, 0, 3.6]
contact: {friction: 0.5, solver: {sleep_speed: 1e-3, tolerance: 1e-11}}
record: {interval: 0.01}
)");
  const std::vector<double> v = run.recording.series("high.root.vz.velocity"),
                            force = run.recording.series("low.body-ground.normal_force"),
                            iterations = run.recording.series("contact.iterations");
  EXPECT_EQ(v[70], 0);
  EXPECT_EQ(iterations[70], 0);
  EXPECT_NEAR(force[70], 2 * 9.81, 1e-6);
  EXPECT_NEAR(force.back(), 3 * 9.81, 1e-6);
  EXPECT_NEAR(last(run, "ball.root.z.position"), 0.45, 1e-5);
  EXPECT_NEAR(last(run, "contact.dissipated"), 9.81 * 3.15, 0.1);
  EXPECT_LT(largest(run, "energy_error"), 1e-6);
}

// runs that are saved and continued give the same bits
TEST(HardContact, ASavedRunGoesOnWithTheSameBits) {
  const std::vector<Override> changes{{"duration", "0.9"}, {"contact.restitution", "0.7"}};
  const Scenario scenario = parse_scenario(ball, "contact.yaml", changes);
  const limber::Run whole = run_scenario(scenario);
  const limber::Run half = run_scenario(
      parse_scenario(ball, "contact.yaml",
                     std::vector<Override>{{"duration", "0.5"}, {"contact.restitution", "0.7"}}));
  const SavedRun saved =
      parse_saved_run(scenario, saved_run_text(scenario, half.end), "saved.json");
  RunHooks hooks;
  hooks.resume = &saved;
  EXPECT_EQ(run_scenario(scenario, hooks).end.x, whole.end.x);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
