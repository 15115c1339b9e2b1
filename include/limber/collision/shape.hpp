#pragma once
// Shape: the geometry of a thing that can be touched, in its own frame.
#include <cstdint>
#include <memory>
#include <vector>

#include <limber/mesh/mesh.hpp>
#include <limber/model/spec.hpp>

namespace limber {

class ConvexPolyhedron;  // src/collision/convex_polyhedron.hpp
class TriangleTree;      // src/collision/triangle_tree.hpp
class HeightGrid;        // src/collision/height_grid.hpp

/// Heights over a rectangle: z = height(x, y), linear in each of the two triangles of a cell. What
/// lies below the surface is solid.
struct HeightField {
  int columns = 0, rows = 0;    ///< numbers of points along x and y, each at least 2
  double width = 0, depth = 0;  ///< extent along x and y, centred about the origin [m]
  std::vector<double> heights;  ///< rows · columns values; x varies first, from −width/2 [m]
};

/// A box in the axes of some frame.
struct Bounds {
  Vec3<double> lower, upper;  ///< corners; infinite where the shape has no end [m]
};

/// One shape. Copies share the data of meshes and height fields. Its centre is the origin of its
/// own frame but for meshes and height fields.
class Shape {
 public:
  enum class Kind : std::uint8_t {
    sphere,
    capsule,
    box,
    cylinder,
    ellipsoid,
    convex,        ///< convex hull of points
    plane,         ///< solid below z = 0, without end
    mesh,          ///< surface of triangles, seen from outside
    height_field,  ///< solid below z = height(x, y)
  };

  // Each of these throws Error for sizes that are not finite and positive. [m]
  static Shape sphere(double radius);
  static Shape capsule(double radius, double length);  ///< length of its cylindrical part, along z
  static Shape box(const Vec3<double>& edges);
  static Shape cylinder(double radius, double length);  ///< axis along z
  static Shape ellipsoid(const Vec3<double>& semi_axes);
  static Shape plane();
  /// The convex hull of the points, which must not lie in one plane.
  static Shape convex(const std::vector<Vec3<double>>& points);
  /// A surface. A contact pushes to the outside of a triangle: where its corners run
  /// counter-clockwise.
  static Shape mesh(const Mesh& mesh);
  static Shape height_field(const HeightField& field);

  /// The shape of a robot file. Meshes and height fields need their data: see above, and
  /// CollisionScene, which reads mesh files. Throws Error for these, and for sizes as above.
  static Shape from(const ShapeSpec& spec);

  Kind kind() const { return kind_; }
  bool is_convex() const { return kind_ < Kind::plane; }
  double radius() const { return radius_; }            ///< sphere, capsule, cylinder
  double half_length() const { return half_length_; }  ///< capsule (of its axis), cylinder
  const Vec3<double>& half_edges() const {
    return half_edges_;
  }  ///< box; semi-axes of an ellipsoid

  const ConvexPolyhedron& polyhedron() const { return *polyhedron_; }  ///< of a convex shape
  const TriangleTree& triangles() const { return *triangles_; }        ///< of a mesh
  const HeightGrid& grid() const { return *grid_; }                    ///< of a height field

  /// The smallest box around the shape at a pose, in the axes of the pose's outer frame.
  Bounds bounds(const Transform<double>& pose) const;

 private:
  explicit Shape(Kind kind) : kind_(kind) {}

  Kind kind_;
  double radius_ = 0, half_length_ = 0;
  Vec3<double> half_edges_;
  std::shared_ptr<const ConvexPolyhedron> polyhedron_;
  std::shared_ptr<const TriangleTree> triangles_;
  std::shared_ptr<const HeightGrid> grid_;
};

/// "sphere", "box", …
const char* name(Shape::Kind kind);

}  // namespace limber
