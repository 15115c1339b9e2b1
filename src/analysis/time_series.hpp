#pragma once
// Peaks, means and integrals of values over time; between instants by the trapezoidal rule.
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <limber/scenario/figures.hpp>

namespace limber {

/// The largest |value| and when it was reached; zero if there is no instant.
inline Measured peak_of(std::span<const double> times, std::span<const double> values) {
  Measured peak;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!peak.time || std::abs(values[k]) > peak.value) peak = {std::abs(values[k]), times[k]};
  return peak;
}

/// ∫ value dt
inline double integral_of(std::span<const double> times, std::span<const double> values) {
  double sum = 0;
  for (std::size_t k = 1; k < times.size(); ++k)
    sum += (times[k] - times[k - 1]) * (values[k] + values[k - 1]) / 2;
  return sum;
}

/// The mean over time; zero if no time passes.
inline double mean_of(std::span<const double> times, std::span<const double> values) {
  if (times.size() < 2) return 0;
  return integral_of(times, values) / (times.back() - times.front());
}

/// f of each value.
template <class F>
std::vector<double> mapped(std::span<const double> values, F&& f) {
  std::vector<double> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), f);
  return result;
}

/// f of each pair of values.
template <class F>
std::vector<double> mapped(std::span<const double> a, std::span<const double> b, F&& f) {
  std::vector<double> result(a.size());
  std::transform(a.begin(), a.end(), b.begin(), result.begin(), f);
  return result;
}

inline double rms_of(std::span<const double> times, std::span<const double> values) {
  return std::sqrt(mean_of(times, mapped(values, [](double x) { return x * x; })));
}

inline double mean_magnitude(std::span<const double> times, std::span<const double> values) {
  return mean_of(times, mapped(values, [](double x) { return std::abs(x); }));
}

/// ∫ value dt while it is positive, and −∫ value dt while it is negative.
inline double positive_part(std::span<const double> times, std::span<const double> values) {
  return integral_of(times, mapped(values, [](double x) { return std::max(x, 0.0); }));
}
inline double negative_part(std::span<const double> times, std::span<const double> values) {
  return integral_of(times, mapped(values, [](double x) { return std::max(-x, 0.0); }));
}

}  // namespace limber
