// The closest points of the surfaces that have closed forms.
#include <algorithm>

#include "collision/nearest.hpp"

namespace limber {

namespace {

SurfacePoint closest_on_box(const Vector& half, const Vector& p) {
  const Vector q{std::clamp(p.x, -half.x, half.x), std::clamp(p.y, -half.y, half.y),
                 std::clamp(p.z, -half.z, half.z)};
  const double distance = norm(p - q);
  if (distance > 0) return {q, (p - q) / distance, distance};
  // inside: through the closest face
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (half[i] - std::abs(p[i]) < half[axis] - std::abs(p[axis])) axis = i;
  SurfacePoint out{p, {}, std::abs(p[axis]) - half[axis]};
  out.normal[axis] = std::copysign(1.0, p[axis]);
  out.point[axis] = std::copysign(half[axis], p[axis]);
  return out;
}

SurfacePoint closest_on_cylinder(double radius, double half, const Vector& p) {
  const double across = std::hypot(p.x, p.y);
  const Vector outward = across > 0 ? Vector{p.x / across, p.y / across, 0} : Vector{1, 0, 0};
  if (across <= radius && std::abs(p.z) <= half) {
    if (radius - across < half - std::abs(p.z))
      return {outward * radius + Vector{0, 0, p.z}, outward, across - radius};
    const double sign = std::copysign(1.0, p.z);
    return {{p.x, p.y, sign * half}, {0, 0, sign}, std::abs(p.z) - half};
  }
  const Vector q = outward * std::min(across, radius) + Vector{0, 0, std::clamp(p.z, -half, half)};
  // not from p − q, whose rounding turns the normal where p lies on the surface
  const double aside = std::max(0.0, across - radius), above = std::max(0.0, std::abs(p.z) - half);
  const double distance = std::hypot(aside, above);
  return {q, (outward * aside + Vector{0, 0, std::copysign(above, p.z)}) / distance, distance};
}

SurfacePoint closest_on_segment(double half, const Vector& p) {
  const Vector q{0, 0, std::clamp(p.z, -half, half)};
  const double distance = norm(p - q);
  if (distance > 0) return {q, (p - q) / distance, distance};
  return {q, {1, 0, 0}, 0};
}

// p inside: the closest plane of a face
SurfacePoint closest_face(const ConvexPolyhedron& hull, const Vector& p) {
  SurfacePoint out{p, {0, 0, 1}, -HUGE_VAL};
  for (const ConvexPolyhedron::Face& face : hull.faces())
    if (const double side = dot(face.normal, p) - face.offset; side > out.distance)
      out.distance = side, out.normal = face.normal;
  out.point = p - out.distance * out.normal;
  return out;
}

SurfacePoint closest_on_flat_triangle(const std::array<Vector, 3>& t, const Vector& p) {
  const Vector q = closest_on_triangle(t, p);
  const double distance = norm(p - q);
  if (distance > 0) return {q, (p - q) / distance, distance};
  return {q, unit_or_z(cross(t[1] - t[0], t[2] - t[0])), 0};
}

}  // namespace

SurfacePoint closest_on_surface(const Solid& s, const Vector& p) {
  switch (s.kind) {
    case Solid::Kind::segment:
      return closest_on_segment(s.half.z, p);
    case Solid::Kind::box:
      return closest_on_box(s.half, p);
    case Solid::Kind::cylinder:
      return closest_on_cylinder(s.half.x, s.half.z, p);
    case Solid::Kind::ellipsoid:
      return closest_on_ellipsoid(s.half, p);
    case Solid::Kind::polyhedron:
      return closest_face(*s.polyhedron, p);
    case Solid::Kind::triangle:
      return closest_on_flat_triangle(s.corners, p);
    case Solid::Kind::point:
      break;
  }
  return {{}, unit_or_z(p), norm(p)};
}

// With e the semi-axes, the closest point is x_i = e_i² p_i / (t + e_i²) for the largest root t of
// Σ (e_i p_i / (t + e_i²))² = 1. The sum falls and is convex, so Newton's method from the left of
// the root does not overshoot. s = t + e_min² keeps the small differences.
SurfacePoint closest_on_ellipsoid(const Vector& semi_axes, const Vector& p) {
  const Vector& e = semi_axes;
  const double smallest = std::min({e.x, e.y, e.z});
  Vector y, gap;  // |p|, and e² − e_min²
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    // on a plane of symmetry inside, the closest point may lie to either side of it
    y[i] = std::max(std::abs(p[i]), 1e-14 * smallest);
    gap[i] = (e[i] - smallest) * (e[i] + smallest);
    s = std::max(s, e[i] * y[i] - gap[i]);  // each term alone is at most 1
  }
  for (int iteration = 0; iteration < 100; ++iteration) {
    double value = -1, slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double ratio = e[i] * y[i] / (s + gap[i]);
      value += ratio * ratio;
      slope -= 2 * ratio * ratio / (s + gap[i]);
    }
    const double next = s - value / slope;
    if (!(next > s)) break;
    s = next;
  }
  SurfacePoint out;
  Vector scaled;  // x / e, a unit vector but for rounding
  for (int i = 0; i < 3; ++i) scaled[i] = std::copysign(e[i] * y[i] / (s + gap[i]), p[i]);
  scaled = unit_or_z(scaled);
  for (int i = 0; i < 3; ++i) {
    out.point[i] = e[i] * scaled[i];
    out.normal[i] = scaled[i] / e[i];
  }
  out.normal = unit_or_z(out.normal);
  out.distance = dot(out.normal, p - out.point);
  return out;
}

Vector closest_on_triangle(const std::array<Vector, 3>& t, const Vector& p) {
  const Vector ab = t[1] - t[0], ac = t[2] - t[0], n = cross(ab, ac);
  const double nn = dot(n, n);
  if (nn > 1e-24 * dot(ab, ab) * dot(ac, ac)) {
    // inside of all three edges: straight down
    const Vector ap = p - t[0];
    const double v = dot(n, cross(ap, ac)) / nn, w = dot(n, cross(ab, ap)) / nn;
    if (v >= 0 && w >= 0 && v + w <= 1) return t[0] + v * ab + w * ac;
  }
  Vector best;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector &a = t[k], e = t[(k + 1) % 3] - a;
    const double ee = dot(e, e), s = ee > 0 ? std::clamp(dot(p - a, e) / ee, 0.0, 1.0) : 0;
    const Vector q = a + s * e;
    if (const double d = dot(p - q, p - q); d < least) least = d, best = q;
  }
  return best;
}

}  // namespace limber
