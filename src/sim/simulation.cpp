// The course of a simulation: rounds of steps, samples and records. Events are in events.cpp,
// copies and changes in simulation_change.cpp, how a run ends in simulation_end.cpp.
#include <limber/sim/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "index.hpp"
#include "sim/clock.hpp"
#include "sim/part_error.hpp"
#include "sim/speed.hpp"

namespace limber {

const char* name(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::finished:
      return "finished";
    case RunStatus::inaccurate:
      return "finished, inaccurate";
    case RunStatus::stopped:
      return "stopped by an event";
    case RunStatus::diverged:
      return "diverged";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "unknown";
}

Simulation::Simulation(System system, SimulationSettings settings, std::span<const double> q,
                       std::span<const double> v)
    : RunState(std::move(settings)),
      system_(std::make_unique<System>(std::move(system))),
      integrator_(make_integrator(settings_.integrator)) {
  prepare();
  const std::vector<double> x = system_->initial_state(q, v);
  if (const System::Speed* most = fastest(x); most && speed_of(*most, x) > settings_.speed_limit)
    throw Error(fmt::format(
        "{} begins with {:.3g} rad/s or m/s, more than the speed limit of {:.3g}; begin slower, or "
        "raise speed_limit",
        most->name, speed_of(*most, x), settings_.speed_limit));
  if (system_->evaluate(0, x) == Evaluated::failed)
    throw Error(fmt::format("the simulation cannot begin: {}", system_->failure()));
  integrator_->start(*system_, 0, x);
  watch_accuracy();
}

Simulation::Simulation(System system, SimulationSettings settings, const SavedRun& saved)
    : RunState(std::move(settings)),
      system_(std::make_unique<System>(std::move(system))),
      integrator_(make_integrator(settings_.integrator)) {
  prepare();
  if (saved.x.size() != at_index(system_->size()) ||
      saved.discrete.size() != system_->discrete().size() ||
      saved.inputs.size() != system_->inputs().size() || saved.samples.size() != samples_.size() ||
      saved.event_values.size() != event_values_.size())
    throw Error("the saved run belongs to another system: its states are of other sizes");
  std::copy(saved.discrete.begin(), saved.discrete.end(), system_->discrete().begin());
  for (std::size_t k = 0; k < saved.inputs.size(); ++k)
    check_input(system_->input_specs()[k], saved.inputs[k]);
  std::copy(saved.inputs.begin(), saved.inputs.end(), system_->inputs().begin());
  samples_ = saved.samples;
  if (!(saved.t >= 0))
    throw Error(fmt::format("the saved run is at t = {} s; it is damaged", saved.t));
  if (!(saved.t < settings_.duration))
    throw Error(fmt::format(
        "the saved run is at t = {:.9g} s already, and the duration is {:.9g} s; a longer duration "
        "is needed to go on (--set duration=…)",
        saved.t, settings_.duration));
  // the next record and the next samples are due soon, else the run would wait for them
  constexpr long most_counted = 1L << 53;  // beyond it a double no longer counts
  const auto expect_due = [&](const char* what, long count, double period) {
    const double wait = static_cast<double>(count) * period - saved.t;
    if (count < 0 || count > most_counted || !(std::abs(wait) <= period + resolution(saved.t)))
      throw Error(
          fmt::format("the saved run is at t = {:.9g} s with {} {}, which does not fit an "
                      "interval of {:.9g} s; go on with the settings it was saved with",
                      saved.t, count, what, period));
  };
  expect_due("records", saved.records, settings_.record_interval);
  for (const auto& [k, period] : sampled_) expect_due("samples of a part", samples_[k], period);
  const auto is_past = [&](double instant) { return instant >= -1 && instant <= saved.t; };
  if (!is_past(saved.last_record) || !is_past(saved.last_act) || saved.acts_in_a_row < 0 ||
      saved.steps < 0 || saved.steps > most_counted ||
      saved.acts_in_a_row > most_acts_in_a_row + 1)  // the last one ended the run
    throw Error(
        fmt::format("the saved run is at t = {:.9g} s after {} steps, its last record at {:.9g} s, "
                    "its last event "
                    "at {:.9g} s after {} others; it is damaged",
                    saved.t, saved.steps, saved.last_record, saved.last_act, saved.acts_in_a_row));
  records_ = saved.records;
  rounds_ = saved.steps;
  events_ = saved.events;
  changes_ = saved.changes;
  event_values_ = saved.event_values;
  last_record_ = saved.last_record;
  last_act_ = saved.last_act;
  acts_in_a_row_ = saved.acts_in_a_row;
  system_->energy_at_start = saved.energy_at_start;
  begun_ = records_ > 0;
  integrator_->resume(*system_, saved.t, saved.x, saved.integrator);
  watch_accuracy();
}

void Simulation::watch_accuracy() {
  // a check costs about as much as four steps
  constexpr double steps_per_check = 40, fewest = 16, steps_per_endless_check = 400;
  // steps over impacts, and over what is stiff or sticks, cannot be repeated by error control, but
  // their energy is looked at, which is cheaper and can be more often
  constexpr double looks_per_check = 16;
  const std::string& method = settings_.integrator.method;
  const bool looks =
      steps_over_contact(method) || (method == "implicit_euler" && system_->settles());
  const double most = settings_.accuracy_checks * (looks ? looks_per_check : 1);
  double interval = HUGE_VAL;
  if (most > 0 && std::isfinite(settings_.duration)) {
    const double steps = estimate_run(settings_, *system_).steps;
    interval = settings_.duration /
               std::floor(std::min(most, std::max(fewest, std::ceil(steps / steps_per_check))));
  } else if (most > 0) {
    interval = steps_per_endless_check * usual_step(settings_.integrator);
  }
  accuracy_.emplace(*system_, interval,
                    looks ? AccuracyCheck::Kind::energy : AccuracyCheck::Kind::steps_and_energy);
  accuracy_->begin(*system_, t(), x());
}

void Simulation::prepare() {
  if (const std::optional<SettingFault> fault = find_fault(settings_, *system_))
    throw Error(fmt::format("simulation: {}: {}", fault->setting, fault->reason));
  system_->seed = settings_.seed;
  system_->keep_loops(loop_settings(settings_));
  speeds_ = system_->speeds();
  samples_.assign(system_->parts().size(), 0);
  for (std::size_t k = 0; k < samples_.size(); ++k)
    if (const double period = system_->parts()[k]->sample_time(); period > 0)
      sampled_.push_back({k, period});
  x_before_.resize(at_index(system_->size()));
  x_there_.resize(at_index(system_->size()));
  for (auto* values : {&event_values_, &new_values_, &values_after_, &crossing_times_})
    values->resize(system_->events().size());
  for (std::size_t k = 0; k < system_->events().size(); ++k) {
    const EventSpec& spec = system_->events()[k].spec;
    crossings_.push_back(spec.crossing);
    if (spec.kind == EventSpec::Kind::act && spec.crossing == EventSpec::Crossing::below)
      may_stand_.push_back(static_cast<int>(k));
  }
  if (!event_values_.empty())
    integrator_->find_roots(root_functions(), static_cast<int>(event_values_.size()));
}

// the event functions, for methods that look for roots themselves
RootFunctions Simulation::root_functions() const {
  return [system = system_.get()](double t, std::span<const double> x, std::span<double> out) {
    if (system->evaluate(t, x) == Evaluated::ok) system->event_values(x, out);
    else std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  };
}

SavedRun Simulation::save() const {
  const bool on_its_own = status_ != RunStatus::stopped && status_ != RunStatus::diverged &&
                          status_ != RunStatus::failed;
  return on_its_own && to_resume_ ? *to_resume_ : present_state();
}

SavedRun Simulation::present_state() const {
  const std::span<const double> discrete = system().discrete(), inputs = system().inputs();
  SavedRun saved{t(),
                 {x().begin(), x().end()},
                 {discrete.begin(), discrete.end()},
                 {inputs.begin(), inputs.end()},
                 integrator_->save(),
                 event_values_,
                 samples_,
                 records_,
                 rounds_,
                 events_,
                 changes_,
                 last_record_,
                 last_act_,
                 acts_in_a_row_,
                 system_->energy_at_start};
  if (on_save) {
    const bool inside = std::exchange(in_hook_, true);
    on_save(saved);
    in_hook_ = inside;
  }
  return saved;
}

RunStatus Simulation::advance(double until) {
  attempt([&] {
    if (!begun_) begin();
    while (status_ == RunStatus::running && t() < until) round();
  });
  return status_;
}

RunStatus Simulation::step() {
  attempt([&] {
    if (!begun_) begin();
    if (status_ == RunStatus::running) round();
  });
  return status_;
}

// what a part throws ends the run, what a hook throws comes out
void Simulation::attempt(const std::function<void()>& work) {
  if (in_hook_)
    throw Error(
        "a simulation is asked to step by one of its own hooks; return from the hook first");
  try {
    work();
  } catch (const PartError&) {
    end_in_exception();
  } catch (...) {
    in_round_ = false;
    if (std::exchange(in_hook_, false)) throw;
    end_in_exception();
  }
  in_round_ = false;
}

void Simulation::begin() {
  in_round_ = begun_ = true;
  ++rounds_;
  if (take_samples()) {
    std::copy(x().begin(), x().end(), x_there_.begin());
    integrator_->start(*system_, t(), x_there_);
  }
  if (!act_on_standing_events()) return;
  note_standing_events();
  if (system_->evaluate(t(), x()) == Evaluated::ok) {
    const EnergyBalance energy = system_->energy(x());
    system_->energy_at_start = energy.total() - energy.work;
  }
  ++records_;
  record(t(), x());
}

void Simulation::round() {
  in_round_ = true;
  const double t0 = t();
  std::copy(x().begin(), x().end(), x_before_.begin());
  system_->forget_failure();
  const double limit = step_limit();
  ++rounds_;
  const StepStatus step = integrator_->step(limit);
  if (step != StepStatus::ok) return end_in_failure(step);
  if (has_diverged() || !has_advanced(t0)) return;
  const double last_act = last_act_;
  if (!event_values_.empty() && !pass_events(t0)) return;
  if (accuracy_->due(t()) && last_act_ == last_act)
    accuracy_->check_step(*system_, t0, x_before_, t(), x());
  record_until(t());
  if (take_samples()) {
    std::copy(x().begin(), x().end(), x_there_.begin());
    integrator_->start(*system_, t(), x_there_);
    if (!act_on_standing_events()) return;
  }
  if (status_ == RunStatus::running && t() >= settings_.duration) end(RunStatus::finished, "");
  record_here();
  in_round_ = false;
  // what go_on changes may end the run, too
  if (status_ == RunStatus::running && !asked_to_go_on() && status_ == RunStatus::running) {
    if (!to_resume_) to_resume_ = present_state();
    end(RunStatus::interrupted, fmt::format("interrupted at t = {:.6g} s", t()));
    record_here();
  }
}

// The next sample; near the end of the run, whichever comes first. A longer run takes other steps
// from there on: the state is kept.
double Simulation::step_limit() {
  const double sample = next_sample();
  const double end = settings_.duration;
  if (!std::isfinite(end)) return sample;
  if (!to_resume_) {
    const bool sample_first = sample < end - resolution(end);
    if (sample_first || !integrator_->may_reach(end)) return sample;
    to_resume_ = present_state();
  }
  return std::min(sample, end);
}

double Simulation::next_sample() const {
  double next = HUGE_VAL;
  for (const auto& [k, period] : sampled_)
    next = std::min(next, static_cast<double>(samples_[k]) * period);
  return next;
}

// lets the parts whose sample is due renew their discrete states
bool Simulation::take_samples() {
  bool any = false;
  for (const auto& [k, period] : sampled_) {
    if (static_cast<double>(samples_[k]) * period > t() + resolution(t())) continue;
    ++samples_[k];
    any = true;
    system_->update(static_cast<int>(k), t(), x());
  }
  return any;
}

// the records that are due before t_end, by interpolation within the last step
void Simulation::record_until(double t_end) {
  for (;;) {
    const double due = static_cast<double>(records_) * settings_.record_interval;
    if (due >= t_end - resolution(t_end)) return;
    integrator_->interpolate(due, x_there_);
    system_->project(due, x_there_);
    ++records_;
    record(due, x_there_);
  }
}

// the record that is due now, with what samples and events have made of the state; the last state
// of a run is recorded whether due or not
void Simulation::record_here() {
  const double due = static_cast<double>(records_) * settings_.record_interval;
  const bool ended = status_ != RunStatus::running && t() > last_record_;
  if (due <= t() + resolution(t())) ++records_;
  else if (!ended) return;
  record(t(), x());
}

void Simulation::record(double t, std::span<const double> x) {
  last_record_ = t;
  if (!on_record || system_->evaluate(t, x) == Evaluated::failed) return;
  in_hook_ = true;
  on_record(*system_, t, x);
  in_hook_ = false;
}

bool Simulation::asked_to_go_on() {
  if (!go_on) return true;
  in_hook_ = true;
  const bool yes = go_on(t());
  in_hook_ = false;
  return yes;
}

}  // namespace limber
