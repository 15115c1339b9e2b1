#include "collision/convex_polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "index.hpp"

namespace limber {

namespace {

Vec3<double> area_normal(const Mesh& hull, const Mesh::Triangle& t) {
  const Vec3<double>& a = hull.vertices[t[0]];
  return cross(hull.vertices[t[1]] - a, hull.vertices[t[2]] - a);
}

// triangles of one face lie this close to the plane of its largest triangle [extent]
constexpr double same_plane = 1e-8;

// the border of triangles that lie in one plane, as one loop; empty if it is not one
std::vector<int> border_of(const Mesh& hull, const std::vector<std::size_t>& triangles) {
  std::map<std::uint32_t, std::uint32_t> next;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const std::size_t t : triangles)
    for (std::size_t k = 0; k < 3; ++k)
      ++edges[{hull.triangles[t][k], hull.triangles[t][(k + 1) % 3]}];
  for (const auto& [edge, count] : edges)
    if (!edges.contains({edge.second, edge.first})) next[edge.first] = edge.second;
  std::vector<int> loop;
  std::uint32_t at = next.begin()->first;
  do {
    loop.push_back(static_cast<int>(at));
    const auto found = next.find(at);
    if (found == next.end() || loop.size() > next.size()) return {};
    at = found->second;
  } while (at != next.begin()->first);
  return loop.size() == next.size() ? loop : std::vector<int>{};
}

}  // namespace

ConvexPolyhedron::ConvexPolyhedron(const std::vector<Vec3<double>>& points) {
  const Mesh hull = convex_hull(points);
  vertices_ = hull.vertices;
  for (const Vec3<double>& v : vertices_) centre_ += v / static_cast<double>(vertices_.size());
  for (const Vec3<double>& v : vertices_) extent_ = std::max(extent_, norm(v - centre_));
  make_faces(hull);
  make_neighbours(hull);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      Vec3<double> d;
      d[axis] = sign;
      int best = 0;
      for (int i = 1; i < vertex_count(); ++i)
        if (dot(vertex(i), d) > dot(vertex(best), d)) best = i;
      starts_.push_back(best);
    }
}

// triangles in one plane become one face, beginning with the largest triangle of each
void ConvexPolyhedron::make_faces(const Mesh& hull) {
  const std::size_t count = hull.triangles.size();
  std::vector<Vec3<double>> normal(count);
  std::vector<std::size_t> order(count);
  for (std::size_t t = 0; t < count; ++t)
    normal[t] = area_normal(hull, hull.triangles[t]), order[t] = t;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return dot(normal[a], normal[a]) > dot(normal[b], normal[b]);
  });
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> across;
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t k = 0; k < 3; ++k)
      across[{hull.triangles[t][k], hull.triangles[t][(k + 1) % 3]}] = t;
  std::vector<char> is_taken(count, 0);
  std::vector<std::vector<int>> at(vertices_.size());
  for (const std::size_t seed : order) {
    if (is_taken[seed] || !(norm(normal[seed]) > 0)) continue;
    const Vec3<double> n = normal[seed] / norm(normal[seed]);
    const double offset = dot(n, vertices_[hull.triangles[seed][0]]);
    std::vector<std::size_t> group{seed};
    is_taken[seed] = 1;
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) {
        const Mesh::Triangle& t = hull.triangles[group[i]];
        const std::size_t other = across.at({t[(k + 1) % 3], t[k]});
        const auto lies_in_plane = [&](std::uint32_t v) {
          return std::abs(dot(n, vertices_[v]) - offset) <= same_plane * extent_;
        };
        if (is_taken[other] || !std::ranges::all_of(hull.triangles[other], lies_in_plane)) continue;
        is_taken[other] = 1;
        group.push_back(other);
      }
    std::vector<int> loop = border_of(hull, group);
    if (loop.empty())
      for (const std::uint32_t v : hull.triangles[seed]) loop.push_back(static_cast<int>(v));
    Face face{n, offset, static_cast<int>(corners_.size()), static_cast<int>(loop.size())};
    for (const int v : loop) {
      face.offset = std::max(face.offset, dot(n, vertex(v)));
      at[at_index(v)].push_back(static_cast<int>(faces_.size()));
    }
    corners_.insert(corners_.end(), loop.begin(), loop.end());
    faces_.push_back(face);
  }
  for (std::vector<int>& list : at) append(faces_at_, std::move(list));
}

void ConvexPolyhedron::make_neighbours(const Mesh& hull) {
  std::vector<std::vector<int>> beside(vertices_.size());
  for (const Mesh::Triangle& t : hull.triangles)
    for (std::size_t k = 0; k < 3; ++k) beside[t[k]].push_back(static_cast<int>(t[(k + 1) % 3]));
  for (std::vector<int>& list : beside) append(neighbours_, std::move(list));
}

void ConvexPolyhedron::append(Lists& lists, std::vector<int> more) {
  lists.values.insert(lists.values.end(), more.begin(), more.end());
  lists.begin.push_back(static_cast<int>(lists.values.size()));
}

int ConvexPolyhedron::farthest(const Vec3<double>& d) const {
  constexpr int few = 24;  // up to here looking at all is quicker than walking
  int best = 0;
  double most = dot(vertices_[0], d);
  if (vertex_count() <= few) {
    for (int i = 1; i < vertex_count(); ++i)
      if (const double value = dot(vertex(i), d); value > most) most = value, best = i;
    return best;
  }
  for (const int i : starts_)
    if (const double value = dot(vertex(i), d); value > most) most = value, best = i;
  // on a convex surface a vertex without a higher neighbour is the highest
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    for (const int i : part(neighbours_, best))
      if (const double value = dot(vertex(i), d); value > most) {
        most = value, best = i;
        has_moved = true;
        break;
      }
  }
  return best;
}

}  // namespace limber
