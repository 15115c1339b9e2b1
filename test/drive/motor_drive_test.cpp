// MotorDrive in a System: runs with closed forms, limits, friction and gears that lose power.
#include <limber/drive/motor_drive.hpp>

#include <cmath>

#include <limber/drive/joint_friction.hpp>

#include "drive/drive_support.hpp"
#include "support/dense.hpp"
#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

constexpr double K = 0.05, R = 2, J = 1e-4, B = 2e-5, I = 0.03, N = 20;

MotorDriveSettings drive(DriveInput input = DriveInput::voltage) {
  MotorDriveSettings settings;
  settings.joint = "wheel";
  settings.motor.torque_constant = K;
  settings.motor.resistance = R;
  settings.motor.rotor_inertia = J;
  settings.motor.viscous_friction = B;
  settings.gear.ratio = N;
  settings.input = input;
  return settings;
}

System driven_wheel(const MotorDriveSettings& settings, double command,
                    const Model& model = wheel(I)) {
  System system(model);
  system.add(std::make_unique<MotorDrive>(settings));
  system.add(constant_command(command));
  return system;
}

std::vector<double> end_of_run(System& system, double duration, double v0 = 0) {
  Simulation run(system, accurate(duration), std::vector{0.0}, std::vector{v0});
  EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
  return {run.x().begin(), run.x().end()};
}

double acceleration(System& system, double v) {
  const std::vector<double> x = system.initial_state(std::vector{0.0}, std::vector{v});
  EXPECT_EQ(system.evaluate(0, x), Evaluated::ok) << system.failure();
  return system.accelerations()[0];
}

// (20.71): (I + J N²) q̈ + N² (K²/R + B) q̇ = N K/R u
TEST(MotorDrive, RunsUpToItsNoLoadSpeed) {
  System system = driven_wheel(drive(), 12);
  const double inertia = I + J * N * N, damping = N * N * (K * K / R + B);
  const double final_speed = N * K / R * 12 / damping, T = inertia / damping;
  for (const double t : {0.3 * T, 2 * T}) {
    const std::vector<double> x = end_of_run(system, t);
    EXPECT_TRUE(near(x[1], final_speed * (1 - std::exp(-t / T)), 1e-10));
    EXPECT_TRUE(near(x[0], final_speed * (t - T * (1 - std::exp(-t / T))), 1e-10));
    const double omega = N * x[1], current = (12 - K * omega) / R;
    EXPECT_TRUE(near(column(system, t, x, "wheel.current"), current, 1e-12));
    EXPECT_TRUE(near(column(system, t, x, "wheel.electrical_power"), 12 * current, 1e-12));
    EXPECT_TRUE(near(column(system, t, x, "wheel.motor_speed"), omega, 1e-12));
    // the wheel's own share of the torque is what the gear hands on
    const double a = (N * K / R * 12 - damping * x[1]) / inertia;
    EXPECT_TRUE(near(column(system, t, x, "wheel.motor_torque"), I * a / N, 1e-10));
    EXPECT_EQ(column(system, t, x, "wheel.saturated"), 0);
  }
}

// friction of the motor holds the rotor: with 12 V, R = 2 and L = 10 mH, after 1 ms
TEST(MotorDrive, CurrentOfALockedRotorRises) {
  MotorDriveSettings settings = drive();
  settings.motor.inductance = 0.01;
  settings.motor.friction = FrictionSettings{1, 1};
  System system = driven_wheel(settings, 12);
  const std::vector<double> x = end_of_run(system, 1e-3);
  EXPECT_EQ(x[0], 0);
  EXPECT_TRUE(near(x[2], 6 * (1 - std::exp(-0.2)), 1e-10));
  EXPECT_TRUE(near(x[2], 1.0876155, 1e-7));
  EXPECT_EQ(column(system, 1e-3, x, "wheel.sticks"), 1);
}

// no-load run against algebra: u = R i + K ω, K i = B ω + friction
TEST(MotorDrive, NoLoadRunWithFriction) {
  MotorDriveSettings settings = drive();
  settings.motor.friction = FrictionSettings{0.02, 0.01};
  settings.motor.inductance = 0.004;
  for (const double u : {12.0, -12.0}) {
    System system = driven_wheel(settings, u);
    const std::vector<double> x = end_of_run(system, 5);
    const double friction = u > 0 ? 0.02 : -0.01;
    const double omega = (K * u / R - friction) / (B + K * K / R);
    EXPECT_TRUE(near(N * x[1], omega, 1e-10));
    EXPECT_TRUE(near(x[2], (B * omega + friction) / K, 1e-10));
  }
}

