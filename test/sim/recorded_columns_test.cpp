// Columns of a recording: units of what they hold, and values against the dynamics.
#include <map>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>

#include "sim/parts.hpp"

namespace limber::test {
namespace {

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
  system.add(std::make_unique<FunctionPart>("lift", Stage::world,
                                            [](Evaluation& at) { at.tau[0] += 30; }));
  const std::vector<double> q = {0.7}, v = {-1.5};
  const std::vector<double> x = system.initial_state(q, v);
  ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
  Recorder recorder(system, everything());
  const std::span<const double> row = recorder.row(0, x);
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
  run.on_record = [&](double, std::span<const double> now) {
    largest = std::max(largest, std::abs(system.energy(now).total() - expected));
    fastest = std::max(fastest, std::abs(now[1]));
  };
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_LT(largest, 1e-8);
  EXPECT_GT(fastest, 1);
}

}  // namespace
}  // namespace limber::test
