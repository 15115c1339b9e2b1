#include "sim/stepper.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

namespace limber {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

bool finite_derivative(Ode& ode, double t, std::span<const double> x, std::span<double> x_dot) {
  return ode.derivative(t, x, x_dot) == Evaluated::ok && all_finite(x_dot);
}

void combine(std::span<const double> x, double h, std::span<const double> weights,
             const double* rows, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0) continue;
    const double* row = rows + k * x.size();
    for (std::size_t i = 0; i < x.size(); ++i) out[i] += weights[k] * row[i];
  }
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] + h * out[i];
}

void Stepper::place(Ode& ode, double t, std::span<const double> x) {
  if (x.size() != static_cast<std::size_t>(ode.size()))
    throw Error(fmt::format("the state to start from has {} numbers, the equations have {}",
                            x.size(), ode.size()));
  if (!std::isfinite(t) || !all_finite(x))
    throw Error(fmt::format("the state to start from at t = {} s is not finite; give numbers", t));
  ode_ = &ode;
  t_ = t_before_ = t;
  x_.assign(x.begin(), x.end());
}

void expect_saved(std::span<const double> saved, std::size_t count) {
  if (saved.size() != count)
    throw Error(
        fmt::format("the saved integrator has {} numbers, this one needs {}: it was saved with "
                    "another method or another system; start anew instead",
                    saved.size(), count));
}

void expect_sound(bool sound) {
  if (!sound)
    throw Error(
        "the saved integrator's numbers do not fit the saved time and these settings: the file was "
        "changed, or steps were; start anew instead");
}

}  // namespace limber
