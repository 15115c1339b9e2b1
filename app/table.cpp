#include "table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "printable.hpp"

namespace limber::app {

namespace {
// number of characters in UTF-8 text: every byte that does not continue another
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
}  // namespace

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string>& titles = lines.emplace_back();
  for (const Column& column : columns_) titles.push_back(column.title);
  for (const auto& row : rows_) {
    std::vector<std::string>& cells = lines.emplace_back();
    for (const std::string& cell : row) cells.push_back(printable_line(cell));
  }

  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], width(line[k]));

  std::string result;
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t k = 0; k < line.size(); ++k) {
      // nothing follows a last column to the left, which may be very wide in one row
      const bool pads = k + 1 < line.size() || columns_[k].align == Align::right;
      const std::string blanks(pads ? widths[k] - width(line[k]) : 0, ' ');
      row += "  " + (columns_[k].align == Align::left ? line[k] + blanks : blanks + line[k]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    result += row + "\n";
  }
  return result;
}

std::string readable(double value, double scale) {
  return fmt::format("{:.6g}", std::abs(value) <= 1e-12 * scale ? 0.0 : value);
}

}  // namespace limber::app
