#pragma once
// Solid: what the narrow phase works with, a convex set in its own frame, given by the farthest
// point in each direction, and a radius by which it is rounded: a sphere is a rounded point, a
// capsule a rounded segment.
#include <array>
#include <cmath>
#include <cstdint>

#include <limber/collision/shape.hpp>

#include "collision/convex_polyhedron.hpp"

namespace limber {

using Vector = Vec3<double>;
using Pose = Transform<double>;

struct Solid {
  enum class Kind : std::uint8_t { point, segment, box, cylinder, ellipsoid, polyhedron, triangle };
  Kind kind = Kind::point;
  double rounding = 0;  ///< [m]
  double extent = 0;    ///< of the order of its diameter, for tolerances [m]
  /// Half edges; cylinder: (radius, radius, half length); segment: (0, 0, half length).
  Vector half;
  const ConvexPolyhedron* polyhedron = nullptr;
  std::array<Vector, 3> corners{};  ///< of a triangle
};

/// Of a convex shape.
Solid solid_of(const Shape& shape);
Solid triangle_solid(const Vector& a, const Vector& b, const Vector& c);

/// The farthest point along d, of the set without its rounding.
inline Vector support(const Solid& s, const Vector& d) {
  switch (s.kind) {
    case Solid::Kind::point:
      return {};
    case Solid::Kind::segment:
      return {0, 0, std::copysign(s.half.z, d.z)};
    case Solid::Kind::box:
      return {std::copysign(s.half.x, d.x), std::copysign(s.half.y, d.y),
              std::copysign(s.half.z, d.z)};
    case Solid::Kind::cylinder: {
      const double z = std::copysign(s.half.z, d.z), across = std::sqrt(d.x * d.x + d.y * d.y);
      if (!(across > 0)) return {0, 0, z};
      return {s.half.x * (d.x / across), s.half.x * (d.y / across), z};
    }
    case Solid::Kind::ellipsoid: {
      const Vector e{s.half.x * d.x, s.half.y * d.y, s.half.z * d.z};
      const double length = std::sqrt(dot(e, e));
      if (!(length > 0)) return {s.half.x, 0, 0};
      return {s.half.x * e.x / length, s.half.y * e.y / length, s.half.z * e.z / length};
    }
    case Solid::Kind::polyhedron:
      return s.polyhedron->vertex(s.polyhedron->farthest(d));
    case Solid::Kind::triangle: {
      const double a = dot(d, s.corners[0]), b = dot(d, s.corners[1]), c = dot(d, s.corners[2]);
      return a >= b && a >= c ? s.corners[0] : b >= c ? s.corners[1] : s.corners[2];
    }
  }
  return {};
}

/// A point inside, for directions to begin with.
Vector centre(const Solid& s);

/// A unit vector square to a unit vector.
inline Vector square_to(const Vector& n) {
  const Vector other = std::abs(n.x) < 0.6 ? Vector{1, 0, 0} : Vector{0, 1, 0};
  const Vector t = cross(n, other);
  return t / norm(t);
}
/// v / |v|, or z where the length is 0 or not a number.
inline Vector unit_or_z(const Vector& v) {
  const double length = norm(v);
  return length > 0 ? v / length : Vector{0, 0, 1};
}

}  // namespace limber
