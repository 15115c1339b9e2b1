// Steps over hard contact with error control: one step is compared with two of half its length,
// which are kept. What contacts leave in discrete states goes with the step that is kept.
#include <algorithm>
#include <cmath>

#include "index.hpp"
#include "sim/clock.hpp"
#include "sim/methods.hpp"
#include "sim/time_stepping.hpp"

namespace limber {

namespace {

constexpr double step_safety = 0.9, most_growth = 2, most_shrinking = 0.2;
// shorter steps are taken as they are: a jump whose instant no step resolves
constexpr double shortest_step = 1e-8;

class AdaptiveStepping final : public Stepper {
 public:
  explicit AdaptiveStepping(const IntegratorSettings& settings)
      : settings_(settings), core_(settings), next_(std::min(settings.step, settings.max_step)) {}
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void bind(Ode& ode) override {
    Stepper::bind(ode);
    core_.bind(ode);
    system_ = &dynamic_cast<System&>(ode);
  }

  void start(Ode& ode, double t, std::span<const double> x) override {
    place(ode, t, x);
    core_.start(ode, t, x);
    bind(ode);
    for (auto* values : {&x_before_, &whole_, &half_, &halves_}) values->assign(x.begin(), x.end());
    next_ = std::min(settings_.step, settings_.max_step);
  }

  StepStatus step(double limit) override {
    for (;;) {
      const double left = limit - t_;
      if (left <= resolution(t_)) {
        t_before_ = t_ = std::max(t_, limit);
        return StepStatus::ok;
      }
      const bool ends = next_ >= left * (1 - 1e-12);
      const double h = ends ? left : next_;
      if (h <= resolution(t_)) return StepStatus::step_too_small;
      const StepStatus status = try_step(h);
      const bool short_enough = h <= shortest_step;
      if (status != StepStatus::ok) {
        if (short_enough) return status;
        next_ = h * most_shrinking;
        ++cost_.rejected;
        continue;
      }
      const double error = error_of();
      const double factor =
          step_safety / std::sqrt(std::max(error, 1e-12));  // an error of order h²
      if (error > 1 && !short_enough) {
        restore();
        next_ = h * std::clamp(factor, most_shrinking, 0.8);
        ++cost_.rejected;
        continue;
      }
      x_before_.swap(x_);
      std::copy(halves_.begin(), halves_.end(), x_.begin());
      t_before_ = t_;
      t_ = ends ? limit : t_ + h;
      // a step that was cut short says nothing against longer ones
      const double wish = h * std::clamp(factor, 0.5, most_growth);
      next_ = std::min(settings_.max_step, ends ? std::max(next_, wish) : wish);
      ++cost_.steps;
      return StepStatus::ok;
    }
  }

  void interpolate(double t, std::span<double> x) override {
    const double h = t_ - t_before_, s = h > 0 ? std::min(1.0, (t - t_before_) / h) : 1;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x_before_[i] + s * (x_[i] - x_before_[i]);
    if (s < 1) ode_->project(t, x);
  }
  bool may_reach(double t) override { return t_ + next_ >= t - resolution(t); }
  std::vector<double> save() const override { return {next_}; }
  void resume(Ode& ode, double t, std::span<const double> x,
              std::span<const double> saved) override {
    expect_saved(saved, 1);
    expect_sound(saved[0] > 0 && saved[0] <= settings_.max_step);
    start(ode, t, x);
    next_ = saved[0];
  }

 private:
  StepStatus try_step(double h) {
    discrete_.assign(system_->discrete().begin(), system_->discrete().end());
    StepStatus status = core_.take(t_, h, x_, whole_);
    restore();
    if (status == StepStatus::ok) status = core_.take(t_, h / 2, x_, half_);
    if (status == StepStatus::ok) status = core_.take(t_ + h / 2, h / 2, half_, halves_);
    if (status != StepStatus::ok) restore();
    cost_.evaluations = core_.cost().evaluations;
    return status;
  }
  void restore() { std::copy(discrete_.begin(), discrete_.end(), system_->discrete().begin()); }
  double error_of() const {
    double most = 0;
    for (std::size_t i = 0; i < controlled(); ++i) {
      const double scale = settings_.absolute_tolerance +
                           settings_.relative_tolerance * std::max(std::abs(x_[i]), 1.0);
      most = std::max(most, std::abs(whole_[i] - halves_[i]) / scale);
    }
    return most;
  }

  IntegratorSettings settings_;
  TimeStepping core_;
  System* system_ = nullptr;
  double next_;  // length of the next step [s]
  std::vector<double> x_before_, whole_, half_, halves_, discrete_;
};

}  // namespace

std::unique_ptr<Integrator> make_adaptive_stepping(const IntegratorSettings& settings) {
  return std::make_unique<AdaptiveStepping>(settings);
}

}  // namespace limber
