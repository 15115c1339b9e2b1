// Contact between events: closed forms to the accuracy of the integrator, every kind of switch,
// what is not offered, and the same bits after a run was saved.
#include <limber/scenario/run.hpp>

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double g = 9.81;
const std::string fine =
    "integrator: {method: dopri5, relative_tolerance: 1e-12, absolute_tolerance: 1e-13}\n";

double at_end(const limber::Run& run, const std::string& column) {
  return run.recording.series(column).back();
}
limber::Run run_shipped_one(const std::string& name, const std::vector<Override>& changes) {
  return run_scenario(read_scenario(name, changes));
}
limber::Run run_events(const std::string& text, const std::vector<Override>& changes = {}) {
  return run_scenario(parse_scenario(text, "event.yaml", changes));
}
// the times of the events whose text has these words
std::vector<double> times_of(const limber::Run& run, const std::string& words) {
  std::vector<double> times;
  for (const auto& event : run.events)
    if (event.text.find(words) != std::string::npos) times.push_back(event.t);
  return times;
}

const std::string ball_drops = R"(
duration: 8.5
gravity: [0, 0, -9.81]
robots:
  - name: ball
    body: {kind: sphere, size: [0.1], mass: 1}
    xyz: [0, 0, 1.1]
contact: {method: event, friction: 0.5, restitution: 0.9}
record: {interval: 0.01}
)";

// an event-driven solution in closed form
TEST(EventContact, ABallBouncesAsInTheClosedForm) {
  const limber::Run run = run_events(ball_drops);
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_NEAR(at_end(run, "ball.root.z.position") - 0.1, 5.565551009e-6, 1e-12);
  EXPECT_NEAR(at_end(run, "ball.root.vz.velocity"), -0.04166519580978, 1e-10);
  EXPECT_EQ(run.contacts->totals.impacts, 44);
  EXPECT_EQ(times_of(run, "closes: ball.body-ground").size(), 44U);
}

TEST(EventContact, TheBouncesEndAndTheBallRests) {
  const limber::Run run = run_events(ball_drops, {{"duration", "9"}});
  // the last impacts, slower than 1 mm/s, would take 2 ms
  const std::vector<double> impacts = times_of(run, "closes");
  EXPECT_NEAR(impacts.back(), 8.57894917872889, 2.1e-3);
  EXPECT_NEAR(at_end(run, "ball.root.z.position"), 0.1, 1e-12);
  EXPECT_NEAR(at_end(run, "ball.body-ground.normal_force"), g, 1e-10);
  EXPECT_EQ(at_end(run, "ball.body-ground.state"), 1);
  EXPECT_NEAR(at_end(run, "contact.dissipated"), g, 1e-10);
}

TEST(EventContact, HeightsAreThePowersOfTheRestitution) {
  for (const double e : {0.3, 0.7, 1.0}) {
    const limber::Run run =
        run_events(ball_drops, {{"contact.restitution", fmt::format("{}", e)}, {"duration", "3"}});
    std::vector<double> heights;
    for (const double energy : run.recording.series("total_energy")) {
      const double height = energy / g - 0.1;
      if (heights.empty() || std::abs(height - heights.back()) > 1e-9) heights.push_back(height);
    }
    for (std::size_t n = 0; n < std::min(heights.size(), std::size_t{5}); ++n)
      EXPECT_NEAR(heights[n], std::pow(e, 2.0 * static_cast<double>(n)), 1e-10) << e << " " << n;
    EXPECT_EQ(e == 1, heights.size() == 1);
  }
}

TEST(EventContact, ASlidingBlockStopsWhereItShould) {
  const limber::Run run = run_events(R"(
duration: 1.2
gravity: [0, 0, -9.81]
robots:
  - name: block
    body: {kind: box, size: [0.4, 0.4, 0.02], mass: 3}
    xyz: [0, 0, 0.01]
    initial: {velocity: {root: [0, 0, 0, 5, 0, 0]}}
contact: {method: event, friction: 0.5}
)");
  EXPECT_NEAR(at_end(run, "block.root.x.position"), 25 / (2 * 0.5 * g), 1e-10);
  EXPECT_LT(std::abs(at_end(run, "block.root.vx.velocity")), 1e-11);
  ASSERT_EQ(times_of(run, "sticks").size(), 1U);
  EXPECT_NEAR(times_of(run, "sticks")[0], 5 / (0.5 * g), 1e-10);
  EXPECT_NEAR(at_end(run, "contact.dissipated"), 3 * 25 / 2.0, 1e-9);
}

