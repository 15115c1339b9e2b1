#pragma once
// DrawnRows: what a report draws of a recording. A short one is drawn as it is. Of a long one
// evenly spread pairs of rows are drawn, and each pair holds the smallest and the largest value
// that a column has from the first to the second, in the order in which they came: no peak is lost,
// and what only rises or falls in between keeps its values.
#include <span>
#include <vector>

#include <limber/sim/recording.hpp>

namespace limber {

class DrawnRows {
 public:
  /// At most `most` rows, but no fewer than two.
  DrawnRows(const Recording& recording, std::size_t most);

  std::span<const std::size_t> rows() const { return rows_; }
  std::span<const double> times() const { return times_; }
  std::vector<double> column(std::size_t column) const;
  /// A column of another run: what it had last at each of the times, with its extremes between.
  std::vector<double> column_of(const Recording& other, std::size_t column) const;

 private:
  const Recording& recording_;
  bool pairs_ = false;
  std::vector<std::size_t> rows_;
  std::vector<double> times_;
};

}  // namespace limber
