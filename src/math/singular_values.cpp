#include "math/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace limber {

namespace {

using Rows = std::vector<std::vector<double>>;
constexpr double rounding = std::numeric_limits<double>::epsilon();

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Turns rows p and q of both by the angle that makes those of W perpendicular; false if they are.
bool make_perpendicular(Rows& W, Rows& turned, std::size_t p, std::size_t q) {
  const double a = product_of(W[p], W[p]), b = product_of(W[q], W[q]);
  const double product = product_of(W[p], W[q]);
  if (!(std::abs(product) > rounding * std::sqrt(a) * std::sqrt(b))) return false;
  const double zeta = (b - a) / (2 * product);
  const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
  const double c = 1 / std::hypot(1.0, t), s = c * t;
  for (Rows* rows : {&W, &turned})
    for (std::size_t i = 0; i < (*rows)[p].size(); ++i) {
      const double x = (*rows)[p][i], y = (*rows)[q][i];
      (*rows)[p][i] = c * x - s * y;
      (*rows)[q][i] = s * x + c * y;
    }
  return true;
}

}  // namespace

SingularValues::SingularValues(std::span<const double> J, int row_count)
    : columns_(J.size() / static_cast<std::size_t>(row_count)) {
  const auto rows = static_cast<std::size_t>(row_count);
  Rows W(rows, std::vector<double>(columns_)), turned(rows, std::vector<double>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) W[i][j] = J[j * rows + i];
    turned[i][i] = 1;
  }
  bool again = true;
  for (int sweep = 0; again && sweep < 40; ++sweep) {
    again = false;
    for (std::size_t p = 0; p < rows; ++p)
      for (std::size_t q = p + 1; q < rows; ++q)
        again = make_perpendicular(W, turned, p, q) || again;
  }
  std::vector<double> sizes;
  for (const std::vector<double>& row : W) sizes.push_back(std::sqrt(product_of(row, row)));
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  order.resize(std::min(rows, columns_));
  for (const std::size_t k : order) {
    sigma.push_back(sizes[k]);
    u.push_back(turned[k]);
    v.push_back(W[k]);
    for (double& x : v.back()) x *= sizes[k] > 0 ? 1 / sizes[k] : 0.0;
  }
}

double SingularValues::inverse(double value) const {
  const double smallest = static_cast<double>(sigma.size()) * rounding * sigma[0];
  return value > smallest ? 1 / value : 0.0;
}

}  // namespace limber
