#pragma once
// Linear equations whose matrix has entries only beside its diagonal.
#include <cstddef>
#include <vector>

namespace limber {

/// A x = b for several right-hand sides b. Row i of A has entries in the columns i − band …
/// i + band.
class BandedSystem {
 public:
  BandedSystem(int rows, int band, int sides);

  double& entry(int row, int column) { return rows_[place(row, column)]; }
  double& right(int row, int side) { return right_[place_right(row, side)]; }
  double right(int row, int side) const { return right_[place_right(row, side)]; }

  /// Elimination with exchange of rows; the right-hand sides become the solutions. Throws Error if
  /// A is singular.
  void solve();

 private:
  // an exchange brings in columns up to i + 2 band
  std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(row * (3 * band_ + 1) + column - row + band_);
  }
  std::size_t place_right(int row, int side) const {
    return static_cast<std::size_t>(row * sides_ + side);
  }
  void exchange(int row, int other);
  void subtract(int row, double factor, int other);

  int count_, band_, sides_;
  std::vector<double> rows_, right_;
};

}  // namespace limber
