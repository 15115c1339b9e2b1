#include "constraint/box_problem.hpp"

#include <algorithm>
#include <cmath>

#include "index.hpp"

namespace limber {

namespace {

/// ½ xᵀ H x + cᵀ x within limits, H positive definite with a diagonal of about 1.
class StrictBoxProblem {
 public:
  StrictBoxProblem(const Dense& H, const Numbers& lower, const Numbers& upper)
      : H_(H), lower_(lower), upper_(upper) {}

  /// x: where to begin, and the solution.
  void solve(const Numbers& c, Numbers& x) {
    const std::size_t n = x.size();
    at_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::clamp(x[i], lower_[i], upper_[i]);
      at_[i] = x[i] == lower_[i] ? -1 : x[i] == upper_[i] ? 1 : 0;
    }
    for (std::size_t round = 0; round < 20 * (n + 1); ++round) {
      while (!move_free(c, x)) {
      }
      // the gradient that pushes hardest away from a limit
      int worst = -1;
      double most = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double slope = c[i], size = std::abs(c[i]);
        for (std::size_t k = 0; k < n; ++k) {
          const double part = H_(static_cast<int>(i), static_cast<int>(k)) * x[k];
          slope += part;
          size += std::abs(part);
        }
        const double away = at_[i] * slope;
        if (at_[i] != 0 && away > std::max(most, rounding * size))
          most = away, worst = static_cast<int>(i);
      }
      if (worst < 0) return;
      at_[at_index(worst)] = 0;
    }
  }

 private:
  static constexpr double rounding = 1e-14;

  /// Towards the best values of those that are at no limit. False: one has reached a limit.
  bool move_free(const Numbers& c, Numbers& x) {
    std::vector<int> free;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (at_[i] == 0) free.push_back(static_cast<int>(i));
    if (free.empty()) return true;
    const int n = static_cast<int>(free.size());
    Dense part(n, n);
    Numbers y(free.size());
    for (int i = 0; i < n; ++i) {
      const int k = free[at_index(i)];
      y[at_index(i)] = -c[at_index(k)];
      for (std::size_t j = 0; j < x.size(); ++j)
        if (at_[j] != 0) y[at_index(i)] -= H_(k, static_cast<int>(j)) * x[j];
      for (int j = 0; j < n; ++j) part(i, j) = H_(k, free[at_index(j)]);
    }
    reference::Ldlt<double>(std::move(part), "forces within limits").solve(y);
    double share = 1;
    int stopped = -1, side = 0;
    for (int i = 0; i < n; ++i) {
      const std::size_t k = at_index(free[at_index(i)]);
      const double way = y[at_index(i)] - x[k];
      const double room = way > 0 ? upper_[k] - x[k] : lower_[k] - x[k];
      if (std::abs(way) * share > std::abs(room))
        share = room / way, stopped = static_cast<int>(k), side = way > 0 ? 1 : -1;
    }
    for (int i = 0; i < n; ++i) {
      const std::size_t k = at_index(free[at_index(i)]);
      x[k] += share * (y[at_index(i)] - x[k]);
    }
    if (stopped < 0) return true;
    at_[at_index(stopped)] = side;
    x[at_index(stopped)] = side > 0 ? upper_[at_index(stopped)] : lower_[at_index(stopped)];
    return false;
  }

  const Dense& H_;
  const Numbers &lower_, &upper_;
  std::vector<int> at_;  // −1: at the lower limit, 1: at the upper one, 0: between
};

}  // namespace

Numbers solve_in_box(const Dense& A, const Numbers& b, const Numbers& from, const Numbers& lower,
                     const Numbers& upper) {
  constexpr double proximal = 1e-6, settled = 1e-13;
  constexpr int most_rounds = 40;
  // forces in units in which the diagonal of A is 1
  const std::size_t n = from.size();
  Numbers scale(n), x(n), low(n), high(n), c(n);
  for (std::size_t i = 0; i < n; ++i) {
    scale[i] = std::sqrt(A(static_cast<int>(i), static_cast<int>(i)));
    x[i] = std::clamp(from[i], lower[i], upper[i]) * scale[i];
    low[i] = lower[i] * scale[i];
    high[i] = upper[i] * scale[i];
  }
  Dense H = A;
  for (int i = 0; i < A.rows; ++i)
    for (int k = 0; k < A.rows; ++k) H(i, k) /= scale[at_index(i)] * scale[at_index(k)];
  for (int i = 0; i < A.rows; ++i) H(i, i) += proximal;
  StrictBoxProblem problem(H, low, high);
  double size = 0;
  for (std::size_t i = 0; i < n; ++i)
    size = std::max({size, std::abs(x[i]), std::abs(low[i]), std::abs(high[i])});
  for (int round = 0; round < most_rounds; ++round) {
    const Numbers before = x;
    for (std::size_t i = 0; i < n; ++i) c[i] = b[i] / scale[i] - proximal * before[i];
    problem.solve(c, x);
    double change = 0;
    for (std::size_t i = 0; i < n; ++i) change = std::max(change, std::abs(x[i] - before[i]));
    if (round > 0 && proximal * change <= settled * size) break;
  }
  for (std::size_t i = 0; i < n; ++i)
    x[i] = x[i] == low[i]    ? lower[i]
           : x[i] == high[i] ? upper[i]
                             : std::clamp(x[i] / scale[i], lower[i], upper[i]);
  return x;
}

}  // namespace limber
