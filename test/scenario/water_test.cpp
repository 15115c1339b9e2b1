// Water in scenarios: the shipped ones against closed forms, the keys, and what is said about
// those that make no sense.
#include <limber/scenario/run.hpp>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <limber/fluid/robot_water.hpp>
#include <limber/sim/water_part.hpp>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double pi = std::numbers::pi, g = 9.81;

const std::string ball = R"yaml(duration: 1
gravity: [0, 0, -9.81]
robots:
  - body: {kind: sphere, size: [0.1], mass: 5}
integrator: {method: rk4, step: 2e-3}
)yaml";

Scenario read(const std::string& water, const std::string& before = ball) {
  return parse_scenario(before + water, "w.yaml");
}
std::string refusal(const std::string& water, const std::string& before = ball) {
  return message_of([&] { read(water, before); });
}
double last(const limber::Run& run, const std::string& column) {
  return run.recording.series(column).back();
}

TEST(WaterScenario, SinkingSphereIsTheClosedForm) {
  const limber::Run run = run_scenario(read_scenario("sinking_sphere"));
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  const double radius = 0.1, mass = 8, displaced = 1000 * 4 * pi / 3 * std::pow(radius, 3),
               drag = 0.5 * 1000 * 0.47 * pi * radius * radius, weight = (mass - displaced) * g,
               speed = std::sqrt(weight / drag), rate = weight / ((mass + displaced / 2) * speed);
  const std::vector<double> t = run.recording.series("time"),
                            z = run.recording.series("root.z.position"),
                            v = run.recording.series("root.vz.velocity"),
                            force = run.recording.series("body.drag"),
                            through = run.recording.series("body.through_water");
  ASSERT_GT(t.size(), 100U);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = speed * std::tanh(rate * t[k]);
    EXPECT_NEAR(v[k], -expected, 1e-8);
    EXPECT_NEAR(z[k], -0.5 - speed / rate * std::log(std::cosh(rate * t[k])), 1e-8);
    EXPECT_NEAR(through[k], expected, 1e-8);
    EXPECT_NEAR(force[k], drag * expected * expected, 1e-6);
  }
  EXPECT_NEAR(last(run, "body.buoyancy"), displaced * g, 1e-9);
  EXPECT_EQ(last(run, "body.wet"), 1);
  // drag is the only loss
  EXPECT_LT(run.totals.largest[run.recording.column("energy_error")], 1e-7);
}

// it stays upright about its waterline, held by its line, and the balance of energy holds
TEST(WaterScenario, BuoyFloatsInWaves) {
  const std::vector<Override> shorter{{"duration", "15"}};
  const Scenario scenario = read_scenario("floating_in_waves", shorter);
  const limber::Run run = run_scenario(scenario), again = run_scenario(scenario);
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  EXPECT_EQ(run.recording.values, again.recording.values);  // random, but the same
  const std::vector<double> z = run.recording.series("root.z.position"),
                            surface = run.recording.series("water.surface"),
                            wet = run.recording.series("body.wet");
  double heave = 0, sea = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    EXPECT_GT(wet[k], 0.1);
    EXPECT_LT(wet[k], 0.95);
    heave += z[k] * z[k], sea += surface[k] * surface[k];
  }
  // a small body goes up and down with long waves
  EXPECT_NEAR(std::sqrt(heave / sea), 1, 0.35);
  EXPECT_GT(last(run, "root.x.position"), 0.3);  // it drifts with the current
  EXPECT_LT(run.totals.largest[run.recording.column("energy_error")], 0.5);
  // another seed is another sea
  const std::vector<Override> other{{"duration", "1"}, {"seed", "5"}}, same{{"duration", "1"}};
  EXPECT_NE(run_scenario(read_scenario("floating_in_waves", other)).recording.values,
            run_scenario(read_scenario("floating_in_waves", same)).recording.values);
}

TEST(WaterScenario, AquarobotWalksOnTheSeaBed) {
  const std::vector<Override> shorter{{"duration", "5"}};
  const limber::Run run = run_scenario(read_scenario("aquarobot_sea_bed", shorter));
  ASSERT_EQ(run.status, RunStatus::finished) << run.message;
  for (const double x : run.recording.values) ASSERT_TRUE(std::isfinite(x));
  const std::vector<double> z = run.recording.series("body.z");
  EXPECT_GT(last(run, "body.x") - run.recording.series("body.x").front(), 0.25);
  for (const double height : z) EXPECT_NEAR(height, z.front(), 0.1);
  // in the mean the feet carry the weight less buoyancy
  const Scenario scenario = read_scenario("aquarobot_sea_bed");
  double buoyancy = 0;
  for (const LinkHydrodynamics& link : scenario.water_part->links())
    buoyancy += scenario.water->density * link.hydrodynamics.displacement.volume;
  EXPECT_GT(buoyancy, 0.4 * 711.82);
  EXPECT_LT(buoyancy, 0.7 * 711.82);
}

