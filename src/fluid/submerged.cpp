// A robot deep in water, as numbers of its bodies.
#include <limber/fluid/submerged.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "fluid/gauss.hpp"

namespace limber {

namespace {

// Squares and cubes of what turns by right angles leave of rounding become zero: they are too small
// for single precision.
void drop_remains(std::initializer_list<double*> numbers, double size) {
  for (double* x : numbers)
    if (std::abs(*x) < 1e-25 * size) *x = 0;
}
void drop_remains(std::initializer_list<double*> numbers) {
  double largest = 0;
  for (const double* x : numbers) largest = std::max(largest, std::abs(*x));
  drop_remains(numbers, largest);
}
Vec3<double> without_remains(Vec3<double> a, double size) {
  drop_remains({&a.x, &a.y, &a.z}, size);
  return a;
}
void drop_remains(ArticulatedInertia<double>& B) {
  for (Sym3<double>* A : {&B.I, &B.M})
    drop_remains({&A->xx, &A->yy, &A->zz, &A->xy, &A->xz, &A->yz});
  Mat3<double>& H = B.H;
  drop_remains({&H.xx, &H.xy, &H.xz, &H.yx, &H.yy, &H.yz, &H.zx, &H.zy, &H.zz});
}

// the unit vector of the axes that is most nearly square to a direction, made so
Vec3<double> square_to(const Vec3<double>& axis) {
  Vec3<double> most;
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(axis[k]) < std::abs(axis[least])) least = k;
  most[least] = 1;
  const Vec3<double> across = most - axis * dot(axis, most);
  return without_remains(across / norm(across), 1);
}

// X: pose of the link in the body's frame
MarineDamping<double> angular_first(const Hydrodynamics& body, const Transform<double>& X) {
  MarineDamping<double> d{X * body.damping_frame, {}};
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t i = 0; i < 6; ++i) {
      const double linear = body.linear_damping[(i + 3) % 6][(j + 3) % 6],
                   quadratic = body.quadratic_damping[(i + 3) % 6][(j + 3) % 6];
      if (linear != 0 || quadratic != 0) d.entries.push_back({i, j, linear, quadratic});
    }
  return d;
}

void check_offered(const LinkHydrodynamics& link) {
  for (const CylinderDrag& cylinder : link.hydrodynamics.cylinders)
    if (cylinder.rule != StripRule::four_points)
      throw Error(fmt::format(
          "link '{}': a cylinder with adaptive strips is not offered where the fluid is a constant "
          "load (submerged(), compiled code); set StripRule::four_points, or take WaterLoads",
          link.link));
}

}  // namespace

StripDrag<double> strip_drag(const CylinderDrag& c, double density) {
  const Vec3<double> whole = c.end - c.start;
  const double length = norm(whole);
  StripDrag<double> s;
  s.start = without_remains(c.start, length);
  s.axis = without_remains(whole / length, 1);
  s.across = square_to(s.axis);
  s.across2 = cross(s.axis, s.across);
  for (std::size_t k = 0; k < 4; ++k) {
    s.place[k] = length * gauss_node[k];
    s.weight[k] = -density * c.coefficient * c.radius * length * gauss_weight[k];
  }
  const double circle = std::numbers::pi * c.radius;
  s.along = -0.5 * density *
            (c.end_coefficient * circle * c.radius + c.skin_coefficient * 2 * circle * length);
  return s;
}

FoilLift<double> foil_lift(const LiftingSurface& foil, double density) {
  FoilLift<double> f{foil.center, foil.chord, foil.normal, 0.5 * density * foil.area};
  f.slope = foil.slope;
  f.most = std::min(foil.most_lift, std::abs(foil.slope));  // |sin α cos α| is less than one
  f.drag = foil.drag_coefficient;
  f.induced = foil.induced_drag;
  return f;
}

void add_surface(const SurfaceDrag& surface, const Transform<double>& X, double density,
                 FluidBody<double>& body) {
  const double pressure = -0.5 * density * surface.coefficient,
               friction = -0.5 * density * surface.skin_coefficient;
  for (const SurfacePatch& patch : surface.patches) {
    const Vec3<double> point = transform_point(X, patch.point), area = X.R * patch.area;
    const double size = norm(area);
    if (pressure != 0 && !surface.sphere) body.patches.push_back({point, area * pressure});
    if (friction != 0) body.skins.push_back({point, area / size, friction * size});
  }
  if (!surface.sphere || pressure == 0) return;
  const double r = surface.sphere->radius;
  body.spheres.push_back(
      {transform_point(X, surface.sphere->center), r, pressure * std::numbers::pi * r * r});
}

FluidLoad<double> submerged(const Model& model, std::span<const LinkHydrodynamics> links,
                            double density) {
  if (!(density > 0 && density < HUGE_VAL))
    throw Error(fmt::format("submerged: the density is {}; give a positive one in kg/m³", density));
  List<FluidBody<double>> bodies(static_cast<std::size_t>(model.bodies()));
  for (const LinkHydrodynamics& link : links) {
    check_hydrodynamics(link.hydrodynamics, link.link);
    check_offered(link);
    const BasicFrame<double>& frame = model.frames[model.frame(link.link)];
    const Transform<double>& X = frame.placement;
    const Hydrodynamics& water = link.hydrodynamics;
    FluidBody<double>& body = bodies[frame.body];
    body.is_wet = true;
    body.added_mass += X * water.added_mass;
    const double mass = density * water.displacement.volume;
    body.displaced_mass += mass;
    body.displaced_moment += transform_point(X, water.displacement.center) * mass;
    for (CylinderDrag cylinder : water.cylinders) {
      cylinder.start = transform_point(X, cylinder.start);
      cylinder.end = transform_point(X, cylinder.end);
      body.strips.push_back(strip_drag(cylinder, density));
    }
    for (const SurfaceDrag& surface : water.surfaces) add_surface(surface, X, density, body);
    for (LiftingSurface foil : water.foils) {
      foil.center = transform_point(X, foil.center);
      foil.chord = X.R * foil.chord;
      foil.normal = X.R * foil.normal;
      body.foils.push_back(foil_lift(foil, density));
    }
    MarineDamping<double> damping = angular_first(water, X);
    if (!damping.entries.empty()) body.dampings.push_back(std::move(damping));
  }
  for (FluidBody<double>& body : bodies) drop_remains(body.added_mass);
  return FluidLoad<double>(std::move(bodies));
}

}  // namespace limber
