#include "analysis/heat.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

double rotor_friction_power(const MotorSettings& motor, double speed) {
  const double viscous = motor.viscous_friction.value_or(0) * speed * speed;
  if (!motor.friction || speed == 0) return viscous;
  const double size = std::abs(speed);
  return viscous + kinetic_friction(*motor.friction, speed > 0 ? 1 : -1, size) * size;
}

//   T_w = T_a + R_ha (P_c + P_f) + R_wh P_c,   P_c = P_c0 (1 + α (T_w − T_reference))
Temperatures steady_temperatures(const ThermalSettings& thermal, double copper_at_reference,
                                 double friction) {
  const double alpha = thermal.winding_coefficient;
  const double to_ambient = thermal.housing_to_ambient;
  const double rise = copper_at_reference * (to_ambient + thermal.winding_to_housing);
  const double own = 1 - alpha * rise;
  if (!(own > 0)) return {HUGE_VAL, HUGE_VAL};
  const double winding =
      (thermal.ambient + to_ambient * friction + rise * (1 - alpha * thermal.reference)) / own;
  const double copper = copper_at_reference * (1 + alpha * (winding - thermal.reference));
  return {winding, thermal.ambient + to_ambient * (copper + friction)};
}

// the same equation, solved for P_c at T_w = limit
double continuous_torque(const MotorSettings& motor, double speed) {
  const ThermalSettings& thermal = *motor.thermal;
  const double friction = rotor_friction_power(motor, speed);
  const double left =
      thermal.winding_limit - thermal.ambient - thermal.housing_to_ambient * friction;
  const double copper =
      std::max(0.0, left) / (thermal.housing_to_ambient + thermal.winding_to_housing);
  const MotorConstants hot = constants_at(
      motor,
      {thermal.winding_limit, thermal.ambient + thermal.housing_to_ambient * (copper + friction)});
  return hot.torque_constant * std::sqrt(copper / hot.resistance);
}

double holding_torque(const GearSettings& gear, double ratio, double torque) {
  return std::abs(torque / ratio) / gear_factor(gear, PowerFlow::to_joint);
}

}  // namespace limber
