// A payload that is carried for a while, against robots to which the same is welded.
#include <limber/sim/payload.hpp>

#include <limber/limber.hpp>
#include <limber/io/load.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/system.hpp>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const Inertia<double> block =
    Inertia<double>::from_com(2, {0.05, -0.02, 0.1}, {0.02, 0.03, 0.04, 0.001, 0.002, -0.003});

PayloadSettings carried(double from, double until) {
  return {"block", "link4", block, from, until};
}

Model with_block() {
  Spec spec = load_spec("puma560");
  BodySpec body;
  body.name = "block";
  body.inertia = block;
  spec.bodies.push_back(body);
  spec.add_joint("grip", JointKind::fixed, "link4", "block");
  return build(spec);
}

const std::vector<double> q{0.3, 0.4, -0.8, 0.5, 0.9, 0.2}, v{0.1, -0.2, 0.3, 0.4, -0.5, 0.6};

std::vector<double> accelerations(System& system, double t) {
  const std::vector<double> x = system.initial_state(q, v);
  EXPECT_EQ(system.evaluate(t, x), Evaluated::ok);
  return {system.accelerations().begin(), system.accelerations().end()};
}

testing::AssertionResult same(const std::vector<double>& a, const std::vector<double>& b) {
  return near(matrix(a), matrix(b), 1e-10);
}

TEST(Payload, ItsInertiaIsThatOfAWeldedBody) {
  System welded(with_block()), bare(load("puma560")), now(load("puma560")), later(load("puma560"));
  now.add(std::make_unique<Payload>(carried(0, HUGE_VAL)));
  later.add(std::make_unique<Payload>(carried(1, 2)));
  EXPECT_TRUE(same(accelerations(now, 0), accelerations(welded, 0)));
  EXPECT_TRUE(same(accelerations(later, 0), accelerations(bare, 0)));
  EXPECT_FALSE(same(accelerations(now, 0), accelerations(bare, 0)));
  // a copy carries what the original does
  System copy(now);
  EXPECT_TRUE(same(accelerations(copy, 0), accelerations(welded, 0)));
}

struct Swing {
  System system{load("double_pendulum")};
  SimulationSettings settings;
  Swing() {
    system.add(std::make_unique<Payload>(PayloadSettings{
        "block", "lower", Inertia<double>::from_com(2, {0, 0, -0.5}, {0.01, 0.01, 0.01}), 0.313,
        0.741}));
    settings.duration = 1.2;
    settings.integrator.step = 1e-3;
  }
};

TEST(Payload, GrippingAndReleasingKeepTheEnergyBalance) {
  Swing swing;
  const std::vector<double> start{1.2, -0.4}, rest{0, 0};
  Simulation simulation(swing.system, swing.settings, start, rest);
  Recorder recorder(swing.system, {});
  const std::size_t total = 7 + 1;  // time, 2 positions, 2 velocities, 2 forces, kinetic, potential
  ASSERT_EQ(recorder.columns()[total + 1].name, "total_energy");
  double largest = 0, jump = 0, before = 0;
  simulation.on_record = [&](const System& now, double t, std::span<const double> x) {
    const std::span<const double> row = recorder.row(now, t, x);
    if (t > 0) jump = std::max(jump, std::abs(row[total + 1] - before));
    before = row[total + 1];
    largest = std::max(largest, std::abs(row[total + 3]));
  };
  EXPECT_EQ(simulation.run(), RunStatus::finished) << simulation.message();
  EXPECT_LT(largest, 1e-7);  // energy_error
  EXPECT_GT(jump, 1);        // of the total energy, which counts as work
  ASSERT_EQ(simulation.events().size(), 2U);
  EXPECT_NEAR(simulation.events()[0].t, 0.313, 1e-8);
  EXPECT_NEAR(simulation.events()[1].t, 0.741, 1e-8);
  EXPECT_TRUE(mentions(simulation.events()[0].text, {"block", "2 kg", "gripped", "lower"}));
}

TEST(Payload, AfterItsReleaseTheRobotIsBare) {
  Swing swing;
  const std::vector<double> start{1.2, -0.4}, rest{0, 0};
  Simulation simulation(swing.system, swing.settings, start, rest);
  const auto expect = [&](const char* when, double tolerance) {
    System now(simulation.system()), bare(load("double_pendulum"));
    ASSERT_EQ(now.evaluate(simulation.t(), simulation.x()), Evaluated::ok);
    const std::vector<double> x =
        bare.initial_state(simulation.x().first(2), simulation.x().subspan(2, 2));
    ASSERT_EQ(bare.evaluate(simulation.t(), x), Evaluated::ok);
    const double difference = std::abs(now.accelerations()[1] - bare.accelerations()[1]);
    if (tolerance > 0) EXPECT_LT(difference, tolerance) << when;
    else EXPECT_GT(difference, 1e-3) << when;
  };
  simulation.advance(0.5);
  expect("carried", 0);
  simulation.run();
  expect("released", 1e-10);
}

TEST(Payload, ARunThatIsSavedWhileItCarriesGoesOnWithTheSameBits) {
  const std::vector<double> start{1.2, -0.4}, rest{0, 0};
  Swing whole, first, second;
  Simulation all(whole.system, whole.settings, start, rest);
  all.run();
  Simulation half(first.system, first.settings, start, rest);
  half.advance(0.5);
  const SavedRun saved = half.save();
  Simulation other(second.system, second.settings, saved);
  other.run();
  ASSERT_EQ(all.x().size(), other.x().size());
  for (std::size_t k = 0; k < all.x().size(); ++k) EXPECT_EQ(all.x()[k], other.x()[k]) << k;
}

TEST(Payload, Refusals) {
  const auto refused = [](PayloadSettings settings) {
    return message_of([&] {
      System system(load("puma560"));
      system.add(std::make_unique<Payload>(settings));
    });
  };
  EXPECT_TRUE(mentions(refused(carried(2, 1)), {"block", "from 2 s until 1 s"}));
  EXPECT_TRUE(mentions(refused({"block", "link9", block, 0, 1}), {"link9"}));
  EXPECT_TRUE(mentions(refused({"block", "base", block, 0, 1}), {"rests in the world"}));
  EXPECT_TRUE(mentions(refused({"block", "link4", {}, 0, 1}), {"mass"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
