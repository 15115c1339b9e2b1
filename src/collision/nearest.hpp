#pragma once
// The shortest way between two solids, or out of each other, in the frame of the first.
#include "collision/solid.hpp"

namespace limber {

struct Nearest {
  Vector normal;            ///< unit, from b to a
  double depth = 0;         ///< overlap along the normal; negative: distance
  Vector point_a, point_b;  ///< on the surfaces: point_b − point_a = depth · normal
  /// False: only the direction is known, of two boxes; the distance is at least −depth. Where their
  /// faces are that deep the result is exact; else nearest_of_any() finds it.
  bool has_points = true;
};

/// X: pose of b in the frame of a. False if they are more than `margin` apart.
bool nearest(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out);

// The forms for kinds, b after a in the order of Solid::Kind. Each returns the exact result for
// these kinds, whether they overlap or not.
Nearest nearest_of_point(const Solid& a, const Solid& b, const Pose& X);
Nearest nearest_of_segments(const Solid& a, const Solid& b, const Pose& X);
Nearest nearest_of_segment_and_box(const Solid& a, const Solid& b, const Pose& X);
bool nearest_of_boxes(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out);
/// Any two: by the methods of Gilbert, Johnson and Keerthi, and of expanding polytopes.
bool nearest_of_any(const Solid& a, const Solid& b, const Pose& X, double margin, Nearest& out);

/// A point on a surface.
struct SurfacePoint {
  Vector point, normal;  ///< outward, unit
  double distance = 0;   ///< negative: the given point is inside
};
/// The point of a solid's surface (without its rounding) closest to p, all in its frame. Not for
/// polyhedra with p outside.
SurfacePoint closest_on_surface(const Solid& s, const Vector& p);
SurfacePoint closest_on_ellipsoid(const Vector& semi_axes, const Vector& p);
/// The point of a triangle closest to p.
Vector closest_on_triangle(const std::array<Vector, 3>& t, const Vector& p);

/// Parameters s, t in [−1, 1] of the closest points p + s u and q + t v of two segments; those in
/// the middle where there are many.
struct SegmentPair {
  double s = 0, t = 0;
};
SegmentPair closest_of_segments(const Vector& p, const Vector& u, const Vector& q, const Vector& v);

}  // namespace limber
