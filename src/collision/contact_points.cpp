// Contact points of faces that lie over each other: both are seen along the normal, as polygons
// with heights; the corners of what they have in common are the points, the difference of the
// heights is the depth. An edge is reduced to its end points, a polygon to its corners, of which
// four stay.
#include <algorithm>

#include "collision/contact_faces.hpp"
#include "collision/contact_list.hpp"

namespace limber {

namespace {

// seen along the normal
struct FlatCorner {
  double x = 0, y = 0;
  double h = 0;  // along the normal
};

struct FlatFace {
  std::array<FlatCorner, ContactFace::capacity> corners;
  int count = 0;

  /// The corner after the last one is the first.
  const FlatCorner& operator[](int k) const {
    return corners[static_cast<std::size_t>(k == count ? 0 : k)];
  }
};

// a place where both surfaces are
struct Overlap {
  double x = 0, y = 0, h_a = 0, h_b = 0;
  double depth() const { return h_b - h_a; }
};

struct Overlaps {
  std::array<Overlap, 2 * ContactFace::capacity + 2> at;
  int count = 0;

  void add(const Overlap& o) {
    if (count < static_cast<int>(at.size())) at[static_cast<std::size_t>(count++)] = o;
  }
  const Overlap& operator[](int k) const { return at[static_cast<std::size_t>(k)]; }
};

// (p1 − p0) × (q − p0)
double turn(const FlatCorner& p0, const FlatCorner& p1, double x, double y) {
  return (p1.x - p0.x) * (y - p0.y) - (p1.y - p0.y) * (x - p0.x);
}

// the height of a polygon's plane, and on which side of its edges a place lies
class FlatPlane {
 public:
  explicit FlatPlane(const FlatFace& face) : face_(face) {
    Vector m;
    const FlatCorner& o = face[0];
    for (int k = 1; k + 1 < face.count; ++k) {
      const FlatCorner &p = face[k], &q = face[k + 1];
      m += cross(Vector{p.x - o.x, p.y - o.y, p.h - o.h}, Vector{q.x - o.x, q.y - o.y, q.h - o.h});
    }
    is_steep_ = !(std::abs(m.z) > 1e-6 * norm(m));
    if (is_steep_) return;
    slope_x_ = -m.x / m.z, slope_y_ = -m.y / m.z;
    // the inward normals of the edges
    for (int k = 0; k < face.count; ++k) {
      const double x = face[k + 1].x - face[k].x, y = face[k + 1].y - face[k].y;
      const double squared = x * x + y * y;
      Line& line = edges_[static_cast<std::size_t>(k)];
      if (!(squared > 0)) continue;
      const double scale = std::copysign(1 / std::sqrt(squared), m.z);
      line.x = -y * scale, line.y = x * scale;
      line.offset = line.x * face[k].x + line.y * face[k].y;
    }
  }
  bool is_steep() const { return is_steep_; }
  double height(double x, double y) const {
    const FlatCorner& o = face_[0];
    return o.h + slope_x_ * (x - o.x) + slope_y_ * (y - o.y);
  }
  /// Distance inside of edge k.
  double inside(int k, double x, double y) const {
    const Line& line = edges_[static_cast<std::size_t>(k)];
    return line.x * x + line.y * y - line.offset;
  }

