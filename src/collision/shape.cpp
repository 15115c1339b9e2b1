#include <limber/collision/shape.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "collision/height_grid.hpp"
#include "collision/solid.hpp"
#include "collision/triangle_tree.hpp"

namespace limber {

namespace {

double expect_size(const char* shape, const char* what, double size) {
  if (!(size > 0 && std::isfinite(size)))
    throw Error(fmt::format("{}: {} is {} m; it must be positive and finite", shape, what, size));
  return size;
}
Vector expect_sizes(const char* shape, const char* what, const Vector& sizes) {
  for (int i = 0; i < 3; ++i) expect_size(shape, what, sizes[i]);
  return sizes;
}
void expect_points(const char* shape, const std::vector<Vector>& points) {
  for (const Vector& p : points)
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
      throw Error(
          fmt::format("{}: a vertex is ({}, {}, {}); it must be finite", shape, p.x, p.y, p.z));
}

}  // namespace

const char* name(Shape::Kind kind) {
  constexpr std::array names{"sphere", "capsule", "box",  "cylinder",    "ellipsoid",
                             "convex", "plane",   "mesh", "height field"};
  return names[static_cast<std::size_t>(kind)];
}

Shape Shape::sphere(double radius) {
  Shape s(Kind::sphere);
  s.radius_ = expect_size("sphere", "the radius", radius);
  return s;
}

Shape Shape::capsule(double radius, double length) {
  Shape s(Kind::capsule);
  s.radius_ = expect_size("capsule", "the radius", radius);
  s.half_length_ = expect_size("capsule", "the length", length) / 2;
  return s;
}

Shape Shape::box(const Vector& edges) {
  Shape s(Kind::box);
  s.half_edges_ = expect_sizes("box", "an edge", edges) * 0.5;
  return s;
}

Shape Shape::cylinder(double radius, double length) {
  Shape s(Kind::cylinder);
  s.radius_ = expect_size("cylinder", "the radius", radius);
  s.half_length_ = expect_size("cylinder", "the length", length) / 2;
  return s;
}

Shape Shape::ellipsoid(const Vector& semi_axes) {
  Shape s(Kind::ellipsoid);
  s.half_edges_ = expect_sizes("ellipsoid", "a semi-axis", semi_axes);
  return s;
}

Shape Shape::plane() { return Shape(Kind::plane); }

Shape Shape::convex(const std::vector<Vector>& points) {
  expect_points("convex shape", points);
  Shape s(Kind::convex);
  s.polyhedron_ = std::make_shared<const ConvexPolyhedron>(points);
  return s;
}

Shape Shape::mesh(const Mesh& mesh) {
  expect_points("mesh", mesh.vertices);
  Shape s(Kind::mesh);
  s.triangles_ = std::make_shared<const TriangleTree>(mesh);
  return s;
}

Shape Shape::height_field(const HeightField& field) {
  Shape s(Kind::height_field);
  s.grid_ = std::make_shared<const HeightGrid>(field);
  return s;
}

Shape Shape::from(const ShapeSpec& spec) {
  switch (spec.kind) {
    case ShapeSpec::Kind::box:
      return box(spec.size);
    case ShapeSpec::Kind::sphere:
      return sphere(spec.size.x);
    case ShapeSpec::Kind::cylinder:
      return cylinder(spec.size.x, spec.size.y);
    case ShapeSpec::Kind::capsule:
      return capsule(spec.size.x, spec.size.y);
    case ShapeSpec::Kind::ellipsoid:
      return ellipsoid(spec.size);
    case ShapeSpec::Kind::plane:
      return plane();
    case ShapeSpec::Kind::mesh:
      throw Error(
          fmt::format("mesh '{}': its file has to be read first; give load_mesh() of it to "
                      "Shape::convex or Shape::mesh",
                      spec.mesh_file));
    case ShapeSpec::Kind::height_field:
      break;
  }
  throw Error(
      "height field: robot files name it without its heights; give them to "
      "Shape::height_field");
}

Bounds Shape::bounds(const Pose& pose) const {
  switch (kind_) {
    case Kind::plane: {
      // bounded only where the normal lies along an axis
      Bounds b{{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
      const Vector n = pose.R.column(2);
      for (int i = 0; i < 3; ++i)
        if (n[i] == 1) b.upper[i] = pose.p[i];
        else if (n[i] == -1) b.lower[i] = pose.p[i];
      return b;
    }
    case Kind::mesh:
      return moved(triangles_->bounds(), pose);
    case Kind::height_field:
      return moved(grid_->bounds(), pose);
    default:
      break;
  }
  const Solid s = solid_of(*this);
  Bounds b;
  for (int i = 0; i < 3; ++i) {
    const Vector d = pose.R.row(i);
    b.upper[i] = pose.p[i] + dot(d, support(s, d)) + s.rounding;
    b.lower[i] = pose.p[i] + dot(d, support(s, -d)) - s.rounding;
  }
  return b;
}

}  // namespace limber
