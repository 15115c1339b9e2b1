#include <limber/drive/linear_actuator.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "drive/checks.hpp"
#include "drive/freedom.hpp"

namespace limber {

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

void check_numbers(const std::vector<double>& numbers, std::size_t expected, const char* field,
                   const std::string& where) {
  if (numbers.size() != expected)
    throw Error(fmt::format("{}: {} has {} numbers, {} are needed", where, field, numbers.size(),
                            expected));
  for (const double number : numbers)
    if (!std::isfinite(number))
      throw Error(fmt::format("{}: {} has an entry that is not a finite number", where, field));
}

void check_state(int state, std::size_t n, const char* field, const std::string& where) {
  if (state < -1 || state >= static_cast<int>(n))
    throw Error(fmt::format("{}: {} is {}; a state from 0 to {} is needed, or -1 for none of them",
                            where, field, state, static_cast<int>(n) - 1));
}

// the row of a position: its rate is the velocity and nothing else
void check_position_row(const LinearActuatorSettings& s, const std::string& where) {
  const std::size_t n = s.f.size(), p = at_index(s.position_state);
  if (s.velocity_state < 0 || s.velocity_state == s.position_state)
    throw Error(where + ": position_state needs a velocity_state of its own beside it");
  bool right = s.f[p] == 0 && s.d[p] == 0;
  for (std::size_t k = 0; k < n; ++k)
    right = right && s.C[p * n + k] == (k == at_index(s.velocity_state) ? 1 : 0);
  if (!right)
    throw Error(fmt::format(
        "{}: row {} of C, f and d is that of the position, so C must have a 1 at column {} there "
        "and zeros elsewhere",
        where, s.position_state, s.velocity_state));
}

}  // namespace

LinearActuator::LinearActuator(LinearActuatorSettings settings)
    : Part("actuator of '" + settings.joint + "'"), settings_(std::move(settings)) {
  const std::size_t n = settings_.f.size();
  if (n == 0) throw Error(name() + ": f is empty; an actuator needs at least one state");
  check_numbers(settings_.C, n * n, "C", name());
  check_numbers(settings_.f, n, "f", name());
  check_numbers(settings_.d, n, "d", name());
  if (!settings_.initial.empty()) check_numbers(settings_.initial, n, "initial", name());
  check_state(settings_.position_state, n, "position_state", name());
  check_state(settings_.velocity_state, n, "velocity_state", name());
  check_limit(settings_.input_limit, "input_limit", name());
  if (!std::isfinite(settings_.ratio) || settings_.ratio == 0)
    throw_setting(settings_.ratio, "ratio", name(), "a number other than zero is needed");
  if ((settings_.velocity_state >= 0) == !settings_.velocity_row.empty())
    throw Error(name() +
                ": name the velocity, by velocity_state (one of the states) or by velocity_row (a "
                "row times the state), not both");
  if (settings_.position_state >= 0) check_position_row(settings_, name());
  T_ = settings_.velocity_row;
  if (T_.empty()) {
    T_.assign(n, 0);
    T_[at_index(settings_.velocity_state)] = 1;
  }
  check_numbers(T_, n, "velocity_row", name());
  inverse_inertia_ = -dot(T_, settings_.f);
  if (!(inverse_inertia_ > 0))
    throw Error(fmt::format(
        "{}: T f, what the torque does to the velocity, is {}; it must be negative (-1/inertia of "
        "the actuator): give the velocity's row of f the actuator's inertia",
        name(), -inverse_inertia_));
  for (std::size_t k = 0; k < n; ++k)
    if (static_cast<int>(k) != settings_.position_state &&
        static_cast<int>(k) != settings_.velocity_state)
      own_.push_back(k);
  x_.resize(n);
}

void LinearActuator::attach(Model& model) {
  const Freedom found = find_freedom(model, settings_.joint, name());
  freedom_ = found.index;
  position_ = model.dof_q[at_index(freedom_)];
  const DofSpec& dof = model.dof[at_index(freedom_)];
  if (!dof.rotor_mount.empty() && dof.rotor_inertia != 0)
    throw Error(fmt::format(
        "{}: the robot mounts a rotor on '{}', and the actuator has its own inertia; remove one",
        name(), dof.rotor_mount));
  if (settings_.position_state >= 0 && position_ < 0)
    throw Error(name() +
                ": the freedom has no position variable of its own; use an actuator "
                "without position_state");
  set_rotor(model, found, 1 / inverse_inertia_, settings_.ratio);
}

void LinearActuator::initialize(Evaluation& at, std::span<double> z, std::span<double>) {
  std::fill(x_.begin(), x_.end(), 0.0);
  if (!settings_.initial.empty()) x_ = settings_.initial;
  if (settings_.velocity_state < 0) {
    const double missing = settings_.ratio * at.v[at_index(freedom_)] - dot(T_, x_);
    const double square = dot(T_, T_);
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += T_[k] * missing / square;
  }
  for (std::size_t k = 0; k < own_.size(); ++k) z[k] = x_[own_[k]];
}

double LinearActuator::input(const Evaluation& at) const {
  return std::clamp(at.command[at_index(freedom_)], -settings_.input_limit, settings_.input_limit);
}

void LinearActuator::gather(const Evaluation& at) {
  for (std::size_t k = 0; k < own_.size(); ++k) x_[own_[k]] = at.z[k];
  if (settings_.position_state >= 0)
    x_[at_index(settings_.position_state)] = settings_.ratio * at.q[at_index(position_)];
  if (settings_.velocity_state >= 0)
    x_[at_index(settings_.velocity_state)] = settings_.ratio * at.v[at_index(freedom_)];
}

// a row of C x + d u
double LinearActuator::rate(std::size_t row, double u) const {
  return dot(std::span(settings_.C).subspan(row * x_.size(), x_.size()), x_) + settings_.d[row] * u;
}

// T (C x + d u)
double LinearActuator::free_acceleration(double u) const {
  double sum = 0;
  for (std::size_t k = 0; k < x_.size(); ++k)
    if (T_[k] != 0) sum += T_[k] * rate(k, u);
  return sum;
}

double LinearActuator::torque(const Evaluation& at, double u) const {
  return (free_acceleration(u) - settings_.ratio * at.a[at_index(freedom_)]) / inverse_inertia_;
}

void LinearActuator::apply(Evaluation& at) {
  gather(at);
  at.tau[at_index(freedom_)] += settings_.ratio * free_acceleration(input(at)) / inverse_inertia_;
}

void LinearActuator::derivative(Evaluation& at, std::span<double> z_dot) {
  gather(at);
  const double u = input(at), M = torque(at, u);
  for (std::size_t k = 0; k < own_.size(); ++k)
    z_dot[k] = rate(own_[k], u) + settings_.f[own_[k]] * M;
}

std::vector<Column> LinearActuator::columns() const {
  return {{settings_.joint + ".input", "", "Inputs of actuators"},
          {settings_.joint + ".motor_torque", "N m", "Motor torques"},
          {settings_.joint + ".saturated", "", "Saturation"}};
}

void LinearActuator::record(Evaluation& at, std::span<double> values) {
  gather(at);
  values[0] = input(at);
  values[1] = torque(at, values[0]);
  values[2] = values[0] != at.command[at_index(freedom_)] ? 1 : 0;
}

}  // namespace limber