// with motors that stick, by events and short steps or decided in long ones
TEST(WaterScenario, AquarobotWalksAlikeByTwoMethods) {
  const std::vector<Override> steps{{"duration", "3"}},
      events{{"duration", "3"}, {"integrator.method", "rk4"}, {"integrator.step", "2e-3"}};
  const limber::Run one = run_scenario(read_scenario("aquarobot_sea_bed", steps)),
                    other = run_scenario(read_scenario("aquarobot_sea_bed", events));
  for (const char* place : {"body.x", "body.y", "body.z"}) {
    const std::vector<double> a = one.recording.series(place), b = other.recording.series(place);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 4e-3) << place << " " << k;
  }
}

// shapes, the file's added mass and the keys of `links`
TEST(WaterKeys, CoefficientsComeFromShapesUnlessTheyAreGiven) {
  const Scenario plain = read("water: {density: 1000, drag_coefficient: 0.5}\n");
  ASSERT_TRUE(plain.water && plain.water_part);
  EXPECT_EQ(plain.water, plain.water_part->water());
  ASSERT_EQ(plain.water_part->links().size(), 1U);
  EXPECT_EQ(plain.links_by_shape, 1U);
  const Hydrodynamics& shape = plain.water_part->links()[0].hydrodynamics;
  const double volume = 4 * pi / 3 * 1e-3;
  EXPECT_NEAR(shape.displacement.volume, volume, 1e-15);
  EXPECT_NEAR(shape.added_mass.M.xx, 500 * volume, 1e-12);
  EXPECT_EQ(shape.surfaces.at(0).coefficient, 0.5);
  EXPECT_TRUE(shape.surfaces.at(0).sphere);
  EXPECT_TRUE(shape.hull.triangles.empty());  // the wet part of a sphere, exactly
  const Scenario given = read(R"yaml(water:
  links:
    - link: body
      added_mass: [1, 2, 3, 4, 5, 6]
      volume: 0.003
      center_of_buoyancy: [0, 0, 0.01]
      linear_damping: [[1, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0.5], [0, 0, 3, 0, 0, 0],
                       [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0.5, 0, 0, 0, 6]]
      quadratic_damping: [6, 5, 4, 3, 2, 1]
      cylinders: [{start: [0, 0, -1], end: [0, 0, 1], radius: 0.1, coefficient: 1.2}]
)yaml");
  const Hydrodynamics& body = given.water_part->links().at(0).hydrodynamics;
  EXPECT_EQ(given.links_by_shape, 0U);
  EXPECT_EQ(body.added_mass.M.yy, 2);
  EXPECT_EQ(body.added_mass.I.zz, 6);
  EXPECT_EQ(body.displacement.volume, 0.003);
  EXPECT_EQ(body.displacement.center.z, 0.01);
  EXPECT_EQ(body.linear_damping[1][5], 0.5);
  EXPECT_EQ(body.quadratic_damping[0][0], 6);
  EXPECT_TRUE(body.surfaces.empty());
  EXPECT_EQ(body.cylinders.at(0).coefficient, 1.2);
}

TEST(WaterKeys, FrictionAlongShapes) {
  const auto surface = [](const std::string& water) {
    return read(water).water_part->links().at(0).hydrodynamics.surfaces.at(0);
  };
  EXPECT_TRUE(surface("water: {}\n").patches.empty());
  const SurfaceDrag all = surface("water: {skin_coefficient: 0.003}\n");
  EXPECT_EQ(all.skin_coefficient, 0.003);
  EXPECT_FALSE(all.patches.empty());
  const SurfaceDrag one = surface(
      "water: {skin_coefficient: 0.003, drag_coefficient: 0, links: [{link: body, "
      "skin_coefficient: 0.005, drag_coefficient: 0.4}]}\n");
  EXPECT_EQ(one.skin_coefficient, 0.005);
  EXPECT_EQ(one.coefficient, 0.4);
  EXPECT_EQ(one.patches.size(), all.patches.size());
  EXPECT_TRUE(mentions(refusal("water: {skin_coefficient: -1}\n"), {"skin_coefficient", "-1"}));
  EXPECT_TRUE(mentions(refusal("water: {links: [{link: body, skin_coefficient: 0.1, "
                               "linear_damping: [1, 1, 1, 1, 1, 1]}]}\n"),
                       {"skin_coefficient", "damping"}));
}

