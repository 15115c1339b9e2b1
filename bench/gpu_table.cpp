#include "gpu_table.hpp"

#include <sstream>
#include <vector>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "compiled_row.hpp"

namespace limber::bench {

namespace {

/// What stands between the bars of a line.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream stream(line);
  std::string cell;
  if (!std::getline(stream, cell, '|') || !cell.empty()) return {};
  while (std::getline(stream, cell, '|')) {
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    all.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return all;
}

/// Three digits, without zeros that say nothing.
std::string rate_text(const std::string& rate) {
  const double x = std::stod(rate);
  return fmt::format("{:.{}f}", x, x >= 10 ? 1 : x >= 1 ? 2 : 3);
}

std::string function_title(const std::string& name) {
  if (name == "rollout") return "100 steps";
  if (name == "gradient") return "the same without M⁻¹";
  return title_of(robot_function(name));
}

enum Column { robot, function, precision, rate, bytes, copy, arithmetic, error, columns };

}  // namespace

std::string gpu_table(const std::string& printed) {
  std::istringstream lines(printed);
  std::string text;
  std::vector<std::string> single;  // waits for its partner
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> row = cells(line);
    if (row.size() != columns || row[precision].starts_with("---")) {
      if (row.size() != columns) text += line + "\n";
      continue;
    }
    if (row[precision] == "precision") {
      text +=
          "| robot | function | single | double | % of copy, single | % of copy, double | error, "
          "single | error, double |\n|---|---|---:|---:|---:|---:|---:|---:|\n";
    } else if (row[precision] == "single") {
      single = row;
    } else if (single.size() == columns && single[robot] == row[robot] &&
               single[function] == row[function]) {
      text +=
          fmt::format("| {} | {} | {} | {} | {:.0f} | {:.0f} | {} | {} |\n", row[robot],
                      function_title(row[function]), rate_text(single[rate]), rate_text(row[rate]),
                      std::stod(single[copy]), std::stod(row[copy]), single[error], row[error]);
      single.clear();
    } else {
      throw Error(
          fmt::format("the row '{}' does not follow that of single precision; give what "
                      "the GPU benchmark printed, all of it",
                      line));
    }
  }
  if (!single.empty())
    throw Error(
        fmt::format("{}, {}: the row of double precision is missing; give what the GPU "
                    "benchmark printed, all of it",
                    single[robot], single[function]));
  return text;
}

}  // namespace limber::bench
