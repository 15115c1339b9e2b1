#pragma once
// OneStep: a method with fixed steps that remembers nothing but where it stands. Interpolates by
// the cubic through values and rates of the step's ends; a rate is computed once, for whoever asks
// first.
#include "sim/step_grid.hpp"
#include "sim/stepper.hpp"

namespace limber {

class OneStep : public Stepper {
 public:
  explicit OneStep(double h) : grid_(h) {}

  void start(Ode& ode, double t, std::span<const double> x) override;
  StepStatus step(double limit) final;
  void interpolate(double t, std::span<double> x) final;
  bool may_reach(double t) final { return grid_.at(1) >= t - grid_.resolution(); }
  std::vector<double> save() const override { return {grid_.t0(), grid_.count()}; }
  void resume(Ode& ode, double t, std::span<const double> x,
              std::span<const double> saved) override;

 protected:
  /// Writes x_, the state h after x_before_, which stands at time t.
  virtual StepStatus advance(double t, double h) = 0;

  /// Whether states within a step lie on the cubic of its ends; else on a straight line.
  virtual bool is_smooth() const { return true; }

  /// The rate at the beginning of the step, computed unless it is known; false where it fails.
  bool know_rate_before();

  std::vector<double> x_before_, rate_before_, rate_;  ///< rates as far as known

 private:
  void exchange_ends();

  StepGrid grid_;
  double t_rate_before_ = 0;  ///< the grid's own instant, which t() may round to a limit
  bool rate_before_known_ = false, rate_known_ = false;
};

}  // namespace limber
