// MotorDrive at rest: when friction and the loss of the gear hold the freedom fast, and the events
// that end it.
#include <algorithm>
#include <cmath>

#include <limber/drive/motor_drive.hpp>

#include "drive/freedom.hpp"
#include "drive/stick_slip.hpp"

namespace limber {

// most that reaches the joint at rest against static friction in a direction
double MotorDrive::available(const Evaluation& at, int direction, double push) const {
  const Supply& now = pushes_at_rest() ? find_supply(at, push) : known_supply(at);
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
  return motor_.takes_torque() && settings_.friction_compensation > 0;
}

// where it does not depend on the acceleration
const Supply& MotorDrive::known_supply(const Evaluation& at) const {
  if (!supply_known_) find_supply(at, 0);
  supply_known_ = true;
  return supply_;
}

// with the acceleration known
const Supply& MotorDrive::settled_supply(const Evaluation& at) const {
  const bool known = direction(at) != 0 || !sticks() || !pushes_at_rest();
  return known ? known_supply(at) : find_supply(at, push(at));
}

HoldingRange MotorDrive::holding_range(const Evaluation& at, int) const {
  const double rest = residual(at);
  return {available(at, 1, 1) - rest, available(at, -1, -1) + rest};
}

void MotorDrive::event_values(Evaluation& at, std::span<double> values) {
  if (sticks()) {
    double forward = 0, backward = 0;
    if (direction(at) == 0 && !at.decides_in_steps) {
      const double hold = holding_force(at), rest = residual(at);
      forward = hold - available(at, 1, 1) + rest;
      backward = available(at, -1, -1) - hold + rest;
    }
    if (at.decides_in_steps) std::fill_n(values.begin(), stick_slip_events, 1.0);
    else stick_slip_values(at.d[0], at.v[at_index(freedom_)], forward, backward, values);
    values = values.subspan(stick_slip_events);
  }
  motor_.event_values(speed(at), at.z, values);
}

// at rest
double MotorDrive::push(const Evaluation& at) const {
  const double band = residual(at);
  return band > 0 ? std::clamp((asked_torque(at) - holding_force(at)) / band, -1.0, 1.0) : 0;
}

}  // namespace limber
