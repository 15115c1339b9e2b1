#include <limber/control/line_of_sight.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "index.hpp"

namespace limber {

void check_route(const Route& route) {
  if (route.points.empty()) throw Error("route: there are no way-points; give at least one");
  for (std::size_t i = 1; i < route.points.size(); ++i) {
    const Vec3<double> leg = route.points[i] - route.points[i - 1];
    if (!(std::hypot(leg.x, leg.y) > 0))
      throw Error(
          fmt::format("route: way-points {} and {} lie above each other; no heading leads from one "
                      "to the other",
                      i, i + 1));
  }
  if (!(route.lookahead > 0) || !(route.acceptance > 0))
    throw Error(
        fmt::format("route: lookahead is {} m and acceptance {} m; both must be positive numbers",
                    route.lookahead, route.acceptance));
  if (!(route.speed >= 0))
    throw Error(fmt::format("route: speed is {} m/s; it must not be negative", route.speed));
}

Guidance line_of_sight(const Route& route, const Vec3<double>& start, const Vec3<double>& position,
                       int next) {
  const int count = static_cast<int>(route.points.size());
  const auto reached = [&](int k) {
    const Vec3<double> way = route.points[at_index(k)] - position;
    return std::hypot(way.x, way.y) <= route.acceptance;
  };
  while (next < count && reached(next)) ++next;
  // when all are reached, the last line goes on
  const int to = std::min(next, count - 1);
  const Vec3<double> a = to > 0 ? route.points[at_index(to - 1)] : start,
                     b = route.points[at_index(to)], leg = b - a, from_a = position - a;
  const double length = std::hypot(leg.x, leg.y);
  const double angle = std::atan2(leg.y, leg.x), c = std::cos(angle), s = std::sin(angle);
  const double along = c * from_a.x + s * from_a.y;
  Guidance wanted;
  wanted.next = next;
  wanted.cross_track = c * from_a.y - s * from_a.x;
  wanted.heading = angle - std::atan2(wanted.cross_track, route.lookahead);
  wanted.height = length > 0 ? a.z + leg.z * std::clamp(along / length, 0.0, 1.0) : b.z;
  wanted.speed = next < count ? route.speed : 0;
  return wanted;
}

}  // namespace limber
