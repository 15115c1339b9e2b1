// Dormand-Prince 5(4) with steps chosen by a proportional-integral rule. E. Hairer, S. P. Nørsett,
// G. Wanner, Solving Ordinary Differential Equations I, §II.4 and IV.2.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/dormand_prince.hpp"
#include "sim/methods.hpp"
#include "sim/stepper.hpp"

namespace limber {

namespace {

constexpr double safety = 0.9, least_factor = 0.2, greatest_factor = 10;
constexpr double beta = 0.04, exponent = 0.2 - 0.75 * beta;  // of the last error and of this one
constexpr double after_failure = 0.25;  // step length after a derivative that failed
constexpr double smallest_remembered_error = 1e-4;
constexpr double sliver = 1e-6;  // part of a step that is not left before a limit

class Dopri5 final : public Stepper {
 public:
  explicit Dopri5(const IntegratorSettings& settings) : settings_(settings) {}

  void start(Ode& ode, double t, std::span<const double> x) override;
  StepStatus step(double limit) override;
  void interpolate(double t, std::span<double> x) override;
  bool may_reach(double t) override { return next_h_ >= (t - t_) * (1 - sliver); }
  std::vector<double> save() const override;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void resume(Ode& ode, double t, std::span<const double> x,
              std::span<const double> saved) override;

 private:
  enum class Trial { accepted, too_long, failed };
  Trial try_step(double end, double h);
  void accept(double end);

  IntegratorSettings settings_;
  DormandPrince pair_;
  std::vector<double> rate_;  // at t_
  std::vector<double> next_;  // x at the end of a trial
  bool rate_known_ = false;
  double next_h_ = 0;      // wanted for the next step
  double last_error_ = 0;  // of the last accepted step
  double factor_ = 1;      // by which the error of the last trial asks to change the step
};

void Dopri5::start(Ode& ode, double t, std::span<const double> x) {
  place(ode, t, x);
  pair_.resize(size());
  rate_.resize(size());
  next_.resize(size());
  rate_known_ = false;
  next_h_ = std::min(settings_.step, settings_.max_step);
  last_error_ = smallest_remembered_error;
}

// tries shorter and shorter steps until one is accurate enough
StepStatus Dopri5::step(double limit) {
  const double remainder = limit - t_, wanted = next_h_;
  const double resolution = 16 * std::numeric_limits<double>::epsilon() *
                            std::max(std::abs(t_), std::min(remainder, wanted));
  if (remainder <= resolution) {
    t_ = std::max(t_, limit);
    return StepStatus::ok;
  }
  t_before_ = t_;  // nothing to interpolate in where the step fails
  if (!rate_known_) rate_known_ = rate(t_, x_, rate_);
  if (!rate_known_) return StepStatus::not_computable;
  double h = std::max(wanted, 2 * resolution);
  for (bool rejected = false;; rejected = true) {
    const bool last = h >= remainder * (1 - sliver);
    if (last) h = remainder;
    const double end = last ? limit : t_ + h;
    const Trial trial = try_step(end, h);
    if (trial == Trial::accepted) {
      // a step that a limit cut short says nothing against the length that was wanted
      const double growth = rejected ? std::min(factor_, 1.0) : factor_;
      next_h_ =
          std::min(std::max(h * growth, last && !rejected ? wanted : 0.0), settings_.max_step);
      accept(end);
      return StepStatus::ok;
    }
    ++cost_.rejected;
    h *= trial == Trial::failed ? after_failure : std::max(factor_, least_factor);
    if (h <= resolution)
      return trial == Trial::failed ? StepStatus::not_computable : StepStatus::step_too_small;
  }
}

Dopri5::Trial Dopri5::try_step(double end, double h) {
  std::copy(rate_.begin(), rate_.end(), pair_.rate_before().begin());
  if (!pair_.step(*ode_, t_, x_, h, cost_.evaluations)) return Trial::failed;
  if (!pair_.compute_rate_after(*ode_, cost_.evaluations)) return Trial::failed;
  const double error =
      pair_.error(settings_.relative_tolerance, settings_.absolute_tolerance, controlled());
  if (std::isnan(error)) return Trial::failed;  // rates so large that their sums are not finite
  const double slow = safety * std::pow(error, -exponent);
  if (error > 1) {
    factor_ = std::min(slow, 1.0);
    return Trial::too_long;
  }
  std::copy(pair_.after().begin(), pair_.after().end(), next_.begin());
  if (ode_->stabilise(end, next_) == Evaluated::failed) return Trial::failed;
  factor_ = std::clamp(slow * std::pow(last_error_, beta), least_factor, greatest_factor);
  last_error_ = std::max(error, smallest_remembered_error);
  return Trial::accepted;
}

void Dopri5::accept(double end) {
  t_ = end;
  x_.swap(next_);
  // what the rate belongs to is the projection: it need not be computed again
  std::copy(pair_.rate_after().begin(), pair_.rate_after().end(), rate_.begin());
  ++cost_.steps;
}

void Dopri5::interpolate(double t, std::span<double> x) {
  if (t >= t_ || t_ == t_before_) {
    std::copy(x_.begin(), x_.end(), x.begin());
    return;
  }
  pair_.interpolate(std::max((t - pair_.t()) / pair_.h(), 0.0), x);
  ode_->project(t, x);
}

std::vector<double> Dopri5::save() const {
  std::vector<double> saved{next_h_, last_error_, rate_known_ ? 1.0 : 0.0};
  saved.insert(saved.end(), rate_.begin(), rate_.end());
  return saved;
}

void Dopri5::resume(Ode& ode, double t, std::span<const double> x, std::span<const double> saved) {
  expect_saved(saved, 3 + x.size());
  start(ode, t, x);
  expect_sound(saved[0] > 0 && saved[0] <= settings_.max_step);
  expect_sound(saved[1] > 0 && saved[1] <= 1);
  next_h_ = saved[0];
  last_error_ = saved[1];
  rate_known_ = saved[2] != 0;
  std::copy(saved.begin() + 3, saved.end(), rate_.begin());
}

}  // namespace

std::unique_ptr<Integrator> make_dopri5(const IntegratorSettings& settings) {
  return std::make_unique<Dopri5>(settings);
}

}  // namespace limber
