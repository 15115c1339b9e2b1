#pragma once
// Stepper: what all integrators keep alike: the problem, the place, the cost.
#include <limber/sim/integrator.hpp>

namespace limber {

/// The derivative, checked: false where it failed or is not finite.
bool finite_derivative(Ode& ode, double t, std::span<const double> x, std::span<double> x_dot);

bool all_finite(std::span<const double> values);

/// out = x + h (weights[0] · row 0 + weights[1] · row 1 + …); rows lie one after the other, each as
/// long as x. Rows of weight zero are not looked at.
void combine(std::span<const double> x, double h, std::span<const double> weights,
             const double* rows, std::span<double> out);

class Stepper : public Integrator {
 public:
  double t() const final { return t_; }
  std::span<const double> x() const final { return x_; }
  IntegratorCost cost() const final { return cost_; }
  /// Goes on with `ode`, a clone of the present one.
  virtual void bind(Ode& ode) { ode_ = &ode; }

 protected:
  /// Takes over where the integration begins. Throws Error for a state of the wrong size or with
  /// numbers that are not finite.
  void place(Ode& ode, double t, std::span<const double> x);
  /// The derivative, counted and checked.
  bool rate(double t, std::span<const double> x, std::span<double> x_dot) {
    ++cost_.evaluations;
    return finite_derivative(*ode_, t, x, x_dot);
  }
  std::size_t size() const { return x_.size(); }
  /// How many variables, the first ones, are under error control: all but the quadratures.
  std::size_t controlled() const { return size() - static_cast<std::size_t>(ode_->quadratures()); }

  Ode* ode_ = nullptr;
  double t_ = 0, t_before_ = 0;  ///< end and beginning of the last step
  std::vector<double> x_;        ///< at t_
  IntegratorCost cost_;
};

/// The clone() of a method whose numbers can be copied.
template <class Method>
std::unique_ptr<Integrator> copy_of(const Method& method, Ode& ode) {
  auto copy = std::make_unique<Method>(method);
  copy->bind(ode);
  return copy;
}

/// Throws Error unless `saved` has this many numbers.
void expect_saved(std::span<const double> saved, std::size_t count);
/// Throws Error unless the saved numbers are `sound`.
void expect_sound(bool sound);

}  // namespace limber
