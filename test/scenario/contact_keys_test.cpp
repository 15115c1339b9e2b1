// The keys of contact: what they mean, and what is said about those that make no sense. Compliant
// contact by integrators of differential equations.
#include <limber/scenario/run.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "scenario/height_field.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::string box = R"(duration: 0.4
gravity: [0, 0, -9.81]
robots:
  - name: box
    body: {kind: box, size: [0.2, 0.2, 0.1], mass: 2}
    xyz: [0, 0, 0.05]
)";

Scenario read(const std::string& contact) { return parse_scenario(box + contact, "c.yaml"); }
std::string refusal(const std::string& contact) {
  return message_of([&] { read(contact); });
}

TEST(ContactKeys, DefaultsAreHardContactOnGround) {
  const Scenario scenario = read("contact: {}\n");
  ASSERT_TRUE(scenario.contacts);
  EXPECT_EQ(scenario.contacts->settings().method, ContactMethod::stepping);
  EXPECT_EQ(scenario.simulation.integrator.method, "time_stepping");
  EXPECT_EQ(scenario.contacts->things(), (std::vector<std::string>{"box.body", "ground"}));
  EXPECT_EQ(scenario.contacts->recorded_pairs(), std::vector<std::string>{"box.body-ground"});
  EXPECT_FALSE(read("").contacts);
  EXPECT_EQ(read("integrator: {method: dopri5}\ncontact: {}\n").contacts->settings().method,
            ContactMethod::compliant);
}

TEST(ContactKeys, MaterialsAreCombinedByTheRuleThatIsStated) {
  const auto friction = [&](const std::string& rule) {
    const Scenario one = read("contact: {friction: 0.9, ground: {friction: 0.4}, " + rule + "}\n");
    return one.contacts->material(0, 1).friction;
  };
  EXPECT_NEAR(friction("restitution: 0"), 0.6, 1e-15);
  EXPECT_NEAR(friction("combine_friction: mean"), 0.65, 1e-15);
  EXPECT_NEAR(friction("combine_friction: smallest"), 0.4, 1e-15);
  EXPECT_NEAR(friction("combine_friction: largest"), 0.9, 1e-15);
  EXPECT_NEAR(friction("combine_friction: product"), 0.36, 1e-15);
  const Scenario pair = read(
      "contact:\n  friction: {static: 0.6, sliding: 0.5, torsional: 0.01, rolling: 0.002}\n"
      "  pairs: [{a: ground, b: box.body, restitution: 0.3}]\n");
  const ContactMaterial found = pair.contacts->material(0, 1);
  EXPECT_EQ(found.friction, 0.6);
  EXPECT_EQ(found.sliding_friction, 0.5);
  EXPECT_EQ(found.torsion, 0.01);
  EXPECT_EQ(found.rolling, 0.002);
  EXPECT_EQ(found.restitution, 0.3);
}

