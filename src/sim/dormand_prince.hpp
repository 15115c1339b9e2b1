#pragma once
// DormandPrince: one step of the embedded Runge-Kutta pair 5(4) with its interpolant of fourth
// order. J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comp. Appl.
// Math. 6 (1980); the interpolant as in E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary
// Differential Equations I, §II.6.
#include <span>
#include <vector>

namespace limber {

class Ode;

class DormandPrince {
 public:
  void resize(std::size_t n);

  /// The rate at the beginning of the step, to be written before step().
  std::span<double> rate_before() { return row(0); }
  /// x after h from (t, x), of fifth order. False where a derivative fails or is not finite. Five
  /// evaluations, which are counted.
  bool step(Ode& ode, double t, std::span<const double> x, double h, long& evaluations);
  std::span<const double> after() const { return after_; }
  /// Computes the rate at the end, which error() and interpolate() need.
  bool compute_rate_after(Ode& ode, long& evaluations);
  std::span<const double> rate_after() const {
    return {rows_.data() + 6 * before_.size(), before_.size()};
  }

  /// Root mean square of the estimated errors of the first `count` variables, each beside its
  /// tolerance.
  double error(double relative_tolerance, double absolute_tolerance, std::size_t count) const;
  /// x at t + s h, 0 ≤ s ≤ 1.
  void interpolate(double s, std::span<double> x) const;

  double t() const { return t_; }
  double h() const { return h_; }

 private:
  std::span<double> row(std::size_t k) {
    return {rows_.data() + k * before_.size(), before_.size()};
  }

  double t_ = 0, h_ = 0;
  std::vector<double> before_, after_, stage_;
  std::vector<double> rows_;  ///< the seven rates, one after the other
};

}  // namespace limber
