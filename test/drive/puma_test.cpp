// Six drives at once on the Puma 560, with the friction of its file: moves by computed torque that
// friction does not spoil, holds still at the end, without chatter, without allocation.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <limber/drive/motor_drive.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/io/load.hpp>

#include "drive/drive_support.hpp"
#include "support/counting_new.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double duration = 1.0;

// from rest to rest on a quintic; 0.9 rad each joint
struct Reference {
  double q = 0, v = 0, a = 0;
};
Reference reference(double t) {
  const double s = std::clamp(t / duration, 0.0, 1.0), A = 0.9;
  return {A * s * s * s * (10 + s * (-15 + 6 * s)), A * 30 * s * s * (1 + s * (-2 + s)) / duration,
          A * 60 * s * (1 + s * (-3 + 2 * s)) / (duration * duration)};
}

// computed torque, sampled, with the rotors in the model and without friction: that is the drives'
// business
class ComputedTorque final : public Part {
 public:
  explicit ComputedTorque(const Model& model)
      : Part("computed torque"), model_(model), ws_(model_) {}
  ComputedTorque(const ComputedTorque& other)
      : Part(other), model_(other.model_), ws_(other.ws_), a_(other.a_) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<ComputedTorque>(*this); }
  Role role() const override { return Role::control; }
  int discrete_states() const override { return model_.nv; }
  double sample_time() const override { return 1e-3; }
  void update(Evaluation& at, std::span<double> d) override {
    const Reference r = reference(at.t);
    for (std::size_t k = 0; k < a_.size(); ++k)
      a_[k] = r.a + 24 * (r.v - at.v[k]) + 400 * (r.q - at.q[k]);
    Loads<double> loads;
    loads.passive = Passive::included;  // damping
    const std::span<const double> tau = inverse_dynamics(model_, at.q, at.v, a_, ws_, loads);
    std::copy(tau.begin(), tau.end(), d.begin());
  }
  void apply(Evaluation& at) override { std::copy(at.d.begin(), at.d.end(), at.command.begin()); }

 private:
  Model model_;
  Workspace ws_;
  std::vector<double> a_ = std::vector<double>(6, 0);
};

System puma() {
  System system(load("puma560"));
  const Model& model = system.model();
  for (std::size_t body = 1; body < 7; ++body) {
    MotorDriveSettings settings;
    settings.joint = model.joint_name[body];
    settings.motor.torque_constant = body < 4 ? 0.25 : 0.09;  // chosen
    settings.motor.resistance = body < 4 ? 2 : 4;             // chosen
    settings.motor.voltage_limit = 60;
    settings.friction_compensation = 0.9;
    settings.gear.efficiency = 0.9;
    settings.gear.back_efficiency = 0.85;
    system.add(std::make_unique<MotorDrive>(settings));
  }
  system.add(std::make_unique<ComputedTorque>(system.model()));
  return system;
}

TEST(PumaDrives, FollowAndHold) {
  System system = puma();
  SimulationSettings settings;
  settings.duration = 1.5;
  const std::vector<double> zero(6, 0);
  Simulation run(system, settings, zero, zero);
  double worst = 0;
  run.on_record = [&](const System&, double t, std::span<const double> x) {
    for (std::size_t k = 0; k < 6; ++k) worst = std::max(worst, std::abs(x[k] - reference(t).q));
  };
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  EXPECT_LT(worst, 1e-2);
  for (std::size_t k = 6; k < 12; ++k) EXPECT_EQ(run.x()[k], 0);  // all six stick
  EXPECT_LT(run.cost().steps, 2000);                              // 1500 samples and a few events
  const std::vector<double> end(run.x().begin(), run.x().end());
  System at_the_end = run.system();
  EXPECT_NE(column(at_the_end, 1.5, end, "shoulder.current"), 0);  // gravity
}

// modes of friction and branches of gears are where a saved run keeps them
TEST(PumaDrives, ASavedRunGoesOnWithTheSameBits) {
  System system = puma(), again = puma();
  SimulationSettings settings;
  settings.duration = 0.6;
  const std::vector<double> zero(6, 0);
  Simulation run(system, settings, zero, zero);
  ASSERT_EQ(run.advance(0.3), RunStatus::running) << run.message();
  Simulation second(again, settings, run.save());
  ASSERT_EQ(run.run(), RunStatus::finished);
  ASSERT_EQ(second.run(), RunStatus::finished);
  for (std::size_t k = 0; k < run.x().size(); ++k) EXPECT_EQ(run.x()[k], second.x()[k]);
}

TEST(PumaDrives, NoAllocationInTheDerivative) {
  System system = puma();
  const std::vector<double> v(6, 0.2), q(6, 0.1);
  const std::vector<double> x = system.initial_state(q, v);
  std::vector<double> x_dot(x.size()), values(system.columns().size()),
      events(system.events().size());
  EXPECT_EQ(allocations_in([&] {
              system.derivative(0, x, x_dot);
              system.event_values(x, events);
              system.record(x, values);
            }),
            0);
  EXPECT_EQ(allocations_in([] { std::vector<double>(100); }), 1);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
