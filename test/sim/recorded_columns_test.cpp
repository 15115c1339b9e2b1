// Columns of a recording: units of what they hold, and values against the dynamics.
#include <map>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include "sim/parts.hpp"
#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

RecordChoice everything() {
  RecordChoice choice;
  choice.accelerations = choice.momentum = choice.center_of_mass = true;
  return choice;
}

// a mass on a slide, a turning body on it
Spec slide_and_hinge() {
  Spec spec = slider();
  spec.add_body("arm", 1, {0.5, 0, 0}, {0.1, 0.1, 0.1, 0, 0, 0});
  spec.add_joint("hinge", JointKind::revolute, "mass", "arm");
  spec.joints[1].axis = {0, 1, 0};
  return spec;
}

TEST(RecordedColumns, HaveTheUnitsOfWhatTheyHold) {
  System system(build(slide_and_hinge()));
  const Recorder recorder(system, everything());
  std::map<std::string, std::string> units;
  for (const Column& column : recorder.columns()) units[column.name] = column.unit;
  const std::map<std::string, std::string> expected = {{"time", "s"},
                                                       {"slide.position", "m"},
                                                       {"hinge.position", "rad"},
                                                       {"slide.velocity", "m/s"},
                                                       {"hinge.velocity", "rad/s"},
                                                       {"slide.acceleration", "m/s²"},
                                                       {"hinge.acceleration", "rad/s²"},
                                                       {"slide.force", "N"},
                                                       {"hinge.force", "N m"},
                                                       {"kinetic_energy", "J"},
                                                       {"potential_energy", "J"},
                                                       {"total_energy", "J"},
                                                       {"work", "J"},
                                                       {"energy_error", "J"},
                                                       {"power", "W"},
                                                       {"linear_momentum.x", "N s"},
                                                       {"linear_momentum.y", "N s"},
                                                       {"linear_momentum.z", "N s"},
                                                       {"angular_momentum.x", "N m s"},
                                                       {"angular_momentum.y", "N m s"},
                                                       {"angular_momentum.z", "N m s"},
                                                       {"center_of_mass.x", "m"},
                                                       {"center_of_mass.y", "m"},
                                                       {"center_of_mass.z", "m"}};
  EXPECT_EQ(units, expected);
}

// a falling mass that a force of 30 N lifts: a = F/m − g, power F v, and what follows from them
TEST(RecordedColumns, HoldWhatTheyAreCalledAfter) {
  System system(build(slider(2)));
  system.add(
      std::make_unique<FunctionPart>("lift", Role::world, [](Evaluation& at) { at.tau[0] += 30; }));
  const std::vector<double> q = {0.7}, v = {-1.5};
  const std::vector<double> x = system.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  Recorder recorder(system, everything());
  const std::span<const double> row = recorder.row(system, 0, x);
  std::map<std::string, double> value;
  for (std::size_t k = 0; k < row.size(); ++k) value[recorder.columns()[k].name] = row[k];
  EXPECT_NEAR(value["slide.position"], 0.7, 1e-12);
  EXPECT_NEAR(value["slide.velocity"], -1.5, 1e-12);
  EXPECT_NEAR(value["slide.acceleration"], 15 - 9.81, 1e-12);
  EXPECT_NEAR(value["slide.force"], 30, 1e-12);
  EXPECT_NEAR(value["kinetic_energy"], 2.25, 1e-12);
  EXPECT_NEAR(value["potential_energy"], 2 * 9.81 * 0.7, 1e-12);
  EXPECT_NEAR(value["total_energy"], 2.25 + 2 * 9.81 * 0.7, 1e-12);
  EXPECT_NEAR(value["power"], -45, 1e-12);
  EXPECT_NEAR(value["linear_momentum.z"], -3, 1e-12);
  EXPECT_NEAR(value["center_of_mass.z"], 0.7, 1e-12);
}

