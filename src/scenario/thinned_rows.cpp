#include "scenario/thinned_rows.hpp"

#include <algorithm>
#include <map>

#include <limber/scenario/run.hpp>

namespace limber {

namespace {

// a run with no more rows is drawn from all of them
constexpr std::size_t most_rows_of_ordinary_runs = 100000;
// of rows with many columns fewer are kept
constexpr std::size_t most_values_kept = std::size_t{1} << 24, fewest_rows_kept = 1000;
constexpr std::size_t most_columns_with_extremes = 1000;

}  // namespace

ThinnedRows::ThinnedRows(std::size_t columns)
    : columns_(columns),
      most_rows_(std::clamp(most_values_kept / std::max<std::size_t>(columns, 1), fewest_rows_kept,
                            most_rows_of_ordinary_runs)) {}

void ThinnedRows::add(std::span<const double> row) {
  if (columns_ <= most_columns_with_extremes) note_extremes(row);
  if (seen_++ % stride_ == 0) {
    if (rows_.size() == most_rows_ * columns_) thin_out();
    if ((seen_ - 1) % stride_ == 0) rows_.insert(rows_.end(), row.begin(), row.end());
  }
  last_.assign(row.begin(), row.end());
}

void ThinnedRows::note_extremes(std::span<const double> row) {
  const auto size = static_cast<std::ptrdiff_t>(columns_);
  if (!has_extremes())
    for (std::size_t k = 0; k < 2 * columns_; ++k)
      extremes_.insert(extremes_.end(), row.begin(), row.end());
  for (std::size_t k = 0; k < columns_; ++k) {
    const auto smallest = extremes_.begin() + static_cast<std::ptrdiff_t>(2 * k) * size;
    const auto largest = smallest + size;
    const auto column = static_cast<std::ptrdiff_t>(k);
    if (row[k] < *(smallest + column)) std::copy(row.begin(), row.end(), smallest);
    if (row[k] > *(largest + column)) std::copy(row.begin(), row.end(), largest);
  }
}

// every other row stays
void ThinnedRows::thin_out() {
  std::size_t kept = 0;
  for (std::size_t row = 0; row * columns_ < rows_.size(); row += 2, ++kept)
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(row * columns_), columns_,
                rows_.begin() + static_cast<std::ptrdiff_t>(kept * columns_));
  rows_.resize(kept * columns_);
  stride_ *= 2;
}

std::vector<double> ThinnedRows::take() {
  if (stride_ == 1) return std::move(rows_);
  std::map<double, std::span<const double>> chosen;  // by time
  const auto row_of = [&](const std::vector<double>& rows, std::size_t k) {
    return std::span(rows).subspan(k * columns_, columns_);
  };
  const std::size_t others = extremes_.size() / columns_ + 1;
  const std::size_t count = rows_.size() / columns_, wanted = most_rows_drawn - others;
  for (std::size_t k = 0; k < std::min(count, wanted); ++k) {
    const std::size_t row = count <= wanted ? k : k * (count - 1) / (wanted - 1);
    chosen.emplace(row_of(rows_, row)[0], row_of(rows_, row));
  }
  for (std::size_t k = 0; k + 1 < others; ++k)
    chosen.emplace(row_of(extremes_, k)[0], row_of(extremes_, k));
  chosen.emplace(last_[0], last_);
  std::vector<double> all;
  for (const auto& [time, row] : chosen) all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace limber
