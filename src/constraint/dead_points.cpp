// Dead points: the path of a mechanism is followed until the dependent part of its rows is
// singular.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <limber/constraint/loop_analysis.hpp>
#include <limber/model/joint_space.hpp>

#include "constraint/position_rows.hpp"
#include "dynamics/checks.hpp"
#include "math/singular_values.hpp"

namespace limber {

namespace {

std::vector<int> all_but(int count, const std::vector<int>& left_out) {
  std::vector<int> rest;
  for (int k = 0; k < count; ++k)
    if (std::find(left_out.begin(), left_out.end(), k) == left_out.end()) rest.push_back(k);
  return rest;
}

Dense columns_from(const Dense& J, const std::vector<int>& columns) {
  Dense part(J.rows, static_cast<int>(columns.size()));
  for (int i = 0; i < J.rows; ++i)
    for (int k = 0; k < part.columns; ++k) part(i, k) = J(i, columns[at_index(k)]);
  return part;
}

std::vector<int> checked_independent(const Mechanism& m, const LoopAnalysis& here,
                                     const std::vector<int>& given) {
  if (given.empty()) return here.independent;
  for (const int k : given)
    if (k < 0 || k >= m.tree.nv)
      throw Error(fmt::format("loop analysis: there is no freedom {} in robot '{}', which has {}",
                              k, m.tree.name, m.tree.nv));
  if (static_cast<int>(given.size()) != here.mobility)
    throw Error(fmt::format(
        "loop analysis: robot '{}' has mobility {} at this position, but {} independent freedoms "
        "were given; name as many freedoms as the mobility",
        m.tree.name, here.mobility, given.size()));
  return given;
}

/// A position on the path, and the direction in which it goes on.
struct PathPoint {
  Numbers q, direction;
  double at = 0, value = 0;  ///< length of the path; smallest singular value of the dependent part
};

class Path {
 public:
  Path(const Mechanism& m, double t, std::span<const double> start, std::vector<int> dependent)
      : m_(m),
        rows_(m, t),
        scales_(row_scales(m, rows_.all(), rows_.full_jacobian(start))),
        dependent_(std::move(dependent)) {
    search_.may_move.assign(at_index(m.tree.nv), 1);
  }

  /// The direction nearest to `wanted` that the rows allow, of unit length; empty: none.
  Numbers allowed(std::span<const double> q, const Numbers& wanted) {
    const Dense J = jacobian(q);
    const Dense N = RankedQr(transpose(J), 1e-9).complement();
    Numbers direction = N * transposed_times(N, wanted);
    const double length = norm_of(direction);
    if (!(length > 1e-9 * norm_of(wanted))) return {};
    for (double& x : direction) x /= length;
    return direction;
  }

  double value(std::span<const double> q) {
    if (dependent_.empty()) return std::numeric_limits<double>::infinity();
    const Dense J = jacobian(q);
    const Dense part = columns_from(J, dependent_);  // row by row: its transpose column by column
    return SingularValues(part.data, part.columns).sigma.back();
  }

  int rank(std::span<const double> q) {
    const Dense J = jacobian(q);
    return RankedQr(transpose(J), 1e-3).rank();
  }

  /// The point further along by `length`, in two half displacements (the second corrects the
  /// direction).
  bool advance(const PathPoint& from, double length, PathPoint& to) {
    Numbers middle = from.q;
    integrate<double>(m_.tree, from.q, from.direction, length / 2, middle);
    const Numbers direction = allowed(middle, from.direction);
    if (direction.empty()) return false;
    to.q.resize(from.q.size());
    integrate<double>(m_.tree, from.q, direction, length, to.q);
    int count = 0;
    if (!(rows_.close(search_, to.q, count) <= 1e-9)) return false;
    to.direction = allowed(to.q, direction);
    if (to.direction.empty()) return false;
    to.at = from.at + length;
    to.value = value(to.q);
    return true;
  }

  bool is_closed(std::span<const double> q) { return largest_of(rows_.gaps(q)) <= 1e-6; }

 private:
  Dense jacobian(std::span<const double> q) {
    Dense J = rows_.full_jacobian(q);
    scale_rows(scales_, J);
    return J;
  }

