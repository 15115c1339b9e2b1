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

/// What is missing of C u = d.
Numbers missing_of(const Dense& C, const Numbers& d, const Numbers& u) {
  Numbers missing = C * u;
  for (std::size_t i = 0; i < d.size(); ++i) missing[i] = d[i] - missing[i];
  return missing;
}

/// With the efforts at their limits as they are, the others once more: where only one choice is
/// left, no multipliers are large enough. u is kept where this does not help.
double with_others_exact(const Dense& C, const Numbers& d, const ClippedEfforts& clip, Numbers& u) {
  constexpr double at_limit = 1e-4;  // of the range: nearly there counts as there
  Numbers trial = u;
  std::vector<int> free;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double range = clip.upper[i] - clip.lower[i];
    const double near = std::isfinite(range) ? at_limit * range : 0;
    if (u[i] - clip.lower[i] <= near) trial[i] = clip.lower[i];
    else if (clip.upper[i] - u[i] <= near) trial[i] = clip.upper[i];
    else free.push_back(static_cast<int>(i)), trial[i] = 0;
  }
  Dense part(C.rows, static_cast<int>(free.size()));
  for (int i = 0; i < C.rows; ++i)
    for (int k = 0; k < part.columns; ++k)
      part(i, k) = C(i, free[at_index(k)]) / std::sqrt(clip.weight[at_index(free[at_index(k)])]);
  const Numbers y = RankedQr(std::move(part), 1e-12).solve(missing_of(C, d, trial));
  for (std::size_t k = 0; k < free.size(); ++k) {
    const std::size_t i = at_index(free[k]);
    trial[i] = std::clamp(y[k] / std::sqrt(clip.weight[i]), clip.lower[i], clip.upper[i]);
  }
  const double before = largest_of(missing_of(C, d, u)),
               after = largest_of(missing_of(C, d, trial));
  if (after < before) u = trial;
  return std::min(before, after);
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
    const Numbers missing = missing_of(C, d, u);
    left = largest_of(missing);
    if (left <= 1e-13 * largest_of(d)) return left;
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
  return with_others_exact(C, d, clip, u);
}

}  // namespace limber
