#pragma once
// Convex shapes in plain arithmetic: farthest points, inside or not, and the signed distance by
// trying directions. Slow, and nothing of it is the library's.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <limber/collision/collide.hpp>

#include "support/random.hpp"

namespace limber::test {

using V = Vec3<double>;
using T = Transform<double>;

inline double inner(const V& a, const V& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(const V& a) { return std::sqrt(inner(a, a)); }
inline V unit(const V& a) {
  const double n = length(a);
  return {a.x / n, a.y / n, a.z / n};
}
inline V to_frame(const T& X, const V& d) {  // Rᵀ d
  return {X.R.xx * d.x + X.R.yx * d.y + X.R.zx * d.z, X.R.xy * d.x + X.R.yy * d.y + X.R.zy * d.z,
          X.R.xz * d.x + X.R.yz * d.y + X.R.zz * d.z};
}

struct PlainShape {
  Shape::Kind kind = Shape::Kind::sphere;
  double radius = 0, half = 0;
  V size;                 // half edges, semi-axes
  std::vector<V> points;  // of a hull

  /// Greatest value of d · x for unit d.
  double reach(const V& d) const {
    switch (kind) {
      case Shape::Kind::sphere:
        return radius;
      case Shape::Kind::capsule:
        return radius + half * std::fabs(d.z);
      case Shape::Kind::box:
        return size.x * std::fabs(d.x) + size.y * std::fabs(d.y) + size.z * std::fabs(d.z);
      case Shape::Kind::cylinder:
        return radius * std::sqrt(d.x * d.x + d.y * d.y) + half * std::fabs(d.z);
      case Shape::Kind::ellipsoid:
        return std::sqrt(size.x * size.x * d.x * d.x + size.y * size.y * d.y * d.y +
                         size.z * size.z * d.z * d.z);
      default: {
        double most = -1e300;
        for (const V& p : points) most = std::max(most, inner(p, d));
        return most;
      }
    }
  }
  /// Signed distance for the shapes with simple forms; else below 0 inside, above 0 outside.
  bool holds(const V& p) const {
    const double across = std::sqrt(p.x * p.x + p.y * p.y);
    switch (kind) {
      case Shape::Kind::sphere:
        return length(p) < radius;
      case Shape::Kind::capsule: {
        const double beyond = std::max(0.0, std::fabs(p.z) - half);
        return across * across + beyond * beyond < radius * radius;
      }
      case Shape::Kind::box:
        return std::fabs(p.x) < size.x && std::fabs(p.y) < size.y && std::fabs(p.z) < size.z;
      case Shape::Kind::cylinder:
        return across < radius && std::fabs(p.z) < half;
      case Shape::Kind::ellipsoid:
        return std::pow(p.x / size.x, 2) + std::pow(p.y / size.y, 2) + std::pow(p.z / size.z, 2) <
               1;
      default:
        return false;
    }
  }
  Shape shape() const {
    switch (kind) {
      case Shape::Kind::sphere:
        return Shape::sphere(radius);
      case Shape::Kind::capsule:
        return Shape::capsule(radius, 2 * half);
      case Shape::Kind::box:
        return Shape::box({2 * size.x, 2 * size.y, 2 * size.z});
      case Shape::Kind::cylinder:
        return Shape::cylinder(radius, 2 * half);
      case Shape::Kind::ellipsoid:
        return Shape::ellipsoid(size);
      default:
        return Shape::convex(points);
    }
  }
};

inline const std::vector<Shape::Kind>& convex_kinds() {
  static const std::vector<Shape::Kind> kinds{Shape::Kind::sphere,    Shape::Kind::capsule,
                                              Shape::Kind::box,       Shape::Kind::cylinder,
                                              Shape::Kind::ellipsoid, Shape::Kind::convex};
  return kinds;
}

inline PlainShape random_shape(Shape::Kind kind, Random& random) {
  PlainShape s;
  s.kind = kind;
  s.radius = random.uniform(0.1, 1), s.half = random.uniform(0.1, 1);
  s.size = {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
  const int count = random.integer(5, 40);
  for (int i = 0; i < count; ++i) s.points.push_back(random.vec3());
  return s;
}

struct PlainPair {
  const PlainShape &a, &b;
  T a_pose, b_pose;

  /// How far a lies from b along n (from b to a): the signed distance is the greatest of these.
  double gap(const V& n) const {
    const V minus{-n.x, -n.y, -n.z};
    const V way{a_pose.p.x - b_pose.p.x, a_pose.p.y - b_pose.p.y, a_pose.p.z - b_pose.p.z};
    return inner(n, way) - a.reach(to_frame(a_pose, minus)) - b.reach(to_frame(b_pose, n));
  }

  /// The greatest gap found from `tries` directions, each of the best improved by small changes.
  double greatest_gap(int tries, Random& random) const {
    struct Try {
      double value;
      V direction;
    };
    std::vector<Try> all;
    for (int i = 0; i < tries; ++i) {
      const V d = random.direction();
      all.push_back({gap(d), d});
    }
    const V way{a_pose.p.x - b_pose.p.x, a_pose.p.y - b_pose.p.y, a_pose.p.z - b_pose.p.z};
    if (length(way) > 0) all.push_back({gap(unit(way)), unit(way)});
    const std::size_t kept = std::min<std::size_t>(all.size(), 4);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                      [](const Try& p, const Try& q) { return p.value > q.value; });
    double best = -1e300;
    for (std::size_t i = 0; i < kept; ++i) {
      Try at = all[i];
      for (double step = 0.3; step > 1e-8; step *= 0.6)
        for (int k = 0; k < 6; ++k) {
          const V d = random.direction();
          const V n = unit({at.direction.x + step * d.x, at.direction.y + step * d.y,
                            at.direction.z + step * d.z});
          if (const double value = gap(n); value > at.value) at = {value, n};
        }
      best = std::max(best, at.value);
    }
    return best;
  }
};

/// The greatest amount by which a point lies outside of a shape, over some directions.
inline double outside(const PlainShape& s, const T& pose, const V& point, int tries,
                      Random& random) {
  double most = -1e300;
  for (int i = 0; i < tries; ++i) {
    const V d = random.direction();
    const V r{point.x - pose.p.x, point.y - pose.p.y, point.z - pose.p.z};
    most = std::max(most, inner(d, r) - s.reach(to_frame(pose, d)));
  }
  return most;
}

}  // namespace limber::test
