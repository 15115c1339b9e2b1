// A System at one instant: recording, samples, events. evaluate() has been called for the instant.
#include <limber/sim/system.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dynamics/fold.hpp"
#include "index.hpp"
#include "sim/part_error.hpp"

namespace limber {

namespace {

void check_number(const char* function, int number, std::size_t count) {
  if (static_cast<std::size_t>(number) >= count)
    throw Error(fmt::format("{}: number {} is wanted, the system has {}", function, number, count));
}

// acts where it is below zero already
bool may_stand(const EventSpec& event) {
  return event.kind == EventSpec::Kind::act && event.crossing == EventSpec::Crossing::below;
}

}  // namespace

void System::expect_numbers(const Part& part, const char* what,
                            std::span<const double> values) const {
  if (std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); }))
    throw PartError(fmt::format("part '{}': {} is not a number", part.name(), what));
}

void System::record(std::span<const double> x, std::span<double> values) const {
  check_state("System::record", x);
  std::size_t begin = 0;
  for (const std::size_t count : column_counts_) begin += count;
  check_size("System::record", "values", values.size(), static_cast<int>(begin), model_->name);
  begin = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const std::size_t count = column_counts_[k];
    if (count == 0) continue;
    set_part(k, x);
    guarded(*parts_[k], [&] { parts_[k]->record(*at_, values.subspan(begin, count)); });
    begin += count;
  }
}

Evaluated System::place_events(double t, std::span<const double> x) try {
  if (events_need_dynamics_) return evaluate(t, x);
  check_state("System::place_events", x);
  evaluated_ = false;
  set_instant(t, x);
  return Evaluated::ok;
} catch (...) {
  note_exception();
  return Evaluated::failed;
}

void System::event_values(std::span<const double> x, std::span<double> values) {
  check_state("System::event_values", x);
  check_size("System::event_values", "values", values.size(), static_cast<int>(events_.size()),
             model_->name);
  for (const EventRange& range : event_ranges_) {
    set_part(range.part, x);
    Part& part = *parts_[range.part];
    const std::span<double> own = values.subspan(range.begin, range.count);
    guarded(part, [&] { part.event_values(*at_, own); });
    expect_numbers(part, "the value of an event", own);
    if (passed_rest_t_ != at_->t ||
        std::find(passed_rest_.begin(), passed_rest_.end(), range.part) == passed_rest_.end())
      continue;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (may_stand(events_[range.begin + i].spec)) own[i] = std::max(own[i], 0.0);
  }
}

EventOutcome System::on_event(int event, double t, std::span<double> x) {
  check_number("System::on_event", event, events_.size());
  if (evaluate(t, x) == Evaluated::failed) throw Error(failure_);
  const PartEvent& what = events_[static_cast<std::size_t>(event)];
  const auto part = static_cast<std::size_t>(what.part);
  const Place& place = places_[part];
  const bool closes = !parts_[part]->loops().empty();
  const bool strikes = parts_[part]->gives_impulses();
  const bool counts_energy = parts_[part]->carries() || closes || strikes;
  const double energy_before = counts_energy ? energy(x).total() : 0;
  const bool may_hold = loops_ && loops_->any_closed() && !parts_[part]->prescribed().empty();
  const std::vector<Known> before = may_hold ? known_ : std::vector<Known>{};
  event_note_.clear();
  set_part(part, x);
  const EventState state{x.first(q_.size()), x.subspan(q_.size(), v_.size()),
                         x.subspan(place.z, place.z_count),
                         std::span(discrete_).subspan(place.d, place.d_count)};
  const EventOutcome outcome =
      guarded(*parts_[part], [&] { return parts_[part]->on_event(what.index, *at_, state); });
  forget_instant();
  expect_numbers(*parts_[part], "a state after its event", x);
  expect_numbers(*parts_[part], "a discrete state after its event", state.d);
  if (may_hold) settle_sticking(part, t, x, before);
  if (closes) close_at_event(part, t, x);
  else if (outcome != EventOutcome::stop) project(t, x);
  if (strikes) {
    event_note_ = parts_[part]->event_note();
    if (evaluate(t, x) == Evaluated::failed) throw Error(failure_);
  }
  if (!counts_energy) return outcome;
  const double gained = energy(x).total() - energy_before;
  x.back() += gained;
  if (!event_note_.empty() && !strikes)
    event_note_ += fmt::format(", {:.3g} J lost", std::max(-gained, 0.0));
  return outcome;
}

void System::update(int part, double t, std::span<const double> x) {
  check_number("System::update", part, parts_.size());
  check_state("System::update", x);
  const auto k = static_cast<std::size_t>(part);
  set_instant(t, x);
  set_part(k, x);
  const std::span<double> d = std::span(discrete_).subspan(places_[k].d, places_[k].d_count);
  forget_instant();
  guarded(*parts_[k], [&] { parts_[k]->update(*at_, d); });
  expect_numbers(*parts_[k], "a discrete state after its sample", d);
}

// What a force sensor can feel at this instant. Hard contacts that a step leaves out, as it will
// find them anew, count with the forces that they keep of the last one.
void System::find_felt(std::span<const double> x) {
  if (at_->pushed_) std::copy(body_forces_.begin(), body_forces_.end(), felt_.begin());
  else std::fill(felt_.begin(), felt_.end(), Force<double>{});
  add_inertia_forces(felt_);
  add_loop_forces(felt_);
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].get() != left_out_) continue;
    const bool pushed = at_->pushed_;
    at_->body_forces_ = felt_;
    set_part(k, x);
    guarded(*parts_[k], [&] { parts_[k]->apply(*at_); });
    at_->body_forces_ = body_forces_;
    at_->pushed_ = pushed;
  }
  at_->felt = felt_;
}

}  // namespace limber
