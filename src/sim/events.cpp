// Events of a Simulation: sign changes of the parts' event functions within a step, located on the
// step's interpolant; those that act are then reached by an exact step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <limber/sim/simulation.hpp>

#include "index.hpp"

namespace limber {

namespace {

constexpr const char* at_the_beginning = ": already where the run begins";
constexpr double tiny = std::numeric_limits<double>::min();

bool crosses(EventSpec::Crossing direction, double before, double after) {
  if (direction == EventSpec::Crossing::below) return before >= 0 && after < 0;
  if (before < 0 && after >= 0) return direction != EventSpec::Crossing::falling;
  if (before > 0 && after <= 0) return direction != EventSpec::Crossing::rising;
  return false;
}

}  // namespace

void Simulation::renew_event_values() {
  if (!event_values_.empty() && place_events() == Evaluated::ok)
    system_->event_values(x(), event_values_);
}

// makes the present instant the one that event values are asked for
Evaluated Simulation::place_events() {
  return integrator_->evaluates_ends() ? system_->evaluate(t(), x())
                                       : system_->place_events(t(), x());
}

double Simulation::event_value(int event, double t) {
  integrator_->interpolate(t, x_there_);
  system_->project(t, x_there_);
  if (system_->evaluate(t, x_there_) == Evaluated::failed) return 0;
  system_->event_values(x_there_, new_values_);
  return new_values_[at_index(event)];
}

// regula falsi (Illinois) on the interpolant; bisection where that takes long
double Simulation::locate(int event, double t0, double t1, double value0, double value1) {
  constexpr int most_secants = 50;
  for (int round = 0; t1 - t0 > settings_.event_tolerance; ++round) {
    double t = t1 - value1 * (t1 - t0) / (value1 - value0);
    const double margin = 0.05 * settings_.event_tolerance, middle = t0 + 0.5 * (t1 - t0);
    t = std::clamp(std::isfinite(t) ? t : middle, t0 + margin, t1 - margin);
    if (round >= most_secants) t = middle;
    if (!(t > t0 && t < t1)) break;  // there is no instant between them
    const double value = event_value(event, t);
    if (value == 0) return t;
    if ((value < 0) == (value0 < 0)) {
      t0 = t;
      value0 = value;
      value1 /= 2;
    } else {
      t1 = t;
      value1 = value;
      value0 /= 2;
    }
  }
  return t1;
}

// where an event function crossed zero in the step from t0 to t(), in a direction that counts;
// HUGE_VAL: nowhere. Methods that look for roots themselves have ended the step there.
double Simulation::crossing_time(int event, double t0, double before, double after) {
  const EventSpec::Crossing direction = system_->events()[at_index(event)].spec.crossing;
  if (const std::span<const int> roots = integrator_->roots(); !roots.empty()) {
    const int way = roots[at_index(event)];
    return way != 0 && crosses(direction, -way, way) ? t() : HUGE_VAL;
  }
  return crosses(direction, before, after) ? locate(event, t0, t(), before, after) : HUGE_VAL;
}

// the usual step has none
bool Simulation::any_crossing() const {
  if (!integrator_->roots().empty()) return true;
  for (std::size_t k = 0; k < crossings_.size(); ++k) {
    const double before = event_values_[k], after = values_after_[k];
    if (before * after > 0) continue;  // on the same side
    if (crosses(crossings_[k], before, after)) return true;
  }
  return false;
}

// deals with the events of the step that began at t0. False: the run has ended.
bool Simulation::pass_events(double t0) {
  if (place_events() == Evaluated::failed) {
    end_in_failure(StepStatus::not_computable);
    return false;
  }
  system_->event_values(x(), values_after_);
  if (!any_crossing()) {
    event_values_.swap(values_after_);
    return true;
  }
  int first = -1;  // of those that act
  double t_first = HUGE_VAL;
  for (int k = 0; k < static_cast<int>(values_after_.size()); ++k) {
    double& time = crossing_times_[at_index(k)];
    time = crossing_time(k, t0, event_values_[at_index(k)], values_after_[at_index(k)]);
    if (system_->events()[at_index(k)].spec.kind != EventSpec::Kind::act || time >= t_first)
      continue;
    first = k;
    t_first = time;
  }
  note_watched(t_first);
  if (first >= 0) return go_back_and_act(first, t0, t_first);
  if (!integrator_->roots().empty())  // at a root: no side yet
    for (std::size_t k = 0; k < values_after_.size(); ++k)
      if (const int way = integrator_->roots()[k]; way != 0)
        values_after_[k] = way < 0 && crossings_[k] == EventSpec::Crossing::below ? -tiny : 0;
  event_values_.swap(values_after_);
  return true;
}

// lists the watched events that happened before or with the one that acts
void Simulation::note_watched(double t_end) {
  std::vector<std::pair<double, int>>& due = due_;
  due.clear();
  for (int k = 0; k < static_cast<int>(crossing_times_.size()); ++k)
    if (system_->events()[at_index(k)].spec.kind == EventSpec::Kind::watch &&
        crossing_times_[at_index(k)] < HUGE_VAL && crossing_times_[at_index(k)] <= t_end)
      due.emplace_back(crossing_times_[at_index(k)], k);
  std::sort(due.begin(), due.end());
  for (const auto& [time, k] : due)
    events_.push_back({time, system_->events()[at_index(k)].spec.text});
}

// one step, or several, from t0 to t. False: the run has ended.
bool Simulation::step_anew(double t0, double t_end) {
  integrator_->start(*system_, t0, x_before_);
  StepStatus step = step_until(t_end);
  if (step == StepStatus::ok && system_->evaluate(t(), x()) == Evaluated::failed)
    step = StepStatus::not_computable;
  if (step == StepStatus::ok) return true;
  end_in_failure(step);
  return false;
}

// steps from the last step's beginning to the instant where the event function is zero. The
// interpolant has told where to look; the method's own steps may differ from it, so the instant is
// corrected by secants, the last of which ends within the tolerance. The first one has the slope of
// the interpolant at the event. Own steps up to t_low have not crossed zero, those up to t_high
// have; a secant that leads out of this range, as towards a zero at t0 where an event has just
// been, gives way to halves. False: the run has ended.
bool Simulation::step_to_event(int event, double t0, double t_event) {
  constexpr double tolerances_apart = 1000, least_change = 1e-15;
  constexpr int most_secants = 8;
  const double tolerance = settings_.event_tolerance, before = event_values_[at_index(event)];
  const EventSpec::Crossing direction = crossings_[at_index(event)];
  double t_low = t0, t_high = t();
  double t_other = std::max(t0, t_event - tolerances_apart * tolerance);
  double value_other = event_value(event, t_other);
  bool is_last = false;
  for (int round = 0;; ++round) {
    if (!step_anew(t0, t_event)) return false;
    system_->event_values(x(), new_values_);
    const double value = new_values_[at_index(event)];
    const bool is_zero = value == 0 && (before != 0 || t_event - t0 > tolerance);
    if (is_last || is_zero) return true;
    (crosses(direction, before, value) ? t_high : t_low) = t_event;
    if (t_high - t_low <= tolerance) return t_event == t_high || step_anew(t0, t_high);
    double better = t_event - value * (t_event - t_other) / (value - value_other);
    const bool inside = better > t_low && better < t_high;  // not, if it is not a number
    if (round >= most_secants || !inside) better = t_low + 0.5 * (t_high - t_low);
    const double change = std::abs(better - t_event);
    if (change <= least_change * t_event) return true;
    is_last = inside && change < tolerance;
    t_other = std::exchange(t_event, better);
    value_other = value;
  }
}

StepStatus Simulation::step_until(double t_end) {
  while (t() < t_end) {
    const double t0 = t();
    const StepStatus step = integrator_->step(t_end);
    if (step != StepStatus::ok) return step;
    if (!(t() > t0)) return StepStatus::step_too_small;
  }
  return StepStatus::ok;
}

bool Simulation::go_back_and_act(int event, double t0, double t_event) {
  const bool there = t_event >= t() && !integrator_->roots().empty();
  record_until(std::min(t_event, t()));  // what the whole step can still interpolate
  if (!there && !step_to_event(event, t0, t_event)) return false;
  record_until(t());
  if (!act(event) || !act_on_standing_events()) return false;
  if (system_->events()[at_index(event)].spec.crossing != EventSpec::Crossing::below)
    event_values_[at_index(event)] =
        0;  // no side: the next value that is not zero is where it begins
  return true;
}

// lets a part deal with its event at t(). False: the run has ended.
bool Simulation::act(int event) {
  std::copy(x().begin(), x().end(), x_there_.begin());
  const EventOutcome outcome = system_->on_event(event, t(), x_there_);
  if (system_->event_note().empty())  // else what it changed counts as work
    accuracy_->note_jump(*system_, t(), x(), x_there_);
  integrator_->start(*system_, t(), x_there_);
  std::string text = system_->events()[at_index(event)].spec.text;
  if (!system_->event_note().empty()) text += ": " + system_->event_note();
  if (outcome == EventOutcome::stop && cost().steps == 0) text += at_the_beginning;
  if (outcome != EventOutcome::unlisted) events_.push_back({t(), text});
  acts_in_a_row_ = t() - last_act_ > 100 * settings_.event_tolerance ? 0 : acts_in_a_row_ + 1;
  last_act_ = t();
  if (acts_in_a_row_ > most_acts_in_a_row)
    end(RunStatus::diverged,
        fmt::format("events pile up at t = {:.9g} s; the last one: {}", t(), text));
  else if (outcome == EventOutcome::stop) end(RunStatus::stopped, text);
  if (status_ == RunStatus::running) return true;
  record_here();
  return false;
}

// lists the watched events whose function is below zero where the run begins
void Simulation::note_standing_events() {
  for (std::size_t k = 0; k < crossings_.size(); ++k) {
    const EventSpec& spec = system_->events()[k].spec;
    if (spec.kind == EventSpec::Kind::watch && spec.crossing == EventSpec::Crossing::below &&
        event_values_[k] < 0)
      events_.push_back({t(), spec.text + at_the_beginning});
  }
}

// where the integration begins anew: deals with the events whose function is below zero already.
// False: the run has ended.
bool Simulation::act_on_standing_events() {
  for (;;) {
    renew_event_values();
    int standing = -1;
    for (const int k : may_stand_)
      if (event_values_[at_index(k)] < 0) standing = k;
    if (standing < 0) return true;
    if (!act(standing)) return false;
  }
}

}  // namespace limber
