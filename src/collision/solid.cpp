#include "collision/solid.hpp"

#include <algorithm>

namespace limber {

Solid solid_of(const Shape& shape) {
  Solid s;
  switch (shape.kind()) {
    case Shape::Kind::sphere:
      s.kind = Solid::Kind::point, s.rounding = s.extent = shape.radius();
      break;
    case Shape::Kind::capsule:
      s.kind = Solid::Kind::segment, s.rounding = shape.radius();
      s.half = {0, 0, shape.half_length()};
      s.extent = s.rounding + s.half.z;
      break;
    case Shape::Kind::cylinder:
      s.kind = Solid::Kind::cylinder;
      s.half = {shape.radius(), shape.radius(), shape.half_length()};
      s.extent = s.half.x + s.half.z;
      break;
    case Shape::Kind::ellipsoid:
      s.kind = Solid::Kind::ellipsoid, s.half = shape.half_edges();
      s.extent = std::max({s.half.x, s.half.y, s.half.z});
      break;
    case Shape::Kind::convex:
      s.kind = Solid::Kind::polyhedron, s.polyhedron = &shape.polyhedron();
      s.extent = s.polyhedron->extent();
      break;
    default:
      s.kind = Solid::Kind::box, s.half = shape.half_edges();
      s.extent = norm(s.half);
      break;
  }
  return s;
}

Solid triangle_solid(const Vector& a, const Vector& b, const Vector& c) {
  Solid s;
  s.kind = Solid::Kind::triangle;
  s.corners = {a, b, c};
  s.extent = norm(b - a) + norm(c - a);
  return s;
}

Vector centre(const Solid& s) {
  if (s.kind == Solid::Kind::triangle)
    return (s.corners[0] + s.corners[1] + s.corners[2]) * (1.0 / 3);
  return s.kind == Solid::Kind::polyhedron ? s.polyhedron->centre() : Vector{};
}

}  // namespace limber
