// Heat of a motor: steady states, time constants, and the limit as an event.
#include <limber/drive/motor_drive.hpp>

#include <cmath>

#include "drive/drive_support.hpp"
#include "support/dense.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double R = 1.2, current = 4, C1 = 20, C2 = 300, R1 = 1.5, R2 = 2.5;

// a motor that its friction holds, with constant current
MotorDriveSettings locked(double winding_coefficient) {
  MotorDriveSettings drive;
  drive.joint = "wheel";
  drive.motor.torque_constant = 0.05;
  drive.motor.resistance = R;
  drive.motor.friction = FrictionSettings{5, 5};
  ThermalSettings thermal{C1, C2, R1, R2};
  thermal.ambient = 30;
  thermal.winding_coefficient = winding_coefficient;
  drive.motor.thermal = thermal;
  drive.gear.ratio = 1;
  drive.input = DriveInput::current;
  return drive;
}

struct Heated {
  Temperatures temperatures;
  std::vector<Event> events;
};
Heated heat(const MotorDriveSettings& drive, double duration) {
  System system(wheel(0.1));
  system.add(std::make_unique<MotorDrive>(drive));
  system.add(constant_command(current));
  SimulationSettings settings = accurate(duration);
  settings.integrator.max_step = 20;
  settings.record_interval = duration;
  Simulation run(system, settings, std::vector{0.0}, std::vector{0.0});
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return {{run.x()[2], run.x()[3]}, run.events()};
}

// temperatures above ambient after t, of the linear system that they are
Eigen::VectorXd two_modes(double power, double t) {
  const Eigen::MatrixXd A{{-1 / (R1 * C1), 1 / (R1 * C1)},
                          {1 / (R1 * C2), -1 / (R1 * C2) - 1 / (R2 * C2)}};
  const Eigen::VectorXd steady{{power * (R1 + R2), power * R2}};
  return steady - exponential(A * t) * steady;
}

TEST(Thermal, WarmsWithItsTwoTimeConstants) {
  for (const double t : {10.0, 200.0, 2000.0}) {
    const Heated heated = heat(locked(0), t);
    const Eigen::VectorXd expected = two_modes(R * current * current, t);
    EXPECT_TRUE(near(heated.temperatures.winding, 30 + expected[0], 1e-9));
    EXPECT_TRUE(near(heated.temperatures.housing, 30 + expected[1], 1e-9));
  }
}

// T = T_ambient + (R1 + R2) R (1 + α (T − 25)) i²
TEST(Thermal, SteadyStateWithTheResistanceOfWarmCopper) {
  const double alpha = 0.00393, gain = (R1 + R2) * R * current * current;
  const double winding = (30 + gain * (1 - 25 * alpha)) / (1 - gain * alpha);
  const Heated heated = heat(locked(alpha), 30000);
  EXPECT_TRUE(near(heated.temperatures.winding, winding, 1e-9));
  EXPECT_TRUE(near(heated.temperatures.housing, 30 + (winding - 30) * R2 / (R1 + R2), 1e-9));
}

TEST(Thermal, FrictionHeatsTheHousing) {
  const ThermalSettings thermal{C1, C2, R1, R2};
  const Temperatures rates = heating(thermal, {25, 25}, 0, 6);
  EXPECT_EQ(rates.winding, 0);
  EXPECT_TRUE(near(rates.housing, 6 / C2, 1e-15));
  // in equilibrium the housing carries both losses
  const Temperatures steady{25 + 4 * R1 + 10 * R2, 25 + 10 * R2};
  EXPECT_NEAR(heating(thermal, steady, 4, 6).winding, 0, 1e-15);
  EXPECT_NEAR(heating(thermal, steady, 4, 6).housing, 0, 1e-15);
}

// running without load at steady speed: K u/R = (B + K²/R) ω + friction
TEST(Thermal, ARunningMotorHeatsWindingAndHousing) {
  const double K = 0.05, B = 1e-4, friction = 0.02, u = 12;
  MotorDriveSettings drive = locked(0);
  drive.motor.friction = FrictionSettings{friction, friction};
  drive.motor.viscous_friction = B;
  drive.input = DriveInput::voltage;
  System system(wheel(1e-3));
  system.add(std::make_unique<MotorDrive>(drive));
  system.add(constant_command(u));
  SimulationSettings settings = accurate_stiff(30000);
  settings.integrator.max_step = 100;
  settings.record_interval = 30000;
  Simulation run(system, settings, std::vector{0.0}, std::vector{0.0});
  ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
  const double omega = (K * u / R - friction) / (B + K * K / R), i = (u - K * omega) / R;
  const double copper = R * i * i, rubbing = (B * omega + friction) * omega;
  EXPECT_TRUE(near(run.x()[1], omega, 1e-8));
  EXPECT_TRUE(near(run.x()[3], 30 + (copper + rubbing) * R2, 1e-7));
  EXPECT_TRUE(near(run.x()[2], 30 + (copper + rubbing) * R2 + copper * R1, 1e-7));
}

TEST(Thermal, TheLimitIsAnEventAndAColumn) {
  MotorDriveSettings drive = locked(0);
  const double t = 150;
  drive.motor.thermal->winding_limit = 30 + two_modes(R * current * current, t)[0];
  const Heated heated = heat(drive, 300);
  ASSERT_EQ(heated.events.size(), 1);
  EXPECT_NEAR(heated.events[0].t, t, 1e-4);  // watched on the interpolant of long steps
  EXPECT_NE(heated.events[0].text.find("temperature limit"), std::string::npos);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
