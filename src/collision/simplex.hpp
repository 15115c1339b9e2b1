#pragma once
// The difference A − B of two solids: its farthest points, and the point of a simplex of them that
// is closest to the origin.
#include <span>

#include "collision/nearest.hpp"

namespace limber {

/// A point of A − B.
struct DifferencePoint {
  Vector w, a;  ///< w = a − b, a on A
};

/// The two solids without their rounding, in the frame of a.
class Difference {
 public:
  Difference(const Solid& a, const Solid& b, const Pose& X) : a_(a), b_(b), X_(X) {}

  /// The farthest point along d.
  DifferencePoint farthest(const Vector& d) const {
    const Vector on_a = support(a_, d);
    const Vector on_b = transform_point(X_, support(b_, -transpose_times(X_.R, d)));
    return {on_a - on_b, on_a};
  }
  Vector centres() const { return centre(a_) - transform_point(X_, centre(b_)); }
  double scale() const { return a_.extent + b_.extent; }
  /// True if one of the two has a round surface, its rounding apart.
  bool is_round() const { return is_round(a_) || is_round(b_); }

 private:
  static bool is_round(const Solid& s) {
    return s.kind == Solid::Kind::cylinder || s.kind == Solid::Kind::ellipsoid;
  }

  const Solid &a_, &b_;
  const Pose& X_;
};

/// Up to four points of A − B, and the weights of the point of their hull closest to the origin.
struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{};
  int count = 0;

  void add(const DifferencePoint& p) { points[static_cast<std::size_t>(count++)] = p; }
  /// Keeps the points that the closest one needs, and returns it. A tetrahedron that holds the
  /// origin is kept whole: the result is 0.
  Vector reduce();
  Vector point_a() const;  ///< the point on A that belongs to the closest point
};

/// The closest point of a segment and a triangle to the origin as weights of their corners.
void weigh_segment(const Vector& a, const Vector& b, std::span<double, 2> weights);
void weigh_triangle(const Vector& a, const Vector& b, const Vector& c,
                    std::span<double, 3> weights);

/// What the distance of A − B from the origin says.
struct CoreDistance {
  enum class Status : std::uint8_t { apart, beyond_margin, touching };
  Status status = Status::touching;
  Vector way;       ///< from B to A: the closest point of A − B
  Vector point_a;   ///< on A
  Simplex simplex;  ///< touching: around the origin
};
/// Ends early when the distance is known to be more than `margin`.
CoreDistance core_distance(const Difference& difference, double margin);

/// The shortest way out of an overlap (or of a touch): along the normal by depth. `simplex` is what
/// to begin with.
Nearest way_out(const Difference& difference, const Simplex& simplex);

/// Make a way that is nearly the best exact, where the surface of A − B is smooth there, has a
/// straight line (the side of a cylinder, an edge that rolls over something round), or is flat.
/// False, and no change, if this is not so.
bool improve_smooth(const Difference& difference, Nearest& best);
bool improve_along_line(const Difference& difference, Nearest& best);
bool improve_on_face(const Difference& difference, Nearest& best);

}  // namespace limber