 private:
  struct Line {
    double x = 0, y = 0, offset = 0;
  };
  const FlatFace& face_;
  double slope_x_ = 0, slope_y_ = 0;
  bool is_steep_ = false;
  std::array<Line, ContactFace::capacity> edges_;
};

// the part of `subject` inside of `clip`: one edge of `clip` after the other cuts off what is
// outside
int clipped(const FlatPlane& clip, int edges, const FlatFace& subject, double tolerance,
            std::array<FlatCorner, 2 * ContactFace::capacity>& out) {
  std::array<FlatCorner, 2 * ContactFace::capacity> from;
  std::array<double, 2 * ContactFace::capacity> inside{};
  int count = subject.count;
  std::copy_n(subject.corners.begin(), count, out.begin());
  for (int e = 0; e < edges && count > 0; ++e) {
    const int before = count;
    std::copy_n(out.begin(), before, from.begin());
    count = 0;
    const auto add = [&](const FlatCorner& c) {
      if (count < static_cast<int>(out.size())) out[static_cast<std::size_t>(count++)] = c;
    };
    for (std::size_t k = 0; k < static_cast<std::size_t>(before); ++k)
      inside[k] = clip.inside(e, from[k].x, from[k].y);
    for (std::size_t k = 0; k < static_cast<std::size_t>(before); ++k) {
      const FlatCorner& p = from[k];
      const bool keeps_p = inside[k] >= -tolerance;
      if (keeps_p) add(p);
      // an edge (two corners) has one line only
      if (before == 1 || (before == 2 && k == 1)) continue;
      const std::size_t next = k + 1 < static_cast<std::size_t>(before) ? k + 1 : 0;
      if (keeps_p == (inside[next] >= -tolerance)) continue;
      const FlatCorner& q = from[next];
      const double s = std::clamp(inside[k] / (inside[k] - inside[next]), 0.0, 1.0);
      add({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), p.h + s * (q.h - p.h)});
    }
  }
  return count;
}

class FacePair {
 public:
  FacePair(const Solid& a, const Solid& b, const Pose& X, const Vector& normal)
      : n_(normal), t_(square_to(normal)), u_(cross(n_, t_)) {
    find_contact_face(a, -normal, face_a_);
    find_contact_face(b, transpose_times(X.R, normal), face_b_);
    for (int k = 0; k < face_b_.count; ++k) {
      Vector& corner = face_b_.corners[static_cast<std::size_t>(k)];
      corner = transform_point(X, corner);
    }
    flatten(face_a_, a_);
    flatten(face_b_, b_);
    size_ = std::min(a.extent, b.extent);
    if (a_.count > 2) clip(a_, b_);
    else if (b_.count > 2) clip(b_, a_);
    else if (a_.count == 2 && b_.count == 2) lay_edges_together(a.rounding + b.rounding);
  }

  const Overlaps& overlaps() const { return overlaps_; }
  double size() const { return size_; }
  Vector place(const Overlap& o, double h) const { return o.x * t_ + o.y * u_ + h * n_; }
  std::uint32_t feature(const Vector& point) const {
    const double x = dot(t_, point), y = dot(u_, point);
    return (label(face_a_, a_, x, y) << 16U) | label(face_b_, b_, x, y);
  }

 private:
  void flatten(const ContactFace& face, FlatFace& out) const {
    out.count = face.count;
    for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k)
      out.corners[k] = {dot(t_, face.corners[k]), dot(u_, face.corners[k]),
                        dot(n_, face.corners[k])};
  }

