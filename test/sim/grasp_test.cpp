// Grasps: loops that are closed for a while, against collisions in closed form.
#include <limber/sim/grasp.hpp>

#include <gtest/gtest.h>

#include <limber/limber.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/simulation.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Two blocks on parallel rails along x, without gravity.
Spec two_blocks() {
  Spec spec;
  spec.name = "blocks";
  spec.gravity = {};
  for (const auto& [name, mass] : {std::pair{"first", 2.0}, std::pair{"second", 3.0}}) {
    BodySpec body;
    body.name = name;
    body.inertia = Inertia<double>::from_com(mass, {}, {0.1, 0.1, 0.1});
    spec.bodies.push_back(body);
    spec.add_joint(std::string(name) + "_rail", JointKind::prismatic, "", name).axis = {1, 0, 0};
  }
  return spec;
}

GraspSettings weld(double from, double until) {
  GraspSettings settings;
  settings.loop.name = "latch";
  settings.loop.kind = LoopSpec::Kind::weld;
  settings.loop.body_a = "first";
  settings.loop.body_b = "second";
  settings.from = from;
  settings.until = until;
  return settings;
}

Simulation run_of(const GraspSettings& grasp, const std::string& method = "rk4") {
  System system(build(two_blocks()));
  system.add(std::make_unique<Grasp>(grasp));
  SimulationSettings settings;
  settings.duration = 2;
  settings.integrator.method = method;
  return {std::move(system), settings, std::vector<double>{0, 1}, std::vector<double>{4, -1}};
}

// momentum 2 · 4 − 3 · 1 = 5 over 5 kg: 1 m/s; energy 17.5 J before, 2.5 J after; impulse 6 N s
TEST(Grasp, ClosingIsACollisionWithoutRestitution) {
  for (const char* method : {"rk4", "dopri5", "cvode_adams", "pece_b2"}) {
    SCOPED_TRACE(method);
    Simulation run = run_of(weld(0.5, 1.5), method);
    run.advance(1);
    EXPECT_NEAR(run.x()[2], 1, 1e-9);
    EXPECT_NEAR(run.x()[3], 1, 1e-9);
    const double distance = run.x()[1] - run.x()[0];
    EXPECT_NEAR(distance, 1 - 5 * 0.5, 1e-6);  // kept as it was
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    EXPECT_NEAR(run.x()[1] - run.x()[0], distance, 1e-9);
    ASSERT_EQ(run.events().size(), 2u);
    EXPECT_NEAR(run.events()[0].t, 0.5, 1e-8);
    EXPECT_TRUE(mentions(run.events()[0].text, {"loop 'latch' closed", "6 N s", "15 J lost"}));
    EXPECT_NEAR(run.events()[1].t, 1.5, 1e-8);
    EXPECT_TRUE(mentions(run.events()[1].text, {"loop 'latch' opened"}));
    EXPECT_NEAR(run.x().back(), -15, 1e-9);  // counted as work
  }
}

TEST(Grasp, ValuesMayCloseAndOpenIt) {
  GraspSettings settings = weld(0, HUGE_VAL);
  const Model model = build(two_blocks());
  settings.closes = {named_value(model, "first_rail.position"), 1.2, EventSpec::Crossing::rising};
  settings.opens = {named_value(model, "first_rail.position"), 1.8, EventSpec::Crossing::rising};
  Simulation run = run_of(settings);
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  ASSERT_EQ(run.events().size(), 2u);
  EXPECT_NEAR(run.events()[0].t, 0.3, 1e-8);
  EXPECT_NEAR(run.events()[1].t, 0.3 + 0.6, 1e-7);
}

TEST(Grasp, FromTheBeginningVelocitiesAreThoseThatItAllows) {
  Simulation run = run_of(weld(0, 1));
  EXPECT_NEAR(run.x()[2], 1, 1e-12);
  EXPECT_TRUE(mentions(run.system().notices(), {"initial velocities"}));
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_NEAR(run.x()[0], 2, 1e-9);
}

