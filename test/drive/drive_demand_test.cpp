// The direct problem: voltages that a motion needs give back the motion; powers balance; limits.
#include <limber/drive/drive_demand.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include <limber/dynamics/inverse_dynamics.hpp>

#include "drive/differences.hpp"
#include "drive/drive_support.hpp"
#include "support/message.hpp"
#include "support/near.hpp"
#include "support/random.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Loads<double> all_included() {
  Loads<double> loads;
  loads.passive = Passive::included;
  return loads;
}
const Loads<double> with_friction = all_included();

TEST(DriveDemand, DifferencesAreExactForQuartics) {
  std::vector<double> values, rates;
  for (int k = 0; k < 9; ++k) {
    const double t = 0.1 * k;
    values.push_back(1 - t + t * t - 2 * t * t * t + 3 * t * t * t * t);
    rates.push_back(-1 + 2 * t - 6 * t * t + 12 * t * t * t);
  }
  EXPECT_TRUE(near(matrix(time_derivative(values, 0.1)), matrix(rates), 1e-13));
}

// at any state, the voltage that was given is the one that the acceleration it causes needs
TEST(DriveDemand, InvertsADriveWithFrictionAndLosses) {
  Random random(5);
  for (int trial = 0; trial < 300; ++trial) {
    MotorDriveSettings settings;
    settings.joint = "slide";
    settings.motor.torque_constant = random.uniform(0.05, 0.2);
    settings.motor.resistance = random.uniform(0.5, 2);
    settings.motor.rotor_inertia = random.uniform(1e-5, 1e-3);
    settings.motor.viscous_friction = random.uniform(0, 1e-3);
    settings.motor.friction = FrictionSettings{random.uniform(0, 0.1), random.uniform(0, 0.1)};
    settings.joint_friction = FrictionSettings{random.uniform(0, 3), random.uniform(0, 3), 1.4, 1};
    settings.gear = {random.uniform(20, 60) * (trial % 2 ? 1 : -1), random.uniform(0.5, 1),
                     random.uniform(0.3, 1)};
    settings.input = DriveInput::voltage;
    System system(block(2, random.uniform(-9, 9)));
    auto& drive = dynamic_cast<MotorDrive&>(system.add(std::make_unique<MotorDrive>(settings)));
    const double u = random.uniform(-20, 20);
    system.add(constant_command(u));
    const Model model = system.model();
    const std::vector<double> q{0.1}, v{random.uniform(-2, 2)};
    const std::vector<double> x = system.initial_state(q, v);
    ASSERT_EQ(system.evaluate(0, x), Evaluated::ok);
    const std::vector<double> a(system.accelerations().begin(), system.accelerations().end());
    Workspace ws(model);
    const std::span<const double> tau = inverse_dynamics(model, q, v, a, ws, with_friction);
    const DriveDemand demand = drive_demand(drive, {1e-3, v, a, tau});
    EXPECT_TRUE(near(demand.voltage[0], u, 1e-10));
    EXPECT_TRUE(near(demand.current[0], column(system, 0, x, "slide.current"), 1e-10));
    EXPECT_TRUE(near(demand.motor_torque[0], column(system, 0, x, "slide.motor_torque"), 1e-10));
    const double stored = *settings.motor.rotor_inertia * std::pow(*settings.gear.ratio, 2) * v[0] *
                          a[0];  // rate of the rotor's energy
    EXPECT_TRUE(near(demand.electrical_power[0],
                     demand.mechanical_power[0] + demand.lost_power[0] + stored, 1e-10));
  }
}

// --- an arm of two links that moves from rest to rest in one second ---

Model arm() {
  Spec spec;
  for (const char* link : {"upper", "lower"})
    spec.add_body(link, 1, {0.2, 0, 0}, {0.001, 0.02, 0.02, 0, 0, 0});
  Transform<double> end;
  end.p = {0.4, 0, 0};
  spec.add_joint("shoulder", JointKind::revolute, "", "upper", {0, 1, 0}).dof().damping = 0.3;
  spec.add_joint("elbow", JointKind::revolute, "upper", "lower", {0, 1, 0}, end);
  return build(spec);
}

struct Motion {
  std::array<double, 2> q, v, a;
};
// q = A (t − sin(2πt)/2π) and B (1 − cos 2πt): with smooth derivatives of all orders
Motion motion_at(double t) {
  const double w = 2 * std::numbers::pi, A = 0.8, B = -0.3;
  return {{A * (t - std::sin(w * t) / w), B * (1 - std::cos(w * t))},
          {A * (1 - std::cos(w * t)), B * w * std::sin(w * t)},
          {A * w * std::sin(w * t), B * w * w * std::cos(w * t)}};
}