TEST(EventContact, ASphereSlidesThenRolls) {
  const limber::Run run = run_events(R"(
duration: 0.4
gravity: [0, 0, -9.81]
robots:
  - name: ball
    body: {kind: sphere, size: [0.1], mass: 2}
    xyz: [0, 0, 0.1]
    initial: {velocity: {root: [0, 0, 0, 2, 0, 0]}}
contact: {method: event, friction: 0.3}
)" + fine);
  ASSERT_EQ(times_of(run, "sticks").size(), 1U);
  const double t = times_of(run, "sticks")[0];
  EXPECT_NEAR(t, 0.19416533178, 1e-10);
  EXPECT_NEAR(at_end(run, "ball.root.x.position") - (0.4 - t) * 10 / 7, 0.33285485448, 1e-10);
  EXPECT_NEAR(at_end(run, "ball.root.wy.velocity") * 0.1, 10.0 / 7, 1e-10);
  EXPECT_NEAR(at_end(run, "ball.root.z.position"), 0.1, 1e-12);
}

// the plane is tilted by 30°; friction is a millionth more and less than its tangent
TEST(EventContact, ABlockSticksBelowTheAngleOfFrictionAndSlidesAboveIt) {
  for (const double part : {1 + 1e-6, 1 - 1e-6}) {
    const limber::Run run = run_shipped_one(
        "incline",
        {{"duration", "0.5"},
         {"contact.method", "event"},
         {"contact.pairs.0.friction", fmt::format("{:.17g}", std::tan(M_PI / 6) * part)}});
    EXPECT_EQ(run.status, RunStatus::finished) << run.message;
    const double way = std::hypot(at_end(run, "holds.root.x.position") - 0.025,
                                  at_end(run, "holds.root.z.position") - 0.0433012701892219);
    const double slides = g * 0.5 * 1e-6 * 0.25 / 2;
    EXPECT_NEAR(way, part > 1 ? 0 : slides, 1e-3 * slides) << part;
    // the other one, 5 % beyond its angle of friction, whatever the first does
    EXPECT_NEAR(std::hypot(at_end(run, "slides.root.x.position") - 0.025,
                           at_end(run, "slides.root.z.position") - 0.0433012701892219),
                g * 0.5 * 0.05 * 0.25 / 2, 1e-9);
  }
}

// a force that grows as 20 N/s breaks a block loose from 0.5 · 2 g, and then 0.3 · 2 g hold it back
TEST(EventContact, ABlockBreaksLooseFromFrictionAtRest) {
  const limber::Run run = run_events(R"(
duration: 1
gravity: [0, 0, -9.81]
robots:
  - name: block
    body: {kind: box, size: [0.4, 0.4, 0.02], mass: 2}
    xyz: [0, 0, 0.01]
external_forces:
  - {frame: block.body, force: [20*t, 0, 0]}
contact: {method: event, friction: {static: 0.5, sliding: 0.3}}
)" + fine);
  const double start = 0.5 * 2 * g / 20, s = 1 - start;
  ASSERT_GE(times_of(run, "begins to slide").size(), 1U);
  EXPECT_NEAR(times_of(run, "begins to slide")[0], start, 1e-6);
  // v̇ = 10 t − 0.3 g
  const double x = 10 * (start * s * s / 2 + s * s * s / 6) - 0.3 * g * s * s / 2;
  EXPECT_NEAR(at_end(run, "block.root.x.position"), x, 2e-6);
}

TEST(EventContact, ABeltCarriesABlock) {
  const limber::Run run = run_events(R"(
duration: 0.5
gravity: [0, 0, -9.81]
robots:
  - name: block
    body: {kind: box, size: [0.1, 0.1, 0.1], mass: 1}
    xyz: [0, 0, 0.05]
contact: {method: event, ground: {friction: 0.4, belt: [1, 0, 0]}, friction: 0.4}
)");
  const double caught = 1 / (0.4 * g);
  EXPECT_NEAR(at_end(run, "block.root.x.position"), 0.5 - caught / 2, 1e-10);
  EXPECT_NEAR(times_of(run, "sticks").at(0), caught, 1e-10);
}

// it turns about its lower edge as a pendulum does: ½ (I + m r²) ω² = m g r (cos φ₀ − cos φ)
TEST(EventContact, ABoxFallsOverAboutItsEdge) {
  const limber::Run run = run_events(R"(
duration: 0.3
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.3, 0.2], mass: 2}
    xyz: [0, 0, 0.14088320528055174]
    rpy: [0, 50*pi/180, 0]