TEST(WaterKeys, CurrentsAreSignalsWithTheirRates) {
  const Scenario scenario = read(R"yaml(water:
  current: {velocity: ["0.3*sin(2*t)", {times: [0, 2], values: [0, 1]}, 0.1], gauss_markov: {
deviation:
  [ 0.1, 0, 0 ]}}
)yaml");
  const Scenario mean =
      read("water: {current: [\"0.3*sin(2*t)\", {times: [0, 2], values: [0, 1]}, 0.1]}\n");
  const Flow flow = mean.water->flow({}, 0.7);
  EXPECT_NEAR(flow.velocity.x, 0.3 * std::sin(1.4), 1e-15);
  EXPECT_NEAR(flow.acceleration.x, 0.6 * std::cos(1.4), 1e-15);
  EXPECT_NEAR(flow.velocity.y, 0.35, 1e-15);
  EXPECT_NEAR(flow.acceleration.y, 0.5, 1e-15);
  EXPECT_EQ(flow.acceleration.z, 0);
  const Flow wandering = scenario.water->flow({}, 0.7);
  EXPECT_NE(wandering.velocity.x, flow.velocity.x);
  EXPECT_EQ(wandering.velocity.y, flow.velocity.y);
  // rates are those of the velocities
  const double h = 1e-6;
  EXPECT_NEAR((scenario.water->flow({}, 0.7 + h).velocity.x -
               scenario.water->flow({}, 0.7 - h).velocity.x) /
                  (2 * h),
              wandering.acceleration.x, 1e-8);
}

TEST(WaterKeys, SurfaceDepthProfileAndWaves) {
  const Scenario scenario = read(R"yaml(water:
  level: 2
  depth: 10
  profile: [{depth: 0, velocity: [1, 0, 0]}, {depth: 10, velocity: [0, 0, 0]}]
  waves:
    regular: [{height: 0.4, period: 5, direction: 1, phase: 0.5}]
    sea: {significant_height: 0.5, peak_period: 6, components: 7}
)yaml");
  const Water& water = *scenario.water;
  EXPECT_EQ(water.waves.size(), 8U);
  EXPECT_EQ(water.waves[0].amplitude, 0.2);
  EXPECT_EQ(water.waves[0].phase, 0.5);
  EXPECT_NEAR(water.waves[0].number, wave_number(2 * pi / 5, 10, g), 1e-15);
  EXPECT_EQ(*water.level, 2);
  EXPECT_EQ(water.depth, 10);
  EXPECT_EQ(water.profile.size(), 2U);
}

const std::string two = R"yaml(duration: 0.1
gravity: [0, 0, -9.81]
robots:
  - {name: a, body: {kind: sphere, size: [0.1], mass: 5}}
  - {name: b, body: {kind: box, size: [0.1, 0.2, 0.3], mass: 5}, xyz: [2, 0, 0], copies: {count: [2, 1, 1], spacing: [1, 0, 0]}}
)yaml";

