#include <limber/sim/joint_limits.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/model/variables.hpp>

#include "index.hpp"

namespace limber {

namespace {

// what rounding leaves of a joint that stands at its limit is not beyond it
double rounding_margin(double place) { return 1e-12 * std::max(1.0, std::abs(place)); }

}  // namespace

JointLimits::JointLimits(const JointLimitSettings& settings, std::string name)
    : Part(std::move(name)), settings_(settings) {
  if (!(settings.stiffness > 0) || !(settings.damping >= 0) || !std::isfinite(settings.stiffness) ||
      !std::isfinite(settings.damping))
    throw Error(fmt::format(
        "joint limits: stiffness {} and damping {} of the bumpers must be positive and finite",
        settings.stiffness, settings.damping));
}

std::string JointLimits::Limit::name() const {
  return fmt::format("{} limit of {:.6g}", side > 0 ? "upper" : "lower", place);
}

void JointLimits::attach(Model& model) {
  const std::vector<Variable> names = velocity_variables(model);
  for (std::size_t k = 0; k < model.column_dof.size(); ++k) {
    const std::size_t body = at_index(model.column_body[k]);
    const bool follows = model.master[body] >= 0;
    add_limits(model, k,
               follows ? model.joint_name[body] : names[at_index(model.v_fold[k].index)].name());
  }
}

void JointLimits::add_limits(const Model& model, std::size_t column, const std::string& joint) {
  if (model.column_q[column] < 0) return;
  const Fold<double>& fold = model.q_fold[at_index(model.column_q[column])];
  const DofSpec& dof = model.column_dof[column];
  Limit limit;
  limit.q = at_index(fold.index);
  limit.v = at_index(model.v_fold[column].index);
  limit.ratio = fold.ratio;
  limit.offset = fold.offset;
  limit.joint = joint;
  for (const double side : {1.0, -1.0}) {
    limit.side = side;
    limit.place = side > 0 ? dof.upper : dof.lower;
    if (std::isfinite(limit.place)) limits_.push_back(limit);
  }
}

std::vector<std::string> JointLimits::violations(std::span<const double> q) const {
  std::vector<std::string> all;
  for (const Limit& limit : limits_)
    if (limit.depth(q) > rounding_margin(limit.place))
      all.push_back(fmt::format("joint '{}' stands at {:.6g}, beyond its {}", limit.joint,
                                limit.position(q), limit.name()));
  return all;
}

void JointLimits::apply(Evaluation& at) {
  if (settings_.at_limit != AtLimit::bumper) return;
  for (const Limit& limit : limits_) {
    const double depth = limit.depth(at.q);
    if (depth <= 0) continue;
    const double speed = limit.side * limit.ratio * at.v[limit.v];
    const double push = settings_.stiffness * depth + settings_.damping * speed;
    at.tau[limit.v] -= limit.ratio * limit.side * std::max(0.0, push);
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

EventOutcome JointLimits::on_event(int event, Evaluation& at, EventState) {
  if (settings_.at_limit == AtLimit::stop) return EventOutcome::stop;
  const Limit& limit = limits_[static_cast<std::size_t>(event)];
  const bool inwards = limit.side * limit.ratio * at.v[limit.v] <= 0;
  return inwards ? EventOutcome::unlisted : EventOutcome::state_changed;
}

}  // namespace limber
