#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/collision/collide.hpp>
#include <limber/error.hpp>

#include "collision/height_grid.hpp"
#include "collision/solid.hpp"
#include "collision/triangle_tree.hpp"

namespace limber {

namespace {

// in the frame of the shape; direction of length 1
struct Ray {
  Vector origin, direction;
  double length = HUGE_VAL;
  Vector at(double t) const { return origin + t * direction; }
};
using Hit = std::optional<RayHit>;

Hit hit_at_origin(const Ray& ray) { return RayHit{0, ray.origin, -ray.direction}; }
Hit hit_at(const Ray& ray, double t, const Vector& normal) {
  if (!(t >= 0 && t <= ray.length)) return std::nullopt;
  return RayHit{t, ray.at(t), normal};
}

// the smaller root of a t² + 2 b t + c; none if there is no positive one
std::optional<double> first_root(double a, double b, double c) {
  const double root = b * b - a * c;
  if (!(root >= 0) || b > 0 || !(a > 0)) return std::nullopt;
  return c / (-b + std::sqrt(root));
}

Hit cast_on_sphere(const Ray& ray, const Vector& centre, double radius) {
  const Vector o = ray.origin - centre;
  const double c = dot(o, o) - radius * radius;
  if (c < 0) return hit_at_origin(ray);
  const auto t = first_root(1, dot(o, ray.direction), c);
  return t ? hit_at(ray, *t, (o + *t * ray.direction) / radius) : std::nullopt;
}

Hit cast_on_ellipsoid(const Ray& ray, const Vector& e) {
  const auto scaled = [&](const Vector& v) { return Vector{v.x / e.x, v.y / e.y, v.z / e.z}; };
  const Vector o = scaled(ray.origin), d = scaled(ray.direction);
  const double c = dot(o, o) - 1;
  if (c < 0) return hit_at_origin(ray);
  const auto t = first_root(dot(d, d), dot(o, d), c);
  return t ? hit_at(ray, *t, unit_or_z(scaled(o + *t * d))) : std::nullopt;
}

// the side of a cylinder about z, between −half and half
Hit cast_on_side(const Ray& ray, double radius, double half) {
  const double a = ray.direction.x * ray.direction.x + ray.direction.y * ray.direction.y;
  const double b = ray.origin.x * ray.direction.x + ray.origin.y * ray.direction.y;
  const double c = ray.origin.x * ray.origin.x + ray.origin.y * ray.origin.y - radius * radius;
  if (c < 0) return std::nullopt;
  const auto t = first_root(a, b, c);
  if (!t || std::abs(ray.at(*t).z) > half) return std::nullopt;
  const Vector p = ray.at(*t);
  return hit_at(ray, *t, {p.x / radius, p.y / radius, 0});
}

Hit nearer(const Hit& a, const Hit& b) { return !a || (b && b->distance < a->distance) ? b : a; }

Hit cast_on_capsule(const Ray& ray, double radius, double half) {
  const Vector& o = ray.origin;
  const Vector from_axis = o - Vector{0, 0, std::clamp(o.z, -half, half)};
  if (norm(from_axis) < radius) return hit_at_origin(ray);
  Hit best = cast_on_side(ray, radius, half);
  for (const double z : {-half, half}) best = nearer(best, cast_on_sphere(ray, {0, 0, z}, radius));
  return best;
}

Hit cast_on_cylinder(const Ray& ray, double radius, double half) {
  const Vector& o = ray.origin;
  if (std::hypot(o.x, o.y) < radius && std::abs(o.z) < half) return hit_at_origin(ray);
  Hit best = cast_on_side(ray, radius, half);
  if (o.z * ray.direction.z < 0 && std::abs(o.z) >= half) {
    const double t = (std::abs(o.z) - half) / std::abs(ray.direction.z);
    const Vector p = ray.at(t);
    if (std::hypot(p.x, p.y) <= radius)
      best = nearer(best, hit_at(ray, t, {0, 0, std::copysign(1.0, o.z)}));
  }
  return best;
}

// the part of a ray inside of half spaces
class Inside {
 public:
  explicit Inside(const Ray& ray) : ray_(ray) {}
  void cut(const Vector& normal, double offset) {
    const double height = dot(normal, ray_.origin) - offset, slope = dot(normal, ray_.direction);
    if (height > 0 && slope >= 0) is_empty_ = true;
    if (slope < 0 && -height / slope > enter_ && height > 0)
      enter_ = -height / slope, normal_ = normal;
    if (slope > 0) leave_ = std::min(leave_, -height / slope);
  }
  Hit hit() const {
    if (is_empty_ || enter_ > leave_) return std::nullopt;
    return enter_ < 0 ? hit_at_origin(ray_) : hit_at(ray_, enter_, normal_);
  }

