// Trajectories from CSV files.
#include <fmt/format.h>

#include <limber/control/joint_trajectory.hpp>
#include <limber/model/variables.hpp>

#include "control/joint_places.hpp"
#include "io/numbers.hpp"
#include "io/text_file.hpp"
#include "model/nearest.hpp"

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

/// The columns of a file: where each goes in q, −1 for the time.
class Header {
 public:
  Header(const Model& m, const Source& source, const std::vector<std::string_view>& cells)
      : time_(cells.size()) {
    std::vector<std::string> names;
    for (const Variable& variable : position_variables(m)) names.push_back(variable.name());
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string cell(cells[column]);
      const int place = cell == "time" ? -1 : find(m, source, names, cell);
      for (const int earlier : places_)
        if (earlier == place) throw Error(source, fmt::format("column '{}' is there twice", cell));
      places_.push_back(place);
      if (place < 0) time_ = column;
    }
    if (time_ == cells.size() || places_.size() < 2)
      throw Error(source, "columns 'time' and the names of joints are expected in the first line");
  }
  std::size_t columns() const { return places_.size(); }
  std::size_t time() const { return time_; }
  int place(std::size_t column) const { return places_[column]; }

 private:
  static int find(const Model& m, const Source& source, const std::vector<std::string>& names,
                  const std::string& cell) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == cell) return static_cast<int>(i);
    throw Error(source, fmt::format("column '{}' is neither 'time' nor a position of robot '{}'{}",
                                    cell, m.name, did_you_mean(cell, names)));
  }
  std::vector<int> places_;
  std::size_t time_;
};

double number(const Source& source, std::string_view cell) {
  const auto value = parse_number(cell);
  if (!value) throw Error(source, fmt::format("'{}' found, a number is expected", cell));
  return *value;
}

}  // namespace

JointTrajectoryPointer csv_trajectory(const Model& m, const std::string& file,
                                      std::span<const double> rest,
                                      const SplineSettings& settings) {
  expect_numbers(m, "csv trajectory: rest", rest, m.nq);
  const std::string text = read_text_file(file);
  expect_text(text, file, "CSV");
  std::optional<Header> header;
  std::vector<double> times;
  std::vector<std::vector<double>> points;
  int line_number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    const Source source{file, line_number, ""};
    const auto cells = split(line, ',');
    if (!header) {
      header.emplace(m, source, cells);
      continue;
    }
    if (cells.size() != header->columns())
      throw Error(source, fmt::format("{} values found, the first line names {} columns",
                                      cells.size(), header->columns()));
    const double t = number(source, cells[header->time()]);
    if (!times.empty() && !(t > times.back()))
      throw Error(source,
                  fmt::format("time {} s follows {} s; times must increase", t, times.back()));
    times.push_back(t);
    points.emplace_back(rest.begin(), rest.end());
    for (std::size_t column = 0; column < cells.size(); ++column)
      if (header->place(column) >= 0)
        points.back()[static_cast<std::size_t>(header->place(column))] =
            number(source, cells[column]);
  }
  if (times.size() < 2)
    throw Error({file, line_number, ""},
                fmt::format("{} lines with values found, at least two are needed", times.size()));
  const double begin = times.front();
  for (double& t : times) t -= begin;
  try {
    return spline_trajectory(m, times, points, settings);
  } catch (const Error& error) {
    throw Error({file, 0, ""}, error.what());
  }
}

}  // namespace limber
