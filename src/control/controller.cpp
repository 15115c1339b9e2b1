#include <limber/control/controller.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/variables.hpp>

#include "control/joint_places.hpp"
#include "index.hpp"

// discrete states of a sampled controller: number of samples taken, number of freedoms at their
// limits, the command that holds, the controller's own, the sensor's memory

namespace limber {

namespace {

constexpr int most_own_states = 10'000'000;

bool has_actuators(const Model& m, const JointPlace& joint) {
  return joint.kind != JointKind::free || m.has_actuation[at_index(joint.body)];
}

}  // namespace

Controller::Controller(const ControllerSettings& settings)
    : Part(settings.name), settings_(settings) {
  if (settings.name.empty()) throw Error("a controller has no name; give it one");
  if (!(settings.sample_time >= 0) || !std::isfinite(settings.sample_time))
    throw Error(fmt::format("controller '{}': sample_time: {} s found, at least 0 is needed",
                            name(), settings.sample_time));
  if (!sampled() && !settings.sensor.exact())
    throw Error(fmt::format(
        "controller '{}': sensor: noise, resolution and delay belong to samples; give it a "
        "sample_time",
        name()));
}

void Controller::attach(Model& m) {
  find_freedoms(m);
  try {
    limits_ = one_each("command_limits", settings_.command_limits, freedoms_.size(), HUGE_VAL);
    if (settings_.command_limits.empty())
      for (std::size_t i = 0; i < limits_.size(); ++i)
        limits_[i] = m.dof[static_cast<std::size_t>(freedoms_[i])].effort_limit;
    sensor_ = Sensor(m, settings_.sensor, freedoms_, name());
    command_.resize(freedoms_.size());
    q_.resize(static_cast<std::size_t>(m.nq));
    v_.resize(static_cast<std::size_t>(m.nv));
    set_up(m);
    if (own_states() < 0 || own_states() > most_own_states)
      throw Error(
          fmt::format("own_states: {} found, 0 to {} are possible", own_states(), most_own_states));
    if (!sampled() && own_states() > 0)
      throw Error("it has discrete states, which change only with samples; give it a sample_time");
  } catch (const Error& error) {
    throw Error(fmt::format("controller '{}': {}", name(), error.what()));
  }
}

void Controller::find_freedoms(const Model& m) {
  freedoms_.clear();
  freedom_names_.clear();
  command_units_.clear();
  std::vector<JointPlace> group;
  for (const std::string& joint : settings_.joints) {
    const JointPlace place = joint_place(m, joint);
    if (!has_actuators(m, place))
      throw Error(
          fmt::format("controller '{}': joint '{}' of robot '{}' is free and has no "
                      "actuator that could be commanded; leave it out",
                      name(), joint, m.name));
    group.push_back(place);
  }
  if (settings_.joints.empty())
    for (const JointPlace& place : joint_places(m))
      if (has_actuators(m, place)) group.push_back(place);
  const std::vector<Variable> variables = velocity_variables(m);
  for (const JointPlace& place : group)
    for (int k = place.v; k < place.v + place.v_count; ++k) {
      if (std::find(freedoms_.begin(), freedoms_.end(), k) != freedoms_.end())
        throw Error(fmt::format("controller '{}': joints: '{}' is there twice", name(),
                                m.joint_name[at_index(place.body)]));
      freedoms_.push_back(k);
      freedom_names_.push_back(variables[at_index(k)].name());
      const std::string& unit = variables[at_index(k)].unit;
      command_units_.push_back(unit == "rad" ? "N m" : unit == "m" ? "N" : "");
    }
  if (freedoms_.empty())
    throw Error(
        fmt::format("controller '{}': robot '{}' has no joint with an actuator", name(), m.name));
}

void Controller::set_drive(int freedom, const Part& drive) {
  const std::string unit = drive.command_unit();
  if (commands_forces() || unit.empty()) return;
  const auto i = static_cast<std::size_t>(std::find(freedoms_.begin(), freedoms_.end(), freedom) -
                                          freedoms_.begin());
  command_units_[i] = unit;
  if (settings_.command_limits.empty()) limits_[i] = HUGE_VAL;  // an effort limit is a force
}

int Controller::discrete_states() const {
  if (!sampled()) return 0;
  return static_cast<int>(own_begin()) + own_states() + sensor_.states();
}

Measurement Controller::present(const Evaluation& at) const {
  return {at.model, at.t, at.q, at.v, {}, at.z};
}

void Controller::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  if (!sampled()) return;
  const auto own = static_cast<std::size_t>(own_states());
  sensor_.begin(at, d.subspan(own_begin() + own));
  Measurement measured = present(at);
  measured.states = d.subspan(own_begin(), own);
  begin(measured);
}

void Controller::update(Evaluation& at, std::span<double> d) {
  const auto own = static_cast<std::size_t>(own_states());
  constexpr double most_samples = 9007199254740992.0;  // up to it a double counts one by one
  if (!(d[0] >= 0 && d[0] < most_samples))             // saved states are files, too
    throw Error(
        fmt::format("{} samples have been taken, says the saved state, which is damaged", d[0]));
  sensor_.measure(at, static_cast<long>(d[0]), d.subspan(own_begin() + own), q_, v_);
  const Measurement measured{at.model, at.t, q_, v_, d.subspan(own_begin(), own), at.z};
  d[1] = command_now(measured, d.subspan(2, freedoms_.size()));
  d[0] += 1;
}

void Controller::apply(Evaluation& at) {
  std::span<const double> command = command_;
  if (sampled()) command = at.d.subspan(2, freedoms_.size());
  else command_now(present(at), command_);
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    at.command[static_cast<std::size_t>(freedoms_[i])] += command[i];
}

/// Calls control() and limits the commands; returns how many were limited.
int Controller::command_now(const Measurement& measured, std::span<double> command) {
  std::fill(command.begin(), command.end(), 0.0);
  control(measured, command);
  int cut = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (!std::isfinite(command[i]))
      throw Error(fmt::format("controller '{}': its command for '{}' is not a finite number",
                              name(), freedom_names_[i]));
    if (std::abs(command[i]) <= limits_[i]) continue;
    command[i] = std::copysign(limits_[i], command[i]);
    ++cut;
  }
  return cut;
}

std::vector<Column> Controller::columns() const {
  std::vector<Column> all;
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    all.push_back({freedom_names_[i] + ".command", command_units_[i], "Commands"});
  all.push_back({name() + ".saturated", "", "Saturation"});
  const std::vector<Column> more = more_columns();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void Controller::record(Evaluation& at, std::span<double> values) {
  for (std::size_t i = 0; i < freedoms_.size(); ++i)
    values[i] = at.command[static_cast<std::size_t>(freedoms_[i])];
  values[freedoms_.size()] = sampled() ? at.d[1] : command_now(present(at), command_);
  Measurement now = present(at);
  if (sampled()) now.held = at.d.subspan(own_begin(), static_cast<std::size_t>(own_states()));
  record_more(now, values.subspan(freedoms_.size() + 1));
}

}  // namespace limber
