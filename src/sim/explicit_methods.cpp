// Euler's methods: explicit, semi-implicit, and implicit in what is stiff; and the classical
// Runge-Kutta method.
#include <array>

#include "sim/methods.hpp"
#include "sim/one_step.hpp"

namespace limber {

namespace {

class Euler final : public OneStep {
 public:
  using OneStep::OneStep;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }

 protected:
  StepStatus advance(double /*t*/, double h) override {
    if (!know_rate_before()) return StepStatus::not_computable;
    combine(x_before_, h, std::array{1.0}, rate_before_.data(), x_);
    return StepStatus::ok;
  }
};

// new velocities first, in axes that do not turn; positions move with them; everything else by its
// rate at the beginning
class SemiImplicitEuler : public OneStep {
 public:
  using OneStep::OneStep;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void bind(Ode& ode) override {
    OneStep::bind(ode);
    mechanical_ = &expect_mechanical(ode, name());
  }
  void start(Ode& ode, double t, std::span<const double> x) override {
    bind(ode);
    OneStep::start(ode, t, x);
    nq_ = static_cast<std::size_t>(mechanical_->positions());
    nv_ = static_cast<std::size_t>(mechanical_->velocities());
    w_.resize(nv_);
    w_dot_.resize(nv_);
  }

 protected:
  virtual const char* name() const { return "semi_implicit_euler"; }

  StepStatus advance(double /*t*/, double h) override {
    return know_rate_before() ? move_by(rate_before_, h) : StepStatus::not_computable;
  }

  StepStatus move_by(std::span<const double> rate, double h) {
    const std::span<const double> before(x_before_),
        q = before.first(nq_), v = before.subspan(nq_, nv_), a = rate.subspan(nq_, nv_);
    mechanical_->to_fixed_axes(q, v, w_);
    mechanical_->fixed_axes_rate(q, v, a, w_dot_);
    for (std::size_t i = 0; i < nv_; ++i) w_[i] += h * w_dot_[i];
    const std::span<double> x(x_);
    mechanical_->move(q, w_, h, x.first(nq_));
    mechanical_->from_fixed_axes(x.first(nq_), w_, x.subspan(nq_, nv_));
    for (std::size_t i = nq_ + nv_; i < size(); ++i) x_[i] = x_before_[i] + h * rate[i];
    return StepStatus::ok;
  }

  MechanicalOde* mechanical_ = nullptr;

 private:
  std::size_t nq_ = 0, nv_ = 0;
  std::vector<double> w_, w_dot_;  // velocities in axes that do not turn
};

// the same with stiff forces as they are at the end of the step
class ImplicitEuler final : public SemiImplicitEuler {
 public:
  using SemiImplicitEuler::SemiImplicitEuler;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void bind(Ode& ode) override {
    SemiImplicitEuler::bind(ode);
    mechanical_->decide_in_steps();
  }
  void start(Ode& ode, double t, std::span<const double> x) override {
    SemiImplicitEuler::start(ode, t, x);
    rates_.resize(size());
  }
  bool evaluates_ends() const override { return false; }

 protected:
  const char* name() const override { return "implicit_euler"; }
  bool is_smooth() const override { return false; }

  StepStatus advance(double t, double h) override {
    ++cost_.evaluations;
    if (mechanical_->step_rate(t, x_before_, h, rates_) == Evaluated::failed || !all_finite(rates_))
      return StepStatus::not_computable;
    mechanical_->take_step();
    return move_by(rates_, h);
  }

 private:
  std::vector<double> rates_;  // of the step
};

class Rk4 final : public OneStep {
 public:
  using OneStep::OneStep;
  std::unique_ptr<Integrator> clone(Ode& ode, const RootFunctions&) const override {
    return copy_of(*this, ode);
  }
  void start(Ode& ode, double t, std::span<const double> x) override {
    OneStep::start(ode, t, x);
    rates_.resize(3 * size());
  }

 protected:
  StepStatus advance(double t, double h) override {
    if (!know_rate_before()) return StepStatus::not_computable;
    const std::size_t n = size();
    const std::span<double> k2(rates_.data(), n), k3(rates_.data() + n, n),
        k4(rates_.data() + 2 * n, n);
    const std::span<const double> k1(rate_before_);
    const bool ok = stage(t + h / 2, h / 2, k1, k2) && stage(t + h / 2, h / 2, k2, k3) &&
                    stage(t + h, h, k3, k4);
    if (!ok) return StepStatus::not_computable;
    for (std::size_t i = 0; i < n; ++i)
      x_[i] = x_before_[i] + h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
    return StepStatus::ok;
  }

 private:
  // the rate after moving with `slope` for dt
  bool stage(double t, double dt, std::span<const double> slope, std::span<double> result) {
    for (std::size_t i = 0; i < slope.size(); ++i) x_[i] = x_before_[i] + dt * slope[i];
    return rate(t, x_, result);
  }

  std::vector<double> rates_;
};

}  // namespace

std::unique_ptr<Integrator> make_euler(const IntegratorSettings& settings) {
  return std::make_unique<Euler>(settings.step);
}
std::unique_ptr<Integrator> make_semi_implicit_euler(const IntegratorSettings& settings) {
  return std::make_unique<SemiImplicitEuler>(settings.step);
}
std::unique_ptr<Integrator> make_implicit_euler(const IntegratorSettings& settings) {
  return std::make_unique<ImplicitEuler>(settings.step);
}
std::unique_ptr<Integrator> make_rk4(const IntegratorSettings& settings) {
  return std::make_unique<Rk4>(settings.step);
}

}  // namespace limber