// springs that are relaxed elsewhere than at zero: k (q − q0)² / 2, and energy that stays
TEST(RecordedColumns, PotentialEnergyHasTheStretchOfSprings) {
  Spec spec = slider(2);
  spec.joints[0].dof().stiffness = 50;
  spec.joints[0].dof().spring_reference = 0.3;
  // a second mass that follows the first upside down, with a spring of its own
  spec.add_body("follower", 1, {}, {0.1, 0.1, 0.1, 0, 0, 0});
  JointSpec& follows = spec.add_joint("follows", JointKind::prismatic, "", "follower");
  follows.mimic = MimicSpec{"slide", -2, 0.1};
  follows.dof().stiffness = 20;
  follows.dof().spring_reference = -0.5;
  System system(build(spec));
  const std::vector<double> q = {0.7}, v = {0};
  const double z = -2 * 0.7 + 0.1;
  const double expected =
      9.81 * (2 * 0.7 + z) + 50 * 0.4 * 0.4 / 2 + 20 * (z + 0.5) * (z + 0.5) / 2;
  const std::vector<double> x = system.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  EXPECT_NEAR(system.energy(x).potential, expected, 1e-12);

  SimulationSettings settings;
  settings.integrator.method = "dopri5";
  settings.integrator.relative_tolerance = settings.integrator.absolute_tolerance = 1e-11;
  Simulation run(system, settings, q, v);
  double largest = 0, fastest = 0;
  run.on_record = [&](const System& now, double, std::span<const double> state) {
    largest = std::max(largest, std::abs(now.energy(state).total() - expected));
    fastest = std::max(fastest, std::abs(state[1]));
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_LT(largest, 1e-8);
  EXPECT_GT(fastest, 1);
}

// A point mass on a thread of length l at angle q from the lowest point: the thread pulls with
// m (g cos q + l q̇²) towards the pivot, and its mass moves on a circle.
TEST(RecordedColumns, ReactionsAndMotionsOfAPendulumAreThoseOfTheBook) {
  const double m = 1.5, l = 0.7, g = 9.81, angle = 0.6, rate = 1.2, push = 3;
  Spec spec;
  spec.gravity = {0, 0, -g};
  spec.add_body("bob", m, {0, 0, -l});
  spec.add_joint("pivot", JointKind::revolute, "", "bob", {0, 1, 0});
  FrameSpec tip;
  tip.name = "tip";
  tip.body = "bob";
  tip.placement.p = {0, 0, -l};
  spec.frames.push_back(tip);
  System system(build(spec));
  // a force along the thread, outwards: the pivot bears it too
  system.add(std::make_unique<FunctionPart>("push", Role::world, [&](Evaluation& at) {
    at.body_forces()[1] += Force<double>{{}, {0, 0, -push}};
  }));
  RecordChoice choice;
  choice.frame_velocities = choice.frame_accelerations = {"tip"};
  choice.reactions = {"pivot"};
  Recorder recorder(system, choice);
  const auto x = system.initial_state(std::vector<double>{angle}, std::vector<double>{rate});
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  Recording recording{recorder.columns(), {}};
  const auto row = recorder.row(system, 0, x);
  recording.values.assign(row.begin(), row.end());
  const auto value = [&](const std::string& name) { return recording.series(name)[0]; };
  const double angular = -g / l * std::sin(angle);
  const double along = m * (g * std::cos(angle) + l * rate * rate) + push;
  EXPECT_NEAR(value("pivot.reaction.fz"), along, 1e-12);
  EXPECT_NEAR(value("pivot.reaction.fx"), 0, 1e-12);  // m l q̈ + m g sin q
  for (const char* rest : {"fy", "mx", "my", "mz"})
    EXPECT_NEAR(value(std::string("pivot.reaction.") + rest), 0, 1e-12) << rest;
  // turning about +y by q takes the tip from (0, 0, −l) to (−l sin q, 0, −l cos q)
  EXPECT_NEAR(value("tip.velocity.x"), -l * rate * std::cos(angle), 1e-12);
  EXPECT_NEAR(value("tip.velocity.z"), l * rate * std::sin(angle), 1e-12);
  EXPECT_NEAR(value("tip.angular_velocity.y"), rate, 1e-12);
  EXPECT_NEAR(value("tip.acceleration.x"),
              l * (rate * rate * std::sin(angle) - angular * std::cos(angle)), 1e-12);
  EXPECT_NEAR(value("tip.acceleration.z"),
              l * (rate * rate * std::cos(angle) + angular * std::sin(angle)), 1e-12);
  EXPECT_NEAR(value("tip.angular_acceleration.y"), angular, 1e-12);
  EXPECT_EQ(recorder.columns()[recording.column("pivot.reaction.fx")].unit, "N");
  EXPECT_EQ(recorder.columns()[recording.column("pivot.reaction.mx")].unit, "N m");
  EXPECT_EQ(recorder.columns()[recording.column("tip.acceleration.x")].unit, "m/s²");
  EXPECT_EQ(recorder.columns()[recording.column("tip.angular_velocity.x")].unit, "rad/s");
}

// the reaction of the last joint is all that acts on the last body: its momentum changes by it,
// gravity and what pushes it
TEST(RecordedColumns, ReactionsAreTheRestOfNewtonsLaw) {
  const Model m = load("puma560");
  System system(m);
  RecordChoice choice;
  choice.reactions = {"all"};
  Recorder recorder(system, choice);
  const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, v{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};
  const auto x = system.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  Recording recording{recorder.columns(), {}};
  const auto row = recorder.row(system, 0, x);
  recording.values.assign(row.begin(), row.end());
  EXPECT_NO_THROW(recording.column("waist.reaction.mz"));
  // the first joint carries everything: the force is the rate of the whole linear momentum
  const std::vector<double> a(system.accelerations().begin(), system.accelerations().end());
  const double h = 1e-6;
  std::vector<double> q1 = q, v1 = v, q0 = q, v0 = v;
  for (std::size_t k = 0; k < 6; ++k) {
    q1[k] += h * v[k] + h * h / 2 * a[k], v1[k] += h * a[k];
    q0[k] += -h * v[k] + h * h / 2 * a[k], v0[k] -= h * a[k];
  }
  Workspace ws(m);
  const Vec3<double> rate =
      (momentum<double>(m, q1, v1, ws).linear - momentum<double>(m, q0, v0, ws).linear) / (2 * h);
  const Vec3<double> weight{0, 0, 9.81 * m.mass()};
  const Poses& bodies = forward_kinematics<double>(m, q, ws);
  const Vec3<double> expected = transpose_times(body_pose(m, bodies, 1).R, rate + weight);
  EXPECT_NEAR(recording.series("waist.reaction.fx")[0], expected.x, 1e-5);
  EXPECT_NEAR(recording.series("waist.reaction.fy")[0], expected.y, 1e-5);
  EXPECT_NEAR(recording.series("waist.reaction.fz")[0], expected.z, 1e-5);
}

TEST(RecordedColumns, UnknownJointsAndFramesAreRefused) {
  System system(load("double_pendulum"));
  RecordChoice choice;
  choice.reactions = {"elbwo"};
  EXPECT_TRUE(mentions(message_of([&] { Recorder(system, choice); }), {"'elbwo'", "'elbow'"}));
  choice.reactions = {};
  choice.frame_velocities = {"lowr"};
  EXPECT_TRUE(mentions(message_of([&] { Recorder(system, choice); }), {"'lowr'", "'lower'"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
