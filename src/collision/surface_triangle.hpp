#pragma once
// SurfaceTriangle: a triangle of a mesh or height field with what lies beyond its edges.
#include <array>
#include <cmath>

#include <limber/collision/shape.hpp>

namespace limber {

struct SurfaceTriangle {
  std::array<Vec3<double>, 3> corners;
  Vec3<double> normal;                 ///< outward, unit
  std::array<Vec3<double>, 3> beyond;  ///< normal across the edge from corner k to k + 1; 0: none
  int id = 0;
};

inline bool overlap(const Bounds& a, const Bounds& b) {
  return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
         b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}
inline Bounds widened(const Bounds& b, double margin) {
  const Vec3<double> m{margin, margin, margin};
  return {b.lower - m, b.upper + m};
}
inline void include(Bounds& b, const Vec3<double>& p) {
  for (int i = 0; i < 3; ++i) {
    if (p[i] < b.lower[i]) b.lower[i] = p[i];
    if (p[i] > b.upper[i]) b.upper[i] = p[i];
  }
}
inline Bounds bounds_of(const std::array<Vec3<double>, 3>& t) {
  Bounds b{t[0], t[0]};
  include(b, t[1]);
  include(b, t[2]);
  return b;
}
/// The box around a finite box at a pose.
inline Bounds moved(const Bounds& b, const Transform<double>& pose) {
  const Vec3<double> c = transform_point(pose, (b.lower + b.upper) * 0.5);
  const Vec3<double> h = (b.upper - b.lower) * 0.5;
  Bounds out;
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> r = pose.R.row(i);
    const double reach = std::abs(r.x) * h.x + std::abs(r.y) * h.y + std::abs(r.z) * h.z;
    out.lower[i] = c[i] - reach, out.upper[i] = c[i] + reach;
  }
  return out;
}
/// Squared distance of two boxes.
inline double squared_distance(const Bounds& a, const Bounds& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double gap = std::fmax(0, std::fmax(a.lower[i] - b.upper[i], b.lower[i] - a.upper[i]));
    sum += gap * gap;
  }
  return sum;
}

}  // namespace limber
