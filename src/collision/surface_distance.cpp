// The shortest way between a surface of triangles and another shape.
#include <algorithm>

#include "collision/height_grid.hpp"
#include "collision/surface_contacts.hpp"
#include "collision/triangle_tree.hpp"

namespace limber {

namespace {

// keeps the closest triangle; everything in the frame of a
class ClosestTriangle {
 public:
  explicit ClosestTriangle(const Pose& X) : X_(X) { best_.depth = -HUGE_VAL; }

  double distance() const { return std::max(0.0, -best_.depth); }
  const Nearest& best() const { return best_; }

  void consider(const Solid& solid, const std::array<Vector, 3>& corners) {
    const Solid triangle =
        triangle_solid(transform_point(X_, corners[0]), transform_point(X_, corners[1]),
                       transform_point(X_, corners[2]));
    Nearest at;
    if (nearest(solid, triangle, {}, distance(), at) && at.depth > best_.depth) best_ = at;
  }
  /// `box` is that of the solid in the frame of the surface.
  void consider(const Solid& solid, const Bounds& box, const Shape& surface) {
    if (surface.kind() == Shape::Kind::mesh) {
      surface.triangles().visit(
          [&](const Bounds& node) {
            return squared_distance(node, box) <= distance() * distance();
          },
          [&](const SurfaceTriangle& t) { consider(solid, t.corners); });
      return;
    }
    // wider and wider, until what was found is closer than what was not looked at
    const HeightGrid& grid = surface.grid();
    const Bounds& field = grid.bounds();
    const double everything =
        norm(field.upper - field.lower) + std::sqrt(squared_distance(field, box));
    for (double margin = std::max(grid.cell_x(), grid.cell_y());; margin *= 4) {
      grid.visit_corners(widened(box, margin), [&](const std::array<Vector, 3>& corners) {
        if (squared_distance(bounds_of(corners), box) <= distance() * distance())
          consider(solid, corners);
      });
      if (distance() <= margin || margin > everything) return;
    }
  }

 private:
  const Pose& X_;
  Nearest best_;
};

}  // namespace

Nearest nearest_of_surfaces(const Shape& a, const Shape& b, const Pose& X) {
  // the deepest contact, if there is one
  Manifold contacts;
  find_surface_contacts(a, b, X, 0, contacts);
  if (contacts.count > 0) {
    const ContactPoint& deepest = *std::max_element(
        contacts.points.begin(), contacts.points.begin() + contacts.count,
        [](const ContactPoint& p, const ContactPoint& q) { return p.depth < q.depth; });
    const Vector half = (deepest.depth / 2) * deepest.normal;
    return {deepest.normal, deepest.depth, deepest.point - half, deepest.point + half};
  }
  const Pose X_ba = inverse(X);
  if (a.kind() == Shape::Kind::plane) {
    const Vector n = X_ba.R.column(2);
    Nearest at;
    at.depth = -HUGE_VAL;
    const auto height = [&](const Vector& p) { return dot(n, p - X_ba.p); };
    b.triangles().visit(
        [&](const Bounds& node) {
          const Vector lowest{n.x > 0 ? node.lower.x : node.upper.x,
                              n.y > 0 ? node.lower.y : node.upper.y,
                              n.z > 0 ? node.lower.z : node.upper.z};
          return height(lowest) < -at.depth;
        },
        [&](const SurfaceTriangle& t) {
          for (const Vector& p : t.corners)
            if (-height(p) > at.depth) at.depth = -height(p), at.point_b = p;
        });
    at.normal = -(X.R * n);
    at.point_b = transform_point(X, at.point_b);
    at.point_a = at.point_b - at.depth * at.normal;
    return at;
  }
  ClosestTriangle closest(X);
  if (a.is_convex()) {
    closest.consider(solid_of(a), a.bounds(X_ba), b);
  } else {
    const Bounds around = b.bounds(X);
    a.triangles().visit(
        [&](const Bounds& node) {
          return squared_distance(node, around) <= closest.distance() * closest.distance();
        },
        [&](const SurfaceTriangle& t) {
          const Solid solid = triangle_solid(t.corners[0], t.corners[1], t.corners[2]);
          Bounds box{transform_point(X_ba, t.corners[0]), transform_point(X_ba, t.corners[0])};
          include(box, transform_point(X_ba, t.corners[1]));
          include(box, transform_point(X_ba, t.corners[2]));
          closest.consider(solid, box, b);
        });
  }
  return closest.best();
}

}  // namespace limber
