#pragma once
// Gear: ratio and losses. [HB] (20.68), (20.69)
#include <optional>
#include <string>

namespace limber {

/// A gear between a motor and a joint: ratio, and losses in both directions of power.
struct GearSettings {
  /// N = motor turns per joint turn (motor radians per metre for a slide); may be negative. Left
  /// out: the robot's own (DofSpec::gear_ratio).
  std::optional<double> ratio;
  double efficiency = 1;       ///< η′ in (0, 1]: the motor drives the joint
  double back_efficiency = 1;  ///< η″ in (0, 1]: the joint drives the motor
};

/// Throws Error for an invalid number; `where` names the owner in the message.
void check(const GearSettings& gear, const std::string& where);

/// True if power is lost in any direction.
inline bool has_losses(const GearSettings& gear) {
  return gear.efficiency < 1 || gear.back_efficiency < 1;
}

/// The branches of the law of the gear.
enum class PowerFlow : unsigned char {
  to_joint,  ///< tau = η′ N M
  to_motor   ///< tau = N M / η″
};

/// Which way power flows when the torque m = N M acts on a joint that moves in the given direction
/// (+1 or −1).
inline PowerFlow power_flow(double m, int direction) {
  return m * direction > 0 ? PowerFlow::to_joint : PowerFlow::to_motor;
}

/// Factor of m = N M: η′ or 1/η″.
inline double gear_factor(const GearSettings& gear, PowerFlow flow) {
  return flow == PowerFlow::to_joint ? gear.efficiency : 1 / gear.back_efficiency;
}

/// tau from m = N M for a joint that moves in the given direction.
inline double gear_output(const GearSettings& gear, double m, int direction) {
  return m * gear_factor(gear, power_flow(m, direction));
}

/// m = N M from tau for a joint that moves in the given direction.
inline double gear_input(const GearSettings& gear, double tau, int direction) {
  return tau / gear_factor(gear, power_flow(tau, direction));
}

}  // namespace limber