struct Samples {
  std::array<std::vector<double>, 2> v, a, tau;
};
Samples sample(const Model& model, double interval) {
  Samples samples;
  Workspace ws(model);
  for (int k = 0; k * interval < 1 + 1e-9; ++k) {
    const Motion m = motion_at(k * interval);
    const std::span<const double> tau = inverse_dynamics(model, m.q, m.v, m.a, ws, with_friction);
    for (std::size_t j = 0; j < 2; ++j) {
      samples.v[j].push_back(m.v[j]);
      samples.a[j].push_back(m.a[j]);
      samples.tau[j].push_back(tau[j]);
    }
  }
  return samples;
}

// runs the system open-loop with the voltages and returns the largest error of position. Steps of
// two intervals, so that every stage of the Runge-Kutta method falls on a sample
double error_of_run(System& system, const std::array<DriveDemand, 2>& demands, double interval,
                    const std::function<void(std::span<double>)>& set_drive_states) {
  system.add(std::make_unique<Commands>([&demands, interval](Evaluation& at) {
    const auto k = static_cast<std::size_t>(std::lround(at.t / interval));
    for (std::size_t j = 0; j < 2; ++j) at.command[j] = demands[j].voltage[k];
  }));
  const Motion begin = motion_at(0);
  std::vector<double> x = system.initial_state(begin.q, begin.v);
  set_drive_states(std::span(x).subspan(4));
  IntegratorSettings settings;
  settings.step = 2 * interval;
  const auto integrator = make_integrator(settings);
  integrator->start(system, 0, x);
  double error = 0;
  while (integrator->t() < 1 - 1e-9) {
    if (integrator->step(1) != StepStatus::ok) return HUGE_VAL;
    const Motion m = motion_at(integrator->t());
    for (std::size_t j = 0; j < 2; ++j)
      error = std::max(error, std::abs(integrator->x()[j] - m.q[j]));
  }
  return error;
}

MotorSettings arm_motor() {
  MotorSettings motor;
  motor.torque_constant = 0.08;
  motor.resistance = 1;
  motor.rotor_inertia = 1e-4;
  motor.viscous_friction = 1e-4;
  return motor;
}
constexpr std::array<const char*, 2> joints{"shoulder", "elbow"};

double rigid_round_trip(double interval) {
  System system(arm());
  std::array<const MotorDrive*, 2> drives{};
  for (std::size_t j = 0; j < 2; ++j) {
    MotorDriveSettings settings;
    settings.joint = joints[j];
    settings.motor = arm_motor();
    settings.motor.inductance = 5e-3;
    settings.gear.ratio = j == 0 ? 40 : -30;
    settings.input = DriveInput::voltage;
    drives[j] = dynamic_cast<MotorDrive*>(&system.add(std::make_unique<MotorDrive>(settings)));
  }
  const Samples samples = sample(system.model(), interval);
  std::array<DriveDemand, 2> demands;
  for (std::size_t j = 0; j < 2; ++j)
    demands[j] = drive_demand(*drives[j], {interval, samples.v[j], samples.a[j], samples.tau[j]});
  return error_of_run(system, demands, interval, [&](std::span<double> z) {
    for (std::size_t j = 0; j < 2; ++j) z[j] = demands[j].current[0];
  });
}

TEST(DriveDemand, VoltagesGiveBackTheMotion) {
  const double coarse = rigid_round_trip(2e-3), fine = rigid_round_trip(1e-3);
  EXPECT_LT(fine, 1e-6);
  EXPECT_GT(coarse, 10 * fine);  // fourth order
}

double elastic_round_trip(double interval) {
  System system(arm());
  std::array<const ElasticDrive*, 2> drives{};
  const double N = 40, c = 400;
  for (std::size_t j = 0; j < 2; ++j) {
    ElasticDriveSettings settings;
    settings.joint = joints[j];
    settings.motor = arm_motor();
    settings.stages = {{N, 1e-5, 0.01, c, 0}};
    settings.input = DriveInput::voltage;
    drives[j] = dynamic_cast<ElasticDrive*>(&system.add(std::make_unique<ElasticDrive>(settings)));
  }
  const Samples samples = sample(system.model(), interval);
  std::array<DriveDemand, 2> demands;
  for (std::size_t j = 0; j < 2; ++j)
    demands[j] = drive_demand(*drives[j], {interval, samples.v[j], samples.a[j], samples.tau[j]});
  return error_of_run(system, demands, interval, [&](std::span<double> z) {
    const Motion begin = motion_at(0);
    for (std::size_t j = 0; j < 2; ++j) {  // the springs as the motion loads them
      z[2 * j] = N * (begin.q[j] + samples.tau[j][0] / c);
      z[2 * j + 1] = demands[j].motor_speed[0];
    }
  });
}

TEST(DriveDemand, VoltagesGiveBackTheMotionThroughSprings) {
  const double coarse = elastic_round_trip(2e-3), fine = elastic_round_trip(1e-3);
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(coarse, 10 * fine);
}

