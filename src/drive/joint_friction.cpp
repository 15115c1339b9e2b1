#include <limber/drive/joint_friction.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "drive/freedom.hpp"
#include "drive/stick_slip.hpp"

namespace limber {

JointFriction::JointFriction(JointFrictionSettings settings)
    : Part("friction of '" + settings.joint + "'"), settings_(std::move(settings)) {
  if (settings_.friction) check(*settings_.friction, name());
}

void JointFriction::attach(Model& model) {
  const Freedom found = find_freedom(model, settings_.joint, name());
  freedom_ = found.index;
  unit_ = found.force_unit();
  const FrictionSettings own = take_friction(model, found);
  friction_ = settings_.friction.value_or(own);
  if (!any(friction_))
    throw Error(name() +
                ": neither the settings nor the robot give it any dry friction (a drive may have "
                "taken it over); state `friction` or leave this part out");
}

void JointFriction::initialize(Evaluation& at, std::span<double>, std::span<double> d) {
  d[0] = initial_mode(at.v[at_index(freedom_)]);
}

void JointFriction::prescribe(const PartInstant& at, const GivenMotion& motion) {
  prescribe_sticking(at, motion, freedom_, mode_, v_begin_);
}

bool JointFriction::settled(Evaluation& at) {
  if (at.step == 0 || at.decides_later) return true;
  const std::size_t k = at_index(freedom_);
  return settle_mode(at,
                     mode_after_round(mode_, at.v[k] + at.step * at.a[k], holding_force(at),
                                      holding_range(at, freedom_)),
                     mode_);
}

void JointFriction::apply(Evaluation& at) {
  const int direction = slip_direction(at.step > 0 ? mode_ : at.d[0]);
  if (direction == 0) return;
  const double speed = std::abs(at.v[at_index(freedom_)]);
  at.tau[at_index(freedom_)] -= direction * kinetic_friction(friction_, direction, speed);
}

std::vector<EventSpec> JointFriction::events() const {
  std::vector<EventSpec> all;
  add_stick_slip_events(settings_.joint, all);
  return all;
}

// what friction has to bear while the freedom sticks; apply() adds nothing then
double JointFriction::holding_force(const Evaluation& at) const {
  return at.joint_forces[at_index(freedom_)] - at.tau[at_index(freedom_)];
}

HoldingRange JointFriction::holding_range(const Evaluation&, int) const {
  return {-static_friction(friction_, 1), static_friction(friction_, -1)};
}

void JointFriction::event_values(Evaluation& at, std::span<double> values) {
  if (at.decides_in_steps) {
    std::fill_n(values.begin(), stick_slip_events, 1.0);
    return;
  }
  const double hold = holding_force(at);
  stick_slip_values(at.d[0], at.v[at_index(freedom_)], hold + static_friction(friction_, 1),
                    static_friction(friction_, -1) - hold, values);
}

EventOutcome JointFriction::on_event(int event, Evaluation&, EventState state) {
  state.d[0] = mode_after(event);
  return EventOutcome::unlisted;
}

std::vector<Column> JointFriction::columns() const {
  return {{settings_.joint + ".friction", unit_, "Friction"},
          {settings_.joint + ".sticks", "", "Sticking"}};
}

void JointFriction::record(Evaluation& at, std::span<double> values) {
  const int direction = slip_direction(at.d[0]);
  const double speed = std::abs(at.v[at_index(freedom_)]);
  values[0] = direction == 0 ? holding_force(at)
                             : -direction * kinetic_friction(friction_, direction, speed);
  values[1] = direction == 0 ? 1 : 0;
}

}  // namespace limber