  void clip(const FlatFace& clipper, const FlatFace& subject) {
    const FlatPlane plane(clipper);
    if (plane.is_steep()) return;
    std::array<FlatCorner, 2 * ContactFace::capacity> common;
    const int count = clipped(plane, clipper.count, subject, 1e-9 * size_, common);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      const FlatCorner& c = common[k];
      const double other = plane.height(c.x, c.y);
      overlaps_.add(&clipper == &a_ ? Overlap{c.x, c.y, other, c.h}
                                    : Overlap{c.x, c.y, c.h, other});
    }
  }

  // two edges that are parallel but for a hundredth of what they are rounded by: the ends of the
  // part where they lie beside each other
  void lay_edges_together(double rounding) {
    const FlatCorner &p = a_[0], &q = b_[0];
    const double ux = a_[1].x - p.x, uy = a_[1].y - p.y, vx = b_[1].x - q.x, vy = b_[1].y - q.y;
    const double uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
    if (!(uu > 0) || !(vv > 0)) return;
    if (std::abs(ux * vy - uy * vx) >
        0.01 * std::max(rounding, 1e-6 * size_) * std::sqrt(std::max(uu, vv)))
      return;
    const double s0 = ((q.x - p.x) * ux + (q.y - p.y) * uy) / uu;
    const double s1 = s0 + (vx * ux + vy * uy) / uu;
    const double low = std::max(0.0, std::min(s0, s1)), high = std::min(1.0, std::max(s0, s1));
    if (low > high || s0 == s1) return;
    for (const double s : {low, high}) {
      const double t = (s - s0) / (s1 - s0);
      overlaps_.add(
          {p.x + s * ux, p.y + s * uy, p.h + s * (a_[1].h - p.h), q.h + t * (b_[1].h - q.h)});
    }
  }

  // the corner, the edge or the face on which a place lies
  static std::uint32_t label(const ContactFace& face, const FlatFace& flat, double x, double y) {
    if (flat.count == 1) return face.ids[0];
    const auto squared = [](double dx, double dy) { return dx * dx + dy * dy; };
    double shortest = HUGE_VAL;
    for (int k = 0; k < flat.count; ++k)
      shortest = std::min(shortest, squared(flat[k + 1].x - flat[k].x, flat[k + 1].y - flat[k].y));
    const double close = 0.05 * 0.05 * shortest;
    for (int k = 0; k < flat.count; ++k)
      if (squared(flat[k].x - x, flat[k].y - y) <= close)
        return face.ids[static_cast<std::size_t>(k)] & 0x3fffU;
    for (int k = 0; k < flat.count && flat.count > 2; ++k) {
      const double side = turn(flat[k], flat[k + 1], x, y);
      if (side * side <= close * squared(flat[k + 1].x - flat[k].x, flat[k + 1].y - flat[k].y))
        return 0x4000U | (face.ids[static_cast<std::size_t>(k)] & 0x3fffU);
    }
    return 0x8000U | (face.id & 0x3fffU);
  }

  Vector n_, t_, u_;
  ContactFace face_a_, face_b_;
  FlatFace a_, b_;
  double size_ = 0;
  Overlaps overlaps_;
};

}  // namespace

bool find_contact_points(const Solid& a, const Solid& b, const Pose& X, const Nearest& at,
                         double margin, Manifold& out) {
  const FacePair faces(a, b, X, at.normal);
  const double tolerance = 1e-10 * (a.extent + b.extent), close = 1e-4 * faces.size();
  double deepest = -HUGE_VAL;
  out.count = 0;
  for (int k = 0; k < faces.overlaps().count; ++k) {
    const Overlap& o = faces.overlaps()[k];
    deepest = std::max(deepest, o.depth());
    if (o.depth() >= -margin)
      add_apart(out, {faces.place(o, (o.h_a + o.h_b) / 2), at.normal, o.depth()}, close);
  }
  if (!(deepest >= at.depth - tolerance)) {
    if (!at.has_points) return false;
    add_apart(out, {(at.point_a + at.point_b) * 0.5, at.normal, at.depth}, close);
  }
  out.count = keep_four(at.normal, {out.points.data(), static_cast<std::size_t>(out.count)});
  for (std::size_t k = 0; k < static_cast<std::size_t>(out.count); ++k)
    out.points[k].feature = faces.feature(out.points[k].point);
  give_unique_features(out);
  return true;
}

bool deepest_of_faces(const Solid& a, const Solid& b, const Pose& X, Nearest& at) {
  const FacePair faces(a, b, X, at.normal);
  const Overlap* best = nullptr;
  for (int k = 0; k < faces.overlaps().count; ++k)
    if (const Overlap& o = faces.overlaps()[k]; !best || o.depth() > best->depth()) best = &o;
  if (!best || best->depth() < at.depth - 1e-9 * (a.extent + b.extent)) return false;
  at.point_a = faces.place(*best, best->h_a);
  at.point_b = faces.place(*best, best->h_b);
  at.has_points = true;
  return true;
}

void find_plane_contacts(const Solid& a, const Vector& n, const Vector& origin, double margin,
                         Manifold& out) {
  ContactFace face;
  find_contact_face(a, -n, face);
  out.count = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k) {
    const double h = dot(n, face.corners[k] - origin);
    if (h <= margin)
      out.points[static_cast<std::size_t>(out.count++)] = {face.corners[k] - (h / 2) * n, n, -h,
                                                           face.ids[k]};
  }
  out.count = keep_four(n, {out.points.data(), static_cast<std::size_t>(out.count)});
}

}  // namespace limber
