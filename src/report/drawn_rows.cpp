#include "report/drawn_rows.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

// puts the extremes of a column between two rows, both included, at the end of `values`
void add_extremes(const Recording& recording, std::size_t column, std::size_t first,
                  std::size_t last, std::vector<double>& values) {
  const auto at = [&](std::size_t row) { return recording.row(row)[column]; };
  std::size_t least = first, most = first;
  bool finite = true;
  for (std::size_t row = first; row <= last; ++row) {
    finite = finite && std::isfinite(at(row));
    if (at(row) < at(least)) least = row;
    if (at(row) > at(most)) most = row;
  }
  // where a run blew up, the rows speak for themselves; so do those of a constant
  if (!finite || least == most) {
    least = first;
    most = last;
  }
  values.push_back(at(std::min(least, most)));
  values.push_back(at(std::max(least, most)));
}

}  // namespace

DrawnRows::DrawnRows(const Recording& recording, std::size_t most) : recording_(recording) {
  const std::size_t count = recording.rows(), limit = std::max<std::size_t>(2, most);
  pairs_ = count > limit;
  const std::size_t buckets = limit / 2;
  if (pairs_)
    for (std::size_t k = 0; k < buckets; ++k) {
      rows_.push_back(k * count / buckets);
      rows_.push_back((k + 1) * count / buckets - 1);
    }
  else
    for (std::size_t k = 0; k < count; ++k) rows_.push_back(k);
  for (const std::size_t row : rows_) times_.push_back(recording.row(row)[0]);
}

std::vector<double> DrawnRows::column(std::size_t column) const {
  std::vector<double> values;
  values.reserve(rows_.size());
  if (pairs_)
    for (std::size_t k = 0; k < rows_.size(); k += 2)
      add_extremes(recording_, column, rows_[k], rows_[k + 1], values);
  else
    for (const std::size_t row : rows_) values.push_back(recording_.row(row)[column]);
  return values;
}

std::vector<double> DrawnRows::column_of(const Recording& other, std::size_t column) const {
  std::vector<std::size_t> rows;
  std::size_t row = 0;
  for (const double t : times_) {
    while (row + 1 < other.rows() && other.row(row + 1)[0] <= t + 1e-9) ++row;
    rows.push_back(row);
  }
  std::vector<double> values;
  values.reserve(rows.size());
  if (pairs_)
    for (std::size_t k = 0; k < rows.size(); k += 2)
      add_extremes(other, column, rows[k], rows[k + 1], values);
  else
    for (const std::size_t one : rows) values.push_back(other.row(one)[column]);
  return values;
}

}  // namespace limber
