#pragma once
// Derivatives of sampled values.
#include <vector>

namespace limber {

/// Rates of values sampled at equal intervals [s], by differences of fourth order: centred over
/// five samples, one-sided at the ends. At least five values.
std::vector<double> time_derivative(const std::vector<double>& values, double interval);

}  // namespace limber
