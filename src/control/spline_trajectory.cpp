#include "control/spline_trajectory.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "control/limits.hpp"
#include "index.hpp"

namespace limber {

namespace {

constexpr std::size_t most_positions = 7;  // of a joint whose coordinates are interpolated

std::vector<double> zeros_if_empty(const Model& m, std::string_view field,
                                   const std::vector<double>& values) {
  if (values.empty()) return std::vector<double>(static_cast<std::size_t>(m.nv), 0.0);
  expect_numbers(m, field, values, m.nv);
  return values;
}

std::vector<SplineTrack> tracks(const Model& m, const std::vector<std::vector<double>>& way_points,
                                const SplineSettings& settings) {
  const auto v0 = zeros_if_empty(m, "spline: start_velocity", settings.start_velocity);
  const auto v1 = zeros_if_empty(m, "spline: end_velocity", settings.end_velocity);
  const std::vector<double> still(static_cast<std::size_t>(m.nv), 0.0);
  const auto start = coordinates(m, way_points.front(), v0, still);
  const auto end = coordinates(m, way_points.back(), v1, still);
  std::vector<SplineTrack> result(start.size());
  for (std::size_t c = 0; c < result.size(); ++c) {
    result[c].start = start[c];
    result[c].end = end[c];
    for (const auto& point : way_points) result[c].values.push_back(point[c]);
  }
  return result;
}

}  // namespace

std::vector<Coordinate> coordinates(const Model& m, std::span<const double> q,
                                    std::span<const double> v, std::span<const double> a) {
  std::vector<Coordinate> c(static_cast<std::size_t>(m.nq));
  for (const JointPlace& joint : joint_places(m))
    coordinates_from_motion(joint, q, v, a,
                            std::span(c).subspan(at_index(joint.q), at_index(joint.q_count)));
  return c;
}

void SplineTrajectory::sample(double t, std::span<double> q, std::span<double> v,
                              std::span<double> a) const {
  const double clock = std::clamp(t, 0.0, duration());
  const std::size_t piece = spline_.piece(clock);
  std::array<Coordinate, most_positions> c;
  for (const JointPlace& joint : joints_) {
    // custom joints may have many positions, each a plain number: one at a time
    if (joint.q_count > static_cast<int>(most_positions)) {
      for (int i = 0; i < joint.q_count; ++i) {
        c[0] = spline_.at(piece, at_index(joint.q + i), clock);
        motion_from_coordinates({joint.body, joint.kind, joint.q + i, 1, joint.v + i, 1}, c, q, v,
                                a);
      }
      continue;
    }
    for (int i = 0; i < joint.q_count; ++i)
      c[at_index(i)] = spline_.at(piece, at_index(joint.q + i), clock);
    motion_from_coordinates(joint, c, q, v, a);
  }
  if (t >= 0 && t <= duration()) return;
  std::fill(v.begin(), v.end(), 0.0);
  std::fill(a.begin(), a.end(), 0.0);
}

void align_quaternions(const Model& m, std::vector<std::vector<double>>& way_points) {
  for (const JointPlace& joint : joint_places(m)) {
    if (joint.quaternion < 0) continue;
    const std::size_t first = at_index(joint.quaternion);
    for (std::size_t i = 1; i < way_points.size(); ++i) {
      double along = 0;
      for (std::size_t k = first; k < first + 4; ++k)
        along += way_points[i][k] * way_points[i - 1][k];
      if (along < 0)
        for (std::size_t k = first; k < first + 4; ++k) way_points[i][k] = -way_points[i][k];
    }
  }
}

JointTrajectoryPointer spline_trajectory(const Model& m, std::span<const double> times,
                                         const std::vector<std::vector<double>>& way_points,
                                         const SplineSettings& settings) {
  expect_coordinates(m, "spline");
  expect_times("spline", times);
  if (times.size() != way_points.size())
    throw Error(fmt::format("spline: {} times for {} way-points; one for each is needed",
                            times.size(), way_points.size()));
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < times.size(); ++i)
    points.push_back(checked_position(
        m, fmt::format("spline: way-point {} at {} s", i + 1, times[i]), way_points[i]));
  align_quaternions(m, points);
  auto trajectory = std::make_shared<SplineTrajectory>(
      m, Spline::through(times, tracks(m, points, settings), settings.degree, settings.ends));
  const double looks = 16;
  expect_within_limits(m, *trajectory, times.back() / (looks * trajectory->pieces()));
  return trajectory;
}

JointTrajectoryPointer quintic_trajectory(const Model& m, const JointMotion& from,
                                          const JointMotion& to, double duration) {
  expect_coordinates(m, "quintic");
  if (!(duration > 0) || !std::isfinite(duration))
    throw Error(fmt::format("quintic: duration: {} s found, a positive time is needed", duration));
  std::vector<std::vector<double>> points{checked_position(m, "quintic, from", from.q),
                                          checked_position(m, "quintic, to", to.q)};
  align_quaternions(m, points);
  std::vector<std::vector<Coordinate>> knots;
  for (std::size_t i = 0; i < 2; ++i) {
    const JointMotion& end = i == 0 ? from : to;
    knots.push_back(coordinates(m, points[i], zeros_if_empty(m, "quintic: v", end.v),
                                zeros_if_empty(m, "quintic: a", end.a)));
  }
  const double times[] = {0, duration};
  auto trajectory =
      std::make_shared<SplineTrajectory>(m, Spline::through_motions(times, {knots[0]}, {knots[1]}));
  const double looks = 64;
  expect_within_limits(m, *trajectory, duration / looks);
  return trajectory;
}

}  // namespace limber
