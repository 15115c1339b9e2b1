#include <limber/drive/motor.hpp>

#include <algorithm>

#include "drive/checks.hpp"

namespace limber {

void check(const MotorSettings& motor, const std::string& where) {
  check_positive(motor.torque_constant, "torque_constant", where);
  if (motor.back_emf_constant) check_positive(*motor.back_emf_constant, "back_emf_constant", where);
  check_positive(motor.resistance, "resistance", where);
  check_not_negative(motor.inductance, "inductance", where);
  if (motor.rotor_inertia) check_not_negative(*motor.rotor_inertia, "rotor_inertia", where);
  if (motor.viscous_friction)
    check_not_negative(*motor.viscous_friction, "viscous_friction", where);
  if (motor.friction) check(*motor.friction, where + ": friction");
  check_limit(motor.voltage_limit, "voltage_limit", where);
  check_limit(motor.current_limit, "current_limit", where);
  check_limit(motor.speed_limit, "speed_limit", where);
  check_not_negative(motor.current_time_constant, "current_time_constant", where);
  if (motor.thermal) check(*motor.thermal, where + ": thermal");
}

Supply supply_with_inductance(const MotorSettings& motor, const MotorConstants& constants,
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