  const Mechanism& m_;
  PositionRows rows_;
  Numbers scales_;  // those of the start, so that rows change smoothly
  std::vector<int> dependent_;
  PositionRows::Search search_;
};

/// Where the value is smallest within `length` after `from`: thirds, as the value is |s − s₀|
/// nearby.
PathPoint smallest_between(Path& path, const PathPoint& from, double length) {
  double low = 0, high = length;
  PathPoint a, b;
  for (int i = 0; i < 60 && high - low > 1e-10; ++i) {
    const double third = (high - low) / 3;
    if (!path.advance(from, low + third, a) || !path.advance(from, high - third, b)) break;
    (a.value < b.value ? high : low) = a.value < b.value ? high - third : low + third;
  }
  PathPoint found;
  return path.advance(from, (low + high) / 2, found) ? found : from;
}

}  // namespace

DeadPoint dead_point_ahead(const Mechanism& m, double t, std::span<const double> q,
                           std::span<const double> v, const DeadPointSettings& settings) {
  check_size("dead_point_ahead", "v", v.size(), m.tree.nv, m.tree.name);
  if (!(settings.displacement > 0) || !(settings.distance > 0))
    throw Error("dead_point_ahead: distance and displacement must be positive");
  const LoopAnalysis here = analyse_loops(m, t, q);
  const std::vector<int> independent = checked_independent(m, here, settings.independent);
  Path path(m, t, q, all_but(m.tree.nv, independent));
  if (!path.is_closed(q))
    throw Error(fmt::format(
        "dead_point_ahead: {} is open by {:.3g} at the given position of robot '{}'; assemble() "
        "closes it",
        m.row_name(here.largest_row), here.largest_gap, m.tree.name));
  PathPoint last, now, next;
  now.q.assign(q.begin(), q.end());
  now.direction = path.allowed(q, Numbers(v.begin(), v.end()));
  if (now.direction.empty())
    throw Error(fmt::format(
        "dead_point_ahead: the loops of robot '{}' allow no motion in the direction of v",
        m.tree.name));
  now.value = path.value(now.q);
  DeadPoint found;
  found.singular_value = now.value;
  const double h = 1e-4 * settings.displacement;
  if (path.advance(now, h, next)) found.rate = (next.value - now.value) / h;
  found.estimate =
      found.rate < 0 ? -found.singular_value / found.rate : std::numeric_limits<double>::infinity();
  last = now;
  while (now.at < settings.distance && path.advance(now, settings.displacement, next)) {
    if (next.value > now.value && now.at > 0 && now.value <= last.value) {
      const PathPoint smallest = smallest_between(path, last, next.at - last.at);
      // gaps of 1e-11 leave a position uncertain by their root where paths branch
      if (smallest.value < 1e-4) {
        found.kind = path.rank(smallest.q) < here.rank ? DeadPoint::Kind::singular
                                                       : DeadPoint::Kind::dead_point;
        found.distance = smallest.at;
        found.q = smallest.q;
        return found;
      }
    }
    last = now;
    now = next;
  }
  return found;
}

Branch compare_branches(const Mechanism& m, double t, std::span<const double> q0,
                        std::span<const double> q1, const std::vector<int>& given) {
  const LoopAnalysis here = analyse_loops(m, t, q0);
  check_size("compare_branches", "q1", q1.size(), m.tree.nq, m.tree.name);
  const std::vector<int> dependent = all_but(m.tree.nv, checked_independent(m, here, given));
  const std::vector<int> rows = all_but(m.rows, here.redundant_rows);
  PositionRows position(m, t);
  const Numbers scales = row_scales(m, position.all(), position.full_jacobian(q0));
  const auto part = [&](std::span<const double> q) {
    Dense J = position.full_jacobian(q);
    scale_rows(scales, J);
    return transpose(columns_from(transpose(columns_from(J, dependent)), rows));
  };
  const auto is_dead = [](const Dense& A) {
    return A.rows > 0 && SingularValues(A.data, A.columns).sigma.back() < 1e-9;
  };
  const Dense a = part(q0), b = part(q1);
  if (is_dead(a) || is_dead(b)) return Branch::unclear;
  return (determinant(a) > 0) == (determinant(b) > 0) ? Branch::same : Branch::switched;
}

}  // namespace limber
