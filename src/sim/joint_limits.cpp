#include <limber/sim/joint_limits.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/variables.hpp>

namespace limber {

JointLimits::JointLimits(const JointLimitSettings& settings, std::string name)
    : Part(std::move(name)), settings_(settings) {
  if (!(settings.stiffness > 0) || !(settings.damping >= 0))
    throw Error(
        fmt::format("joint limits: stiffness {} and damping {} of the bumpers must be positive",
                    settings.stiffness, settings.damping));
}

void JointLimits::attach(Model& model) {
  const std::vector<Variable> names = velocity_variables(model);
  for (std::size_t k = 0; k < model.dof.size(); ++k) {
    if (model.dof_q[k] < 0) continue;
    const auto q = static_cast<std::size_t>(model.dof_q[k]);
    const DofSpec& dof = model.dof[k];
    if (std::isfinite(dof.upper)) limits_.push_back({q, k, dof.upper, 1, names[k].name()});
    if (std::isfinite(dof.lower)) limits_.push_back({q, k, dof.lower, -1, names[k].name()});
  }
}

void JointLimits::apply(Evaluation& at) {
  if (settings_.at_limit != AtLimit::bumper) return;
  for (const Limit& limit : limits_) {
    const double depth = limit.side * (at.q[limit.q] - limit.place);
    if (depth <= 0) continue;
    const double push =
        settings_.stiffness * depth + settings_.damping * limit.side * at.v[limit.v];
    at.tau[limit.v] -= limit.side * std::max(0.0, push);
  }
}

std::vector<EventSpec> JointLimits::events() const {
  std::vector<EventSpec> all;
  for (const Limit& limit : limits_) {
    EventSpec event;
    event.text = fmt::format("joint '{}' reached its {} limit of {:.6g}", limit.joint,
                             limit.side > 0 ? "upper" : "lower", limit.place);
    const bool bumper = settings_.at_limit == AtLimit::bumper;
    event.crossing = bumper ? EventSpec::Crossing::both : EventSpec::Crossing::rising;
    if (settings_.at_limit != AtLimit::watch) event.kind = EventSpec::Kind::act;
    all.push_back(event);
  }
  return all;
}

void JointLimits::event_values(Evaluation& at, std::span<double> values) {
  for (std::size_t k = 0; k < limits_.size(); ++k)
    values[k] = limits_[k].side * (at.q[limits_[k].q] - limits_[k].place);
}

EventOutcome JointLimits::on_event(int event, Evaluation& at, EventState) {
  if (settings_.at_limit == AtLimit::stop) return EventOutcome::stop;
  const Limit& limit = limits_[static_cast<std::size_t>(event)];
  return limit.side * at.v[limit.v] > 0 ? EventOutcome::state_changed : EventOutcome::unlisted;
}

}  // namespace limber