 private:
  const Ray& ray_;
  double enter_ = -1, leave_ = HUGE_VAL;
  bool is_empty_ = false;
  Vector normal_;
};

Hit cast_on_box(const Ray& ray, const Vector& half) {
  Inside inside(ray);
  for (int i = 0; i < 3; ++i)
    for (const double sign : {-1.0, 1.0}) {
      Vector n;
      n[i] = sign;
      inside.cut(n, half[i]);
    }
  return inside.hit();
}

Hit cast_on_polyhedron(const Ray& ray, const ConvexPolyhedron& hull) {
  Inside inside(ray);
  for (const ConvexPolyhedron::Face& face : hull.faces()) inside.cut(face.normal, face.offset);
  return inside.hit();
}

Hit cast_on_triangle(const Ray& ray, const SurfaceTriangle& t) {
  const Vector u = t.corners[1] - t.corners[0], v = t.corners[2] - t.corners[0];
  const Vector q = cross(ray.direction, v);
  const double det = dot(u, q);
  if (!(det > 0)) return std::nullopt;  // from behind, or beside
  const Vector o = ray.origin - t.corners[0], w = cross(o, u);
  const double a = dot(o, q), b = dot(ray.direction, w), slack = 1e-12 * det;
  if (a < -slack || b < -slack || a + b > det + slack) return std::nullopt;
  return hit_at(ray, dot(v, w) / det, t.normal);
}

// does the ray meet the box within `length`?
bool meets(const Ray& ray, const Bounds& box, double length) {
  double enter = 0, leave = length;
  for (int i = 0; i < 3; ++i) {
    if (ray.direction[i] == 0) {
      if (ray.origin[i] < box.lower[i] || ray.origin[i] > box.upper[i]) return false;
      continue;
    }
    const double s = (box.lower[i] - ray.origin[i]) / ray.direction[i];
    const double t = (box.upper[i] - ray.origin[i]) / ray.direction[i];
    enter = std::max(enter, std::min(s, t)), leave = std::min(leave, std::max(s, t));
  }
  return enter <= leave * (1 + 1e-12) + 1e-12;
}

Hit cast_on_mesh(const Ray& ray, const TriangleTree& mesh) {
  Hit best;
  mesh.visit([&](const Bounds& box) { return meets(ray, box, best ? best->distance : ray.length); },
             [&](const SurfaceTriangle& t) { best = nearer(best, cast_on_triangle(ray, t)); });
  return best;
}

// from one row of cells to the next
Hit cast_on_grid(const Ray& ray, const HeightGrid& grid) {
  const Bounds& field = grid.bounds();
  const Vector& o = ray.origin;
  if (o.x >= field.lower.x && o.x <= field.upper.x && o.y >= field.lower.y &&
      o.y <= field.upper.y && o.z < grid.height(o.x, o.y))
    return hit_at_origin(ray);
  Hit best;
  for (int j = 0; j + 1 < grid.rows(); ++j) {
    const double y = grid.corner(0, j).y;
    const Bounds row{{field.lower.x, y, grid.lowest()},
                     {field.upper.x, y + grid.cell_y(), field.upper.z}};
    if (!meets(ray, row, best ? best->distance : ray.length)) continue;
    // the part of the ray above this row
    double enter = 0, leave = best ? best->distance : ray.length;
    for (const int i : {1, 2}) {
      const double d = ray.direction[i];
      if (d == 0) continue;
      const double s = (row.lower[i] - o[i]) / d, t = (row.upper[i] - o[i]) / d;
      enter = std::max(enter, std::min(s, t)), leave = std::min(leave, std::max(s, t));
    }
    const double x0 = ray.direction.x == 0 ? o.x : ray.at(enter).x;
    const double x1 = ray.direction.x == 0 ? o.x : o.x + leave * ray.direction.x;
    const int last = grid.cell_column(std::max(x0, x1) + 1e-9 * grid.cell_x());
    for (int i = grid.cell_column(std::min(x0, x1) - 1e-9 * grid.cell_x()); i <= last; ++i)
      for (int half = 0; half < 2; ++half)
        best = nearer(best, cast_on_triangle(ray, grid.triangle(i, j, half)));
  }
  return best;
}

Hit cast_on_plane(const Ray& ray) {
  if (ray.origin.z < 0) return hit_at_origin(ray);
  if (!(ray.direction.z < 0)) return std::nullopt;
  return hit_at(ray, -ray.origin.z / ray.direction.z, {0, 0, 1});
}

Hit cast_on_shape(const Shape& shape, const Ray& ray) {
  switch (shape.kind()) {
    case Shape::Kind::sphere:
      return cast_on_sphere(ray, {}, shape.radius());
    case Shape::Kind::capsule:
      return cast_on_capsule(ray, shape.radius(), shape.half_length());
    case Shape::Kind::box:
      return cast_on_box(ray, shape.half_edges());
    case Shape::Kind::cylinder:
      return cast_on_cylinder(ray, shape.radius(), shape.half_length());
    case Shape::Kind::ellipsoid:
      return cast_on_ellipsoid(ray, shape.half_edges());
    case Shape::Kind::convex:
      return cast_on_polyhedron(ray, shape.polyhedron());
    case Shape::Kind::plane:
      return cast_on_plane(ray);
    case Shape::Kind::mesh:
      return cast_on_mesh(ray, shape.triangles());
    case Shape::Kind::height_field:
      return cast_on_grid(ray, shape.grid());
  }
  return std::nullopt;
}

}  // namespace

std::optional<RayHit> ray_cast(const Shape& shape, const Pose& pose, const Vector& origin,
                               const Vector& direction, double length) {
  const double size = norm(direction);
  if (!(size > 0 && std::isfinite(size + origin.x + origin.y + origin.z)) || !(length >= 0))
    throw Error(
        fmt::format("ray_cast: origin ({}, {}, {}), direction ({}, {}, {}), length {}; give finite "
                    "numbers, a direction that is not 0, and a length that is not negative",
                    origin.x, origin.y, origin.z, direction.x, direction.y, direction.z, length));
  const Ray ray{transpose_times(pose.R, origin - pose.p), transpose_times(pose.R, direction / size),
                length};
  Hit hit = cast_on_shape(shape, ray);
  if (hit) {
    hit->point = transform_point(pose, hit->point);
    hit->normal = pose.R * hit->normal;
  }
  return hit;
}

}  // namespace limber
