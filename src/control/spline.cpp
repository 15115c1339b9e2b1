#include "control/spline.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "control/banded_system.hpp"

namespace limber {

namespace {

using Polynomial = std::array<double, 6>;

/// The derivative of given order of a polynomial at u.
double derivative(const Polynomial& p, int order, double u) {
  double sum = 0;
  for (int k = 5; k >= order; --k) {
    double factor = 1;
    for (int i = 0; i < order; ++i) factor *= k - i;
    sum = sum * u + factor * p[static_cast<std::size_t>(k)];
  }
  return sum;
}

/// The equations for what is unknown at the knots: rates, and accelerations too for fifth degree.
/// A row says that a derivative does not jump at a knot (or vanishes at an end); it is linear in
/// the knots' numbers, so that its coefficients are what unit numbers make of it.
class KnotEquations {
 public:
  KnotEquations(std::span<const double> times, std::span<const SplineTrack> tracks,
                SplineDegree degree)
      : times_(times),
        tracks_(tracks),
        degree_(degree),
        unknowns_(degree == SplineDegree::cubic ? 1 : 2),
        // a knot's equations have the unknowns of its neighbours too
        system_(static_cast<int>(times.size()) * unknowns_, 2 * unknowns_ - 1,
                static_cast<int>(tracks.size())) {}

  void add_smooth(std::size_t knot) {
    for (int order = unknowns_ + 1; order <= 2 * unknowns_; ++order, ++row_) {
      const double left = length(knot - 1), right = length(knot);
      const double scale = std::pow(std::min(left, right), order);
      add_derivative(knot - 1, order, left, scale);
      add_derivative(knot, order, 0, -scale);
    }
  }
  void add_free_end(std::size_t piece, double u) {
    for (int order = unknowns_ + 1; order <= 2 * unknowns_; ++order, ++row_)
      add_derivative(piece, order, u, std::pow(length(piece), order));
  }
  void add_clamped_end(std::size_t knot, Coordinate SplineTrack::*end) {
    for (int i = 0; i < unknowns_; ++i, ++row_) {
      system_.entry(row_, static_cast<int>(knot) * unknowns_ + i) = 1;
      for (std::size_t c = 0; c < tracks_.size(); ++c) {
        const Coordinate& given = tracks_[c].*end;
        system_.right(row_, static_cast<int>(c)) = i == 0 ? given.rate : given.acceleration;
      }
    }
  }

  void solve() { system_.solve(); }
  /// The motion of a track at a knot, once solved.
  Coordinate knot(std::size_t knot, std::size_t track) const {
    const int row = static_cast<int>(knot) * unknowns_, side = static_cast<int>(track);
    return {tracks_[track].values[knot], system_.right(row, side),
            unknowns_ == 2 ? system_.right(row + 1, side) : 0.0};
  }

 private:
  double length(std::size_t piece) const { return times_[piece + 1] - times_[piece]; }

  void add_derivative(std::size_t piece, int order, double u, double scale) {
    const double h = length(piece);
    double Coordinate::*const parts[] = {&Coordinate::rate, &Coordinate::acceleration};
    for (std::size_t side = 0; side < 2; ++side)
      for (int i = 0; i < unknowns_; ++i) {
        Coordinate ends[2];
        ends[side].*parts[i] = 1;
        const double found = derivative(hermite(degree_, ends[0], ends[1], h), order, u);
        const auto column = static_cast<int>(piece + side) * unknowns_ + i;
        system_.entry(row_, column) += scale * found;
      }
    for (std::size_t c = 0; c < tracks_.size(); ++c) {
      const Coordinate from{tracks_[c].values[piece], 0, 0}, to{tracks_[c].values[piece + 1], 0, 0};
      system_.right(row_, static_cast<int>(c)) -=
          scale * derivative(hermite(degree_, from, to, h), order, u);
    }
  }

