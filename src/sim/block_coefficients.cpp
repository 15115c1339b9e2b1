#include "sim/block_coefficients.hpp"

namespace limber {

namespace {

using Polynomial = std::array<long double, adams_points + 1>;  // coefficient of sᵏ at k

long double value(const Polynomial& p, long double s) {
  long double result = 0;
  for (std::size_t k = p.size(); k-- > 0;) result = result * s + p[k];
  return result;
}

void multiply_by_root(Polynomial& p, long double root, long double divisor) {
  for (std::size_t k = p.size(); k-- > 0;) p[k] = ((k > 0 ? p[k - 1] : 0) - root * p[k]) / divisor;
}

Polynomial antiderivative(const Polynomial& p) {
  Polynomial result{};
  for (std::size_t k = 1; k < p.size(); ++k) result[k] = p[k - 1] / static_cast<long double>(k);
  return result;
}

}  // namespace

// each weight is the integral of the polynomial that is 1 at its point and 0 at the four others
std::array<double, adams_points> adams_weights(int last, double from, double to) {
  std::array<double, adams_points> weights{};
  for (int k = 0; k < adams_points; ++k) {
    Polynomial p{1};
    for (int j = 0; j < adams_points; ++j)
      if (j != k) multiply_by_root(p, last - 4 + j, k - j);
    const Polynomial integral = antiderivative(p);
    weights[static_cast<std::size_t>(k)] =
        static_cast<double>(value(integral, to) - value(integral, from));
  }
  return weights;
}

}  // namespace limber
