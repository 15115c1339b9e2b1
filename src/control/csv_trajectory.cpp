// Trajectories from CSV files.
#include <algorithm>

#include <fmt/format.h>

#include <limber/control/joint_trajectory.hpp>
#include <limber/model/variables.hpp>

#include "control/joint_places.hpp"
#include "io/csv.hpp"
#include "model/nearest.hpp"

namespace limber {

namespace {

// where each column but the time goes in q
std::vector<std::size_t> places_in_q(const Model& m, const CsvTable& table) {
  std::vector<std::string> names;
  for (const Variable& variable : position_variables(m)) names.push_back(variable.name());
  std::vector<std::size_t> places;
  for (const std::string& column : table.names) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end() && column != "time")
      throw Error({table.file, table.header_line, ""},
                  fmt::format("column '{}' is neither 'time' nor a position of robot '{}'{}",
                              column, m.name, did_you_mean(column, names)));
    places.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return places;
}

}  // namespace

JointTrajectoryPointer csv_trajectory(const Model& m, const std::string& file,
                                      std::span<const double> rest,
                                      const SplineSettings& settings) {
  expect_numbers(m, "csv trajectory: rest", rest, m.nq);
  const CsvTable table = read_csv(file);
  const std::vector<std::size_t> places = places_in_q(m, table);
  const std::size_t time = table.time_column();
  std::vector<double> times;
  std::vector<std::vector<double>> points;
  for (const std::vector<double>& row : table.rows) {
    times.push_back(row[time] - table.rows.front()[time]);
    points.emplace_back(rest.begin(), rest.end());
    for (std::size_t column = 0; column < row.size(); ++column)
      if (column != time) points.back()[places[column]] = row[column];
  }
  try {
    return spline_trajectory(m, times, points, settings);
  } catch (const Error& error) {
    throw Error({file, 0, ""}, error.what());
  }
}

}  // namespace limber