TEST(ContactKeys, WhatMakesNoSenseIsRefusedWithItsPlace) {
  EXPECT_TRUE(mentions(refusal("contact: {fricton: 1}\n"), {"c.yaml:7", "fricton", "friction"}));
  EXPECT_TRUE(mentions(refusal("contact: {restitution: 1.5}\n"), {"c.yaml:7", "1.5", "0 to 1"}));
  EXPECT_TRUE(mentions(refusal("contact:\n  method: stepping\nintegrator: {method: rk4}\n"),
                       {"c.yaml:8", "time_stepping", "rk4"}));
  EXPECT_TRUE(mentions(refusal("contact: {ground: {rpy: [0, 30, 0]}}\n"),
                       {"c.yaml:7", "radians", "0.523599"}));
  EXPECT_TRUE(mentions(refusal("contact: {method: evnt}\n"), {"c.yaml:7", "evnt", "event"}));
  EXPECT_TRUE(mentions(refusal("contact:\n  pairs: [{a: box.boddy, b: ground}]\n"),
                       {"c.yaml:8", "box.boddy", "box.body"}));
  EXPECT_TRUE(mentions(refusal("contact: {friction: {static: 0.3, sliding: 0.5}}\n"),
                       {"c.yaml:7", "0.5", "0.3"}));
  EXPECT_TRUE(mentions(refusal("contact:\n  scenery:\n    - {name: wall, kind: box}\n"),
                       {"c.yaml:9", "size"}));
  EXPECT_TRUE(
      mentions(refusal("contact:\n  scenery:\n    - {name: w, kind: box, size: [1, -1, 1]}\n"),
               {"c.yaml:9", "size"}));
  EXPECT_TRUE(mentions(refusal("contact: {ground: none}\n"), {"c.yaml:7", "no two shapes"}));
  EXPECT_TRUE(mentions(refusal("contact: {exclude: [[box.body]]}\n"), {"c.yaml:7", "pair"}));
  EXPECT_TRUE(mentions(refusal("contact: {friction: {static: -1}}\n"), {"c.yaml:7", "static: -1"}));
  EXPECT_TRUE(mentions(refusal("contact: {ground: {belt: [1e300, 0, 0]}}\n"),
                       {"c.yaml:7", "speed of a belt"}));
  EXPECT_TRUE(mentions(refusal("contact: {pairs: [{a: ground, b: ground}]}\n"),
                       {"c.yaml:7", "cannot touch"}));
  EXPECT_TRUE(mentions(refusal("contact: {pairs: [{a: ground, b: box.body, restitution: 2}]}\n"),
                       {"c.yaml:7", "pairs: restitution: 2", "0 to 1"}));
  EXPECT_TRUE(mentions(refusal("contact: {solver: {tolerance: -1}}\n"), {"c.yaml:7", "tolerance"}));
}

TEST(ContactKeys, CopiesAndLooseBodies) {
  const std::string text = R"(duration: 0.1
robots:
  - name: ball
    body: {kind: capsule, size: [0.1, 0.4], mass: 2}
    copies: {count: [2, 1, 3], spacing: [1, 1, 2], most: 5}
)";
  const Scenario scenario = parse_scenario(text, "c.yaml");
  EXPECT_EQ(scenario.model.nv, 30);
  EXPECT_EQ(scenario.q[7 * 4 + 2], 4);  // the fifth: x = 0, z = 4
  EXPECT_EQ(scenario.q[7 * 3], 1);
  // by integration over slices: I_zz = ∫ r⁴/2 dz · density π
  double volume = 0, about_z = 0, about_x = 0;
  const int slices = 200000;
  for (int k = 0; k < slices; ++k) {
    const double z = -0.3 + 0.6 * (k + 0.5) / slices, dz = 0.6 / slices;
    const double beyond = std::max(0.0, std::abs(z) - 0.2), r2 = 0.01 - beyond * beyond;
    volume += M_PI * r2 * dz;
    about_z += M_PI * r2 * r2 / 2 * dz;
    about_x += M_PI * r2 * (r2 / 4 + z * z) * dz;
  }
  const Sym3<double> I = scenario.model.inertia[1].rotational();
  EXPECT_NEAR(I.zz, 2 * about_z / volume, 1e-9);
  EXPECT_NEAR(I.xx, 2 * about_x / volume, 1e-9);
  const auto refuse = [](const std::string& robot) {
    return message_of(
        [&] { parse_scenario("duration: 1\nrobots:\n  - " + robot + "\n", "c.yaml"); });
  };
  EXPECT_TRUE(mentions(refuse("{name: a}"), {"c.yaml:3", "model", "body"}));
  EXPECT_TRUE(
      mentions(refuse("{body: {kind: box, size: [1, 1, 1], mass: 0}}"), {"c.yaml:3", "mass"}));
  EXPECT_TRUE(mentions(refuse("{body: {kind: box, size: [1, 1], mass: 1}}"), {"c.yaml:3", "size"}));
  EXPECT_TRUE(mentions(refuse("{body: {kind: sphere, size: [1], mass: 1}, copies: {count: [2, 2, "
                              "2], spacing: [1, 1, 1]}}"),
                       {"c.yaml:3", "name"}));
}