// a joint at rest that bears a torque sin(wt) through two springs with dampers, in complex numbers
TEST(DriveDemand, SpringsWithDampersAgainstTheComplexForm) {
  const double w = 9, N1 = 5, N2 = 4, c1 = 300, d1 = 0.3, c2 = 900, d2 = 1.2, I2 = 2e-4;
  ElasticDriveSettings settings;
  settings.joint = "wheel";
  settings.motor = arm_motor();
  settings.stages = {{N1, 0, 0, c1, d1}, {N2, I2, 0, c2, d2}};
  System system(wheel(1));
  auto& drive = dynamic_cast<ElasticDrive&>(system.add(std::make_unique<ElasticDrive>(settings)));
  std::vector<double> still(1001, 0), tau;
  for (int k = 0; k <= 1000; ++k) tau.push_back(std::sin(w * k * 1e-3));
  const DriveDemand demand = drive_demand(drive, {1e-3, still, still, tau});
  using Complex = std::complex<double>;
  const Complex s(0, w);
  const Complex second = N2 / (c2 + s * d2);                     // angle of shaft 2
  const Complex torque = 1 / N2 + I2 * s * s * second;           // before it
  const Complex first = N1 * (second + torque / (c1 + s * d1));  // angle of shaft 1
  // the series for the deflection leaves out (w d/c)⁴
  const double tolerance = std::pow(w * d1 / c1, 4) + std::pow(w * d2 / c2, 4);
  for (const std::size_t k : {std::size_t{20}, std::size_t{500}, std::size_t{970}}) {
    const Complex turn = std::exp(s * (static_cast<double>(k) * 1e-3));
    EXPECT_NEAR(demand.motor_speed[k], (turn * s * first).imag(), tolerance * std::abs(s * first));
    EXPECT_NEAR(demand.motor_torque[k], (turn * torque / N1).imag(),
                tolerance * std::abs(torque / N1));
  }
}

TEST(DriveDemand, ListsBrokenLimits) {
  MotorDriveSettings settings;
  settings.joint = "wheel";
  settings.motor = arm_motor();
  settings.motor.viscous_friction = 0;
  settings.motor.current_limit = 2;
  settings.motor.voltage_limit = 3;
  settings.motor.speed_limit = 25;
  ThermalSettings thermal{5, 50, 1, 3};
  thermal.winding_coefficient = 0;
  thermal.winding_limit = 26;
  settings.motor.thermal = thermal;
  settings.gear.ratio = 10;
  System system(wheel(0.09));
  auto& drive = dynamic_cast<MotorDrive&>(system.add(std::make_unique<MotorDrive>(settings)));
  std::vector<double> v, a, tau;  // constant acceleration: 0.1 kg m² in all, 2 N m, 2.5 A
  for (int k = 0; k <= 1000; ++k) {
    v.push_back(20.0 * k * 1e-3);
    a.push_back(20);
    tau.push_back(2);
  }
  const DriveDemand demand = drive_demand(drive, {1e-3, v, a, tau});
  ASSERT_EQ(demand.violations.size(), 4);
  const LimitViolation& voltage = demand.violations[0];  // 2.5 + 0.08 · 200 t > 3
  EXPECT_EQ(voltage.what, "voltage");
  EXPECT_NEAR(voltage.first_time, 0.5 / 16, 1e-3);
  EXPECT_TRUE(near(voltage.worst, 2.5 + 16, 1e-12));
  EXPECT_EQ(demand.violations[1].what, "current");
  EXPECT_EQ(demand.violations[1].samples, 1001);
  EXPECT_EQ(demand.violations[2].what, "motor speed");
  EXPECT_NEAR(demand.violations[2].first_time, 0.126, 1e-9);
  // 6.25 W into 5 J/K, nearly all of it stays in the winding
  EXPECT_EQ(demand.violations[3].what, "winding temperature");
  EXPECT_NEAR(demand.violations[3].first_time, 0.87, 0.01);
  EXPECT_NEAR(demand.winding_temperature.back(), 25 + 1.25 * 5 * (1 - std::exp(-0.2)), 0.01);
}

TEST(DriveDemand, Refusals) {
  MotorDriveSettings settings;
  settings.joint = "wheel";
  settings.motor = arm_motor();
  settings.motor.inductance = 1e-3;
  System system(wheel(1));
  auto& drive = dynamic_cast<MotorDrive&>(system.add(std::make_unique<MotorDrive>(settings)));
  const std::vector<double> three(3, 0), five(5, 0), bad(5, NAN);
  auto refusal = [&](const SampledMotion& motion) {
    return message_of([&] { drive_demand(drive, motion); });
  };
  EXPECT_EQ(refusal({1e-3, five, five, five}), no_error);
  EXPECT_TRUE(mentions(refusal({1e-3, three, three, three}), {"3 samples", "5"}));
  EXPECT_TRUE(mentions(refusal({1e-3, three, five, five}), {"3 velocities, 5 accelerations"}));
  EXPECT_TRUE(mentions(refusal({0, five, five, five}), {"interval", "positive"}));
  EXPECT_TRUE(mentions(refusal({1e-3, five, bad, five}), {"not a finite number"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
