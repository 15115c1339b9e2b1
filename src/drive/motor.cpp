#include <limber/drive/motor.hpp>

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

}  // namespace limber
