#include "drive/differences.hpp"

#include <array>

namespace limber {

namespace {

// weights of f₀ … f₄ for 12 h f′ at the sample of the given number among the five
constexpr std::array<std::array<double, 5>, 5> weights{{{-25, 48, -36, 16, -3},
                                                        {-3, -10, 18, -6, 1},
                                                        {1, -8, 0, 8, -1},
                                                        {-1, 6, -18, 10, 3},
                                                        {3, -16, 36, -48, 25}}};

}  // namespace

std::vector<double> time_derivative(const std::vector<double>& values, double interval) {
  const std::size_t n = values.size();
  std::vector<double> rates(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t first = k < 2 ? 0 : k + 3 > n ? n - 5 : k - 2;
    double sum = 0;
    for (std::size_t j = 0; j < 5; ++j) sum += weights[k - first][j] * values[first + j];
    rates[k] = sum / (12 * interval);
  }
  return rates;
}

}  // namespace limber
