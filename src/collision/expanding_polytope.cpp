// The shortest way out of an overlap: a polytope inside of A − B grows at the face that is closest
// to the origin until that face lies on the surface (van den Bergen 2001). Each step gives an upper
// bound of the depth, the reach of A − B along the face's normal; the least of them is the result,
// so that an end for want of room or accuracy still gives a way that leads out.
#include <algorithm>

#include "collision/simplex.hpp"

namespace limber {

namespace {

class ExpandingPolytope {
 public:
  explicit ExpandingPolytope(const Difference& difference)
      : difference_(difference), scale_(difference.scale()) {}

  Nearest find(const Simplex& simplex) {
    best_.depth = HUGE_VAL;
    if (!make_tetrahedron(simplex)) return best_;
    constexpr int most_iterations = most_vertices - 4;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      const int f = closest_face();
      if (f < 0) break;
      const Vector n = faces_[index(f)].normal;
      const double distance = faces_[index(f)].distance;
      const DifferencePoint p = difference_.farthest(n);
      const double reach = dot(n, p.w);
      if (reach <= best_.depth + exact * scale_) note(f, reach);
      // no face is closer than this one, and the polytope lies inside
      if (reach - distance <= exact * scale_) break;
      if (reach - distance <= nearly * scale_ && difference_.is_round() &&
          improve_smooth(difference_, best_))
        break;
      if (!grow(f, p)) break;
    }
    return best_;
  }

 private:
  // [scale]; from `nearly` on the surface is tried as a smooth one
  static constexpr double exact = 1e-11, nearly = 1e-8;
  static constexpr int most_vertices = 160, most_faces = 2 * most_vertices;

  struct Face {
    std::array<int, 3> corners{}, beyond{};  // the face across the edge from corner k to k + 1
    Vector normal;
    double distance = 0;  // of its plane from the origin; negative: the origin is outside
    bool is_there = false;
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const Vector& w(int i) const { return points_[index(i)].w; }

  // the direction that is square to flat sets, which have no inside
  void lie_flat(const Vector& normal) {
    best_.normal = unit_or_z(normal);
    const DifferencePoint up = difference_.farthest(best_.normal);
    best_.depth = std::max(0.0, dot(best_.normal, up.w));
    // the point of the flat set at the origin
    best_.point_a = start_a_;
  }

  bool make_tetrahedron(const Simplex& simplex) {
    start_a_ = simplex.count > 0 ? simplex.points[0].a : Vector{};
    Simplex closest = simplex;
    if (closest.count < 4) closest.reduce(), start_a_ = closest.point_a();
    count_ = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(simplex.count); ++k)
      points_[index(count_++)] = simplex.points[k];
    if (count_ == 0) points_[index(count_++)] = difference_.farthest({1, 0, 0});
    const double tiny = 1e-9 * scale_;
    if (count_ == 4 && std::abs(dot(cross(w(1) - w(0), w(2) - w(0)), w(3) - w(0))) <=
                           tiny * norm(cross(w(1) - w(0), w(2) - w(0))) + tiny * tiny * tiny)
      count_ = 3;
    if (count_ == 3 && !(norm(cross(w(1) - w(0), w(2) - w(0))) > tiny * norm(w(1) - w(0))))
      count_ = 2;
    if (count_ == 2 && !(norm(w(1) - w(0)) > tiny)) count_ = 1;
    if (count_ == 1 && !add_farthest_along_axes(tiny)) return lie_flat({0, 0, 1}), false;
    if (count_ == 2) {
      const Vector line = unit_or_z(w(1) - w(0)), u = square_to(line), v = cross(line, u);
      if (!add_off_line(line, u, v, tiny)) return lie_flat(u), false;
    }
    if (count_ == 3) {
      const Vector n = unit_or_z(cross(w(1) - w(0), w(2) - w(0)));
      const DifferencePoint up = difference_.farthest(n), down = difference_.farthest(-n);
      const double high = dot(n, up.w - w(0)), low = dot(n, w(0) - down.w);
      if (!(std::max(high, low) > tiny)) return lie_flat(n), false;
      points_[index(count_++)] = high >= low ? up : down;
    }
    const double volume = dot(cross(w(1) - w(0), w(2) - w(0)), w(3) - w(0));
    if (volume > 0) std::swap(points_[1], points_[2]);
    constexpr std::array<std::array<int, 3>, 4> corners{
        {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
    constexpr std::array<std::array<int, 3>, 4> beyond{
        {{2, 3, 1}, {0, 3, 2}, {1, 3, 0}, {2, 1, 0}}};
    face_count_ = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      const int face = add_face(corners[f][0], corners[f][1], corners[f][2]);
      if (face < 0) return lie_flat({0, 0, 1}), false;
      faces_[index(face)].beyond = beyond[f];
    }
    return true;
  }

  bool add_farthest_along_axes(double tiny) {
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {1.0, -1.0}) {
        Vector d;
        d[axis] = sign;
        const DifferencePoint p = difference_.farthest(d);
        if (!(norm(p.w - w(0)) > tiny)) continue;
        points_[index(count_++)] = p;
        return true;
      }
    return false;
  }
  bool add_off_line(const Vector& line, const Vector& u, const Vector& v, double tiny) {
    for (const Vector& d : {u, v, -u, -v}) {
      const DifferencePoint p = difference_.farthest(d);
      if (!(norm(cross(line, p.w - w(0))) > tiny)) continue;
      points_[index(count_++)] = p;
      return true;
    }
    return false;
  }

