#include "io/csv.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limber/error.hpp>

#include "io/numbers.hpp"
#include "io/text_file.hpp"

namespace limber {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\""),
                    last = text.find_last_not_of(" \t\r\"");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, last - first + 1);
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = line.find(separator);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

double cell_number(const Source& source, std::string_view cell) {
  const auto value = parse_number(cell);
  if (!value) throw Error(source, fmt::format("'{}' found, a number is expected", cell));
  return *value;
}

void read_names(const Source& source, const std::vector<std::string_view>& cells, CsvTable& table) {
  table.header_line = source.line;
  for (const std::string_view cell : cells) {
    if (std::find(table.names.begin(), table.names.end(), cell) != table.names.end())
      throw Error(source, fmt::format("column '{}' is there twice; remove one of them", cell));
    table.names.emplace_back(cell);
  }
  table.time_column();
}

void check_times(const CsvTable& table) {
  const std::size_t time = table.time_column();
  for (std::size_t i = 1; i < table.rows.size(); ++i)
    if (!(table.rows[i][time] > table.rows[i - 1][time]))
      throw Error({table.file, table.lines[i], ""},
                  fmt::format("time {} s follows {} s; times must increase", table.rows[i][time],
                              table.rows[i - 1][time]));
}

}  // namespace

std::size_t CsvTable::time_column() const {
  const auto found = std::find(names.begin(), names.end(), "time");
  if (found == names.end() || names.size() < 2)
    throw Error({file, header_line, ""},
                fmt::format("columns '{}' found; the first line must name a column 'time' and at "
                            "least one other",
                            fmt::join(names, "', '")));
  return static_cast<std::size_t>(found - names.begin());
}

CsvTable read_csv(const std::string& file) {
  const std::string text = read_text_file(file);
  expect_text(text, file, "CSV");
  CsvTable table;
  table.file = file;
  int line_number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    const Source source{file, line_number, ""};
    const auto cells = split(line, ',');
    if (table.names.empty()) {
      read_names(source, cells, table);
      continue;
    }
    if (cells.size() != table.names.size())
      throw Error(source, fmt::format("{} values found, the first line names {} columns",
                                      cells.size(), table.names.size()));
    table.lines.push_back(line_number);
    std::vector<double>& row = table.rows.emplace_back();
    for (const std::string_view cell : cells) row.push_back(cell_number(source, cell));
  }
  if (table.rows.size() < 2)
    throw Error(
        {file, line_number, ""},
        fmt::format("{} lines with values found, at least two are needed", table.rows.size()));
  check_times(table);
  return table;
}

}  // namespace limber