TEST(WaterKeys, RobotsStayDryThatAreNotInIt) {
  const auto wet = [&](const std::string& keys) {
    const Scenario scenario = read("water: {" + keys + "}\n", two);
    std::vector<std::string> names;
    for (const LinkHydrodynamics& link : scenario.water_part->links()) names.push_back(link.link);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(wet("density: 1000"), (Names{"a.body", "b1.body", "b2.body"}));
  EXPECT_EQ(wet("robots: [a]"), Names{"a.body"});
  EXPECT_EQ(wet("robots: [b]"), (Names{"b1.body", "b2.body"}));
  EXPECT_EQ(wet("exclude: [a, b2.body]"), Names{"b1.body"});
}

TEST(WaterKeys, MistakesAreNamed) {
  EXPECT_TRUE(
      mentions(refusal("water: {density: -5}\n"), {"w.yaml:6", "density", "-5", "positive"}));
  EXPECT_TRUE(mentions(refusal("water: {density: nan}\n"), {"w.yaml:6", "density"}));
  EXPECT_TRUE(mentions(refusal("water: {densty: 5}\n"), {"w.yaml:6", "densty", "density"}));
  EXPECT_TRUE(mentions(refusal("water: {waves: {regular: [{height: 1, period: 5}]}}\n"),
                       {"w.yaml:6", "waves", "level"}));
  EXPECT_TRUE(mentions(refusal("water: {level: 0, waves: {regular: [{height: 5, period: 2}]}}\n"),
                       {"w.yaml:6", "break"}));
  EXPECT_TRUE(mentions(refusal("water: {depth: 3}\n"), {"depth", "level"}));
  EXPECT_TRUE(mentions(refusal("water:\n  links: [{link: bdy, volume: 1}]\n"),
                       {"w.yaml:7", "'bdy'", "body"}));
  EXPECT_TRUE(
      mentions(refusal("water:\n  links: [{link: body, volume: -1}]\n"), {"w.yaml:7", "volume"}));
  EXPECT_TRUE(
      mentions(refusal("water:\n  links: [{link: body, added_mass: [1, 2, nan, 1, 1, 1]}]\n"),
               {"w.yaml:7", "added_mass"}));
  EXPECT_TRUE(mentions(refusal("water:\n  links: [{link: body, added_mass: [1, 2]}]\n"),
                       {"w.yaml:7", "added_mass", "6"}));
  EXPECT_TRUE(mentions(refusal("water:\n  links: [{link: body, cylinders: [{start: [0, 0, 0], end: "
                               "[0, 0, 0], radius: 0.1}]}]\n"),
                       {"w.yaml:7", "cylinder"}));
  EXPECT_TRUE(
      mentions(refusal("water:\n  links: [{link: body, drag_coefficient: 1, linear_damping: "
                       "[1, 1, 1, 1, 1, 1]}]\n"),
               {"w.yaml:7", "drag_coefficient"}));
  EXPECT_TRUE(mentions(refusal("water: {current: [0, \"step(t-1)\", 0]}\n"), {"current", "jump"}));
  EXPECT_TRUE(mentions(refusal("water: {current: {gauss_markov: {deviation: [0.1, -1, 0]}}}\n"),
                       {"deviation", "negative"}));
  EXPECT_TRUE(mentions(
      refusal(
          "water: {profile: [{depth: 2, velocity: [1, 0, 0]}, {depth: 1, velocity: [0, 0, 0]}]}\n"),
      {"w.yaml:6", "rise"}));
  EXPECT_TRUE(mentions(refusal("water: {exclude: [bod]}\n"), {"exclude", "'bod'", "body"}));
  EXPECT_TRUE(mentions(refusal("water: {exclude: [body]}\n"), {"nothing is in the water"}));
  EXPECT_TRUE(mentions(refusal("water: {robots: [c]}\n", two), {"robots", "'c'"}));
  EXPECT_TRUE(mentions(refusal("water: {level: 0}\n",
                               "duration: 1\ngravity: [9.81, 0, 0]\nrobots:\n  - body: {kind: "
                               "sphere, size: [0.1], mass: 5}\n"),
                       {"level", "gravity"}));
}

TEST(WaterKeys, DegreesAreRefused) {
  const auto waves = [](const std::string& keys) {
    return refusal("water: {level: 0, waves: {" + keys + "}}\n");
  };
  const std::initializer_list<std::string> way_out{"w.yaml:6", "90 rad", "90*pi/180"};
  EXPECT_TRUE(mentions(waves("regular: [{height: 0.2, period: 5, direction: 90}]"), way_out));
  EXPECT_TRUE(mentions(waves("regular: [{height: 0.2, period: 5, phase: 90}]"), way_out));
  const std::string sea = "sea: {significant_height: 0.2, peak_period: 5, ";
  EXPECT_TRUE(mentions(waves(sea + "direction: 90}"), way_out));
  EXPECT_TRUE(mentions(waves(sea + "spread: 90}"), way_out));
  EXPECT_TRUE(mentions(waves(sea + "spread: -1}"), {"w.yaml:6", "spread"}));
  EXPECT_EQ(waves("regular: [{height: 0.2, period: 5, direction: -3*pi/2}]"), "(no error)");
}

TEST(WaterKeys, HugeNumbersAreRefused) {
  for (const std::string keys :
       {"density: 1e300", "level: -1e300", "current: [1e300, 0, 0]", "drag_coefficient: 1e13",
        "profile: [{depth: 1, velocity: [0, -1e40, 0]}]",
        "links: [{link: body, cylinders: [{start: [0, 0, 0], end: [1, 0, 0], radius: 1e300}]}]"})
    EXPECT_TRUE(mentions(refusal("water: {" + keys + "}\n"), {"w.yaml:6", "1e+12", "unit"}))
        << keys;
}

TEST(WaterKeys, TooManyAreRefused) {
  const auto many = [](const std::string& entry, int count) {
    std::string list = entry;
    for (int k = 1; k < count; ++k) list += ", " + entry;
    return "[" + list + "]";
  };
  EXPECT_TRUE(mentions(refusal("water: {level: 0, waves: {regular: " +
                               many("{height: 0.001, period: 5}", 1001) + "}}\n"),
                       {"w.yaml:6", "1001", "1000"}));
  EXPECT_TRUE(mentions(refusal("water: {level: 0, waves: {sea: {significant_height: 0.2, "
                               "peak_period: 5, components: 100000}}}\n"),
                       {"w.yaml:6", "components", "100000", "1000"}));
  EXPECT_TRUE(
      mentions(refusal("water: {links: [{link: body, cylinders: " +
                       many("{start: [0, 0, 0], end: [1, 0, 0], radius: 0.1}", 1001) + "}]}\n"),
               {"w.yaml:6", "cylinders", "1001", "1000"}));
}

// rows, and lists of numbers that are no matrix
TEST(WaterKeys, MatricesAreSixOrSixRows) {
  const auto added = [](const std::string& matrix) {
    return refusal("water:\n  links: [{link: body, added_mass: " + matrix + "}]\n");
  };
  const std::string row = "[0, 0, 0, 0, 0, 0]";
  EXPECT_TRUE(mentions(added("[" + row + ", " + row + "]"), {"w.yaml:7", "2 rows", "6"}));
  EXPECT_TRUE(
      mentions(added("[" + row + ", [1], " + row + ", " + row + ", " + row + ", " + row + "]"),
               {"w.yaml:7", "added_mass", "1 entries", "6"}));
  EXPECT_TRUE(mentions(added("[1, [2], 3, 4, 5, 6]"), {"w.yaml:7", "added_mass"}));
}

// a rod that turns about its middle: ∫ ½ ρ C_D 2 r (ω x)² |x| dx = ρ C_D r ω² L⁴/32
TEST(WaterKeys, StripsAreExactWhereTheyAreToBe) {
  const auto drag = [](const std::string& strips) {
    const Scenario scenario = read(
        "water:\n  density: 1000\n  strips: " + strips +
            "\n  links: [{link: body, added_mass: [0, 0, 0, 0, 0, 0], cylinders: [{start: [-0.5, "
            "0, "
            "0], end: [0.5, 0, 0], radius: 0.05, coefficient: 1.2, end_coefficient: 0}]}]\nrecord: "
            "{accelerations: yes}\n",
        "duration: 2e-3\ngravity: [0, 0, 0]\nrobots:\n  - body: {kind: sphere, size: [0.1], mass: "
        "5}\n    initial: {velocity: {root: [0, 0, 1, 0, 0, 0]}}\nintegrator: {method: rk4, step: "
        "2e-3}\n");
    const limber::Run run = run_scenario(scenario);
    return -run.recording.series("root.wz.acceleration")[0] * 0.4 * 5 * 0.01;
  };
  const double closed = 1000 * 1.2 * 0.05 / 32;
  EXPECT_NEAR(drag("exact"), closed, 1e-9 * closed);
  EXPECT_NEAR(drag("four"), closed, 0.01 * closed);
  EXPECT_TRUE(mentions(refusal("water: {strips: five}\n"), {"w.yaml:6", "strips", "exact"}));
}

// what was found about the numbers is said with the scenario's warnings
TEST(WaterKeys, DoubtsAreWarnings) {
  const Scenario scenario =
      read("water:\n  links: [{link: body, added_mass: [-1, 2, 2, 1, 1, 1]}]\n");
  bool said = false;
  for (const std::string& warning : scenario.warnings)
    said = said || (mentions(warning, {"water", "body"}));
  EXPECT_TRUE(said);
}

TEST(WaterKeys, ARunInWavesGoesOnWithTheSameBits) {
  const std::string text =
      "water: {level: 0, current: {gauss_markov: {deviation: [0.2, 0.2, 0]}}, waves: {sea: "
      "{significant_height: 0.2, peak_period: 3}}}\n";
  const Scenario whole = read(text),
                 half = parse_scenario(ball + text, "w.yaml",
                                       std::vector<Override>{{"duration", "0.5"}});
  const limber::Run once = run_scenario(whole), first = run_scenario(half);
  RunHooks hooks;
  hooks.resume = &first.end;
  const limber::Run then = run_scenario(whole, hooks);
  EXPECT_EQ(then.end.x, once.end.x);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
