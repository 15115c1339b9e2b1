// Sampled controllers and what their sensors tell them: noise, resolution, delay; all the same in
// every run.
#include <limber/control/joint_controller.hpp>
#include <limber/limber.hpp>
#include <limber/sim/simulation.hpp>

#include "control/noise.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// Commands what it measures: first positions, then, as its states, the sum of velocities.
class Echo final : public Controller {
 public:
  using Controller::Controller;
  std::unique_ptr<Part> clone() const override { return std::make_unique<Echo>(*this); }

 protected:
  int own_states() const override { return 1; }
  void begin(const Measurement& measured) override { measured.states[0] = 100; }
  void control(const Measurement& measured, std::span<double> command) override {
    for (std::size_t i = 0; i < command.size(); ++i)
      command[i] = measured.q[static_cast<std::size_t>(freedoms()[i])];
    measured.states[0] += measured.v[0];
  }
};

/// A heavy cart that hardly feels its controller.
Model cart() {
  Spec spec;
  spec.add_body("cart", 1e9);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  return build(spec);
}

/// What the echo says at each of `count` samples of a cart that moves with 1 m/s from 0.
std::vector<double> echoes(const ControllerSettings& settings, int count, std::uint64_t seed = 1) {
  System system(cart());
  system.seed = seed;
  system.add(std::make_unique<Echo>(settings));
  std::vector<double> x = system.initial_state(std::vector<double>{0}, std::vector<double>{1});
  std::vector<double> all;
  for (int i = 0; i < count; ++i) {
    const double t = i * settings.sample_time;
    x[0] = t;
    system.update(0, t, x);
    system.evaluate(t, x);
    all.push_back(system.commands()[0]);
  }
  return all;
}

TEST(Sensor, IsExactWithoutSettings) {
  ControllerSettings settings;
  settings.sample_time = 0.1;
  const auto found = echoes(settings, 5);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(found[static_cast<std::size_t>(i)], 0.1 * i, 1e-15);
}

TEST(Sensor, IsLateByWholeSamples) {
  ControllerSettings settings;
  settings.sample_time = 0.1;
  settings.sensor.delay = 3;
  const auto found = echoes(settings, 8);
  for (int i = 0; i < 8; ++i)
    EXPECT_NEAR(found[static_cast<std::size_t>(i)], 0.1 * std::max(0, i - 3), 1e-15) << i;
}

TEST(Sensor, RoundsToTheStepsOfItsEncoder) {
  ControllerSettings settings;
  settings.sample_time = 0.03;
  settings.sensor.resolution = {0.1};
  for (const double q : echoes(settings, 20)) EXPECT_NEAR(q, 0.1 * std::round(q / 0.1), 1e-15);
  EXPECT_NEAR(echoes(settings, 4)[3], 0.1, 1e-15);  // 0.09
}

TEST(Sensor, NoiseHasItsDeviationAndNoMemory) {
  ControllerSettings settings;
  settings.sample_time = 1e-3;
  settings.sensor.position_noise = {0.02};
  const int count = 20000;
  const auto found = echoes(settings, count);
  double sum = 0, squares = 0, fourth = 0, neighbours = 0, before = 0;
  for (int i = 0; i < count; ++i) {
    const double x = (found[static_cast<std::size_t>(i)] - 1e-3 * i) / 0.02;
    sum += x, squares += x * x, fourth += x * x * x * x, neighbours += x * before;
    before = x;
  }
  // four standard errors of mean, variance, kurtosis and correlation
  const double error = 4 / std::sqrt(count);
  EXPECT_NEAR(sum / count, 0, error);
  EXPECT_NEAR(squares / count, 1, error * std::sqrt(2.0));
  EXPECT_NEAR(fourth / count, 3, error * std::sqrt(96.0));
  EXPECT_NEAR(neighbours / count, 0, error);
}

