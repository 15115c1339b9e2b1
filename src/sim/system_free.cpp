// What steps at velocity level need of a System: its motion without contact, and its power.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/sim/system.hpp>

#include "dynamics/fold.hpp"
#include "index.hpp"
#include "sim/part_error.hpp"

namespace limber {

Evaluated System::free_rate(double t, std::span<const double> x, double h, const Part* left_out,
                            std::span<double> x_dot, Decisions decisions) {
  if (any_decisions()) at_->step = h;
  at_->decides_later = true;
  decisions_stand_ = decisions == Decisions::stand;
  const Evaluated result = implicit_rate(t, x, h, left_out, x_dot);
  at_->step = 0;
  at_->decides_later = decisions_stand_ = false;
  return result;
}

Evaluated System::implicit_rate(double t, std::span<const double> x, double h, const Part* left_out,
                                std::span<double> x_dot) {
  evaluated_ = false;
  left_out_ = left_out;
  damped_step_ = h;
  const Evaluated result = derivative(t, x, x_dot);
  left_out_ = nullptr;
  damped_step_ = 0;
  evaluated_ = false;
  return result;
}

// What holds a freedom: the force without contact, what contact does to it, and the inertia of all
// that contact accelerates.
bool System::decide(std::span<const double> x, std::span<const double> v_free,
                    std::span<const double> v_after, std::span<const double> impulse, double h) {
  const std::size_t nv = v_.size();
  decided_.resize(4 * nv);
  const std::span<double> all(decided_), a = all.first(nv), forces = all.subspan(nv, nv),
                                         change = all.subspan(2 * nv, nv), rest = all.last(nv);
  for (std::size_t k = 0; k < nv; ++k) {
    a[k] = (v_after[k] - v_[k]) / h;
    change[k] = (v_after[k] - v_free[k]) / h;
  }
  std::copy(at_->joint_forces.begin(), at_->joint_forces.end(), forces.begin());
  if (std::any_of(change.begin(), change.end(), [](double one) { return one != 0; })) {
    const Loads<double> inertia = free_motion().loads;
    std::fill(rest.begin(), rest.end(), 0.0);
    const auto add = [&](std::span<const double> accelerations, double sign) {
      const std::span<const double> tau =
          inverse_dynamics<double>(at_->model, q_, rest, accelerations, at_->scratch, inertia);
      for (std::size_t k = 0; k < nv; ++k)
        if (known_[k] == Known::acceleration) forces[k] += sign * tau[k];
    };
    add(change, 1);
    add(rest, -1);
    for (std::size_t k = 0; k < nv; ++k)
      if (known_[k] == Known::acceleration) forces[k] -= impulse[k] / h;
  }
  const std::span<const double> free_a = at_->a, free_forces = at_->joint_forces;
  at_->a = a, at_->joint_forces = forces;
  at_->step = h;
  bool settled = true;
  for (const std::size_t k : deciding_) {
    set_part(k, x);
    settled = guarded(*parts_[k], [&] { return parts_[k]->settled(*at_); }) && settled;
  }
  at_->step = 0;
  at_->a = free_a, at_->joint_forces = free_forces;
  return settled;
}

// Work is what the forces of the step do along the mean of the velocities before and after; and, as
// bodies move with those after, what weights and the like gain by that.
Evaluated System::step_rate(double t, std::span<const double> x, double h,
                            std::span<double> x_dot) {
  at_->step = h;
  at_->gave_up = false;
  const Evaluated result = implicit_rate(t, x, h, nullptr, x_dot);
  if (result == Evaluated::ok) {
    std::vector<double>& mean = momentum_;
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] = v_[k] + h / 2 * at_->a[k];
    x_dot.back() = free_power(x, mean);
    const std::size_t nq = q_.size(), nv = v_.size();
    decided_.resize(2 * nv + nq);
    const std::span<double> all(decided_), w = all.first(nv), w_dot = all.subspan(nv, nv),
                                           there = all.last(nq);
    const std::span<const double> q = x.first(nq), v = x.subspan(nq, nv);
    to_fixed_axes(q, v, w);
    fixed_axes_rate(q, v, at_->a, w_dot);
    for (const double sign : {-1.0, 1.0}) {  // the mean, then the end
      for (std::size_t k = 0; k < nv; ++k) w[k] += h / 2 * w_dot[k];
      move(q, w, h, there);
      x_dot.back() += sign / h * energy_at(x, there);
    }
  }
  at_->step = 0;
  return result;
}

void System::take_step() {
  unsettled_steps_ += std::exchange(at_->gave_up, false) ? 1 : 0;
  for (const std::size_t k : deciding_)
    guarded(*parts_[k], [&] {
      parts_[k]->take_step(std::span(discrete_).subspan(places_[k].d, places_[k].d_count));
    });
  if (!deciding_.empty()) evaluated_ = false;
}

void System::decide_in_steps() {
  if (decides_in_steps_) return;
  decides_in_steps_ = at_->decides_in_steps = true;
  events_need_dynamics_ = false;
  for (const EventRange& range : event_ranges_)
    if (const Part& part = *parts_[range.part];
        part.events_need_dynamics() && !part.decides_in_steps())
      events_need_dynamics_ = true;
}

System::FreeMotion System::free_motion() const {
  Loads<double> loads;
  if (inertia_added_) loads.joint_inertia = at_->inertia;
  loads.body_inertia = body_inertia();
  const bool any_known =
      std::find(known_.begin(), known_.end(), Known::acceleration) != known_.end();
  return {at_->model,
          q_,
          v_,
          loads,
          any_known ? std::span<const Known>(known_) : std::span<const Known>(),
          at_->tau,
          at_->pushed_ ? std::span<const Force<double>>(body_forces_)
                       : std::span<const Force<double>>()};
}

double System::free_power(std::span<const double> x, std::span<const double> v) {
  check_state("System::free_power", x);
  check_size("System::free_power", "v", v.size(), model_->nv, model_->name);
  evaluated_ = false;
  std::copy(v.begin(), v.end(), v_.begin());
  at_->placed_ = at_->accelerated_ = false;
  return applied_power() + stored(x).rate;
}

std::span<const double> System::discrete_of(const Part& part) const {
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k].get() == &part)
      return std::span(discrete_).subspan(places_[k].d, places_[k].d_count);
  throw Error(fmt::format("part '{}' is none of the system's", part.name()));
}

std::span<double> System::discrete_of(const Part& part) {
  const std::span<const double> found = std::as_const(*this).discrete_of(part);
  evaluated_ = false;
  return std::span(discrete_).subspan(static_cast<std::size_t>(found.data() - discrete_.data()),
                                      found.size());
}

}  // namespace limber
