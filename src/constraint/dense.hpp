#pragma once
// Dense matrices of closed mechanisms whose rows may depend on each other: what is small, or
// computed once, and need not be fast.
#include <memory>
#include <vector>

#include <limber/reference/dense.hpp>

namespace limber {

using Dense = reference::Matrix<double>;
using Numbers = std::vector<double>;

/// A P = Q R by reflections with exchange of columns; columns that are left with less than
/// `tolerance` times the longest one depend on those before them.
class RankedQr {
 public:
  RankedQr() = default;
  RankedQr(Dense A, double tolerance);

  int rank() const { return rank_; }
  /// Columns of A as they were chosen; those after the first `rank` depend on them.
  const std::vector<int>& order() const { return order_; }

  /// The shortest x among those with the smallest |A x − b|.
  Numbers solve(Numbers b) const;
  /// The shortest x with Aᵀ x = c; where columns depend on each other, the first ones decide.
  Numbers solve_transposed(const Numbers& c) const;
  /// Unit vectors perpendicular to all columns and to each other (rows × (rows − rank)).
  Dense complement() const;
  /// Vectors z with A z = 0 that span all of them (columns × (columns − rank)).
  Dense kernel() const;

 private:
  void reflect(int k, Numbers& x) const;
  Numbers times_Q(Numbers x) const;

  Dense A_;  // R above the diagonal; reflections on it and below
  int rank_ = 0;
  std::vector<int> order_;
  Numbers diagonal_, factor_;                   // of R; 2 / (v · v) of the reflections
  std::shared_ptr<const RankedQr> transposed_;  // of (R₁₁ R₁₂)ᵀ, where columns depend on each other
};

/// The determinant of a square matrix.
double determinant(Dense A);

double largest_of(const Numbers& x);  ///< of the sizes; 0 without numbers
double norm_of(const Numbers& x);
Numbers column_of(const Dense& A, int column);
/// Aᵀ x
Numbers transposed_times(const Dense& A, const Numbers& x);

}  // namespace limber
