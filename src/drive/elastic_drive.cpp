#include <limber/drive/elastic_drive.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <limber/dynamics/inverse_dynamics.hpp>

#include "drive/checks.hpp"
#include "drive/freedom.hpp"
#include "drive/stick_slip.hpp"

namespace limber {

namespace {

void check_stage(const ElasticStage& stage, std::size_t count, const std::string& where) {
  if (stage.ratio ? !std::isfinite(*stage.ratio) || *stage.ratio == 0 : count > 1)
    throw_setting(stage.ratio.value_or(0), "ratio", where,
                  "each of several stages needs a number other than zero");
  check_not_negative(stage.input_inertia, "input_inertia", where);
  check_not_negative(stage.output_inertia, "output_inertia", where);
  check_positive(stage.stiffness, "stiffness", where);
  check_not_negative(stage.damping, "damping", where);
  check_not_negative(stage.backlash, "backlash", where);
}

}  // namespace

double spring_torque(const ElasticStage& stage, double deflection, double rate) {
  const double half = 0.5 * stage.backlash;
  if (half == 0) return stage.stiffness * deflection + stage.damping * rate;
  if (std::abs(deflection) <= half) return 0;
  const double side = deflection > 0 ? 1 : -1;
  const double pressed = side * deflection - half;
  return side * std::max(0.0, stage.stiffness * pressed + stage.damping * side * rate);
}

ElasticDrive::ElasticDrive(ElasticDriveSettings settings)
    : Part("elastic drive of '" + settings.joint + "'"),
      settings_(std::move(settings)),
      motor_{settings_.motor, settings_.input, settings_.joint} {
  check(settings_.motor, name() + ": motor");
  check_range(settings_.friction_compensation, 0, 1, "friction_compensation", name());
  const std::size_t count = settings_.stages.size();
  if (count == 0) throw Error(name() + ": stages is empty; at least one is needed");
  for (std::size_t s = 0; s < count; ++s) {
    check_stage(settings_.stages[s], count, fmt::format("{}: stage {}", name(), s + 1));
    if (settings_.stages[s].backlash > 0) with_play_.push_back(s);
  }
}

void ElasticDrive::attach(Model& model) {
  const Freedom found = find_freedom(model, settings_.joint, name());
  freedom_ = found.index;
  unit_ = found.unit;
  force_unit_ = found.force_unit();
  position_ = model.dof_q[at_index(freedom_)];
  const DofSpec dof = model.dof[at_index(freedom_)];
  if (position_ < 0)
    throw Error(name() + ": the freedom has no position variable of its own, which a spring needs");
  if (!dof.rotor_mount.empty() && dof.rotor_inertia != 0)
    throw Error(fmt::format(
        "{}: the rotor is mounted on '{}' and turns with the joint there, which an elastic drive "
        "does not have it do; remove rotor_mount from the robot",
        name(), dof.rotor_mount));
  motor_.settings.rotor_inertia = settings_.motor.rotor_inertia.value_or(dof.rotor_inertia);
  inertia_.clear();
  ratio_ = 1;
  for (ElasticStage& stage : settings_.stages) {
    if (!stage.ratio) stage.ratio = dof.gear_ratio;
    const double N = *stage.ratio;
    if (N == 0)
      throw_setting(N, "gear_ratio of the robot's joint", name(),
                    "a number other than zero is needed");
    ratio_ *= N;
    inertia_.push_back(stage.input_inertia + stage.output_inertia / (N * N));  // (20.98)
  }
  inertia_[0] += *motor_.settings.rotor_inertia;
  for (std::size_t s = 0; s < inertia_.size(); ++s)
    if (!(inertia_[s] > 0))
      throw Error(
          fmt::format("{}: shaft {} has no inertia; give its stage an input_inertia or an "
                      "output_inertia{}",
                      name(), s + 1, s == 0 ? ", or the motor a rotor_inertia" : ""));
  set_rotor(model, found, 0, ratio_);
  if (settings_.motor.friction) take_friction(model, found);
  if (settings_.motor.viscous_friction) drop_damping(model, found);
  effort_limit_ = dof.effort_limit;
}

std::vector<Part::OwnSpeed> ElasticDrive::speeds() const {
  std::vector<OwnSpeed> all;
  double ratio = 1;
  for (std::size_t s = settings_.stages.size(); s-- > 0;) {
    ratio *= *settings_.stages[s].ratio;
    all.push_back(
        {static_cast<int>(2 * s + 1), 1 / ratio, fmt::format("shaft {} of the {}", s + 1, name())});
  }
  return all;
}

void ElasticDrive::initialize(Evaluation& at, std::span<double> z, std::span<double> d) {
  double place = at.q[at_index(position_)], rate = at.v[at_index(freedom_)], torque = 0;
  if (settings_.initial_load == InitialLoad::gravity)
    torque = gravity_forces(at.model, at.q, at.scratch)[at_index(freedom_)];
  for (std::size_t s = settings_.stages.size(); s-- > 0;) {
    const ElasticStage& stage = settings_.stages[s];
    if (torque != 0)
      place += torque / stage.stiffness + std::copysign(0.5 * stage.backlash, torque);
    z[2 * s] = place *= *stage.ratio;
    z[2 * s + 1] = rate *= *stage.ratio;
    torque /= *stage.ratio;
  }
  motor_.initialize(z.subspan(at_index(shaft_states())));
  if (sticks()) d[0] = initial_mode(z[1]);
}

std::span<const double> ElasticDrive::motor_states(const Evaluation& at) const {
  return at.z.subspan(at_index(shaft_states()));
}

ElasticDrive::Twist ElasticDrive::twist(const Evaluation& at, std::size_t s) const {
  const double N = *settings_.stages[s].ratio;
  const bool last = s + 1 == settings_.stages.size();
  const double next = last ? at.q[at_index(position_)] : at.z[2 * s + 2];
  const double next_rate = last ? at.v[at_index(freedom_)] : at.z[2 * s + 3];
  return {at.z[2 * s] / N - next, at.z[2 * s + 1] / N - next_rate};
}

double ElasticDrive::torque_behind(const Evaluation& at, std::size_t s) const {
  const Twist now = twist(at, s);
  return spring_torque(settings_.stages[s], now.deflection, now.rate);
}

void ElasticDrive::apply(Evaluation& at) {
  at.tau[at_index(freedom_)] += torque_behind(at, settings_.stages.size() - 1);
}

void ElasticDrive::derivative(Evaluation& at, std::span<double> z_dot) {
  const double omega = at.z[1];
  const int way = direction(at);
  const Supply now = supply(at, push(at));
  double arriving = shaft_torque(at, now);
  for (std::size_t s = 0; s < settings_.stages.size(); ++s) {
    const double leaving = torque_behind(at, s);
    z_dot[2 * s] = at.z[2 * s + 1];
    z_dot[2 * s + 1] = (arriving - leaving / *settings_.stages[s].ratio) / inertia_[s];
    arriving = leaving;
  }
  if (sticks() && way == 0) z_dot[0] = z_dot[1] = 0;
  double loss = motor_.settings.viscous_friction.value_or(0) * omega * omega;
  if (way != 0)
    loss += kinetic_friction(*motor_.settings.friction, way, std::abs(omega)) * std::abs(omega);
  motor_.derivative(now, omega, loss, motor_states(at), z_dot.subspan(at_index(shaft_states())));
}

std::vector<EventSpec> ElasticDrive::events() const {
  std::vector<EventSpec> all;
  if (sticks()) add_stick_slip_events("rotor of " + settings_.joint, all);
  for (std::size_t k = 0; k < 2 * with_play_.size(); ++k)
    all.push_back({"'" + settings_.joint + "' reaches the end of its play",
                   EventSpec::Crossing::both, EventSpec::Kind::act});
  motor_.add_events(all);
  return all;
}

void ElasticDrive::event_values(Evaluation& at, std::span<double> values) {
  if (sticks()) {
    const double hold = torque_behind(at, 0) / *settings_.stages[0].ratio, rest = residual(at);
    stick_slip_values(at.d[0], at.z[1], hold - available(at, 1, 1) + rest,
                      available(at, -1, -1) - hold + rest, values);
    values = values.subspan(stick_slip_events);
  }
  for (const std::size_t s : with_play_) {
    const double half = 0.5 * settings_.stages[s].backlash, deflection = twist(at, s).deflection;
    values[0] = deflection - half;
    values[1] = deflection + half;
    values = values.subspan(2);
  }
  motor_.event_values(at.z[1], motor_states(at), values);
}

EventOutcome ElasticDrive::on_event(int event, Evaluation&, EventState state) {
  if (sticks() && event < stick_slip_events) {
    state.d[0] = mode_after(event);
    if (state.d[0] == sticks_fast) state.z[1] = 0;
  }
  return EventOutcome::unlisted;
}

std::vector<Column> ElasticDrive::columns() const {
  std::vector<Column> all;
  motor_.add_columns(all);
  all.push_back({settings_.joint + ".transmitted_torque", force_unit_, "Transmission"});
  all.push_back({settings_.joint + ".deflection", unit_, "Deflections"});
  if (sticks()) all.push_back({settings_.joint + ".rotor_sticks", "", "Sticking"});
  return all;
}

void ElasticDrive::record(Evaluation& at, std::span<double> values) {
  const Supply now = supply(at, push(at));
  const double N = *settings_.stages[0].ratio;
  const double before = torque_behind(at, 0) / N;
  // what the rotor hands to the first stage: all it gets but its own inertia's share
  const double left = sticks() && direction(at) == 0 ? 0 : shaft_torque(at, now) - before;
  const double output = before + left * (1 - *motor_.settings.rotor_inertia / inertia_[0]);
  motor_.record(now, at.z[1], output, motor_states(at), values);
  values = values.subspan(at_index(motor_.columns()));
  values[0] = torque_behind(at, settings_.stages.size() - 1);
  values[1] = at.z[0] / ratio_ - at.q[at_index(position_)];
  if (sticks()) values[2] = direction(at) == 0 ? 1 : 0;
}

// --- the rotor's friction, as in MotorDrive ---

int ElasticDrive::direction(const Evaluation& at) const {
  return sticks() ? slip_direction(at.d[0]) : 0;
}

Supply ElasticDrive::supply(const Evaluation& at, double push) const {
  const double omega = at.z[1], command = at.command[at_index(freedom_)];
  if (!motor_.takes_torque()) return motor_.supply(command, omega, motor_states(at));
  const double limited = std::clamp(command, -effort_limit_, effort_limit_);
  double torque = limited / ratio_ + motor_.settings.viscous_friction.value_or(0) * omega;
  if (push != 0)
    torque += settings_.friction_compensation * push *
              kinetic_friction(*motor_.settings.friction, push > 0 ? 1 : -1, std::abs(omega));
  Supply result = motor_.supply(torque, omega, motor_states(at));
  if (limited != command) result.saturated = true;
  return result;
}

// C_M i − B θ̇ − friction
double ElasticDrive::shaft_torque(const Evaluation& at, const Supply& supply) const {
  const double omega = at.z[1];
  const int way = direction(at);
  double torque = supply.torque - motor_.settings.viscous_friction.value_or(0) * omega;
  if (way != 0) torque -= way * kinetic_friction(*motor_.settings.friction, way, std::abs(omega));
  return torque;
}

double ElasticDrive::available(const Evaluation& at, int direction, double push) const {
  return supply(at, push).torque -
         direction * static_friction(*motor_.settings.friction, direction);
}

double ElasticDrive::residual(const Evaluation& at) const {
  if (!motor_.takes_torque()) return 0;
  return uncompensated_share * (available(at, -1, 0) - available(at, 1, 0));
}

double ElasticDrive::push(const Evaluation& at) const {
  if (!motor_.takes_torque() || !sticks()) return 0;
  if (const int way = direction(at); way != 0) return way;
  const double hold = torque_behind(at, 0) / *settings_.stages[0].ratio;
  const double limited =
      std::clamp(at.command[at_index(freedom_)], -effort_limit_, effort_limit_) / ratio_;
  return std::clamp((limited - hold) / residual(at), -1.0, 1.0);
}

}  // namespace limber
