// MotorDrive: data and set-up, the current that a command needs, what the drive adds to the
// dynamics, and what it shows. The equations of friction at rest are in motor_drive_rest.cpp.
#include <limber/drive/motor_drive.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "drive/checks.hpp"
#include "drive/freedom.hpp"
#include "drive/stick_slip.hpp"

namespace limber {

namespace {

double compensation(const FrictionSettings& friction, double push, double speed) {
  return push * kinetic_friction(friction, push > 0 ? 1 : -1, speed);
}

}  // namespace

MotorDrive::MotorDrive(MotorDriveSettings settings)
    : Part("drive of '" + settings.joint + "'"),
      settings_(std::move(settings)),
      motor_{settings_.motor, settings_.input, settings_.joint} {
  check(settings_.motor, name() + ": motor");
  check(settings_.gear, name() + ": gear");
  if (settings_.joint_friction) check(*settings_.joint_friction, name() + ": joint_friction");
  check_range(settings_.friction_compensation, 0, 1, "friction_compensation", name());
}

void MotorDrive::attach(Model& model) {
  const Freedom found = find_freedom(model, settings_.joint, name());
  freedom_ = found.index;
  const DofSpec dof = model.dof[at_index(freedom_)];
  ratio_ = settings_.gear.ratio.value_or(dof.gear_ratio);
  if (ratio_ == 0)
    throw_setting(ratio_, "gear_ratio of the robot's joint", name(),
                  "a number other than zero is needed");
  inertia_ = settings_.motor.rotor_inertia.value_or(dof.rotor_inertia);
  if (dof.rotor_mount.empty()) set_rotor(model, found, inertia_, ratio_);
  else if (has_losses(settings_.gear))
    throw Error(fmt::format(
        "{}: a gear with losses needs a rotor without mount, and this one is mounted on '{}'; "
        "remove rotor_mount from the robot or set both efficiencies to 1",
        name(), dof.rotor_mount));
  else if (ratio_ != dof.gear_ratio || inertia_ != dof.rotor_inertia)
    throw Error(fmt::format(
        "{}: ratio {} and rotor inertia {} differ from the {} and {} of the rotor that the robot "
        "mounts on '{}'; state them in one place only",
        name(), ratio_, inertia_, dof.gear_ratio, dof.rotor_inertia, dof.rotor_mount));
  const FrictionSettings own = take_friction(model, found);
  joint_friction_ =
      settings_.joint_friction.value_or(settings_.motor.friction ? FrictionSettings{} : own);
  rotor_friction_ = through_gear(settings_.motor.friction.value_or(FrictionSettings{}), ratio_);
  sticks_ = any(rotor_friction_) || any(joint_friction_) || has_losses(settings_.gear);
  if (settings_.motor.viscous_friction) drop_damping(model, found);
  damping_ = settings_.motor.viscous_friction.value_or(0);
  motor_.settings.rotor_inertia = inertia_;
  effort_limit_ = dof.effort_limit;
}

void MotorDrive::initialize(Evaluation& at, std::span<double> z, std::span<double> d) {
  motor_.initialize(z);
  if (sticks()) d[0] = initial_mode(at.v[at_index(freedom_)]);
}

void MotorDrive::prescribe(const PartInstant& at, const GivenMotion& motion) {
  prescribe_sticking(at, motion, freedom_, mode_, v_begin_);
}

int MotorDrive::direction(const Evaluation& at) const {
  return sticks() ? slip_direction(at.step > 0 ? mode_ : at.d[0]) : 0;
}

double MotorDrive::speed(const Evaluation& at) const { return ratio_ * at.v[at_index(freedom_)]; }

double MotorDrive::asked_torque(const Evaluation& at) const {
  return std::clamp(at.command[at_index(freedom_)], -effort_limit_, effort_limit_);
}

// m = N M for the torque tau of the joint and for what friction and gear will take of it. `push`
// says how far, and in which direction, the drive makes up for that: ±1 while it moves, between −1
// and 1 at rest. Only drives with torque commands do so.
double MotorDrive::with_compensation(double tau, double push, double speed) const {
  const double share = settings_.friction_compensation;
  const double at_joint = tau + share * compensation(joint_friction_, push, speed);
  const double with_losses = gear_input(settings_.gear, at_joint, push > 0 ? 1 : -1);
  return at_joint + share * std::abs(push) * (with_losses - at_joint) +
         share * compensation(rotor_friction_, push, speed);
}

// C_M i for the commanded torque of the joint; the rotor's inertia torque is left to the model
double MotorDrive::rotor_torque_for(const Evaluation& at, double push) const {
  const double v = at.v[at_index(freedom_)];
  double m = asked_torque(at);
  if (settings_.friction_compensation != 0 && push != 0)
    m = with_compensation(m, push, std::abs(v));
  return m / ratio_ + damping_ * ratio_ * v;
}

// writes and returns supply_: it is wanted by number, and copies of it would wait for its parts
const Supply& MotorDrive::find_supply(const Evaluation& at, double push) const {
  const double command = at.command[at_index(freedom_)];
  const bool asked_for_torque = motor_.takes_torque();
  supply_ = motor_.supply(asked_for_torque ? rotor_torque_for(at, push) : command, speed(at), at.z);
  if (asked_for_torque && asked_torque(at) != command) supply_.saturated = true;
  return supply_;
}

double MotorDrive::drive_torque(const Evaluation& at, const Supply& supply) const {
  return ratio_ * (supply.torque - damping_ * speed(at));
}

// with the rotor's inertia in the model, N² J a stands on the left of the robot's equations
// already:
//   (M + N² J) a + … = factor (N M) − friction + (1 − factor) N² J a,  factor = η′ or 1/η″
void MotorDrive::apply(Evaluation& at) {
  const int way = direction(at);
  supply_known_ = false;
  if (way == 0 && sticks()) return;  // held: its acceleration is known
  gear_torque_ = drive_torque(at, find_supply(at, way));
  supply_known_ = true;
  const double v = std::abs(at.v[at_index(freedom_)]);
  if (sticks()) gear_torque_ -= way * kinetic_friction(rotor_friction_, way, v);
  double factor = 1;
  if (gear_has_losses()) {
    if (at.round == 0) flow_ = power_flow(gear_torque_, way);
    factor = gear_factor(settings_.gear, flow_);
    at.inertia[at_index(freedom_)] += (factor - 1) * ratio_ * ratio_ * inertia_;
  }
  double tau = factor * gear_torque_;
  if (sticks()) tau -= way * kinetic_friction(joint_friction_, way, v);
  at.tau[at_index(freedom_)] += tau;
}

// in a step: whether it sticks, too
bool MotorDrive::settled(Evaluation& at) {
  if (at.step > 0 && sticks() && !at.decides_later) {
    const std::size_t k = at_index(freedom_);
    const HoldingRange range = direction(at) == 0 ? holding_range(at, freedom_) : HoldingRange{};
    const double mode =
        mode_after_round(mode_, at.v[k] + at.step * at.a[k], holding_force(at), range);
    if (!settle_mode(at, mode, mode_)) return false;
  }
  const int way = direction(at);
  if (!gear_has_losses() || way == 0 || at.round >= 8) return true;
  const double rotor = ratio_ * ratio_ * inertia_ * at.a[at_index(freedom_)];
  const PowerFlow flow = power_flow(gear_torque_ - rotor, way);
  if (flow == flow_) return true;
  flow_ = flow;
  return false;
}

void MotorDrive::derivative(Evaluation& at, std::span<double> z_dot) {
  const double omega = speed(at), v = std::abs(at.v[at_index(freedom_)]);
  const int way = direction(at);
  double loss = damping_ * omega * omega;
  if (way != 0) loss += kinetic_friction(rotor_friction_, way, v) * v;
  motor_.derivative(settled_supply(at), omega, loss, at.z, z_dot);
}

std::vector<EventSpec> MotorDrive::events() const {
  std::vector<EventSpec> all;
  if (sticks()) add_stick_slip_events(settings_.joint, all);
  motor_.add_events(all);
  return all;
}

EventOutcome MotorDrive::on_event(int event, Evaluation&, EventState state) {
  state.d[0] = mode_after(event);
  return EventOutcome::unlisted;
}

std::vector<Column> MotorDrive::columns() const {
  std::vector<Column> all;
  motor_.add_columns(all);
  if (sticks()) all.push_back({settings_.joint + ".sticks", "", "Sticking"});
  return all;
}

void MotorDrive::record(Evaluation& at, std::span<double> values) {
  const Supply& now = settled_supply(at);
  const int way = direction(at);
  const double v = std::abs(at.v[at_index(freedom_)]);
  double output = drive_torque(at, now) / ratio_ - ratio_ * inertia_ * at.a[at_index(freedom_)];
  if (way != 0) output -= way * kinetic_friction(rotor_friction_, way, v) / ratio_;
  motor_.record(now, speed(at), output, at.z, values);
  if (sticks()) values[at_index(motor_.columns())] = way == 0 ? 1 : 0;
}

}  // namespace limber
