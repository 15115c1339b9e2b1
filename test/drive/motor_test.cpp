// The motor's own equations: limits of the amplifier, temperature, what settings are refused.
#include <limber/drive/motor_unit.hpp>

#include <cmath>

#include "support/message.hpp"
#include "support/near.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

MotorSettings small_motor() {
  MotorSettings motor;
  motor.torque_constant = 0.05;
  motor.resistance = 2;
  return motor;
}
Supply at_speed(const MotorSettings& motor, double speed, const Request& request) {
  return supply_at_once(motor, constants_at(motor, {}), speed, request);
}
constexpr auto volts = Request::Kind::voltage;
constexpr auto amperes = Request::Kind::current;

TEST(Motor, TorqueAtASpeed) {
  // K = 0.05, R = 2, V = 12, ω = 3: K/R (V − K ω)
  const Supply supply = at_speed(small_motor(), 3, {volts, 12});
  EXPECT_TRUE(near(0.05 * supply.current, 0.29625, 1e-14));
  EXPECT_TRUE(near(supply.voltage, 12, 1e-14));
  EXPECT_FALSE(supply.saturated);
}

TEST(Motor, LimitsOfVoltageAndCurrent) {
  MotorSettings motor = small_motor();
  motor.voltage_limit = 24;
  motor.current_limit = 5;
  EXPECT_TRUE(near(at_speed(motor, 300, {volts, 100}).current, (24 - 15) / 2.0, 1e-14));
  EXPECT_TRUE(near(at_speed(motor, 0, {volts, 24}).current, 5, 1e-14));
  EXPECT_TRUE(near(at_speed(motor, 0, {volts, 24}).voltage, 10, 1e-14));
  EXPECT_TRUE(near(at_speed(motor, 400, {amperes, -9}).current, -5, 1e-14));
  EXPECT_TRUE(near(at_speed(motor, 400, {amperes, 9}).current, 2, 1e-14));  // out of voltage
  EXPECT_TRUE(at_speed(motor, 400, {amperes, 9}).saturated);
  EXPECT_FALSE(at_speed(motor, 400, {amperes, 2}).saturated);
  // driven beyond all limits: the back-EMF of 40 V pushes current through 24 V whatever is asked
  EXPECT_TRUE(near(at_speed(motor, 800, {volts, 0}).current, -8, 1e-14));
}

TEST(Motor, WithInductanceTheVoltageIsCut) {
  MotorSettings motor = small_motor();
  motor.inductance = 0.01;
  motor.voltage_limit = 24;
  motor.current_limit = 5;
  const MotorConstants constants = constants_at(motor, {});
  auto voltage = [&](double speed, double current, const Request& request) {
    return supply_with_inductance(motor, constants, speed, current, request).voltage;
  };
  EXPECT_EQ(voltage(0, 0, {volts, 8}), 8);
  // at the limit: no more than what holds 5 A, at any speed
  EXPECT_TRUE(near(voltage(40, 5, {volts, 24}), 5 * 2 + 40 * 0.05, 1e-14));
  EXPECT_TRUE(near(voltage(40, 5, {volts, -3}), -3, 1e-14));  // down it may go as fast as it can
  EXPECT_EQ(voltage(480, 1, {amperes, 5}), 24);
  motor.current_time_constant = 1e-3;
  EXPECT_TRUE(near(voltage(40, 1, {amperes, 2}), 2 + 2 + 0.01 * (2 - 1) / 1e-3, 1e-14));
}

TEST(Motor, ConstantsChangeWithTemperature) {
  MotorSettings motor = small_motor();
  ThermalSettings thermal{10, 100, 1, 2};
  thermal.magnet_coefficient = -0.002;
  motor.thermal = thermal;
  const MotorConstants hot = constants_at(motor, {125, 75});
  EXPECT_TRUE(near(hot.resistance, 2 * 1.393, 1e-14));
  EXPECT_TRUE(near(hot.torque_constant, 0.05 * 0.9, 1e-14));
  EXPECT_TRUE(near(hot.back_emf_constant, 0.05 * 0.9, 1e-14));
}

TEST(Motor, RefusesWhatMakesNoSense) {
  auto refusal = [](auto&& change) {
    MotorSettings motor = small_motor();
    change(motor);
    return message_of([&] { check(motor, "drive of 'elbow': motor"); });
  };
  EXPECT_EQ(refusal([](MotorSettings&) {}), no_error);
  EXPECT_TRUE(mentions(refusal([](MotorSettings& m) { m.resistance = 0; }),
                       {"drive of 'elbow': motor", "resistance is 0", "positive"}));
  EXPECT_TRUE(
      mentions(refusal([](MotorSettings& m) { m.torque_constant = NAN; }), {"torque_constant"}));
  EXPECT_TRUE(mentions(refusal([](MotorSettings& m) { m.inductance = -1; }), {"inductance is -1"}));
  EXPECT_TRUE(
      mentions(refusal([](MotorSettings& m) { m.voltage_limit = 0; }), {"voltage_limit is 0"}));
  EXPECT_TRUE(mentions(refusal([](MotorSettings& m) { m.thermal = ThermalSettings{}; }),
                       {"thermal: winding_capacity"}));
  EXPECT_TRUE(mentions(refusal([](MotorSettings& m) {
                         m.friction = FrictionSettings{1, 1, 0.5};
                       }),
                       {"friction: static_ratio is 0.5"}));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