// speed and current as the linear system that they are
TEST(MotorDrive, InductanceAgainstTheMatrixExponential) {
  MotorDriveSettings settings = drive();
  settings.motor.inductance = 0.02;
  System system = driven_wheel(settings, 9);
  const double Jt = J + I / (N * N), L = 0.02, t = 0.05;
  const Eigen::MatrixXd A{{-B / Jt, K / Jt}, {-K / L, -R / L}};
  const double current = 9 / (R + K * K / B);
  const Eigen::VectorXd rest{{K * current / B, current}};  // A rest + (0, 9/L) = 0
  const Eigen::VectorXd expected = rest - exponential(A * t) * rest;
  const std::vector<double> x = end_of_run(system, t);
  EXPECT_TRUE(near(N * x[1], expected[0], 1e-10));
  EXPECT_TRUE(near(x[2], expected[1], 1e-10));
}

TEST(MotorDrive, TheSignOfTheRatioIsThatOfTheVoltage) {
  MotorDriveSettings settings = drive();
  settings.motor.friction = FrictionSettings{0.02, 0.01};
  settings.gear.efficiency = 0.8;
  settings.gear.back_efficiency = 0.7;
  System system = driven_wheel(settings, 12);
  settings.gear.ratio = -N;
  settings.motor.friction = FrictionSettings{0.01, 0.02};
  System mirrored = driven_wheel(settings, -12);
  const std::vector<double> x = end_of_run(system, 0.4), y = end_of_run(mirrored, 0.4);
  EXPECT_GT(x[1], 1);
  EXPECT_TRUE(near(x[1], y[1], 1e-13));
}

TEST(MotorDrive, CurrentLimitGivesConstantAcceleration) {
  for (const double inductance : {0.0, 1e-6}) {
    MotorDriveSettings settings = drive();
    settings.motor.viscous_friction = 0;
    settings.motor.current_limit = 2;
    settings.motor.voltage_limit = 24;
    settings.motor.inductance = inductance;
    System system = driven_wheel(settings, 24);
    const double a = N * K * 2 / (I + J * N * N);
    const std::vector<double> x = end_of_run(system, 0.1);
    // with inductance the current follows its limit with a delay of L/R
    EXPECT_TRUE(near(x[1], a * (0.1 - inductance / R), 1e-9));
    EXPECT_EQ(column(system, 0.1, x, "wheel.saturated"), 1);
  }
}

TEST(MotorDrive, ATorqueThatIsAskedReachesTheJoint) {
  MotorDriveSettings settings = drive(DriveInput::torque);
  settings.motor.friction = FrictionSettings{0.02, 0.01};
  settings.joint_friction = FrictionSettings{0.1, 0.2};
  settings.motor.voltage_limit = 24;
  for (const double v : {2.0, -2.0}) {
    System system = driven_wheel(settings, 1.5);
    EXPECT_TRUE(near(acceleration(system, v), 1.5 / (I + J * N * N), 1e-12));
    settings.friction_compensation = 0;
    System plain = driven_wheel(settings, 1.5);
    const double friction = v > 0 ? 0.1 + N * 0.02 : -0.2 - N * 0.01;
    EXPECT_TRUE(near(acceleration(plain, v), (1.5 - friction) / (I + J * N * N), 1e-12));
    settings.friction_compensation = 1;
  }
  // out of voltage: 24 V at 100 rad/s of the motor
  System weak = driven_wheel(settings, 1e3);
  const double torque = N * (K * (24 - K * 100) / R - B * 100 - 0.02) - 0.1;
  EXPECT_TRUE(near(acceleration(weak, 5), torque / (I + J * N * N), 1e-12));
  // and with an effort limit of the robot
  DofSpec limited;
  limited.effort_limit = 0.7;
  System robot = driven_wheel(settings, 1.5, wheel(I, limited));
  EXPECT_TRUE(near(acceleration(robot, 2), 0.7 / (I + J * N * N), 1e-12));
  const std::vector<double> x = robot.initial_state(std::vector{0.0}, std::vector{2.0});
  EXPECT_EQ(column(robot, 0, x, "wheel.saturated"), 1);
}

// a torque loop with friction made up for comes to rest and is quiet there
TEST(MotorDrive, ATorqueLoopSettlesWithoutChatter) {
  for (const double inductance : {0.0, 1e-3}) {
    MotorDriveSettings settings = drive(DriveInput::torque);
    settings.motor.friction = FrictionSettings{0.02, 0.02};
    settings.motor.inductance = inductance;
    System system(wheel(I));
    system.add(std::make_unique<MotorDrive>(settings));
    system.add(std::make_unique<Commands>(
        [](Evaluation& at) { at.command[0] = 4 * (1 - at.q[0]) - 1.0 * at.v[0]; }));
    SimulationSettings run_settings = accurate(20);
    run_settings.integrator.relative_tolerance = 1e-8;
    run_settings.integrator.absolute_tolerance = 1e-10;
    Simulation run(system, run_settings, std::vector{0.0}, std::vector{0.0});
    ASSERT_EQ(run.run(), RunStatus::finished) << run.message();
    EXPECT_LT(std::abs(run.x()[0] - 1), 0.03 * 0.4 / 4);  // 3 % of the friction over the stiffness
    EXPECT_EQ(run.x()[1], 0);
    EXPECT_LT(run.cost().steps, inductance > 0 ? 40000 : 4000);
  }
}