contact: {method: event, friction: 5}
)" + fine);
  const double r = 0.1 * std::sqrt(2.0), inertia = 2 * 0.04 * 2 / 12 + 2 * r * r;
  const double z = at_end(run, "box.root.z.position");
  const double omega = at_end(run, "box.root.wy.velocity");
  EXPECT_GT(omega, 0.5);
  EXPECT_NEAR(inertia * omega * omega / 2, 2 * g * (0.14088320528055174 - z), 1e-9);
  EXPECT_EQ(at_end(run, "contact.count"), 2);
}

// a tall box on a steep plane: the corners uphill leave it at once
TEST(EventContact, ABoxTipsOverTheLowerEdge) {
  const limber::Run run = run_events(R"(
duration: 0.15
gravity: [4.905, 0, -8.49570485]
robots:
  - name: box
    body: {kind: box, size: [0.1, 0.1, 0.4], mass: 1}
    xyz: [0, 0, 0.2]
contact: {method: event, friction: 2}
record: {interval: 0.001}
)" + fine);
  EXPECT_EQ(times_of(run, "breaks").size(), 2U);
  // about the edge: (I + m r²) α = m (g_x h − g_z w), over the first millisecond
  const double inertia = (0.01 + 0.16) / 12 + 0.05 * 0.05 + 0.2 * 0.2;
  const double alpha = (4.905 * 0.2 - 8.49570485 * 0.05) / inertia;
  EXPECT_NEAR(run.recording.series("box.root.wy.velocity")[1], alpha * 1e-3, 1e-6 * alpha);
}

// thrown, it bounces on its corners, slides, and comes to rest; no energy comes from nothing
TEST(EventContact, AThrownBoxComesToRest) {
  const limber::Run run = run_events(R"(
duration: 2
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.3, 0.1], mass: 2}
    xyz: [0, 0, 0.5]
    rpy: [0.3, 0.2, 0.1]
    initial: {velocity: {root: [1, 2, 0.5, 1, 0, 0]}}
contact: {method: event, friction: 0.4, restitution: 0.3}
)");
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_NEAR(at_end(run, "box.root.z.position"), 0.05, 1e-9);
  EXPECT_LT(at_end(run, "kinetic_energy"), 1e-20);
  EXPECT_EQ(at_end(run, "contact.count"), 4);
  double before = HUGE_VAL;
  for (const double energy : run.recording.series("total_energy")) {
    EXPECT_LE(energy, before + 1e-7);
    before = energy;
  }
}

TEST(EventContact, ThreeBoxesStand) {
  const limber::Run run = run_events(R"(
duration: 2
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.2, 0.2], mass: 1}
    xyz: [0, 0, 0.1]
    copies: {count: [1, 1, 3], spacing: [0, 0, 0.2]}
contact: {method: event, friction: 0.6}
)");
  EXPECT_TRUE(run.events.empty());
  EXPECT_NEAR(at_end(run, "box3.root.z.position"), 0.5, 1e-12);
  EXPECT_NEAR(at_end(run, "box1.body-ground.normal_force"), 3 * g, 1e-9);
}

// an impact in a closed mechanism: Newton's law at the contact, the loop closed
TEST(EventContact, ASliderCrankHitsABlock) {
  const limber::Run run = run_shipped_one(
      "slider_crank_impact", {{"contact.method", "event"}, {"integrator.method", "dopri5"}});
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_EQ(run.contacts->totals.impacts, 1);
  const double impact = times_of(run, "block.body-crown").at(0);
  const std::vector<double> t = run.recording.series("time"),
                            piston = run.recording.series("engine.piston.velocity"),
                            block = run.recording.series("block.root.vx.velocity");
  std::size_t k = 0;
  while (t[k] < impact) ++k;
  const double before = piston[k - 1] - block[k - 1], after = block[k] - piston[k];
  EXPECT_NEAR(after / before, 0.5, 0.05);  // records are 1 ms apart
  double gap = 0;
  for (const double one : run.recording.series("loop_gap")) gap = std::fmax(gap, one);
  EXPECT_LT(gap, 1e-11);
  // the same as steps of 0.2 ms find
  const limber::Run stepped = run_shipped_one("slider_crank_impact", {});
  EXPECT_NEAR(at_end(run, "block.root.x.position"), at_end(stepped, "block.root.x.position"), 1e-3);
}

