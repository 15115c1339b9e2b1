#pragma once
// Weights of the five-point formulas of Adams' kind, by their exactness on polynomials: the
// coefficients of [McM] chapter 3, which the thesis does not print.
#include <array>

namespace limber {

/// Number of derivatives in each formula.
inline constexpr int adams_points = 5;

/// w with ∫ f ds = Σ w[k] f(last − 4 + k) from s = `from` to s = `to` for every polynomial f of
/// degree 4. Unit steps: f is given at the whole numbers last − 4 … last.
std::array<double, adams_points> adams_weights(int last, double from, double to);

}  // namespace limber
