#pragma once
// Spline: functions of time made of polynomials, piece by piece, several at once.
#include <array>
#include <span>
#include <vector>

#include <limber/control/joint_trajectory.hpp>

#include "control/joint_places.hpp"

namespace limber {

/// The polynomial of third or fifth degree with the given ends, in powers of the time since the
/// first. Of a cubic the accelerations play no part. `length` [s].
std::array<double, 6> hermite(SplineDegree degree, const Coordinate& from, const Coordinate& to,
                              double length);

/// One coordinate's values at the knots, and its motion at both ends for clamped splines.
struct SplineTrack {
  std::vector<double> values;
  Coordinate start, end;
};

class Spline {
 public:
  Spline() = default;
  /// Through the values of each track at increasing times [s], as smooth as the degree allows.
  static Spline through(std::span<const double> times, std::span<const SplineTrack> tracks,
                        SplineDegree degree, SplineEnds ends);
  /// With known motions at both ends of each piece: begins[i] and ends[i] have one entry for each
  /// coordinate and belong to times[i] and times[i + 1]. Fifth degree.
  static Spline through_motions(std::span<const double> times,
                                const std::vector<std::vector<Coordinate>>& begins,
                                const std::vector<std::vector<Coordinate>>& ends);

  double duration() const { return times_.back(); }
  const std::vector<double>& times() const { return times_; }
  int pieces() const { return static_cast<int>(times_.size()) - 1; }
  /// The piece that t [s] lies in; outside the first or the last.
  std::size_t piece(double t) const;
  Coordinate at(std::size_t piece, std::size_t coordinate, double t) const;

 private:
  std::size_t coordinates_ = 0;
  std::vector<double> times_;
  std::vector<std::array<double, 6>> polynomials_;  // piece by piece
};

/// Throws Error unless there are two times or more that begin with 0 and increase.
void expect_times(const char* what, std::span<const double> times);

}  // namespace limber
