#include "control/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Turns columns p and q of both matrices by the angle that makes those of W perpendicular; false
/// if they are.
bool make_perpendicular(MatrixXd& W, MatrixXd& U, Index p, Index q) {
  const double a = W.col(p).squaredNorm(), b = W.col(q).squaredNorm();
  const double product = W.col(p).dot(W.col(q));
  if (!(std::abs(product) > epsilon * std::sqrt(a * b))) return false;
  const double zeta = (b - a) / (2 * product);
  const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
  const double c = 1 / std::hypot(1.0, t), s = c * t;
  for (MatrixXd* A : {&W, &U})
    for (Index i = 0; i < A->rows(); ++i) {
      const double x = (*A)(i, p), y = (*A)(i, q);
      (*A)(i, p) = c * x - s * y;
      (*A)(i, q) = s * x + c * y;
    }
  return true;
}

}  // namespace

SingularValues::SingularValues(const MatrixXd& J) {
  const Index rows = J.rows(), count = std::min(rows, J.cols());
  MatrixXd W = J.transpose(), turned = MatrixXd::Identity(rows, rows);
  bool again = true;
  for (int sweep = 0; again && sweep < 40; ++sweep) {
    again = false;
    for (Index p = 0; p < rows; ++p)
      for (Index q = p + 1; q < rows; ++q) again = make_perpendicular(W, turned, p, q) || again;
  }
  std::vector<double> sizes(static_cast<std::size_t>(rows));
  for (Index k = 0; k < rows; ++k) sizes[static_cast<std::size_t>(k)] = W.col(k).norm();
  std::vector<Index> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return sizes[static_cast<std::size_t>(a)] > sizes[static_cast<std::size_t>(b)];
  });
  U.resize(rows, count);
  V.resize(J.cols(), count);
  sigma.resize(count);
  for (Index k = 0; k < count; ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
    sigma[k] = sizes[static_cast<std::size_t>(from)];
    U.col(k) = turned.col(from);
    V.col(k) = W.col(from) * (sigma[k] > 0 ? 1 / sigma[k] : 0.0);
  }
}

double SingularValues::inverse(double value) const {
  const double smallest = static_cast<double>(sigma.size()) * epsilon * sigma[0];
  return value > smallest ? 1 / value : 0.0;
}

}  // namespace limber
