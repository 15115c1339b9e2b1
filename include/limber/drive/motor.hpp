#pragma once
// DC motor (brushless motors with their amplifier behave alike): data, and the amplifier's limits.
// All numbers are SI and belong to the motor's own shaft. [HB] (20.62)-(20.67)
//
//   J θ̈ = C_M i − B θ̇ − friction − M        u = R i + L di/dt + C_E θ̇
#include <cmath>
#include <algorithm>
#include <optional>

#include <limber/drive/friction.hpp>
#include <limber/drive/thermal.hpp>

namespace limber {

/// The data sheet of a DC motor, all on the motor side.
struct MotorSettings {
  double torque_constant = 0;  ///< C_M > 0 [N m/A]
  std::optional<double>
      back_emf_constant;                ///< C_E > 0 [V s/rad]; left out: C_M, as SI units have it
  double resistance = 0;                ///< R > 0 [ohm]
  double inductance = 0;                ///< L ≥ 0 [H]; 0: neglected, (20.66)
  std::optional<double> rotor_inertia;  ///< J ≥ 0 [kg m²]; left out: the robot's own
  std::optional<double> viscous_friction;  ///< B ≥ 0 [N m s/rad]; stated: the robot's is dropped
  std::optional<FrictionSettings> friction;  ///< dry, [N m]; stated: the robot's is dropped
  double voltage_limit = HUGE_VAL;           ///< |u| of the amplifier [V]
  double current_limit = HUGE_VAL;           ///< |i| that the amplifier allows [A]
  double speed_limit = HUGE_VAL;             ///< |θ̇| [rad/s]; reported when passed
  /// How fast an amplifier with L > 0 brings the current to its command or to its limit [s].
  /// 0: L/R, as if it gave the voltage that holds that current.
  double current_time_constant = 0;
  std::optional<ThermalSettings> thermal;  ///< left out: temperature plays no part
};

/// Throws Error for an invalid number; `where` names the owner in the message.
void check(const MotorSettings& motor, const std::string& where);

/// What the command of a controller means to a drive.
enum class DriveInput : unsigned char {
  voltage,  ///< of the motor [V]
  current,  ///< of the motor [A]
  torque    ///< of the joint [N m or N]: the drive finds the current that gives it
};

/// The constants at a temperature.
struct MotorConstants {
  double torque_constant = 0, back_emf_constant = 0, resistance = 0;
};
/// Those of the data sheet if the motor has no thermal settings.
inline MotorConstants constants_at(const MotorSettings& motor, const Temperatures& temperatures) {
  MotorConstants constants{motor.torque_constant,
                           motor.back_emf_constant.value_or(motor.torque_constant),
                           motor.resistance};
  if (!motor.thermal) return constants;
  const ThermalSettings& thermal = *motor.thermal;
  const double magnet = 1 + thermal.magnet_coefficient * (temperatures.housing - thermal.reference);
  constants.torque_constant *= magnet;
  constants.back_emf_constant *= magnet;
  constants.resistance *=
      1 + thermal.winding_coefficient * (temperatures.winding - thermal.reference);
  return constants;
}

/// What the amplifier gives.
struct Supply {
  double current = 0;      ///< [A]
  double voltage = 0;      ///< at the motor's terminals [V]
  bool saturated = false;  ///< a limit was active
  double torque = 0;       ///< of the field on the rotor, C_M i [N m]
  double copper_loss = 0;  ///< R i² [W]
};

/// The command to the amplifier.
struct Request {
  enum class Kind : unsigned char { voltage, current } kind = Kind::voltage;
  double value = 0;  ///< [V or A]
};

/// Without inductance the current follows at once: within the current limit, and within what the
/// voltage limit lets through at this speed [rad/s].
inline Supply supply_at_once(const MotorSettings& motor, const MotorConstants& constants,
                             double speed, const Request& request) {
  const double back_emf = constants.back_emf_constant * speed, R = constants.resistance;
  const double wanted =
      request.kind == Request::Kind::current ? request.value : (request.value - back_emf) / R;
  // the amplifier has no say in what the back-EMF drives beyond its voltage, so that limit is last
  double current = std::clamp(wanted, -motor.current_limit, motor.current_limit);
  const double voltage =
      std::clamp(R * current + back_emf, -motor.voltage_limit, motor.voltage_limit);
  if (voltage != R * current + back_emf) current = (voltage - back_emf) / R;
  return {current, voltage, current != wanted, constants.torque_constant * current,
          R * current * current};
}

/// With inductance the current is a state [A] and the supply chooses the voltage: the
/// commanded one, or the one that leads to the commanded current, limited so that |i| does not
/// exceed its limit.
inline Supply supply_with_inductance(const MotorSettings& motor, const MotorConstants& constants,
                                     double speed, double current, const Request& request) {
  const double T = motor.current_time_constant > 0 ? motor.current_time_constant
                                                   : motor.inductance / constants.resistance;
  // u that brings the current to a value with time constant T: di/dt = (value − i)/T
  const double holding = constants.resistance * current + constants.back_emf_constant * speed;
  const double gain = motor.inductance / T;
  const double wanted = request.kind == Request::Kind::voltage
                            ? request.value
                            : holding + gain * (request.value - current);
  const double allowed = std::clamp(wanted, holding + gain * (-motor.current_limit - current),
                                    holding + gain * (motor.current_limit - current));
  const double voltage = std::clamp(allowed, -motor.voltage_limit, motor.voltage_limit);
  return {current, voltage, voltage != wanted, constants.torque_constant * current,
          constants.resistance * current * current};
}

}  // namespace limber