TEST(Grasp, ADescribedPlaceMustBeReached) {
  GraspSettings settings = weld(0.5, 1.5);
  settings.place = GraspPlace::as_described;
  Simulation far = run_of(settings);
  EXPECT_EQ(far.run(), RunStatus::failed);
  EXPECT_TRUE(mentions(far.message(), {"loop 'latch' is open by 1.5 m"}));
  settings.from = 0.2;  // they meet there
  Simulation near_by = run_of(settings);
  EXPECT_EQ(near_by.run(), RunStatus::finished) << near_by.message();
}

// the lost energy is no inaccuracy, whatever keeps the loop closed
TEST(Grasp, ClosingIsNoInaccuracy) {
  for (const Drift drift : {Drift::project, Drift::baumgarte, Drift::independent}) {
    System system(build(two_blocks()));
    system.add(std::make_unique<Grasp>(weld(0.5, 1.5)));
    SimulationSettings settings;
    settings.duration = 2;
    settings.loops.drift = drift;
    Simulation run(std::move(system), settings, std::vector<double>{0, 1},
                   std::vector<double>{4, -1});
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    EXPECT_EQ(inaccuracy(run.accuracy(), settings.integrator), "");
  }
}

TEST(Grasp, ForcesAreRecordedAndZeroWhileItIsOpen) {
  Spec spec = two_blocks();
  spec.gravity = {10, 0, 0};
  spec.joints[0].dof().damping = 1;
  System system(build(spec));
  system.add(std::make_unique<Grasp>(weld(0.5, 1.5)));
  SimulationSettings settings;
  settings.duration = 2;
  settings.record_interval = 0.1;
  Simulation run(std::move(system), settings, std::vector<double>{0, 1},
                 std::vector<double>{4, -1});
  Recorder recorder(run.system(), {});
  Recording table{recorder.columns(), {}};
  run.on_record = [&](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    table.values.insert(table.values.end(), row.begin(), row.end());
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  const std::vector<double> time = table.series("time"), force = table.series("latch.force.x"),
                            speed = table.series("first_rail.velocity");
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (std::abs(time[k] - 0.5) < 1e-6 || std::abs(time[k] - 1.5) < 1e-6) continue;
    const bool closed = time[k] > 0.5 && time[k] < 1.5;
    // (m₁ + m₂) a = (m₁ + m₂) g − d v; on the second block: m₂ a − m₂ g
    EXPECT_NEAR(force[k], closed ? -3.0 / 5 * speed[k] : 0, 1e-8);
  }
  for (const double error : table.series("energy_error")) EXPECT_LT(std::abs(error), 1e-8);
}

TEST(Grasp, CopiesAndSavedRunsGoOnWithTheSameBits) {
  Simulation whole = run_of(weld(0.5, 1.5)), half = run_of(weld(0.5, 1.5));
  whole.run();
  half.advance(0.9);
  Simulation copy = half;
  System again(build(two_blocks()));
  again.add(std::make_unique<Grasp>(weld(0.5, 1.5)));
  Simulation resumed(std::move(again), half.settings(), half.save());
  for (Simulation* run : {&half, &copy, &resumed}) {
    ASSERT_EQ(run->run(), RunStatus::finished) << run->message();
    EXPECT_EQ(std::vector<double>(run->x().begin(), run->x().end()),
              std::vector<double>(whole.x().begin(), whole.x().end()));
  }
}

TEST(Grasp, WrongSettingsAreRefused) {
  GraspSettings settings = weld(1, 0.5);
  EXPECT_TRUE(mentions(message_of([&] { Grasp{settings}; }), {"'latch'", "until 0.5 s"}));
  settings = weld(0, 1);
  settings.loop.kind = LoopSpec::Kind::distance;
  EXPECT_TRUE(mentions(message_of([&] { Grasp{settings}; }), {"'latch'", "distance"}));
  settings = weld(0, 1);
  settings.loop.body_b = "third";
  EXPECT_TRUE(mentions(message_of([&] { run_of(settings); }), {"third"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
