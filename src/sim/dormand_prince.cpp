#include "sim/dormand_prince.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/stepper.hpp"

namespace limber {

namespace {

constexpr std::array c{0.0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1.0};
constexpr std::array<std::array<double, 5>, 6> a{{
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
}};
constexpr std::array b{35. / 384, 0.0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};
// fifth less fourth order
constexpr std::array e{71. / 57600,      0.0,        -71. / 16695, 71. / 1920,
                       -17253. / 339200, 22. / 525., -1. / 40};
// of the interpolant
constexpr std::array d{-12715105075. / 11282082432,  0.0,
                       87487479700. / 32700410799,   -10690763975. / 1880347072,
                       701980252875. / 199316789632, -1453857185. / 822651844,
                       69997945. / 29380423};

double weighted_sum(const std::array<double, 7>& weights, const double* rows, std::size_t i,
                    std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * rows[k * n + i];
  return sum;
}

}  // namespace

void DormandPrince::resize(std::size_t n) {
  for (auto* values : {&before_, &after_, &stage_}) values->resize(n);
  rows_.resize(7 * n);
}

bool DormandPrince::step(Ode& ode, double t, std::span<const double> x, double h,
                         long& evaluations) {
  t_ = t, h_ = h;
  std::copy(x.begin(), x.end(), before_.begin());
  for (std::size_t k = 1; k < a.size(); ++k) {
    combine(before_, h, std::span(a[k]).first(k), rows_.data(), stage_);
    ++evaluations;
    if (!finite_derivative(ode, t + c[k] * h, stage_, row(k))) return false;
  }
  combine(before_, h, b, rows_.data(), after_);
  return all_finite(after_);
}

bool DormandPrince::compute_rate_after(Ode& ode, long& evaluations) {
  ++evaluations;
  return finite_derivative(ode, t_ + h_, after_, row(6));
}

double DormandPrince::error(double relative_tolerance, double absolute_tolerance,
                            std::size_t count) const {
  const std::size_t n = before_.size();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double scale = absolute_tolerance +
                         relative_tolerance * std::max(std::abs(before_[i]), std::abs(after_[i]));
    const double part = h_ * weighted_sum(e, rows_.data(), i, n) / scale;
    sum += part * part;
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

// the cubic through values and rates of the ends, and a fourth power that vanishes there
void DormandPrince::interpolate(double s, std::span<double> x) const {
  const std::size_t n = before_.size();
  const double r = 1 - s;
  for (std::size_t i = 0; i < n; ++i) {
    const double rise = after_[i] - before_[i];
    const double first = h_ * rows_[i] - rise;
    const double second = rise - h_ * rows_[6 * n + i] - first;
    const double third = h_ * weighted_sum(d, rows_.data(), i, n);
    x[i] = before_[i] + s * (rise + r * (first + s * (second + r * third)));
  }
}

}  // namespace limber