  std::span<const double> times_;
  std::span<const SplineTrack> tracks_;
  SplineDegree degree_;
  int unknowns_, row_ = 0;
  BandedSystem system_;
};

}  // namespace

Polynomial hermite(SplineDegree degree, const Coordinate& from, const Coordinate& to, double h) {
  const double v0 = from.rate * h;
  if (degree == SplineDegree::cubic) {
    const double rise = to.value - from.value - v0, turn = (to.rate - from.rate) * h;
    return {from.value, from.rate, (3 * rise - turn) / (h * h), (turn - 2 * rise) / (h * h * h),
            0,          0};
  }
  const double a0 = from.acceleration * h * h;
  const double rise = to.value - from.value - v0 - a0 / 2;
  const double turn = (to.rate - from.rate) * h - a0;
  const double bend = (to.acceleration - from.acceleration) * h * h;
  const double h3 = h * h * h;
  return {from.value,
          from.rate,
          from.acceleration / 2,
          (10 * rise - 4 * turn + bend / 2) / h3,
          (-15 * rise + 7 * turn - bend) / (h3 * h),
          (6 * rise - 3 * turn + bend / 2) / (h3 * h * h)};
}

Spline Spline::through(std::span<const double> times, std::span<const SplineTrack> tracks,
                       SplineDegree degree, SplineEnds ends) {
  const std::size_t last = times.size() - 1;
  if (degree == SplineDegree::quintic && ends == SplineEnds::natural && last < 2)
    throw Error("a natural spline of fifth degree needs three way-points at least; clamp its ends");
  KnotEquations equations(times, tracks, degree);
  if (ends == SplineEnds::clamped) equations.add_clamped_end(0, &SplineTrack::start);
  else equations.add_free_end(0, 0);
  for (std::size_t knot = 1; knot < last; ++knot) equations.add_smooth(knot);
  if (ends == SplineEnds::clamped) equations.add_clamped_end(last, &SplineTrack::end);
  else equations.add_free_end(last - 1, times[last] - times[last - 1]);
  equations.solve();

  Spline spline;
  spline.coordinates_ = tracks.size();
  spline.times_.assign(times.begin(), times.end());
  for (std::size_t piece = 0; piece < last; ++piece)
    for (std::size_t c = 0; c < tracks.size(); ++c)
      spline.polynomials_.push_back(hermite(degree, equations.knot(piece, c),
                                            equations.knot(piece + 1, c),
                                            times[piece + 1] - times[piece]));
  return spline;
}

Spline Spline::through_motions(std::span<const double> times,
                               const std::vector<std::vector<Coordinate>>& begins,
                               const std::vector<std::vector<Coordinate>>& ends) {
  Spline spline;
  spline.coordinates_ = begins[0].size();
  spline.times_.assign(times.begin(), times.end());
  for (std::size_t piece = 0; piece < begins.size(); ++piece)
    for (std::size_t c = 0; c < spline.coordinates_; ++c)
      spline.polynomials_.push_back(hermite(SplineDegree::quintic, begins[piece][c], ends[piece][c],
                                            times[piece + 1] - times[piece]));
  return spline;
}

std::size_t Spline::piece(double t) const {
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

Coordinate Spline::at(std::size_t piece, std::size_t coordinate, double t) const {
  const Polynomial& p = polynomials_[piece * coordinates_ + coordinate];
  const double u = t - times_[piece];
  return {derivative(p, 0, u), derivative(p, 1, u), derivative(p, 2, u)};
}

void expect_times(const char* what, std::span<const double> times) {
  if (times.size() < 2)
    throw Error(
        fmt::format("{}: {} way-points found, at least two are needed", what, times.size()));
  if (times[0] != 0)
    throw Error(fmt::format("{}: the first time is {} s; it must be 0", what, times[0]));
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]) || !std::isfinite(times[i]))
      throw Error(fmt::format("{}: times must increase, but {} s follows {} s (way-point {})", what,
                              times[i], times[i - 1], i + 1));
}

}  // namespace limber
