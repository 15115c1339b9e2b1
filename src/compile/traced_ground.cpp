#include "compile/traced_ground.hpp"

#include <limber/contact/contact_rows.hpp>
#include <limber/scalar/expr_graph.hpp>

namespace limber {

namespace {

/// Gap of a point beside the field: nothing comes down so far in a step [m].
constexpr double out_of_reach = 1000;

Vec3<Expr> fixed(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

/// Where a coordinate is among the points of a field: the number of its cell, which is the closest
/// one outside of the field, and how far it is in it (0 to 1 in the field).
struct Place {
  Expr cell, rest;
  Place(Expr x, double extent, int points) {
    const double step = extent / (points - 1), last = points - 2;
    const Expr along = (x + Expr(extent / 2)) * Expr(1 / step);
    const Expr above = select(along > Expr(0), along, Expr(0));
    cell = floor(select(above < Expr(last), above, Expr(last)));
    rest = along - cell;
  }
};

/// As HeightGrid::height(). A cell consists of two triangles along the diagonal from its first
/// corner to its last; of the two other corners the one counts on whose side the point is.
GroundBelow on_field(const ContactField& f, const GroundAxes& axes, const Vec3<Expr>& point) {
  const Vec3<Expr> p = axes.along(point - fixed(f.pose.p));  // z, x, y of the field
  const Place u(p.y, f.width, f.columns), v(p.z, f.depth, f.rows);
  const Expr first = v.cell * Expr(f.columns) + u.cell;
  const auto is_upper = u.rest < v.rest;
  const Expr side = first + select(is_upper, Expr(f.columns), Expr(1));
  const Expr z0 = element(0, first), z1 = element(0, side),
             z2 = element(0, first + Expr(f.columns + 1));
  const Expr rise_x = select(is_upper, z2 - z1, z1 - z0),
             rise_y = select(is_upper, z1 - z0, z2 - z1);
  const Expr height = z0 + u.rest * rise_x + v.rest * rise_y;
  const Expr slope_x = rise_x * Expr((f.columns - 1) / f.width),
             slope_y = rise_y * Expr((f.rows - 1) / f.depth);
  GroundBelow ground;
  const Expr cosine = Expr(1) / sqrt(Expr(1) + slope_x * slope_x + slope_y * slope_y);
  ground.n = {cosine, -slope_x * cosine, -slope_y * cosine};
  const Expr across = Expr(1) / sqrt(Expr(1) + slope_x * slope_x);
  ground.t1 = {slope_x * across, across, 0.0};
  ground.t2 = cross(ground.n, ground.t1);
  const double half_x = f.width / 2, half_y = f.depth / 2;
  const Expr inside =
      select(p.z * p.z > Expr(half_y * half_y), Expr(out_of_reach), (p.x - height) * cosine);
  ground.gap = select(p.y * p.y > Expr(half_x * half_x), Expr(out_of_reach), inside);
  return ground;
}

}  // namespace

GroundAxes ground_axes(const StepContact& contact) {
  if (contact.field) {
    const Mat3<double>& R = contact.field->pose.R;
    return {fixed(R.column(2)), fixed(R.column(0)), fixed(R.column(1))};
  }
  Vec3<double> t1, t2;
  tangents_of(contact.normal, t1, t2);
  return {fixed(contact.normal), fixed(t1), fixed(t2)};
}

GroundBelow ground_below(const StepContact& contact, const GroundAxes& axes,
                         const Vec3<Expr>& point) {
  if (contact.field) return on_field(*contact.field, axes, point);
  GroundBelow plane;
  plane.gap = dot(axes.n, point) - Expr(contact.height);
  return plane;
}

}  // namespace limber