TEST(MotorDrive, TakesFromTheModelWhatItDoesNotState) {
  DofSpec dof;
  dof.rotor_inertia = 3e-4;
  dof.gear_ratio = 10;
  dof.damping = 0.5;
  dof.friction_positive = 0.2;
  dof.friction_negative = 0.3;
  MotorDriveSettings settings = drive(DriveInput::current);
  settings.gear.ratio = settings.motor.rotor_inertia = settings.motor.viscous_friction = {};
  System system = driven_wheel(settings, 4, wheel(I, dof));
  EXPECT_TRUE(near(system.model().reflected_inertias()[0], 3e-4 * 100, 1e-14));
  EXPECT_TRUE(near(acceleration(system, 2), (10 * K * 4 - 0.5 * 2 - 0.2) / (I + 0.03), 1e-12));
  // what the drive states replaces the model's
  settings = drive(DriveInput::current);
  settings.motor.friction = FrictionSettings{0.01, 0.01};
  System own = driven_wheel(settings, 4, wheel(I, dof));
  EXPECT_TRUE(
      near(acceleration(own, 2), (N * (K * 4 - B * 2 * N - 0.01)) / (I + J * N * N), 1e-12));
  EXPECT_TRUE(near(own.model().reflected_inertias()[0], J * N * N, 1e-14));
}

TEST(MotorDrive, Refusals) {
  auto refusal = [](const MotorDriveSettings& settings, const Model& model = wheel(I)) {
    return message_of([&] { driven_wheel(settings, 0, model); });
  };
  MotorDriveSettings settings = drive();
  settings.joint = "whel";
  EXPECT_TRUE(mentions(refusal(settings), {"drive of 'whel'", "wheel"}));
  settings = drive();
  settings.gear.efficiency = 1.2;
  EXPECT_TRUE(mentions(refusal(settings), {"gear", "efficiency is 1.2"}));
  DofSpec mounted;
  mounted.rotor_inertia = J;
  mounted.gear_ratio = N;
  mounted.rotor_mount = "world";
  EXPECT_EQ(refusal(drive(), wheel(I, mounted)), no_error);
  settings = drive();
  settings.gear.efficiency = 0.9;
  EXPECT_TRUE(mentions(refusal(settings, wheel(I, mounted)), {"losses", "rotor_mount"}));
  settings = drive();
  settings.motor.friction = FrictionSettings{0.1, 0.1};
  System system = driven_wheel(settings, 0);
  const JointFrictionSettings second{"wheel", FrictionSettings{1, 1}};
  EXPECT_TRUE(mentions(message_of([&] { system.add(std::make_unique<JointFriction>(second)); }),
                       {"drive of 'wheel'", "friction of 'wheel'", "both prescribe"}));
  mounted.gear_ratio = 3;
  EXPECT_TRUE(mentions(refusal(drive(), wheel(I, mounted)), {"differ", "one place"}));
}

// a gear with losses and dry friction that sticks at each turn, by events and decided in steps
TEST(MotorDrive, StepsDecideWhatSticks) {
  MotorDriveSettings settings = drive(DriveInput::torque);
  settings.gear.efficiency = 0.8, settings.gear.back_efficiency = 0.7;
  settings.joint_friction = FrictionSettings{0.3, 0.2};
  settings.friction_compensation = 0;
  System system(wheel(I));
  system.add(std::make_unique<MotorDrive>(settings));
  system.add(
      std::make_unique<Commands>([](Evaluation& at) { at.command[0] = 0.8 * std::sin(5 * at.t); }));
  const std::vector<double> exact = end_of_run(system, 3);
  const auto error = [&](double h) {
    SimulationSettings steps = accurate(3);
    steps.integrator.method = "implicit_euler";
    steps.integrator.step = h;
    Simulation run(system, steps, std::vector{0.0}, std::vector{0.0});
    EXPECT_EQ(run.run(), RunStatus::finished) << run.message();
    return std::abs(run.x()[0] - exact[0]);
  };
  for (const double h : {4e-3, 1e-3, 2.5e-4}) EXPECT_LT(error(h), 4 * h) << h;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