TEST(ContactKeys, HeightFieldsOfTablesAndImages) {
  const HeightField table = parse_height_table("# heights\n0, 1, 2\n3;4;5\n", "h.csv");
  EXPECT_EQ(table.columns, 3);
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(table.heights, (std::vector<double>{0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(mentions(message_of([] { parse_height_table("0 1\n2\n", "h.csv"); }), {"h.csv:2"}));
  EXPECT_TRUE(mentions(message_of([] { parse_height_table("0 x\n", "h.csv"); }), {"h.csv:1"}));
  // the upper row of an image is that of the largest y
  const HeightField plain = parse_pgm("P2\n# grey\n2 2\n4\n0 1\n2 4\n", "h.pgm");
  EXPECT_EQ(plain.heights, (std::vector<double>{0.5, 1, 0, 0.25}));
  const HeightField bytes =
      parse_pgm(std::string_view("P5 2 2 255\n\x00\xff\x33\x66", 15), "h.pgm");
  EXPECT_EQ(bytes.heights, (std::vector<double>{0.2, 0.4, 0, 1}));
  EXPECT_TRUE(
      mentions(message_of([] { parse_pgm("P5 2 2 255\n\x01", "h.pgm"); }), {"h.pgm", "early"}));
  EXPECT_TRUE(mentions(message_of([] { parse_pgm("P6 2 2 255\n", "h.pgm"); }), {"h.pgm", "PGM"}));
}

// bodies would fall through the ground
TEST(ContactKeys, HardContactNeedsItsIntegrator) {
  const Scenario scenario = read("contact: {}\n");
  SimulationSettings settings = scenario.simulation;
  settings.integrator.method = "rk4";
  EXPECT_TRUE(mentions(
      message_of([&] { Simulation(scenario.make_system(), settings, scenario.q, scenario.v); }),
      {"time_stepping", "rk4", "contact"}));
}

// a ball on Hunt and Crossley's ground: energy stored, lost and moving add up
TEST(CompliantContactRun, EnergyAddsUp) {
  const limber::Run run = run_scenario(parse_scenario(R"(duration: 1
gravity: [0, 0, -9.81]
robots:
  - name: ball
    body: {kind: sphere, size: [0.1], mass: 1}
    xyz: [0, 0, 0.3]
    initial: {velocity: {root: [0, 0, 0, 1, 0, 0]}}
contact: {method: compliant, friction: 0.4, compliance: {stiffness: 1e5, dissipation: 0.3}}
integrator: {method: dopri5, relative_tolerance: 1e-9, max_step: 0.002}
record: {interval: 0.002}
)",
                                                      "c.yaml"));
  EXPECT_EQ(run.status, RunStatus::finished) << run.message;
  double error = 0;
  for (const double x : run.recording.series("energy_error")) error = std::fmax(error, std::abs(x));
  EXPECT_LT(error, 5e-5);
  const std::vector<double> work = run.recording.series("work"),
                            lost = run.recording.series("contact.dissipated");
  EXPECT_NEAR(work.back(), -lost.back(), 1e-6);
  EXPECT_GT(lost.back(), 0.2);
}

// friction 0.6: sticks at 25°, slides at 35° with g (sin − 0.6 cos)
TEST(CompliantContactRun, ABlockSticksOrSlides) {
  for (const double degrees : {25.0, 35.0}) {
    const double a = degrees * M_PI / 180;
    std::string text = R"(duration: 1
gravity: [GX, 0, GZ]
robots:
  - name: block
    body: {kind: box, size: [0.2, 0.2, 0.05], mass: 2}
    xyz: [0, 0, 0.025]
contact: {method: compliant, friction: 0.6, compliance: {law: linear, stiffness: 1e5, damping: 500}}
integrator: {method: dopri5, relative_tolerance: 1e-7, max_step: 0.002}
record: {interval: 0.01}
)";
    text.replace(text.find("GX"), 2, std::to_string(9.81 * std::sin(a)));
    text.replace(text.find("GZ"), 2, std::to_string(-9.81 * std::cos(a)));
    const limber::Run run = run_scenario(parse_scenario(text, "c.yaml"));
    const std::vector<double> v = run.recording.series("block.root.vx.velocity");
    if (degrees < 30) EXPECT_LT(std::abs(v.back()), 1e-7);
    else EXPECT_NEAR(v.back() - v[50], 0.5 * 9.81 * (std::sin(a) - 0.6 * std::cos(a)), 2e-3);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
