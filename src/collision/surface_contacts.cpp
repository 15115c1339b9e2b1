// Each triangle is a solid of its own, without thickness, that is touched from outside only. A
// contact at an edge between two triangles that form no ridge would push against a surface that is
// not there: it is taken along the triangle's normal, or left to the neighbour.
#include "collision/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/contact_list.hpp"
#include "collision/height_grid.hpp"
#include "collision/triangle_tree.hpp"

namespace limber {

namespace {

SurfaceTriangle moved(const SurfaceTriangle& t, const Pose& X) {
  SurfaceTriangle out;
  out.id = t.id;
  out.normal = X.R * t.normal;
  for (std::size_t k = 0; k < 3; ++k) {
    out.corners[k] = transform_point(X, t.corners[k]);
    out.beyond[k] = X.R * t.beyond[k];
  }
  return out;
}

// is n a direction in which the surface can push at this point of the triangle?
bool can_push(const SurfaceTriangle& t, const Vector& n, const Vector& point) {
  constexpr double straight = 1 - 1e-10, slack = 1e-7;
  if (dot(n, t.normal) >= straight) return true;
  if (dot(n, t.normal) < 0) return false;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector edge = t.corners[(k + 1) % 3] - t.corners[k];
    const Vector inward = cross(t.normal, edge);
    const double height = dot(inward, t.corners[(k + 2) % 3] - t.corners[k]);
    if (dot(inward, point - t.corners[k]) > 1e-6 * height) continue;  // not at this edge
    const Vector& other = t.beyond[k];
    if (dot(other, other) == 0) continue;  // nothing beyond
    // a ridge, and n between the two normals
    if (!(dot(cross(t.normal, other), edge) > slack * norm(edge))) return false;
    if (dot(n, cross(other, edge)) < -slack * norm(edge)) return false;
  }
  return true;
}

class SurfaceContacts {
 public:
  enum class Below : std::uint8_t { empty, solid };  ///< what is below the surface
  SurfaceContacts(double margin, Below below) : margin_(margin), below_(below) {}

  /// The triangle is in the frame of the solid.
  void add(const Solid& solid, const SurfaceTriangle& t) {
    const Vector& m = t.normal;
    const Vector lowest = support(solid, -m) - solid.rounding * m;
    const double depth = -dot(m, lowest - t.corners[0]);
    if (depth < -margin_) return;
    Nearest at;
    const bool is_near =
        nearest(solid, triangle_solid(t.corners[0], t.corners[1], t.corners[2]), {}, margin_, at);
    if (is_near && can_push(t, at.normal, at.point_b)) {
      add(solid, t, at, sure_);
      return;
    }
    // below or beside: out along the normal of the triangle, unless it has passed through whole
    if (depth <= 0) return;
    if (below_ == Below::empty &&
        (!is_near || depth > dot(m, support(solid, m) - support(solid, -m)) + 2 * solid.rounding))
      return;
    at.normal = m, at.depth = -HUGE_VAL;
    const double deepest = add(solid, t, at, doubtful_);
    if (deepest > 0 && deepest < least_doubtful_)
      least_doubtful_ = deepest, least_doubtful_normal_ = m;
  }

  /// Of the contacts along normals that are not those of the shortest way only those that push in
  /// much the same direction as the others do; if there are no others, as the triangle that is
  /// least deep does.
  void finish(Manifold& out) {
    out = sure_;
    bool is_deep = false;
    for (const ContactPoint& p : sure_.all()) is_deep = is_deep || p.depth > 0;
    for (const ContactPoint& p : doubtful_.all()) {
      bool agrees = !is_deep && dot(p.normal, least_doubtful_normal_) > 0.5;
      for (const ContactPoint& q : sure_.all())
        agrees = agrees || (q.depth > 0 && dot(p.normal, q.normal) > 0.5);
      if (agrees) add_apart(out, p, 1e-4 * extent_);
    }
    keep_four_of_each_normal(out);
    give_unique_features(out);
  }

 private:
  // returns the greatest depth
  double add(const Solid& solid, const SurfaceTriangle& t, const Nearest& at, Manifold& list) {
    const Solid triangle = triangle_solid(t.corners[0], t.corners[1], t.corners[2]);
    Manifold points;
    find_contact_points(solid, triangle, {}, at, margin_, points);
    extent_ = std::max(extent_, solid.extent);
    double deepest = -HUGE_VAL;
    for (ContactPoint p : points.all()) {
      p.feature = p.feature * 2654435761U + static_cast<std::uint32_t>(t.id) * 40503U;
      add_apart(list, p, 1e-4 * solid.extent);
      deepest = std::max(deepest, p.depth);
    }
    return deepest;
  }

