// A robot deep in water, as numbers of its bodies.
#include <limber/fluid/submerged.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <limber/error.hpp>

#include "fluid/gauss.hpp"

namespace limber {

namespace {

// the unit vector of the axes that is most nearly square to a direction, made so
Vec3<double> square_to(const Vec3<double>& axis) {
  Vec3<double> most;
  int least = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(axis[k]) < std::abs(axis[least])) least = k;
  most[least] = 1;
  const Vec3<double> across = most - axis * dot(axis, most);
  return across / norm(across);
}

MarineDamping<double> angular_first(const Hydrodynamics& body, const Transform<double>& frame) {
  MarineDamping<double> d{frame, {}};
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t i = 0; i < 6; ++i) {
      const double linear = body.linear_damping[(i + 3) % 6][(j + 3) % 6],
                   quadratic = body.quadratic_damping[(i + 3) % 6][(j + 3) % 6];
      if (linear != 0 || quadratic != 0) d.entries.push_back({i, j, linear, quadratic});
    }
  return d;
}

void check_offered(const LinkHydrodynamics& link) {
  const auto refuse = [&](const char* what, const char* instead) {
    throw Error(fmt::format(
        "link '{}': {} is not offered where the fluid is a constant load (submerged(), compiled "
        "code); {}, or take WaterLoads",
        link.link, what, instead));
  };
  const Hydrodynamics& body = link.hydrodynamics;
  if (!body.surfaces.empty())
    refuse("drag over a surface", "describe it by cylinders or damping matrices");
  if (!body.foils.empty()) refuse("a foil", "leave it out");
  for (const CylinderDrag& cylinder : body.cylinders)
    if (cylinder.rule != StripRule::four_points)
      refuse("a cylinder with adaptive strips", "set StripRule::four_points");
}

}  // namespace

StripDrag<double> strip_drag(const CylinderDrag& c, double density) {
  const Vec3<double> whole = c.end - c.start;
  const double length = norm(whole);
  StripDrag<double> s;
  s.start = c.start;
  s.axis = whole / length;
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
    MarineDamping<double> damping = angular_first(water, X);
    if (!damping.entries.empty()) body.dampings.push_back(std::move(damping));
  }
  return FluidLoad<double>(std::move(bodies));
}

}  // namespace limber