  // −1: too small to have a normal, or no room
  int add_face(int i, int j, int k) {
    int f = free_count_ > 0 ? free_[index(--free_count_)] : face_count_;
    if (f == face_count_) {
      if (face_count_ == most_faces) return -1;
      ++face_count_;
    }
    const Vector n = cross(w(j) - w(i), w(k) - w(i));
    const double length = norm(n);
    Face& face = faces_[index(f)];
    if (!(length > 1e-20 * scale_ * scale_)) {
      face.is_there = false;
      return -1;
    }
    face.corners = {i, j, k};
    face.normal = n / length;
    face.distance =
        std::max({dot(face.normal, w(i)), dot(face.normal, w(j)), dot(face.normal, w(k))});
    face.is_there = true;
    return f;
  }

  int closest_face() const {
    int best = -1;
    for (int f = 0; f < face_count_; ++f) {
      const Face& face = faces_[index(f)];
      if (face.is_there && (best < 0 || face.distance < faces_[index(best)].distance)) best = f;
    }
    return best;
  }

  // A leaves B against the direction in which A − B reaches least
  void note(int f, double reach) {
    const Face& face = faces_[index(f)];
    best_.normal = -face.normal;
    best_.depth = reach;
    // the foot of the origin, in this triangle or in one of those that lie in the same plane
    const Vector foot = face.distance * face.normal;
    double least = HUGE_VAL;
    for (int other = 0; other < face_count_; ++other) {
      const Face& part = faces_[index(other)];
      if (!part.is_there || (other != f && (dot(part.normal, face.normal) < 1 - 1e-12 ||
                                            part.distance > face.distance + nearly * scale_)))
        continue;
      std::array<double, 3> weights{};
      weigh_triangle(w(part.corners[0]) - foot, w(part.corners[1]) - foot,
                     w(part.corners[2]) - foot, weights);
      Vector miss = -foot, on_a;
      for (std::size_t k = 0; k < 3; ++k) {
        miss += weights[k] * w(part.corners[k]);
        on_a += weights[k] * points_[index(part.corners[k])].a;
      }
      if (dot(miss, miss) < least) least = dot(miss, miss), best_.point_a = on_a;
    }
  }

  // replaces the faces that see p by those between p and their border
  bool grow(int start, const DifferencePoint& p) {
    if (count_ == most_vertices) return false;
    const int apex = count_;
    points_[index(count_++)] = p;
    std::array<int, most_faces> stack;
    int height = 0;
    border_count_ = 0;
    remove(start);
    stack[0] = start, height = 1;
    const double tolerance = 1e-13 * scale_;
    while (height > 0) {
      const Face face = faces_[index(stack[index(--height)])];
      for (std::size_t k = 0; k < 3; ++k) {
        Face& other = faces_[index(face.beyond[k])];
        if (!other.is_there) continue;
        if (dot(other.normal, p.w) - other.distance > tolerance) {
          remove(face.beyond[k]);
          stack[index(height++)] = face.beyond[k];
        } else {
          if (border_count_ == most_faces) return false;
          border_[index(border_count_++)] = {face.corners[k], face.corners[(k + 1) % 3],
                                             face.beyond[k], -1};
        }
      }
    }
    return close_border(apex);
  }
  void remove(int f) {
    faces_[index(f)].is_there = false;
    free_[index(free_count_++)] = f;
  }

  bool close_border(int apex) {
    for (int e = 0; e < border_count_; ++e) {
      Edge& edge = border_[index(e)];
      edge.face = add_face(edge.from, edge.to, apex);
      if (edge.face < 0) return false;
      faces_[index(edge.face)].beyond[0] = edge.beyond;
      Face& other = faces_[index(edge.beyond)];
      for (std::size_t k = 0; k < 3; ++k)
        if (other.corners[k] == edge.to && other.corners[(k + 1) % 3] == edge.from)
          other.beyond[k] = edge.face;
    }
    for (int e = 0; e < border_count_; ++e) {
      const Edge& edge = border_[index(e)];
      int next = -1;
      for (int i = 0; i < border_count_; ++i)
        if (border_[index(i)].from == edge.to) {
          if (next >= 0) return false;  // the border touches itself
          next = i;
        }
      if (next < 0) return false;
      faces_[index(edge.face)].beyond[1] = border_[index(next)].face;
      faces_[index(border_[index(next)].face)].beyond[2] = edge.face;
    }
    return true;
  }

  struct Edge {
    int from = 0, to = 0, beyond = 0, face = -1;
  };

  const Difference& difference_;
  double scale_ = 0;
  std::array<DifferencePoint, most_vertices> points_;
  int count_ = 0;
  std::array<Face, most_faces> faces_;
  int face_count_ = 0;
  std::array<int, most_faces> free_{};
  int free_count_ = 0;
  std::array<Edge, most_faces> border_;
  int border_count_ = 0;
  Vector start_a_;
  Nearest best_;
};

}  // namespace

Nearest way_out(const Difference& difference, const Simplex& simplex) {
  ExpandingPolytope polytope(difference);
  return polytope.find(simplex);
}

}  // namespace limber
