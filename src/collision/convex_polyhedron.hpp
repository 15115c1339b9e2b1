#pragma once
// ConvexPolyhedron: a convex hull with what contacts need of it: faces with all their corners,
// neighbours of each corner.
#include <cstdint>
#include <span>
#include <vector>

#include <limber/mesh/mesh.hpp>

namespace limber {

class ConvexPolyhedron {
 public:
  struct Face {
    Vec3<double> normal;  ///< outward, unit
    double offset = 0;    ///< normal · corner [m]
    int first = 0, count = 0;
  };

  /// Throws Error if the points lie in one plane.
  explicit ConvexPolyhedron(const std::vector<Vec3<double>>& points);

  int vertex_count() const { return static_cast<int>(vertices_.size()); }
  const Vec3<double>& vertex(int i) const { return vertices_[static_cast<std::size_t>(i)]; }
  std::span<const Vec3<double>> vertices() const { return vertices_; }
  std::span<const Face> faces() const { return faces_; }
  /// Corners of a face, counter-clockwise seen from outside.
  std::span<const int> corners(const Face& face) const {
    return part(corners_, face.first, face.count);
  }
  /// Faces around a vertex.
  std::span<const int> faces_at(int vertex) const { return part(faces_at_, vertex); }
  /// The vertex farthest along d.
  int farthest(const Vec3<double>& d) const;
  /// Inside of it.
  const Vec3<double>& centre() const { return centre_; }
  double extent() const { return extent_; }  ///< greatest distance of a vertex from the centre [m]

 private:
  // lists of numbers, one for each vertex, one after the other
  struct Lists {
    std::vector<int> values, begin{0};
  };
  static std::span<const int> part(const std::vector<int>& values, int first, int count) {
    return {values.data() + first, static_cast<std::size_t>(count)};
  }
  static std::span<const int> part(const Lists& lists, int i) {
    const int first = lists.begin[static_cast<std::size_t>(i)];
    return part(lists.values, first, lists.begin[static_cast<std::size_t>(i) + 1] - first);
  }
  static void append(Lists& lists, std::vector<int> more);
  void make_faces(const Mesh& hull);
  void make_neighbours(const Mesh& hull);

  std::vector<Vec3<double>> vertices_;
  std::vector<Face> faces_;
  std::vector<int> corners_;
  Lists faces_at_, neighbours_;
  std::vector<int> starts_;  // farthest vertices along the axes: where searches begin
  Vec3<double> centre_;
  double extent_ = 0;
};

}  // namespace limber
