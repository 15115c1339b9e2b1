// Searches end where the depth is exact to rounding; the direction of the way is then known to the
// square root of it where a surface is round. A few steps of Newton's method make it exact, too.
#include <algorithm>

#include "collision/simplex.hpp"

namespace limber {

namespace {

constexpr double rounding_error = 1e-12;  // of the scale of the two solids
constexpr double no_worse = 1e-11;

// from the farthest point to one side of m to that to the other, for two directions square to m
std::array<Vector, 2> jumps(const Difference& difference, const Vector& m, double aside) {
  const Vector t = square_to(m), u = cross(m, t);
  return {difference.farthest(m + aside * t).w - difference.farthest(m - aside * t).w,
          difference.farthest(m + aside * u).w - difference.farthest(m - aside * u).w};
}

}  // namespace

// The reach of A − B along m is h = m · w(m), with w the farthest point. Its gradient on the sphere
// is w − h m, its Hessian dw/dm − h.
bool improve_smooth(const Difference& difference, Nearest& best) {
  const double scale = difference.scale();
  Vector m = -best.normal;
  DifferencePoint p = difference.farthest(m);
  for (int iteration = 0; iteration < 8; ++iteration) {
    const double h = dot(m, p.w);
    const Vector t = square_to(m), u = cross(m, t);
    const double gt = dot(t, p.w), gu = dot(u, p.w);
    if (std::hypot(gt, gu) <= rounding_error * scale) {
      if (h > best.depth + no_worse * scale) return false;
      best.normal = -m, best.depth = h, best.point_a = p.a;
      return true;
    }
    constexpr double step = 1e-6;
    const Vector wt = difference.farthest(unit_or_z(m + step * t)).w - p.w;
    const Vector wu = difference.farthest(unit_or_z(m + step * u)).w - p.w;
    // where the reach is the same all around, no step
    const double least = 1e-6 * scale;
    const double tt = dot(t, wt) / step - h + least, uu = dot(u, wu) / step - h + least,
                 tu = (dot(t, wu) + dot(u, wt)) / (2 * step), det = tt * uu - tu * tu;
    if (!(tt > 0 && det > 1e-9 * tt * std::abs(uu))) return false;
    const double st = (tu * gu - uu * gt) / det, su = (tu * gt - tt * gu) / det;
    if (!(std::hypot(st, su) < 0.1)) return false;
    m = unit_or_z(m + st * t + su * u);
    p = difference.farthest(m);
  }
  return false;
}

bool improve_along_line(const Difference& difference, Nearest& best) {
  const double scale = difference.scale();
  Vector m = -best.normal, e;
  for (const double aside : {3e-2, 1e-3, 1e-5, 1e-8, 1e-12}) {
    const auto [first, second] = jumps(difference, m, aside);
    e = dot(first, first) > dot(second, second) ? first : second;
    if (!(norm(e) > 1e-2 * scale)) return false;
    e = unit_or_z(e);
    m = unit_or_z(m - dot(m, e) * e);
  }
  if (dot(m, best.normal) > -0.9) return false;
  for (int iteration = 0; iteration < 8; ++iteration) {
    const DifferencePoint p = difference.farthest(m);
    const Vector t = cross(e, m);
    const double h = dot(m, p.w), slope = dot(t, p.w);
    if (std::abs(slope) <= rounding_error * scale) {
      if (h > best.depth + no_worse * scale) return false;
      // of the line, the point above the origin
      const DifferencePoint up = difference.farthest(m + 1e-9 * e),
                            down = difference.farthest(m - 1e-9 * e);
      const double high = dot(e, up.w), low = dot(e, down.w);
      if (high < -no_worse * scale || low > no_worse * scale) return false;
      const double s = high > low ? std::clamp(-low / (high - low), 0.0, 1.0) : 0;
      best.normal = -m, best.depth = h;
      best.point_a = s * up.a + (1 - s) * down.a;
      return true;
    }
    constexpr double step = 1e-6;
    const double curvature = dot(t, difference.farthest(m + step * t).w - p.w) / step - h;
    if (!(curvature > std::abs(slope))) return false;
    m = unit_or_z(m - (slope / curvature) * t);
  }
  return false;
}

bool improve_on_face(const Difference& difference, Nearest& best) {
  const double scale = difference.scale();
  Vector m = -best.normal;
  for (const double aside : {3e-2, 1e-3, 1e-5}) {
    const auto [first, second] = jumps(difference, m, aside);
    const Vector n = cross(first, second);
    if (!(norm(n) > 1e-4 * scale * scale)) return false;
    m = unit_or_z(dot(n, m) > 0 ? n : -n);
  }
  const double h = dot(m, difference.farthest(m).w);
  if (h > best.depth) return false;
  best.normal = -m, best.depth = h;
  return true;
}

}  // namespace limber
