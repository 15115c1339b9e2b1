// The distance of two convex sets, by the method of Gilbert, Johnson and Keerthi (1988).
#include "collision/simplex.hpp"

#include <algorithm>

namespace limber {

void weigh_segment(const Vector& a, const Vector& b, std::span<double, 2> weights) {
  const Vector e = b - a;
  const double ee = dot(e, e), t = ee > 0 ? std::clamp(-dot(a, e) / ee, 0.0, 1.0) : 0;
  weights[0] = 1 - t, weights[1] = t;
}

void weigh_triangle(const Vector& a, const Vector& b, const Vector& c,
                    std::span<double, 3> weights) {
  const Vector ab = b - a, ac = c - a, n = cross(ab, ac);
  const double nn = dot(n, n);
  if (nn > 1e-28 * dot(ab, ab) * dot(ac, ac)) {
    const double v = -dot(n, cross(a, ac)) / nn, w = -dot(n, cross(ab, a)) / nn;
    if (v >= 0 && w >= 0 && v + w <= 1) {
      weights[0] = 1 - v - w, weights[1] = v, weights[2] = w;
      return;
    }
  }
  const std::array<const Vector*, 3> corners{&a, &b, &c};
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    std::array<double, 2> two{};
    weigh_segment(*corners[k], *corners[next], two);
    const Vector p = two[0] * *corners[k] + two[1] * *corners[next];
    if (const double d = dot(p, p); d < least) {
      least = d;
      weights[k] = two[0], weights[next] = two[1], weights[(k + 2) % 3] = 0;
    }
  }
}

namespace {

// true if the origin lies in the tetrahedron; else the weights of its closest face
bool weigh_tetrahedron(const std::array<DifferencePoint, 4>& p, std::array<double, 4>& weights) {
  constexpr std::array<std::array<std::size_t, 4>, 4> faces{
      {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}};
  double least = HUGE_VAL;
  bool is_inside = true;
  for (const auto& [i, j, k, opposite] : faces) {
    const Vector n = cross(p[j].w - p[i].w, p[k].w - p[i].w);
    const double height = dot(n, p[opposite].w - p[i].w), origin = -dot(n, p[i].w);
    // flat, or the origin on the other side
    const double size =
        norm(p[j].w - p[i].w) * norm(p[k].w - p[i].w) * norm(p[opposite].w - p[i].w);
    const bool is_flat = std::abs(height) <= 1e-13 * size;
    if (!is_flat && height * origin >= 0) continue;
    is_inside = false;
    std::array<double, 3> three{};
    weigh_triangle(p[i].w, p[j].w, p[k].w, three);
    const Vector q = three[0] * p[i].w + three[1] * p[j].w + three[2] * p[k].w;
    if (const double d = dot(q, q); d < least) {
      least = d;
      weights[i] = three[0], weights[j] = three[1], weights[k] = three[2], weights[opposite] = 0;
    }
  }
  return is_inside;
}

}  // namespace

Vector Simplex::reduce() {
  weights = {};
  if (count == 1) weights[0] = 1;
  else if (count == 2) weigh_segment(points[0].w, points[1].w, std::span(weights).first<2>());
  else if (count == 3)
    weigh_triangle(points[0].w, points[1].w, points[2].w, std::span(weights).first<3>());
  else if (weigh_tetrahedron(points, weights)) return {};
  int kept = 0;
  Vector sum;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    if (!(weights[k] > 0)) continue;
    const auto to = static_cast<std::size_t>(kept++);
    points[to] = points[k], weights[to] = weights[k];
    sum += weights[to] * points[to].w;
  }
  count = kept;
  return sum;
}

Vector Simplex::point_a() const {
  Vector sum;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) sum += weights[k] * points[k].a;
  return sum;
}

CoreDistance core_distance(const Difference& difference, double margin) {
  const double scale = difference.scale(), touching = 1e-6 * scale;
  CoreDistance out;
  Simplex simplex;
  Vector v = difference.centres();
  if (!(dot(v, v) > touching * touching)) v = {1, 0, 0};
  simplex.add(difference.farthest(-v));
  simplex.weights[0] = 1;
  v = simplex.points[0].w;
  constexpr int most_iterations = 200;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double length = norm(v);
    if (!(length > touching)) {
      out.simplex = simplex;
      return out;
    }
    const DifferencePoint next = difference.farthest(-v);
    const double bound = dot(v, next.w) / length;  // no point is closer
    if (bound > margin) {
      out.status = CoreDistance::Status::beyond_margin;
      return out;
    }
    if (length - bound <= 1e-15 * (scale + length)) break;
    bool is_known = false;
    for (std::size_t k = 0; k < static_cast<std::size_t>(simplex.count); ++k) {
      const Vector step = next.w - simplex.points[k].w;
      is_known = is_known || !(dot(step, step) > 0);
    }
    if (is_known) break;
    Simplex larger = simplex;
    larger.add(next);
    const Vector closer = larger.reduce();
    if (larger.count == 4) {        // around the origin
      if (bound > touching) break;  // but that lies outside: a flat tetrahedron, by rounding
      out.simplex = larger;
      return out;
    }
    if (!(dot(closer, closer) < dot(v, v))) break;  // no further, for rounding
    simplex = larger;
    v = closer;
  }
  out.status = CoreDistance::Status::apart;
  out.way = v;
  out.point_a = simplex.point_a();
  out.simplex = simplex;
  return out;
}

bool nearest_of_any(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out) {
  const Difference difference(a, b, X);
  const double rounding = a.rounding + b.rounding;
  const CoreDistance core = core_distance(difference, margin + rounding);
  out.has_points = true;
  if (core.status == CoreDistance::Status::beyond_margin) return false;
  if (core.status == CoreDistance::Status::apart) {
    const double distance = norm(core.way);
    out.normal = core.way / distance;
    out.depth = -distance;
    out.point_a = core.point_a;
  } else {
    out = way_out(difference, core.simplex);
  }
  if (difference.is_round() && !improve_smooth(difference, out))
    improve_along_line(difference, out);
  out.depth += rounding;
  out.point_a -= a.rounding * out.normal;
  out.point_b = out.point_a + out.depth * out.normal;
  return out.depth >= -margin;
}

}  // namespace limber
