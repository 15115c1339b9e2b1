#include "collision/triangle_tree.hpp"

#include <algorithm>
#include <map>

#include <limber/error.hpp>

namespace limber {

TriangleTree::TriangleTree(const Mesh& given) {
  const Mesh mesh = welded(given);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Vec3<double>> normals;
  std::vector<Mesh::Triangle> kept;
  for (const Mesh::Triangle& t : mesh.triangles) {
    SurfaceTriangle s;
    for (std::size_t k = 0; k < 3; ++k) s.corners[k] = mesh.vertices[t[k]];
    const Vec3<double> n = cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0]);
    const double length = norm(n);
    if (!(length > 0)) continue;
    s.normal = n / length;
    s.id = static_cast<int>(triangles_.size());
    for (std::size_t k = 0; k < 3; ++k) normals[{t[k], t[(k + 1) % 3]}] = s.normal;
    triangles_.push_back(s);
    kept.push_back(t);
  }
  if (triangles_.empty())
    throw Error("mesh: no triangle has an area; give a surface that can be touched");
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto other = normals.find({kept[i][(k + 1) % 3], kept[i][k]});
      if (other != normals.end()) triangles_[i].beyond[k] = other->second;
    }
  nodes_.emplace_back();
  split(0, 0, count());
}

// halves along the longest edge of the box around the centres
void TriangleTree::split(int node, int first, int last) {
  const auto at = triangles_.begin();
  const auto centre = [](const SurfaceTriangle& t) {
    return t.corners[0] + t.corners[1] + t.corners[2];
  };
  Bounds box = bounds_of(triangle(first).corners),
         centres{centre(triangle(first)), centre(triangle(first))};
  for (int i = first; i < last; ++i) {
    for (const Vec3<double>& corner : triangle(i).corners) include(box, corner);
    include(centres, centre(triangle(i)));
  }
  constexpr int leaf = 4;
  nodes_[static_cast<std::size_t>(node)].bounds = box;
  if (last - first <= leaf) {
    nodes_[static_cast<std::size_t>(node)].first = first;
    nodes_[static_cast<std::size_t>(node)].count = last - first;
    return;
  }
  const Vec3<double> size = centres.upper - centres.lower;
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (size[i] > size[axis]) axis = i;
  const int middle = first + (last - first) / 2;
  std::nth_element(at + first, at + middle, at + last,
                   [&](const SurfaceTriangle& a, const SurfaceTriangle& b) {
                     const double x = centre(a)[axis], y = centre(b)[axis];
                     return x < y || (x == y && a.id < b.id);
                   });
  const int children = static_cast<int>(nodes_.size());
  nodes_[static_cast<std::size_t>(node)].first = children;
  nodes_.resize(nodes_.size() + 2);
  split(children, first, middle);
  split(children + 1, middle, last);
}

}  // namespace limber
