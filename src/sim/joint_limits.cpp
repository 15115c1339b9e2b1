#include <limber/sim/joint_limits.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <limber/dynamics/mass_matrix.hpp>
#include <limber/model/joint_kind.hpp>
#include <limber/model/variables.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr double greatest_frequency = 300;  // of a bumper that is chosen [rad/s]
constexpr double damping_ratio = 0.5;
constexpr double most_damping = 4;  // of the spring's force: the force of a blow begins at zero

// the discrete states of one limit with a bumper
enum BumperState : std::size_t { bumper_stiffness, bumper_damping, bumper_start, bumper_states };

constexpr double least_listed_speed = 1e-9;  // [rad/s or m/s]

// what rounding leaves of a joint that stands at its limit is not beyond it
double rounding_margin(double place) { return 1e-12 * std::max(1.0, std::abs(place)); }

bool usable(const std::optional<double>& value, double least) {
  return !value || (std::isfinite(*value) && *value >= least);
}

// what fixed steps resolve and keep stable, a damper and joints that press together included
double radians_per_step(const IntegratorMethod& method) {
  if (method.order == 1) return 0.05;
  if (method.order == 2) return 0.1;
  const bool one_step = method.name == "rk4";
  return one_step ? 0.2 : 0.1 / method.block;
}

std::string unit_of(const Model& model, std::size_t body, const Variable& freedom) {
  const std::span<const JointVariable> own = facts(model.kind[body]).velocities;
  if (model.master[body] < 0) return freedom.unit;
  return own.empty() ? "" : std::string(own.front().unit);
}

// of the mass matrix, with what parts add at this instant, to the scratch workspace
void factorize_inertia(Evaluation& at) {
  factorize<double>(at.model, at.q, at.scratch, at.added_inertia());
}

}  // namespace

double bumper_frequency(const IntegratorSettings& integrator) {
  const IntegratorMethod* method = find_integrator_method(integrator.method);
  if (!method || method->error_control) return greatest_frequency;
  return std::min(radians_per_step(*method) / integrator.step, greatest_frequency);
}

JointLimits::JointLimits(const JointLimitSettings& settings, std::string name)
    : Part(std::move(name)), settings_(settings) {
  constexpr double positive = std::numeric_limits<double>::min();
  if (!usable(settings.stiffness, positive) || !usable(settings.damping, 0))
    throw Error(fmt::format(
        "joint limits: stiffness {} and damping {} of the bumpers must be positive and finite",
        settings.stiffness.value_or(1), settings.damping.value_or(0)));
  if (!(settings.frequency > 0) || !std::isfinite(settings.frequency))
    throw Error(
        fmt::format("joint limits: a frequency of {} rad/s was found, a positive one is "
                    "needed",
                    settings.frequency));
}

std::string JointLimits::Limit::name() const {
  return fmt::format("{} limit of {:.6g}", side > 0 ? "upper" : "lower", place);
}

void JointLimits::attach(Model& model) {
  const std::vector<Variable> names = velocity_variables(model);
  for (std::size_t k = 0; k < model.column_dof.size(); ++k) {
    const std::size_t body = at_index(model.column_body[k]);
    const Variable& freedom = names[at_index(model.v_fold[k].index)];
    const bool follows = model.master[body] >= 0;
    add_limits(model, k, follows ? model.joint_name[body] : freedom.name(),
               unit_of(model, body, freedom));
  }
  column_of_inverse_.resize(at_index(model.nv));
}

// a lower limit above the upper one leaves no range: build() has warned, nothing is enforced
void JointLimits::add_limits(const Model& model, std::size_t column, const std::string& joint,
                             const std::string& unit) {
  const DofSpec& dof = model.column_dof[column];
  if (model.column_q[column] < 0 || dof.lower > dof.upper) return;
  const Fold<double>& fold = model.q_fold[at_index(model.column_q[column])];
  Limit limit;
  limit.q = at_index(fold.index);
  limit.v = at_index(model.v_fold[column].index);
  limit.ratio = fold.ratio;
  limit.offset = fold.offset;
  limit.joint = joint;
  limit.unit = unit;
  for (const double side : {1.0, -1.0}) {
    limit.side = side;
    limit.place = side > 0 ? dof.upper : dof.lower;
    if (std::isfinite(limit.place)) limits_.push_back(limit);
  }
}