TEST(Sensor, NoiseIsReproducibleAndEachPartsOwn) {
  ControllerSettings settings;
  settings.sample_time = 0.1;
  settings.sensor.position_noise = {0.1};
  settings.sensor.velocity_noise = {0.1};
  const auto first = echoes(settings, 10, 1);
  EXPECT_EQ(echoes(settings, 10, 1), first);
  EXPECT_NE(echoes(settings, 10, 2), first);
  settings.name = "other";
  EXPECT_NE(echoes(settings, 10, 1), first);
}

TEST(Sensor, NoiseChannelsAreDifferent) {
  EXPECT_NE(gaussian(1, 2, 3, 4), gaussian(1, 2, 3, 5));
  EXPECT_NE(gaussian(1, 2, 3, 4), gaussian(1, 2, 4, 3));
  EXPECT_EQ(gaussian(1, 2, 3, 4), gaussian(1, 2, 3, 4));
}

TEST(SampledController, HoldsItsCommandBetweenSamples) {
  ControllerSettings settings;
  settings.sample_time = 0.25;
  System system(cart());
  system.add(std::make_unique<Echo>(settings));
  SimulationSettings run;
  run.duration = 1;
  run.record_interval = 0.1;
  Simulation simulation(system, run, std::vector<double>{0}, std::vector<double>{1});
  simulation.on_record = [&](const System& now, double t, std::span<const double>) {
    // at a sample itself either side may be recorded
    const double phase = t / 0.25 - std::floor(t / 0.25 + 1e-9);
    if (phase < 1e-6) return;
    EXPECT_NEAR(now.commands()[0], 0.25 * std::floor(t / 0.25), 1e-9) << t;
  };
  simulation.run();
  EXPECT_EQ(simulation.status(), RunStatus::finished);
}

TEST(SampledController, DiscretePidIsItsRecursion) {
  // u_k = P e + D ė + I Σ T e, on a double integrator whose exact samples are known
  Spec spec;
  spec.add_body("cart", 2);
  spec.add_joint("rail", JointKind::prismatic, "", "cart", {1, 0, 0});
  const Model m = build(spec);
  JointControlSettings settings;
  settings.sample_time = 0.02;
  settings.reference = constant_trajectory(m, std::vector<double>{1});
  settings.stiffness = {30};
  settings.damping = {15};
  settings.integral = {10};
  System system(m);
  system.add(std::make_unique<JointController>(settings));
  SimulationSettings run;
  run.duration = 1;
  run.record_interval = 1;
  run.integrator.step = 0.005;
  Simulation simulation(system, run, std::vector<double>{0}, std::vector<double>{0});
  simulation.run();
  double q = 0, v = 0, sum = 0;
  const double T = settings.sample_time;
  for (int k = 0; k < 50; ++k) {
    const double e = 1 - q, u = 30 * e - 15 * v + 10 * sum, a = u / 2;
    sum += T * e;
    q += T * v + T * T / 2 * a;
    v += T * a;
  }
  EXPECT_NEAR(simulation.x()[0], q, 1e-12);
  EXPECT_NEAR(simulation.x()[1], v, 1e-12);
}

TEST(SampledController, OwnStatesAreKept) {
  ControllerSettings settings;
  EXPECT_TRUE(mentions(message_of([&] { System(cart()).add(std::make_unique<Echo>(settings)); }),
                       {"controller", "discrete states", "sample_time"}));
  settings.sample_time = 0.5;
  System system(cart());
  system.add(std::make_unique<Echo>(settings));
  const auto x = system.initial_state(std::vector<double>{0}, std::vector<double>{2});
  EXPECT_EQ(system.discrete().size(), 4u);  // samples, saturated, command, its own
  EXPECT_EQ(system.discrete()[3], 100);
  system.update(0, 0, x);
  system.update(0, 0.5, x);
  EXPECT_EQ(system.discrete()[0], 2);
  EXPECT_EQ(system.discrete()[3], 104);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
