#include <limber/collision/collide.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "collision/contact_faces.hpp"
#include "collision/surface_contacts.hpp"

namespace limber {

namespace {

void expect_finite(const char* function, const Pose& pose) {
  double sum = pose.p.x + pose.p.y + pose.p.z;
  for (int i = 0; i < 3; ++i) {
    const Vector row = pose.R.row(i);
    sum += row.x + row.y + row.z;
  }
  if (!std::isfinite(sum))
    throw Error(fmt::format("{}: the pose of a shape has an entry that is not finite", function));
}

void expect_margin(double margin) {
  if (!(margin >= 0))
    throw Error(fmt::format("collide: the margin is {} m; it must not be negative", margin));
}

bool is_scenery(const Shape& s) {
  return s.kind() == Shape::Kind::plane || s.kind() == Shape::Kind::height_field;
}

// frame a to world
void to_world(const Pose& pose, Manifold& out) {
  for (int k = 0; k < out.count; ++k) {
    ContactPoint& c = out.points[static_cast<std::size_t>(k)];
    c.point = transform_point(pose, c.point);
    c.normal = pose.R * c.normal;
  }
}
void turn_around(Manifold& out) {
  for (int k = 0; k < out.count; ++k) {
    ContactPoint& c = out.points[static_cast<std::size_t>(k)];
    c.normal = -c.normal;
  }
}
Distance to_world(const Pose& pose, const Nearest& at) {
  return {-at.depth, transform_point(pose, at.point_a), transform_point(pose, at.point_b),
          pose.R * at.normal};
}

// Balls on balls and on planes, which heaps have by the thousand: straight from the centres.
void collide_balls(const Shape& a, const Vector& a_centre, const Shape& b, const Pose& b_pose,
                   double margin, Manifold& out) {
  const Vector way = a_centre - b_pose.p, up = b_pose.R.column(2);
  Vector n = up;
  double depth = a.radius() - dot(up, way);
  if (b.kind() == Shape::Kind::sphere) {
    const double reach = a.radius() + b.radius(), squared = dot(way, way);
    if (squared > (reach + margin) * (reach + margin)) return;
    const double distance = std::sqrt(squared);
    if (distance > 0) n = way / distance;
    depth = reach - distance;
  }
  if (depth < -margin) return;
  out.points[0] = {a_centre - (a.radius() - depth / 2) * n, n, depth, 0};
  out.count = 1;
}

Nearest nearest_of_plane(const Solid& a, const Pose& X) {
  const Vector n = X.R.column(2);
  Nearest at;
  at.normal = n;
  at.point_a = support(a, -n) - a.rounding * n;
  at.depth = -dot(n, at.point_a - X.p);
  at.point_b = at.point_a + at.depth * n;
  return at;
}

}  // namespace

int collide(const Shape& a, const Pose& a_pose, const Shape& b, const Pose& b_pose, double margin,
            Manifold& out) {
  out.count = 0;
  expect_finite("collide", a_pose);
  expect_finite("collide", b_pose);
  expect_margin(margin);
  if (is_scenery(a) && is_scenery(b)) return 0;
  if (a.kind() > b.kind()) {
    collide(b, b_pose, a, a_pose, margin, out);
    turn_around(out);
    return out.count;
  }
  if (a.kind() == Shape::Kind::sphere &&
      (b.kind() == Shape::Kind::sphere || b.kind() == Shape::Kind::plane)) {
    collide_balls(a, a_pose.p, b, b_pose, margin, out);
    return out.count;
  }
  const Pose X = apply_inverse(a_pose, b_pose);
  if (!a.is_convex() || !(b.is_convex() || b.kind() == Shape::Kind::plane)) {
    find_surface_contacts(a, b, X, margin, out);
  } else {
    const Solid solid = solid_of(a);
    if (b.kind() == Shape::Kind::plane) {
      find_plane_contacts(solid, X.R.column(2), X.p, margin, out);
    } else {
      const Solid other = solid_of(b);
      Nearest at;
      if (!nearest(solid, other, X, margin, at)) return 0;
      if (!find_contact_points(solid, other, X, at, margin, out)) {
        out.count = 0;
        if (!nearest_of_any(solid, other, X, margin, at)) return 0;
        find_contact_points(solid, other, X, at, margin, out);
      }
    }
  }
  to_world(a_pose, out);
  return out.count;
}

Distance distance(const Shape& a, const Pose& a_pose, const Shape& b, const Pose& b_pose) {
  expect_finite("distance", a_pose);
  expect_finite("distance", b_pose);
  if (is_scenery(a) && is_scenery(b)) return {HUGE_VAL, {}, {}, {0, 0, 1}};
  if (a.kind() > b.kind()) {
    const Distance d = distance(b, b_pose, a, a_pose);
    return {d.distance, d.point_b, d.point_a, -d.normal};
  }
  const Pose X = apply_inverse(a_pose, b_pose);
  if (!a.is_convex() || !(b.is_convex() || b.kind() == Shape::Kind::plane))
    return to_world(a_pose, nearest_of_surfaces(a, b, X));
  const Solid solid = solid_of(a);
  if (b.kind() == Shape::Kind::plane) return to_world(a_pose, nearest_of_plane(solid, X));
  Nearest at;
  const Solid other = solid_of(b);
  nearest(solid, other, X, HUGE_VAL, at);
  if (!at.has_points && !deepest_of_faces(solid, other, X, at))
    nearest_of_any(solid, other, X, HUGE_VAL, at);
  return to_world(a_pose, at);
}

}  // namespace limber