int JointLimits::discrete_states() const {
  return settings_.at_limit == AtLimit::bumper ? static_cast<int>(bumper_states * limits_.size())
                                               : 0;
}

bool JointLimits::needs_inertia() const { return !settings_.stiffness || !settings_.damping; }

// of the joint's own motion, other joints being free: 1 / (ratio² (M⁻¹)_kk), with the factor of M
// in the scratch workspace
double JointLimits::inertia_of(const Limit& limit, Evaluation& at) {
  std::fill(column_of_inverse_.begin(), column_of_inverse_.end(), 0.0);
  column_of_inverse_[limit.v] = limit.ratio;
  solve(at.scratch.factor, std::span<double>(column_of_inverse_));
  const double mobility = limit.ratio * column_of_inverse_[limit.v];
  return mobility > 0 && std::isfinite(1 / mobility) ? 1 / mobility : 1;
}

void JointLimits::choose_bumper(std::size_t limit, Evaluation& at, std::span<double> d) {
  const std::span<double> bumper = d.subspan(bumper_states * limit, bumper_states);
  const double inertia = needs_inertia() ? inertia_of(limits_[limit], at) : 1;
  const double stiffness =
      settings_.stiffness.value_or(inertia * settings_.frequency * settings_.frequency);
  bumper[bumper_stiffness] = stiffness;
  bumper[bumper_damping] =
      settings_.damping.value_or(2 * damping_ratio * std::sqrt(stiffness * inertia));
}

void JointLimits::initialize(Evaluation& at, std::span<double> /*z*/, std::span<double> d) {
  if (d.empty()) return;
  if (needs_inertia()) factorize_inertia(at);
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    choose_bumper(k, at, d);
    d[bumper_states * k + bumper_start] = std::max(0.0, limits_[k].depth(at.q));
  }
}

void JointLimits::apply(Evaluation& at) {
  if (settings_.at_limit != AtLimit::bumper) return;
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const Limit& limit = limits_[k];
    const std::span<const double> bumper = at.d.subspan(bumper_states * k, bumper_states);
    const double depth = limit.depth(at.q) - bumper[bumper_start];
    if (depth <= 0) continue;
    const double speed = limit.side * limit.ratio * at.v[limit.v];
    const double spring = bumper[bumper_stiffness] * depth;
    double damper = bumper[bumper_damping] * speed;
    if (!settings_.damping) damper = std::min(damper, most_damping * spring);
    at.tau[limit.v] -= limit.ratio * limit.side * std::max(0.0, spring + damper);
  }
}

std::vector<EventSpec> JointLimits::events() const {
  std::vector<EventSpec> all;
  for (const Limit& limit : limits_) {
    EventSpec event;
    event.text = fmt::format("joint '{}' reached its {}", limit.joint, limit.name());
    const bool bumper = settings_.at_limit == AtLimit::bumper;
    event.crossing = bumper ? EventSpec::Crossing::both : EventSpec::Crossing::below;
    if (settings_.at_limit != AtLimit::watch) event.kind = EventSpec::Kind::act;
    all.push_back(event);
  }
  return all;
}

// what is left of the way to each limit; a bumper's forces begin at the limit itself
void JointLimits::event_values(Evaluation& at, std::span<double> values) {
  const bool bumper = settings_.at_limit == AtLimit::bumper;
  for (std::size_t k = 0; k < limits_.size(); ++k)
    values[k] = (bumper ? 0 : rounding_margin(limits_[k].place)) - limits_[k].depth(at.q);
}

EventOutcome JointLimits::on_event(int event, Evaluation& at, EventState state) {
  if (settings_.at_limit == AtLimit::stop) return EventOutcome::stop;
  const Limit& limit = limits_[at_index(event)];
  const double speed = limit.side * limit.ratio * at.v[limit.v];  // of pressing
  state.d[bumper_states * at_index(event) + bumper_start] = 0;
  if (speed <= 0) return EventOutcome::unlisted;
  if (needs_inertia()) factorize_inertia(at);
  choose_bumper(at_index(event), at, state.d);
  // a joint that rests at its limit trembles by rounding
  return speed > least_listed_speed ? EventOutcome::state_changed : EventOutcome::unlisted;
}

}  // namespace limber
