#include "constraint/bounded_efforts.hpp"

#include <algorithm>
#include <cmath>

#include "index.hpp"

namespace limber {

namespace {

/// u for the multipliers, whose Cᵀ μ is y.
struct ClippedEfforts {
  const Numbers &weight, &lower, &upper;

  double at(std::size_t i, double y) const { return std::clamp(y / weight[i], lower[i], upper[i]); }
  bool is_free(std::size_t i, double y) const {
    return y / weight[i] > lower[i] && y / weight[i] < upper[i];
  }
};

/// The α at which the derivative of the dual function along s vanishes, `slope` at α = 0: it falls
/// piecewise linearly as efforts reach their limits and leave them. Beyond the last change: there.
double exact_length(const ClippedEfforts& clip, const Numbers& y, const Numbers& s,
                    double rate_of_target) {
  Numbers changes;
  for (std::size_t i = 0; i < y.size(); ++i)
    for (const double limit : {clip.lower[i], clip.upper[i]}) {
      const double alpha = (limit * clip.weight[i] - y[i]) / s[i];
      if (std::isfinite(alpha) && alpha > 0) changes.push_back(alpha);
    }
  std::sort(changes.begin(), changes.end());
  const auto slope = [&](double alpha) {
    double sum = rate_of_target;
    for (std::size_t i = 0; i < y.size(); ++i) sum -= s[i] * clip.at(i, y[i] + alpha * s[i]);
    return sum;
  };
  double low = 0, low_slope = slope(0);
  for (const double alpha : changes) {
    const double there = slope(alpha);
    if (there <= 0) return low + (alpha - low) * low_slope / (low_slope - there);
    low = alpha, low_slope = there;
  }
  // from here on the slope falls by the efforts that stay free
  const double beyond = slope(low + 1);
  return low_slope > beyond ? low + low_slope / (low_slope - beyond) : low + 1;
}

}  // namespace

double bounded_efforts(const Dense& C, const Numbers& d, const Numbers& weight,
                       const Numbers& lower, const Numbers& upper, Numbers& u) {
  constexpr int most_iterations = 100;
  const ClippedEfforts clip{weight, lower, upper};
  Numbers mu(d.size());
  u.assign(weight.size(), 0);
  double left = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Numbers y = transposed_times(C, mu);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = clip.at(i, y[i]);
    Numbers missing = C * u;
    for (std::size_t i = 0; i < d.size(); ++i) missing[i] = d[i] - missing[i];
    left = largest_of(missing);
    if (left <= 1e-13 * largest_of(d)) break;
    Dense H(C.rows, C.rows);
    double size = 0, all = 0;
    for (int k = 0; k < C.columns; ++k) {
      const bool is_free = clip.is_free(at_index(k), y[at_index(k)]);
      for (int i = 0; i < C.rows; ++i) {
        all = std::max(all, C(i, k) * C(i, k) / weight[at_index(k)]);
        if (!is_free) continue;
        for (int j = 0; j < C.rows; ++j) H(i, j) += C(i, k) * C(j, k) / weight[at_index(k)];
      }
    }
    size = std::max(all, 1e-300);
    for (int i = 0; i < C.rows; ++i) H(i, i) += 1e-12 * size;
    Numbers p = missing;
    reference::Ldlt<double>(std::move(H), "efforts within limits").solve(p);
    const Numbers s = transposed_times(C, p);
    double rate = 0;
    for (std::size_t i = 0; i < d.size(); ++i) rate += p[i] * d[i];
    const double alpha = exact_length(clip, y, s, rate);
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] += alpha * p[i];
    if (!std::isfinite(largest_of(mu))) break;
  }
  return left;
}

}  // namespace limber