// sliding one way there is an answer, the other way there is none
TEST(EventContact, PainlevesRodIsRefusedWithAWord) {
  const auto thrown = [](double speed) {
    return fmt::format(R"(
duration: 0.02
gravity: [0, 0, -9.81]
robots:
  - name: rod
    body: {{kind: capsule, size: [0.001, 2], mass: 1}}
    xyz: [0, 0, 0.8670254037844386]
    rpy: [0, pi/6, 0]
    initial: {{velocity: {{root: [0, 0, 0, {:.17g}, 0, {:.17g}]}}}}
contact: {{method: event, friction: 2}}
)",
                       speed * std::cos(M_PI / 6), speed * std::sin(M_PI / 6));
  };
  EXPECT_EQ(run_events(thrown(1)).status, RunStatus::finished);
  EXPECT_TRUE(mentions(message_of([&] { run_events(thrown(-1)); }),
                       {"rod.body-ground", "infeasible", "Painlevé"}));
}

TEST(EventContact, WhatIsNotOfferedIsRefused) {
  const std::string box = R"(
duration: 1
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.2, 0.2], mass: 1}
    xyz: [0, 0, HEIGHT]
    copies: {count: [COUNT, 1, 1], spacing: [0.3, 0, 0]}
)";
  const auto refusal = [&](const std::string& contact, const std::string& height = "0.1",
                           const std::string& count = "1") {
    std::string text = box + contact;
    text.replace(text.find("HEIGHT"), 6, height);
    text.replace(text.find("COUNT"), 5, count);
    return message_of([&] { run_events(text); });
  };
  EXPECT_TRUE(mentions(refusal("contact: {method: event, friction: {static: 1, rolling: 0.1}}\n"),
                       {"event.yaml:9", "rolling friction", "stepping"}));
  EXPECT_TRUE(mentions(refusal("contact: {method: event, solver: {shape: pyramid}}\n"),
                       {"event.yaml:9", "pyramid"}));
  EXPECT_TRUE(mentions(refusal("contact: {method: event, solver: {sleep_speed: 0.1}}\n"),
                       {"event.yaml:9", "sleep"}));
  EXPECT_TRUE(mentions(refusal("contact:\n  method: event\n  scenery: [{name: hill, kind: "
                               "height_field, size: [1, 1, 1], heights: [[0, 0], [0, 0]]}]\n"),
                       {"hill", "height field"}));
  EXPECT_TRUE(mentions(refusal("contact: {method: event}\nintegrator: {method: time_stepping}\n"),
                       {"event.yaml:9", "time_stepping", "dopri5"}));
  EXPECT_TRUE(mentions(refusal("contact: {method: event}\n", "0.1", "5"),
                       {"20 contacts", "16", "stepping"}));
  EXPECT_TRUE(mentions(refusal("contact: {method: event}\n", "0.05"),
                       {"box1.body-ground", "overlap of 0.05 m", "stepping"}));
}

TEST(EventContact, ASavedRunGoesOnWithTheSameBits) {
  const std::string text = R"(
duration: 0.9
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.3, 0.1], mass: 2}
    xyz: [0, 0, 0.2]
    rpy: [0.3, 0.2, 0.1]
    initial: {velocity: {root: [1, 2, 0.5, 1, 0, 0]}}
contact: {method: event, friction: 0.1, restitution: 0.3}
)";
  const Scenario scenario = parse_scenario(text, "event.yaml");
  const limber::Run whole = run_scenario(scenario);
  for (const char* until : {"0.15", "0.3", "0.5"}) {
    const limber::Run half = run_events(text, {{"duration", until}});
    const SavedRun saved =
        parse_saved_run(scenario, saved_run_text(scenario, half.end), "saved.json");
    RunHooks hooks;
    hooks.resume = &saved;
    const limber::Run rest = run_scenario(scenario, hooks);
    EXPECT_EQ(rest.end.x, whole.end.x) << until;
    EXPECT_EQ(rest.end.discrete, whole.end.discrete) << until;
  }
}

// methods of other kinds come to the same
TEST(EventContact, EveryIntegratorFindsTheSame) {
  for (const char* method : {"rk4", "cvode_adams", "cvode_bdf", "midpoint"}) {
    const limber::Run run = run_events(
        ball_drops,
        {{"duration", "1.5"}, {"integrator", fmt::format("{{method: {}, step: 1e-3}}", method)}});
    EXPECT_EQ(run.contacts->totals.impacts, 2) << method;
    const double first = std::sqrt(2 / g), second = first * (1 + 2 * 0.9);
    EXPECT_NEAR(times_of(run, "closes").at(1), second, 1e-7) << method;
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
