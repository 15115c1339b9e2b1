// The convex hull of points, by the method of Barber, Dobkin and Huhdanpaa (quickhull).
//
// Points are rounded to a grid of 2³⁰ steps along the longest edge of the box around them. On it
// the side of a plane on which a point lies is computed exactly, in whole numbers, so that no order
// of nearly coplanar points can break the surface.
#include <limber/mesh/mesh.hpp>

#include <algorithm>
#include <cmath>

#include <limber/error.hpp>

namespace limber {

namespace {

__extension__ using Wide = __int128;

struct GridPoint {
  std::int64_t x = 0, y = 0, z = 0;
};
GridPoint operator-(const GridPoint& a, const GridPoint& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
// products of two differences of 31 bits
GridPoint cross(const GridPoint& a, const GridPoint& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Wide dot(const GridPoint& a, const GridPoint& b) {
  return Wide{a.x} * b.x + Wide{a.y} * b.y + Wide{a.z} * b.z;
}

using Corner = std::uint32_t;

class Hull {
 public:
  explicit Hull(std::vector<GridPoint> points) : points_(std::move(points)) {}

  std::vector<Mesh::Triangle> find() {
    make_first();
    // faces are only added at the end, so one pass finds all that have points outside
    for (std::size_t f = 0; f < faces_.size(); ++f)
      while (faces_[f].is_there && !faces_[f].outside.empty()) add_farthest(f);
    std::vector<Mesh::Triangle> triangles;
    for (const Face& face : faces_)
      if (face.is_there) triangles.push_back(face.corners);
    return triangles;
  }

 private:
  struct Face {
    Mesh::Triangle corners{};
    std::array<std::size_t, 3> beyond{};  // the face across the edge from corner k to k + 1
    GridPoint normal;
    std::vector<Corner> outside{};  // points above it that no face before it has
    bool is_there = true;
    bool is_seen = false;
  };

  // above zero: outside, in units of the length of the face's normal
  Wide height(const Face& face, Corner p) const {
    return dot(face.normal, points_[p] - points_[face.corners[0]]);
  }
  std::size_t add_face(Corner a, Corner b, Corner c) {
    Face face;
    face.corners = {a, b, c};
    face.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
    faces_.push_back(std::move(face));
    return faces_.size() - 1;
  }

  // a tetrahedron of points that are far apart
  void make_first() {
    const auto best = [&](const auto& measure) {
      Corner found = 0;
      auto most = measure(Corner{0});
      for (Corner p = 1; p < points_.size(); ++p)
        if (const auto one = measure(p); one > most) {
          most = one;
          found = p;
        }
      return found;
    };
    const auto square = [](const GridPoint& a) {
      const auto length = [](std::int64_t x) { return static_cast<long double>(x); };
      return length(a.x) * length(a.x) + length(a.y) * length(a.y) + length(a.z) * length(a.z);
    };
    const Corner a = best([&](Corner p) { return -points_[p].x; });
    const Corner b = best([&](Corner p) { return square(points_[p] - points_[a]); });
    const GridPoint along = points_[b] - points_[a];
    Corner c = best([&](Corner p) { return square(cross(along, points_[p] - points_[a])); });
    const GridPoint normal = cross(along, points_[c] - points_[a]);
    const Corner d = best([&](Corner p) {
      const Wide above = dot(normal, points_[p] - points_[a]);
      return above < 0 ? -above : above;
    });
    const Wide volume = dot(normal, points_[d] - points_[a]);
    if (volume == 0)
      throw Error("the points of a convex hull lie in one plane; it encloses nothing");
    const Corner first = volume > 0 ? c : b, second = volume > 0 ? b : c;
    // d is below a, first, second
    const std::size_t base = add_face(a, first, second);
    const std::array<Corner, 3> round{a, first, second};
    for (std::size_t k = 0; k < 3; ++k) add_face(round[(k + 1) % 3], round[k], d);
    for (std::size_t k = 0; k < 3; ++k) {
      faces_[base].beyond[k] = base + 1 + k;
      // edges of side k: to the base, from corner k to d, from d to corner k + 1
      faces_[base + 1 + k].beyond = {base, base + 1 + (k + 2) % 3, base + 1 + (k + 1) % 3};
    }
    for (Corner p = 0; p < points_.size(); ++p) hand_over(p, base, base + 4);
  }

  // gives the point to the first of some faces that it lies outside of
  void hand_over(Corner p, std::size_t from, std::size_t to) {
    for (std::size_t f = from; f < to; ++f)
      if (height(faces_[f], p) > 0) return faces_[f].outside.push_back(p);
  }

  void add_farthest(std::size_t f) {
    const std::vector<Corner>& outside = faces_[f].outside;
    const Corner top = *std::max_element(outside.begin(), outside.end(), [&](Corner p, Corner q) {
      return height(faces_[f], p) < height(faces_[f], q);
    });
    // faces that see the point are connected
    std::vector<std::size_t> seen{f};
    faces_[f].is_seen = true;
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (const std::size_t other : faces_[seen[k]].beyond)
        if (!faces_[other].is_seen && height(faces_[other], top) > 0) {
          faces_[other].is_seen = true;
          seen.push_back(other);
        }
    // a cone over their border; start_[corner] is its face that begins there
    const std::size_t first = faces_.size();
    for (const std::size_t one : seen)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t other = faces_[one].beyond[k];
        if (faces_[other].is_seen) continue;
        const Corner from = faces_[one].corners[k], to = faces_[one].corners[(k + 1) % 3];
        const std::size_t side = add_face(from, to, top);
        faces_[side].beyond[0] = other;
        for (std::size_t j = 0; j < 3; ++j)
          if (faces_[other].corners[j] == to) faces_[other].beyond[j] = side;
        start_.resize(points_.size());
        start_[from] = side;
      }
    for (std::size_t side = first; side < faces_.size(); ++side) {
      const std::size_t next = start_[faces_[side].corners[1]];
      faces_[side].beyond[1] = next;
      faces_[next].beyond[2] = side;
    }
    for (const std::size_t one : seen) {
      faces_[one].is_there = false;
      const std::vector<Corner> orphans = std::move(faces_[one].outside);
      faces_[one].outside.clear();
      for (const Corner p : orphans) hand_over(p, first, faces_.size());
    }
  }

  std::vector<GridPoint> points_;
  std::vector<Face> faces_;
  std::vector<std::size_t> start_;
};

std::vector<GridPoint> on_grid(const std::vector<Vec3<double>>& points) {
  Vec3<double> low = points[0], high = low;
  for (const Vec3<double>& p : points)
    for (int k = 0; k < 3; ++k) {
      if (!std::isfinite(p[k])) throw Error("a point of a convex hull is not finite");
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  const Vec3<double> edges = high - low;
  const double longest = std::max({edges.x, edges.y, edges.z});
  if (!(longest > 0) || !std::isfinite(longest))
    throw Error("the points of a convex hull lie in one place, or too far apart");
  constexpr double steps = 1 << 30;
  std::vector<GridPoint> grid;
  grid.reserve(points.size());
  const auto step = [&](double x) { return std::int64_t{std::llround(x / longest * steps)}; };
  for (const Vec3<double>& p : points)
    grid.push_back({step(p.x - low.x), step(p.y - low.y), step(p.z - low.z)});
  return grid;
}

}  // namespace

Mesh convex_hull(const std::vector<Vec3<double>>& points) {
  if (points.size() < 4) throw Error("a convex hull needs four points or more");
  Mesh hull{points, Hull(on_grid(points)).find()};
  return welded(hull);
}

}  // namespace limber
