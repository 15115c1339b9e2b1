#include "sim/one_step.hpp"

#include <algorithm>
#include <utility>

namespace limber {

void OneStep::start(Ode& ode, double t, std::span<const double> x) {
  place(ode, t, x);
  for (auto* values : {&x_before_, &rate_before_, &rate_}) values->resize(size());
  std::copy(x.begin(), x.end(), x_before_.begin());
  t_rate_before_ = t;
  rate_before_known_ = rate_known_ = false;
  grid_.start(t);
}

void OneStep::resume(Ode& ode, double t, std::span<const double> x, std::span<const double> saved) {
  expect_saved(saved, 2);
  start(ode, t, x);
  grid_.start(saved[0], saved[1]);
  expect_sound(std::abs(grid_.at(0) - t) <= grid_.resolution());
}

void OneStep::exchange_ends() {
  x_.swap(x_before_);
  rate_.swap(rate_before_);
  std::swap(rate_known_, rate_before_known_);
}

StepStatus OneStep::step(double limit) {
  const int whole = grid_.whole_steps(limit, 1);
  const double t = grid_.at(0), h = whole ? grid_.h() : limit - t;
  if (whole && !grid_.advances()) return StepStatus::step_too_small;
  if (h <= grid_.resolution()) {
    t_ = std::max(t_, limit);
    return StepStatus::ok;
  }
  const double end = whole ? grid_.label(1, limit) : limit;
  exchange_ends();
  t_rate_before_ = t;
  StepStatus status = StepStatus::ok;
  try {
    status = advance(t, h);
    if (status == StepStatus::ok && !all_finite(x_)) status = StepStatus::not_computable;
    if (status == StepStatus::ok && ode_->stabilise(end, x_) == Evaluated::failed)
      status = StepStatus::not_computable;
  } catch (...) {
    exchange_ends();
    t_before_ = t_;
    throw;
  }
  if (status != StepStatus::ok) {
    exchange_ends();
    t_before_ = t_;  // nothing to interpolate in
    return status;
  }
  rate_known_ = false;
  t_before_ = t_;
  t_ = end;
  if (whole) grid_.advance(1);
  else grid_.start(limit);
  ++cost_.steps;
  return status;
}

bool OneStep::know_rate_before() {
  if (!rate_before_known_) rate_before_known_ = rate(t_rate_before_, x_before_, rate_before_);
  return rate_before_known_;
}

void OneStep::interpolate(double t, std::span<double> x) {
  const double h = t_ - t_before_;
  if (t >= t_ || h <= 0) {
    std::copy(x_.begin(), x_.end(), x.begin());
    return;
  }
  if (!rate_known_ && is_smooth()) rate_known_ = rate(grid_.at(0), x_, rate_);
  const bool cubic = is_smooth() && know_rate_before() && rate_known_;
  const double s = (t - t_before_) / h, r = 1 - s;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double rise = x_[i] - x_before_[i];
    x[i] = x_before_[i] + s * rise;
    if (cubic) x[i] += s * r * (r * (h * rate_before_[i] - rise) - s * (h * rate_[i] - rise));
  }
  ode_->project(t, x);
}

}  // namespace limber