  double margin_;
  Below below_;
  double extent_ = 0;
  Manifold sure_, doubtful_;
  double least_doubtful_ = HUGE_VAL;
  Vector least_doubtful_normal_;
};

// `box` is that of the solid in the frame of b
void add_triangles(const Solid& solid, const Shape& b, const Pose& X, const Bounds& around,
                   SurfaceContacts& contacts) {
  if (b.kind() == Shape::Kind::height_field)
    b.grid().visit(around, [&](const SurfaceTriangle& t) { contacts.add(solid, moved(t, X)); });
  else
    b.triangles().visit([&](const Bounds& node) { return overlap(node, around); },
                        [&](const SurfaceTriangle& t) {
                          if (overlap(bounds_of(t.corners), around))
                            contacts.add(solid, moved(t, X));
                        });
}

// the corners of a mesh below a plane
void add_corners(const TriangleTree& mesh, const Vector& n, const Vector& origin, double margin,
                 Manifold& out) {
  const auto height = [&](const Vector& p) { return dot(n, p - origin); };
  const auto comes_close = [&](const Bounds& node) {
    const Vector lowest{n.x > 0 ? node.lower.x : node.upper.x,
                        n.y > 0 ? node.lower.y : node.upper.y,
                        n.z > 0 ? node.lower.z : node.upper.z};
    return height(lowest) <= margin;
  };
  const double close = 1e-6 * norm(mesh.bounds().upper - mesh.bounds().lower);
  mesh.visit(comes_close, [&](const SurfaceTriangle& t) {
    for (std::size_t k = 0; k < 3; ++k)
      if (const double h = height(t.corners[k]); h <= margin)
        add_apart(out,
                  {t.corners[k] - (h / 2) * n, n, -h,
                   static_cast<std::uint32_t>(t.id) * 3 + static_cast<std::uint32_t>(k)},
                  close);
  });
}

// A ball above one triangle of a height field, away from its edges, touches nothing else: that
// needs no search. False: it is at an edge, or sunk in.
bool find_ball_on_triangle(double radius, const HeightGrid& grid, const Pose& X, const Pose& X_ba,
                           double margin, Manifold& out) {
  const Vector& c = X_ba.p;
  const double reach = radius + std::max(margin, 0.0);
  const int i = grid.cell_column(c.x), j = grid.cell_row(c.y);
  const Vector o = grid.corner(i, j);
  const double x = c.x - o.x, y = c.y - o.y, dx = grid.cell_x(), dy = grid.cell_y();
  if (!(x > reach && x < dx - reach && y > reach && y < dy - reach)) return false;
  const double across = (x * dy - y * dx) / std::sqrt(dx * dx + dy * dy);  // from the diagonal
  if (!(std::abs(across) > reach)) return false;
  const int half = across > 0 ? 0 : 1;
  const Vector n = grid.triangle_normal(i, j, half);
  const double height = dot(n, c - o);
  if (!(height > 0)) return false;
  if (radius - height < -margin) return true;
  const Vector m = X.R * n;
  const int id = grid.triangle_id(i, j, half);
  out.points[0] = {m * ((radius - height) / 2 - radius), m, radius - height,
                   static_cast<std::uint32_t>(id) * 40503U};
  out.count = 1;
  return true;
}

// a solid below all triangles whose normals lead to it: out at its lowest point
void add_sunk(const Solid& solid, const HeightGrid& grid, const Pose& X, Manifold& out) {
  const Vector down = -X.R.column(2);
  const Vector lowest = support(solid, down) + solid.rounding * down;
  const Vector p = transpose_times(X.R, lowest - X.p);
  const Bounds& field = grid.bounds();
  if (p.x < field.lower.x || p.x > field.upper.x || p.y < field.lower.y || p.y > field.upper.y)
    return;
  const double below = grid.height(p.x, p.y) - p.z;
  if (!(below > 0)) return;
  const int i = grid.cell_column(p.x), j = grid.cell_row(p.y);
  const Vector o = grid.corner(i, j);
  const bool is_lower = (p.y - o.y) * grid.cell_x() <= (p.x - o.x) * grid.cell_y();
  const SurfaceTriangle t = grid.triangle(i, j, is_lower ? 0 : 1);
  const double depth = below * t.normal.z;
  const Vector n = X.R * t.normal;
  out.points[0] = {lowest + (depth / 2) * n, n, depth, static_cast<std::uint32_t>(t.id) * 40503U};
  out.count = 1;
}

}  // namespace

void find_surface_contacts(const Shape& a, const Shape& b, const Pose& X, double margin,
                           Manifold& out) {
  out.count = 0;
  const Pose X_ba = inverse(X);
  // a plane comes before the surfaces in the order of kinds
  if (a.kind() == Shape::Kind::plane) {
    add_corners(b.triangles(), X_ba.R.column(2), X_ba.p, margin, out);
    out.count =
        keep_four(X_ba.R.column(2), {out.points.data(), static_cast<std::size_t>(out.count)});
    for (int k = 0; k < out.count; ++k) {
      ContactPoint& c = out.points[static_cast<std::size_t>(k)];
      c.point = transform_point(X, c.point);
      c.normal = -(X.R * c.normal);
    }
    return;
  }
  if (a.kind() == Shape::Kind::sphere && b.kind() == Shape::Kind::height_field &&
      find_ball_on_triangle(a.radius(), b.grid(), X, X_ba, margin, out))
    return;
  SurfaceContacts contacts(margin, b.kind() == Shape::Kind::height_field
                                       ? SurfaceContacts::Below::solid
                                       : SurfaceContacts::Below::empty);
  if (a.is_convex()) {
    const Solid solid = solid_of(a);
    add_triangles(solid, b, X, widened(a.bounds(X_ba), margin), contacts);
    contacts.finish(out);
    if (out.count == 0 && b.kind() == Shape::Kind::height_field) add_sunk(solid, b.grid(), X, out);
    return;
  }
  // a mesh: each of its triangles that comes close
  const Bounds around = widened(b.bounds(X), margin);
  a.triangles().visit([&](const Bounds& node) { return overlap(node, around); },
                      [&](const SurfaceTriangle& t) {
                        if (!overlap(bounds_of(t.corners), around)) return;
                        const Solid solid =
                            triangle_solid(t.corners[0], t.corners[1], t.corners[2]);
                        const Bounds box = bounds_of(moved(t, X_ba).corners);
                        add_triangles(solid, b, X, widened(box, margin), contacts);
                      });
  contacts.finish(out);
}

}  // namespace limber
