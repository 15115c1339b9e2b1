#pragma once
// Singular values of a Jacobian.
#include <span>
#include <vector>

namespace limber {

/// J = Σ σ_k u_k v_kᵀ, as many terms as the smaller side of J has, σ descending. By rotations of
/// pairs of rows until all are perpendicular (Hestenes 1958), which suits a matrix with few rows.
/// Where σ = 0, v is zero.
struct SingularValues {
  /// J column by column.
  SingularValues(std::span<const double> J, int rows);

  std::vector<double> sigma;
  std::vector<std::vector<double>> u, v;

  /// Σ factor(σ_k) v_k (u_k · b)
  template <class F>
  std::vector<double> times(F&& factor, std::span<const double> b) const {
    std::vector<double> x(columns_);
    for (std::size_t k = 0; k < sigma.size(); ++k) {
      double part = 0;
      for (std::size_t i = 0; i < b.size(); ++i) part += u[k][i] * b[i];
      part *= factor(sigma[k]);
      for (std::size_t i = 0; i < columns_; ++i) x[i] += part * v[k][i];
    }
    return x;
  }
  /// 1/σ, and 0 for singular values that are zero but for rounding.
  double inverse(double value) const;
  /// The x of least norm among those with the smallest |J x − b|.
  std::vector<double> solve(std::span<const double> b) const {
    return times([this](double value) { return inverse(value); }, b);
  }

 private:
  std::size_t columns_;
};

}  // namespace limber
