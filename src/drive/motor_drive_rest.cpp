// MotorDrive at rest and at the command: which current a torque needs, and when friction and the
// loss of the gear hold the freedom fast.
//
// `push` says how far, and in which direction, the drive makes up for friction: ±1 while it moves,
// between −1 and 1 at rest. Only drives that are asked for a torque do so.
#include <algorithm>
#include <cmath>

#include <limber/drive/motor_drive.hpp>

#include "drive/freedom.hpp"
#include "drive/stick_slip.hpp"

namespace limber {

namespace {

double compensation(const FrictionSettings& friction, double push, double speed) {
  return push == 0 ? 0 : push * kinetic_friction(friction, push > 0 ? 1 : -1, speed);
}

}  // namespace

int MotorDrive::direction(const Evaluation& at) const {
  return sticks() ? slip_direction(at.d[0]) : 0;
}

double MotorDrive::asked_torque(const Evaluation& at) const {
  return std::clamp(at.command[at_index(freedom_)], -effort_limit_, effort_limit_);
}

// C_M i for the torque that is asked of the joint; the rotor's inertia torque is left to the model
double MotorDrive::rotor_torque_for(const Evaluation& at, double push) const {
  const double share = settings_.friction_compensation, v = at.v[at_index(freedom_)];
  const double tau = asked_torque(at) + share * compensation(joint_friction_, push, std::abs(v));
  double m = tau;
  if (push != 0) {
    const double with_losses = gear_input(settings_.gear, tau, push > 0 ? 1 : -1);
    m += share * std::abs(push) * (with_losses - tau);
  }
  m += share * compensation(rotor_friction_, push, std::abs(v));
  return m / ratio_ + motor_.settings.viscous_friction.value_or(0) * ratio_ * v;
}

Supply MotorDrive::supply(const Evaluation& at, double push) const {
  if (settings_.input != DriveInput::torque)
    return motor_.supply(at.command[at_index(freedom_)], speed(at), at.z);
  Supply result = motor_.supply(rotor_torque_for(at, push), speed(at), at.z);
  if (asked_torque(at) != at.command[at_index(freedom_)]) result.saturated = true;
  return result;
}

// most that reaches the joint at rest against static friction in a direction
double MotorDrive::available(const Evaluation& at, int direction, double push) const {
  const Supply now = pushes_at_rest() ? supply(at, push) : known_supply(at);
  const double m = drive_torque(at, now) - direction * static_friction(rotor_friction_, direction);
  return gear_output(settings_.gear, m, direction) -
         direction * static_friction(joint_friction_, direction);
}

double MotorDrive::residual(const Evaluation& at) const {
  if (!pushes_at_rest()) return 0;
  return uncompensated_share * (available(at, -1, 0) - available(at, 1, 0));
}

// what drive, gear and friction together must bear while the freedom sticks; apply() adds nothing
// then
double MotorDrive::holding_force(const Evaluation& at) const {
  return at.joint_forces[at_index(freedom_)] - at.tau[at_index(freedom_)];
}

// whether the current at rest depends on the force that holds the freedom
bool MotorDrive::pushes_at_rest() const {
  return settings_.input == DriveInput::torque && settings_.friction_compensation > 0;
}

// where it does not depend on the acceleration
const Supply& MotorDrive::known_supply(const Evaluation& at) const {
  if (!supply_known_) supply_ = supply(at, 0);
  supply_known_ = true;
  return supply_;
}

// with the acceleration known
Supply MotorDrive::settled_supply(const Evaluation& at) const {
  const bool known = direction(at) != 0 || !sticks() || !pushes_at_rest();
  return known ? known_supply(at) : supply(at, push(at));
}

// at rest
double MotorDrive::push(const Evaluation& at) const {
  const double band = residual(at);
  return band > 0 ? std::clamp((asked_torque(at) - holding_force(at)) / band, -1.0, 1.0) : 0;
}

}  // namespace limber
