// Motors of an analysis: closed forms, the balance of energy, heat, and the direct problem against
// the simulation.
#include <gtest/gtest.h>

#include <limber/control/controller.hpp>
#include <limber/drive/elastic_drive.hpp>
#include <limber/drive/motor_drive.hpp>
#include <limber/analysis/analysis.hpp>

#include "analysis/heat.hpp"

namespace limber {
namespace LIMBER_TEST_FILE {

class ConstantCommand final : public Controller {
 public:
  explicit ConstantCommand(double value) : Controller({}), value_(value) {}
  std::unique_ptr<Part> clone() const override { return std::make_unique<ConstantCommand>(*this); }

 protected:
  void control(const Measurement&, std::span<double> command) override { command[0] = value_; }

 private:
  double value_;
};

// a wheel on an upright axis
Spec wheel(double inertia) {
  Spec spec;
  spec.name = "wheel";
  spec.add_body("disc", 1, {}, {inertia, inertia, inertia, 0, 0, 0});
  spec.add_joint("axle", JointKind::revolute, "", "disc");
  return spec;
}

// a pendulum about a level axis
Spec pendulum() {
  Spec spec;
  spec.name = "pendulum";
  spec.add_body("bob", 2, {0, 0, -0.4}, {0.02, 0.02, 0.01, 0, 0, 0});
  spec.add_joint("pivot", JointKind::revolute, "", "bob", {1, 0, 0}).dof().damping = 0.05;
  return spec;
}

MotorSettings small_motor() {
  MotorSettings motor;
  motor.torque_constant = 0.05;
  motor.resistance = 0.8;
  motor.rotor_inertia = 2e-5;
  motor.viscous_friction = 0;
  return motor;
}

Scenario scenario_of(const Spec& spec, std::shared_ptr<const Part> drive, double command,
                     double duration, double interval) {
  Scenario scenario;
  scenario.spec = spec;
  scenario.model = scenario.nominal = build(spec);
  scenario.q.assign(1, 0);
  scenario.v.assign(1, 0);
  scenario.simulation.duration = duration;
  scenario.simulation.integrator.step = 2e-4;
  scenario.parts = {std::make_shared<ConstantCommand>(command), std::move(drive)};
  AnalysisSettings settings;
  settings.interval = interval;
  scenario.analysis = std::make_shared<const AnalysisSettings>(settings);
  return scenario;
}

double value(const Figures& figures, Figure figure) { return figures.at(figure).value; }

TEST(AnalysisMotors, RunUpOfAMotorWithoutLoad) {
  // i = I e^(−t/τ), ω = Ω (1 − e^(−t/τ)), τ = R J / C²
  MotorDriveSettings settings;
  settings.joint = "axle";
  settings.motor = small_motor();
  settings.gear.ratio = 1;
  settings.input = DriveInput::voltage;
  const double J = 3e-4, U = 12, C = 0.05, R = 0.8, T = 0.4;
  settings.motor.rotor_inertia = 1e-4;
  const Analysis analysis =
      analyse(scenario_of(wheel(J - 1e-4), std::make_shared<MotorDrive>(settings), U, T, 2e-4));
  const double tau = R * J / (C * C), I = U / R;
  const Figures& motor = analysis.motors.at(0).figures;
  // trapezoids: an exponential P e^(−r t) has h² P r (1 − e^(−r T)) / 12 more than its integral
  const double h = 2e-4;
  const auto integral = [&](double P, double r) {
    return P * (1 - std::exp(-r * T)) * (1 / r + h * h * r / 12);
  };
  const double drawn = integral(U * I, 1 / tau), copper = integral(R * I * I, 2 / tau);
  const double rms = std::sqrt(copper / (R * T));
  EXPECT_NEAR(value(motor, Figure::current), I, 1e-9);
  EXPECT_EQ(*motor.at(Figure::current).time, 0);
  EXPECT_NEAR(value(motor, Figure::rms_current), rms, 1e-9 * rms);
  EXPECT_NEAR(value(motor, Figure::motor_rms_torque), C * rms, 1e-9 * C * rms);
  EXPECT_NEAR(value(motor, Figure::electrical_energy), drawn, 1e-9 * drawn);
  EXPECT_NEAR(value(motor, Figure::copper_loss), copper, 1e-9 * copper);
  EXPECT_EQ(value(motor, Figure::recovered_energy), 0);
  const double W = U / C * (1 - std::exp(-T / tau));
  EXPECT_NEAR(value(motor, Figure::motor_speed), W, 1e-9 * W);
  EXPECT_NEAR(value(motor, Figure::stored_energy), 1e-4 * W * W / 2, 1e-6);
  const Figures& joint =
      analysis.joints.at(0).figures;  // what reaches the wheel, without the rotor
  EXPECT_NEAR(value(joint, Figure::energy), 2e-4 * W * W / 2, 1e-5);
  EXPECT_NEAR(value(joint, Figure::peak_torque), C * I * 2 / 3, 1e-9);
}

// what goes in is lost, stored or handed on
void expect_balance(const Analysis& analysis, double relative) {
  const Figures& motor = analysis.motors.at(0).figures;
  const Figures& joint = analysis.joints.at(0).figures;
  const double in =
      value(motor, Figure::electrical_energy) - value(motor, Figure::recovered_energy);
  const double out = value(motor, Figure::copper_loss) + value(motor, Figure::friction_loss) +
                     value(motor, Figure::gear_loss) + value(motor, Figure::stored_energy) +
                     value(joint, Figure::energy) - value(joint, Figure::returned_energy);
  EXPECT_GT(in, 1);
  EXPECT_NEAR(in, out, relative * in);
}

MotorDriveSettings lossy_drive() {
  MotorDriveSettings settings;
  settings.joint = "pivot";
  settings.motor = small_motor();
  settings.motor.viscous_friction = 2e-5;
  settings.motor.friction = FrictionSettings{0.003, 0.003};
  settings.joint_friction = FrictionSettings{0.2, 0.2};
  settings.gear.ratio = 60;
  settings.gear.efficiency = 0.8;
  settings.gear.back_efficiency = 0.7;
  settings.input = DriveInput::voltage;
  return settings;
}

TEST(AnalysisMotors, EnergyOfADriveWithAllItsLossesBalances) {
  // trapezoids between records 1e-4 s apart; the beginning of the motion is not smooth
  expect_balance(
      analyse(scenario_of(pendulum(), std::make_shared<MotorDrive>(lossy_drive()), 9, 1.5, 1e-4)),
      1e-5);
}

TEST(AnalysisMotors, EnergyOfADriveWithInductanceAndHeatBalances) {
  MotorDriveSettings settings = lossy_drive();
  settings.motor.inductance = 2e-3;
  settings.motor.thermal = ThermalSettings{20, 200, 1.5, 4};
  expect_balance(
      analyse(scenario_of(pendulum(), std::make_shared<MotorDrive>(settings), 9, 1.5, 1e-4)), 1e-5);
}

TEST(AnalysisMotors, EnergyThroughSpringsBalances) {
  ElasticDriveSettings settings;
  settings.joint = "pivot";
  settings.motor = small_motor();
  settings.motor.viscous_friction = 2e-5;
  settings.stages = {{60, 0, 0, 200, 0.5, 0}};
  settings.input = DriveInput::voltage;
  expect_balance(
      analyse(scenario_of(pendulum(), std::make_shared<ElasticDrive>(settings), 9, 1.5, 1e-4)),
      1e-5);
}

TEST(AnalysisMotors, SteadyTemperatureIsWhereHeatingEnds) {
  MotorDriveSettings settings;
  settings.joint = "axle";
  settings.motor = small_motor();
  settings.motor.viscous_friction = 1e-4;
  settings.motor.thermal = ThermalSettings{20, 200, 1.5, 4};
  settings.gear.ratio = 1;
  settings.input = DriveInput::current;
  const double i = 2;
  Scenario scenario =
      scenario_of(wheel(1e-5), std::make_shared<MotorDrive>(settings), i, 0.2, 1e-3);
  scenario.v = {0.05 * i / 1e-4};  // where friction takes all of the torque
  const Analysis analysis = analyse(scenario);
  const ThermalSettings& thermal = *settings.motor.thermal;
  Temperatures now{25, 25};
  for (int k = 0; k < 200000; ++k) {  // steps of 0.1 s: the end does not depend on them
    const double R = constants_at(settings.motor, now).resistance;
    const Temperatures rate =
        heating(thermal, now, R * i * i, 1e-4 * scenario.v[0] * scenario.v[0]);
    now = {now.winding + 0.1 * rate.winding, now.housing + 0.1 * rate.housing};
  }
  EXPECT_GT(now.winding, 100);
  EXPECT_NEAR(value(analysis.motors[0].figures, Figure::steady_temperature), now.winding, 1e-6);
  EXPECT_NEAR(analysis.motors[0].steady->housing, now.housing, 1e-6);
}

TEST(AnalysisMotors, HeatThatCannotLeaveHasNoBound) {
  MotorDriveSettings settings;
  settings.joint = "axle";
  settings.motor = small_motor();
  settings.motor.thermal = ThermalSettings{20, 200, 15, 40};
  settings.input = DriveInput::current;
  const Analysis analysis =
      analyse(scenario_of(wheel(1), std::make_shared<MotorDrive>(settings), 10, 0.1, 1e-3));
  EXPECT_EQ(value(analysis.motors[0].figures, Figure::steady_temperature), HUGE_VAL);
  bool told = false;
  const Report report = analysis_report(
      scenario_of(wheel(1), std::make_shared<MotorDrive>(settings), 10, 0.1, 1e-3), analysis);
  for (const ReportTable& table : report.tables)
    for (const ReportTable::Row& row : table.rows)
      for (const ReportTable::Cell& cell : row.cells) told = told || cell.text == "without bound";
  EXPECT_TRUE(told);
}

TEST(AnalysisMotors, ScenariosWithoutSettingsAreRefused) {
  Scenario scenario = scenario_of(wheel(1), std::make_shared<MotorDrive>(lossy_drive()), 1, 0.1, 1);
  scenario.analysis = nullptr;
  EXPECT_THROW(analyse(scenario), Error);
}

TEST(AnalysisMotors, ReferenceMotionNeedsWhatTheSimulationUsed) {
  // the simulated motion of a constant voltage, taken as a reference, needs that voltage
  MotorDriveSettings settings;
  settings.joint = "axle";
  settings.motor = small_motor();
  settings.motor.viscous_friction = 1e-4;
  settings.gear.ratio = 3;
  settings.gear.efficiency = 0.9;
  settings.input = DriveInput::voltage;
  const double U = 12, C = 0.05, R = 0.8, N = 3, J = 4e-3, eta = 0.9, B = 1e-4, T = 0.5;
  Scenario scenario = scenario_of(wheel(J), std::make_shared<MotorDrive>(settings), U, T, 1e-3);
  // (J/(η N) + N Jr) v' + (N B + N C²/R) v = C U / R
  const double inertia = J / (eta * N) + N * 2e-5, drag = N * (B + C * C / R);
  AnalysisSettings reference = *scenario.analysis;
  reference.reference = function_trajectory(
      scenario.model, T,
      [&](double t, std::span<double> q, std::span<double> v, std::span<double> a) {
        const double rate = drag / inertia, V = C * U / R / drag, e = std::exp(-rate * t);
        q[0] = V * (t - (1 - e) / rate);
        v[0] = V * (1 - e);
        a[0] = V * rate * e;
      });
  scenario.analysis = std::make_shared<const AnalysisSettings>(reference);
  const Analysis analysis = analyse(scenario);
  for (const double u : analysis.motors.at(0).series.voltage) EXPECT_NEAR(u, U, 1e-10 * U);
  EXPECT_EQ(value(analysis.motors[0].figures, Figure::saturation), 0);
}

// a joint that holds a load at rest for ever, as a reference
Scenario holding(double efficiency, double back_efficiency) {
  MotorDriveSettings settings;
  settings.joint = "pivot";
  settings.motor = small_motor();
  settings.motor.thermal = ThermalSettings{20, 200, 1.5, 4};
  settings.motor.thermal->winding_coefficient = 0;
  settings.gear.ratio = 60;
  settings.gear.efficiency = efficiency;
  settings.gear.back_efficiency = back_efficiency;
  Scenario scenario = scenario_of(pendulum(), std::make_shared<MotorDrive>(settings), 0, 0.2, 1e-3);
  AnalysisSettings reference = *scenario.analysis;
  reference.reference = function_trajectory(
      scenario.model, 0.2,
      [](double, std::span<double> q, std::span<double> v, std::span<double> a) {
        q[0] = 0.5;
        v[0] = a[0] = 0;
      });
  scenario.analysis = std::make_shared<const AnalysisSettings>(reference);
  return scenario;
}

// P = R i², i = m g l sin q / (N η′ C): the gear's loss acts against the motor, whatever η″ is
TEST(AnalysisMotors, AtRestTheWorseDirectionOfTheGearHeats) {
  const double torque = 2 * 9.81 * 0.4 * std::sin(0.5);
  for (const double eta : {1.0, 0.75})
    for (const double back : {0.9, 0.2}) {
      const double i = torque / (60 * eta * 0.05);
      const double expected = 25 + (1.5 + 4) * 0.8 * i * i;
      const Scenario scenario = holding(eta, back);
      const Analysis analysis = analyse(scenario);
      EXPECT_NEAR(value(analysis.motors.at(0).figures, Figure::steady_temperature), expected,
                  1e-9 * expected)
          << eta << " " << back;
      // the current itself is the one that the motion asks for
      EXPECT_NEAR(value(analysis.motors[0].figures, Figure::current), torque / (60 * 0.05), 1e-9);
      bool printed = false;
      for (const ReportTable& table : analysis_report(scenario, analysis).tables)
        printed = printed || table.note.find("worse of its two directions") != std::string::npos;
      EXPECT_TRUE(printed);
    }
}

// a motor that gives its continuous torque for ever ends at its limit
TEST(AnalysisMotors, ContinuousTorqueHoldsTheWindingAtItsLimit) {
  MotorSettings motor = small_motor();
  motor.viscous_friction = 1e-4;
  motor.friction = FrictionSettings{0.004, 0.004};
  motor.thermal = ThermalSettings{20, 200, 1.5, 4};
  motor.thermal->winding_limit = 130;
  motor.thermal->magnet_coefficient = -1e-3;
  for (const double speed : {-300.0, 0.0, 120.0}) {
    const double torque = continuous_torque(motor, speed);
    EXPECT_GT(torque, 0);
    const double heat = 1e-4 * speed * speed + 0.004 * std::abs(speed);
    Temperatures now{25, 25};
    for (int k = 0; k < 600000; ++k) {  // steps of 0.1 s: the end does not depend on them
      const MotorConstants there = constants_at(motor, now);
      const double i = torque / there.torque_constant;
      const Temperatures rate = heating(*motor.thermal, now, there.resistance * i * i, heat);
      now = {now.winding + 0.1 * rate.winding, now.housing + 0.1 * rate.housing};
    }
    EXPECT_NEAR(now.winding, 130, 1e-6) << speed;
  }
  // friction alone is too hot
  EXPECT_EQ(continuous_torque(motor, 1000), 0);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
