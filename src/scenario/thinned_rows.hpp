#pragma once
// ThinnedRows: the rows of a run that a report draws, in bounded memory however long the run is.
#include <cstdint>
#include <span>
#include <vector>

namespace limber {

class ThinnedRows {
 public:
  explicit ThinnedRows(std::size_t columns);

  void add(std::span<const double> row);
  /// All rows, if there were not too many; else most_rows_drawn of them, spread evenly, the first
  /// and the last and, where there is room, those with the largest and the smallest value of each
  /// column among them. The first column orders them.
  std::vector<double> take();

 private:
  void note_extremes(std::span<const double> row);
  void thin_out();
  bool has_extremes() const { return !extremes_.empty(); }

  std::size_t columns_, most_rows_;
  std::uint64_t seen_ = 0, stride_ = 1;  // every stride-th row is kept
  std::vector<double> rows_, last_;
  std::vector<double> extremes_;  // two rows for each column
};

}  // namespace limber
