#include <limber/collision/normal_rate.hpp>

#include <algorithm>
#include <cmath>

#include "collision/solid.hpp"

namespace limber {

namespace {

// radii of curvature at a place of a surface, in the tangent plane: a matrix, and the directions in
// which it is straight
struct SurfaceRadii {
  enum class Form : std::uint8_t { curved, straight_along, flat, unknown };
  Form form = Form::curved;
  Vector along;        // straight_along: unit
  Sym3<double> radii;  // of what is not straight [m]
};

// ρ t tᵀ
Sym3<double> radius_along(const Vector& t, double radius) {
  return {radius * t.x * t.x, radius * t.y * t.y, radius * t.z * t.z,
          radius * t.x * t.y, radius * t.x * t.z, radius * t.y * t.z};
}
SurfaceRadii round(const Vector& n, double radius) {
  Sym3<double> all = radius_along(n, -radius);
  all.xx += radius, all.yy += radius, all.zz += radius;
  return {SurfaceRadii::Form::curved, {}, all};
}
SurfaceRadii straight(const Vector& along, const Vector& n, double radius_across) {
  return {SurfaceRadii::Form::straight_along, along, radius_along(cross(n, along), radius_across)};
}
constexpr double aligned = 1e-5;  // of unit vectors, as exactly as searches find them

SurfaceRadii radii_of_cylinder(double radius, const Vector& n) {
  const double across = std::hypot(n.x, n.y);
  if (across < aligned) return {SurfaceRadii::Form::flat, {}, {}};
  if (std::abs(n.z) < aligned) return straight({0, 0, 1}, n, radius);
  // on the rim: around it
  const Vector t{-n.y / across, n.x / across, 0};
  return {SurfaceRadii::Form::curved, {}, radius_along(t, radius / across)};
}

SurfaceRadii radii_of_box(const Vector& n) {
  int count = 0, last = 0;
  for (int i = 0; i < 3; ++i)
    if (std::abs(n[i]) > aligned) ++count;
    else last = i;
  if (count == 1) return {SurfaceRadii::Form::flat, {}, {}};
  if (count == 3) return {};
  Vector edge;
  edge[last] = 1;
  return straight(edge, n, 0);
}

// dx/dn of the farthest point x = E² n / |E n|
SurfaceRadii radii_of_ellipsoid(const Vector& e, const Vector& n) {
  const double length = norm(Vector{e.x * n.x, e.y * n.y, e.z * n.z});
  const Vector x{e.x * e.x * n.x / length, e.y * e.y * n.y / length, e.z * e.z * n.z / length};
  Sym3<double> radii = radius_along(x, -1 / length);
  radii.xx += e.x * e.x / length, radii.yy += e.y * e.y / length, radii.zz += e.z * e.z / length;
  return {SurfaceRadii::Form::curved, {}, radii};
}

SurfaceRadii radii_of_polyhedron(const ConvexPolyhedron& hull, const Vector& n) {
  const int vertex = hull.farthest(n);
  int other = -1;
  double highest = -HUGE_VAL;
  for (const int f : hull.faces_at(vertex)) {
    const ConvexPolyhedron::Face& face = hull.faces()[static_cast<std::size_t>(f)];
    if (dot(face.normal, n) > 1 - aligned * aligned / 2) return {SurfaceRadii::Form::flat, {}, {}};
    for (const int corner : hull.corners(face))
      if (const double h = dot(n, hull.vertex(corner)); corner != vertex && h > highest)
        highest = h, other = corner;
  }
  const Vector edge = hull.vertex(vertex) - hull.vertex(other);
  if (dot(n, edge) > aligned * norm(edge)) return {};
  return straight(unit_or_z(edge), n, 0);
}

// n is outward; point and n in the shape's frame
SurfaceRadii radii_at(const Shape& shape, const Vector& point, const Vector& n) {
  switch (shape.kind()) {
    case Shape::Kind::sphere:
      return round(n, shape.radius());
    case Shape::Kind::capsule: {
      // the axis below the point
      const double z = point.z - shape.radius() * n.z;
      return std::abs(z) > shape.half_length() * (1 - 1e-9) && std::abs(n.z) > aligned
                 ? round(n, shape.radius())
                 : straight({0, 0, 1}, n, shape.radius());
    }
    case Shape::Kind::box:
      return radii_of_box(n);
    case Shape::Kind::cylinder:
      return radii_of_cylinder(shape.radius(), n);
    case Shape::Kind::ellipsoid:
      return radii_of_ellipsoid(shape.half_edges(), n);
    case Shape::Kind::convex:
      return radii_of_polyhedron(shape.polyhedron(), n);
    case Shape::Kind::plane:
      return {SurfaceRadii::Form::flat, {}, {}};
    case Shape::Kind::mesh:
    case Shape::Kind::height_field:
      break;
  }
  return {SurfaceRadii::Form::unknown, {}, {}};
}

// in world axes
SurfaceRadii world_radii(const Shape& shape, const Pose& pose, const Vector& point,
                         const Vector& n) {
  SurfaceRadii r =
      radii_at(shape, transpose_times(pose.R, point - pose.p), transpose_times(pose.R, n));
  r.along = pose.R * r.along;
  r.radii = rotated(pose.R, r.radii);
  return r;
}

}  // namespace

std::optional<Vector> normal_rate(const Shape& a, const Pose& a_pose,
                                  const ShapeVelocity& a_velocity, const Shape& b,
                                  const Pose& b_pose, const ShapeVelocity& b_velocity,
                                  const ContactPoint& at) {
  using Form = SurfaceRadii::Form;
  const Vector& n = at.normal;
  const Vector on_a = at.point - (at.depth / 2) * n, on_b = at.point + (at.depth / 2) * n;
  const SurfaceRadii A = world_radii(a, a_pose, on_a, -n), B = world_radii(b, b_pose, on_b, n);
  if (A.form == Form::unknown || B.form == Form::unknown) return std::nullopt;
  const Vector a_turn = cross(a_velocity.angular, n), b_turn = cross(b_velocity.angular, n);
  if (b.kind() == Shape::Kind::plane) return b_turn;
  if (a.kind() == Shape::Kind::plane) return a_turn;
  if (A.form == Form::flat && B.form == Form::flat) return std::nullopt;
  if (A.form == Form::flat) return a_turn;
  if (B.form == Form::flat) return b_turn;
  // two equations r_k · dn/dt = s_k, for two directions of the tangent plane
  const Vector v = a_velocity.linear + cross(a_velocity.angular, on_a - a_pose.p) -
                   b_velocity.linear - cross(b_velocity.angular, on_b - b_pose.p);
  const Vector right = v + A.radii * a_turn + B.radii * b_turn;
  const auto row_along = [&](const Vector& t) { return A.radii * t + B.radii * t - at.depth * t; };
  std::array<Vector, 2> rows;
  std::array<double, 2> values{};
  if (A.form == Form::straight_along && B.form == Form::straight_along) {
    rows = {A.along, B.along};
    values = {dot(A.along, a_turn), dot(B.along, b_turn)};
  } else if (A.form == Form::straight_along || B.form == Form::straight_along) {
    const Vector& along = A.form == Form::straight_along ? A.along : B.along;
    const Vector across = cross(n, along);
    rows = {along, row_along(across)};
    values = {dot(along, A.form == Form::straight_along ? a_turn : b_turn), dot(across, right)};
  } else {
    const Vector t = square_to(n), u = cross(n, t);
    rows = {row_along(t), row_along(u)};
    values = {dot(t, right), dot(u, right)};
  }
  const Vector t = square_to(n), u = cross(n, t);
  const double m00 = dot(rows[0], t), m01 = dot(rows[0], u), m10 = dot(rows[1], t),
               m11 = dot(rows[1], u), det = m00 * m11 - m01 * m10;
  const double size = (std::abs(m00) + std::abs(m01)) * (std::abs(m10) + std::abs(m11));
  if (!(std::abs(det) > 1e-9 * size)) return std::nullopt;
  return ((values[0] * m11 - values[1] * m01) / det) * t +
         ((m00 * values[1] - m10 * values[0]) / det) * u;
}

std::optional<ContactRates> contact_rates(const Shape& a, const Pose& a_pose,
                                          const ShapeVelocity& a_velocity, const Shape& b,
                                          const Pose& b_pose, const ShapeVelocity& b_velocity,
                                          const ContactPoint& at) {
  using Form = SurfaceRadii::Form;
  const Vector& n = at.normal;
  const SurfaceRadii A = world_radii(a, a_pose, at.point, -n),
                     B = world_radii(b, b_pose, at.point, n);
  if (A.form == Form::unknown || B.form == Form::unknown) return std::nullopt;
  const Vector a_turn = cross(a_velocity.angular, n), b_turn = cross(b_velocity.angular, n);
  const Vector v_a = a_velocity.linear + cross(a_velocity.angular, at.point - a_pose.p),
               v_b = b_velocity.linear + cross(b_velocity.angular, at.point - b_pose.p);
  if (A.form == Form::flat && B.form == Form::flat)  // corners of what is no plane
    return a.kind() == Shape::Kind::plane ? ContactRates{a_turn, v_b} : ContactRates{b_turn, v_a};
  const std::optional<Vector> turn = normal_rate(a, a_pose, a_velocity, b, b_pose, b_velocity, at);
  if (!turn) return std::nullopt;
  // on either surface: with it, as the normal wanders over it, and along straight lines
  const Vector on_a = v_a + A.radii * (a_turn - *turn), on_b = v_b + B.radii * (*turn - b_turn);
  const bool a_straight = A.form == Form::straight_along,
             b_straight = B.form == Form::straight_along;
  if (a_straight && b_straight) {  // where the lines cross: on_a + α along_a = on_b + β along_b
    const double sine = dot(n, cross(A.along, B.along));
    return ContactRates{*turn, on_a + (dot(n, cross(on_b - on_a, B.along)) / sine) * A.along};
  }
  const bool takes_b = A.form == Form::flat || (a_straight && B.form == Form::curved);
  return ContactRates{*turn, takes_b ? on_b : on_a};
}

}  // namespace limber
