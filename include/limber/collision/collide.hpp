#pragma once
// Where two shapes touch, how far they are apart, and what a ray meets. Poses are those of the
// shapes' frames in the world; results are in world axes and metres. None of these allocates, and
// none throws but for numbers that are not finite.
#include <optional>

#include <limber/collision/contact_point.hpp>
#include <limber/collision/shape.hpp>

namespace limber {

/// Contact points of two shapes that overlap or are at most `margin` apart: at most four of a
/// convex pair, with the deepest among them. The normal is that of the shortest way out, of the
/// shortest way between the shapes if they do not touch. Parts of faces and edges that lie on each
/// other are given by their corners. Points of one pair that are more than `margin` apart are left
/// out. Returns the number of points. Planes and height fields do not touch each other.
int collide(const Shape& a, const Transform<double>& a_pose, const Shape& b,
            const Transform<double>& b_pose, double margin, Manifold& out);

/// The shortest way between two shapes, or out of each other.
struct Distance {
  double distance = 0;            ///< negative: how far a has to move along the normal [m]
  Vec3<double> point_a, point_b;  ///< the two ends, on the surfaces
  Vec3<double> normal;            ///< unit, from b to a
};
/// Distance of two shapes; with meshes and height fields that of their closest or deepest triangle.
/// Infinite between two planes, two height fields, or one of each.
Distance distance(const Shape& a, const Transform<double>& a_pose, const Shape& b,
                  const Transform<double>& b_pose);

/// What a ray meets.
struct RayHit {
  double distance = 0;         ///< along the ray [m]
  Vec3<double> point, normal;  ///< on the surface; outward unit normal
};
/// The first point of the surface that a ray from `origin` along `direction` (any length but 0)
/// meets from outside within `length`. A ray that begins inside a convex shape, or below a plane or
/// height field, meets it at its origin: distance 0, the normal against the ray.
std::optional<RayHit> ray_cast(const Shape& shape, const Transform<double>& pose,
                               const Vec3<double>& origin, const Vec3<double>& direction,
                               double length = HUGE_VAL);

}  // namespace limber
