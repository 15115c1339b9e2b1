#pragma once
// Robots under water for tests: random hydrodynamics, a current, a body alone.
#include <vector>

#include <limber/fluid/submerged.hpp>

#include "support/random_robots.hpp"

namespace limber::test {

inline Matrix6 dense(const ArticulatedInertia<double>& B) {
  Matrix6 D;
  D << plain(B.I), plain(B.H), plain(B.H).transpose(), plain(B.M);
  return D;
}
inline Vector3d head(const Vector6& x) { return x.head<3>(); }
inline Vector3d tail(const Vector6& x) { return x.tail<3>(); }

inline Hydrodynamics random_hydrodynamics(Random& random) {
  Hydrodynamics body;
  body.added_mass = random.articulated();
  body.displacement = {random.uniform(0, 1e-2), random.vec3(0.3)};
  for (std::size_t k = 0; k < 6; ++k) {
    body.linear_damping[k][k] = random.uniform(0, 3);
    body.quadratic_damping[k][k] = random.uniform(0, 5);
  }
  return body;
}

inline std::vector<LinkHydrodynamics> all_links(const Spec& spec, std::uint64_t seed) {
  Random random(seed);
  std::vector<LinkHydrodynamics> links;
  for (const BodySpec& body : spec.bodies)
    links.push_back({body.name, random_hydrodynamics(random)});
  return links;
}

/// With up to two cylinders each, and damping that couples directions in a frame of its own.
inline std::vector<LinkHydrodynamics> links_with_cylinders(const Spec& spec, std::uint64_t seed) {
  Random random(seed);
  std::vector<LinkHydrodynamics> links = all_links(spec, seed);
  for (LinkHydrodynamics& link : links) {
    Hydrodynamics& body = link.hydrodynamics;
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j)
        body.linear_damping[i][j] += i == j ? 3 : random.uniform(-0.3, 0.3);
    body.damping_frame = random.transform();
    for (int k = random.integer(0, 2); k > 0; --k) {
      CylinderDrag cylinder;
      cylinder.start = random.vec3(0.5);
      cylinder.end = cylinder.start + random.vec3(0.5) + Vec3<double>{0.7, 0, 0};
      cylinder.radius = random.uniform(0.01, 0.1);
      cylinder.coefficient = random.uniform(0.5, 1.5);
      cylinder.end_coefficient = random.uniform(0, 1);
      cylinder.skin_coefficient = random.uniform(0, 0.1);
      body.cylinders.push_back(cylinder);
    }
  }
  return links;
}

/// A box, a sphere or an ellipsoid somewhere on a link.
inline SurfaceDrag random_surface(Random& random) {
  ShapeSpec shape;
  const ShapeSpec::Kind kinds[] = {ShapeSpec::Kind::box, ShapeSpec::Kind::sphere,
                                   ShapeSpec::Kind::ellipsoid};
  shape.kind = kinds[random.integer(0, 2)];
  shape.size = {random.uniform(0.1, 0.5), random.uniform(0.1, 0.5), random.uniform(0.1, 0.5)};
  shape.placement = random.transform();
  SurfaceDrag surface = surface_drag_of(shape, random.uniform(0.5, 1.5));
  if (!surface.sphere && random.integer(0, 1) == 0)
    surface.skin_coefficient = random.uniform(0, 0.1);
  return surface;
}
/// A foil that stalls at an angle of attack of about 0.1 to 0.4, or not at all.
inline LiftingSurface random_foil(Random& random) {
  LiftingSurface foil;
  const Mat3<double> axes = random.transform().R;
  foil.center = random.vec3(0.5);
  foil.chord = axes * Vec3<double>{1, 0, 0};
  foil.normal = axes * Vec3<double>{0, 0, 1};
  foil.area = random.uniform(0.01, 0.2);
  foil.slope = random.uniform(2, 6);
  foil.drag_coefficient = random.uniform(0, 0.1);
  foil.induced_drag = random.uniform(0, 0.2);
  if (random.integer(0, 1) == 0) foil.most_lift = foil.slope * random.uniform(0.1, 0.4);
  return foil;
}
/// With cylinders, surfaces and foils.
inline std::vector<LinkHydrodynamics> links_with_all_drag(const Spec& spec, std::uint64_t seed) {
  Random random(seed + 100);
  std::vector<LinkHydrodynamics> links = links_with_cylinders(spec, seed);
  for (LinkHydrodynamics& link : links) {
    for (int k = random.integer(0, 2); k > 0; --k)
      link.hydrodynamics.surfaces.push_back(random_surface(random));
    for (int k = random.integer(0, 1); k > 0; --k)
      link.hydrodynamics.foils.push_back(random_foil(random));
  }
  return links;
}

inline Water streaming() {
  Water water;
  water.density = 1000;
  water.profile = {{-3, {0.4, 0.2, 0}}, {3, {-0.1, 0.3, 0}}};
  water.current = [](double t) {
    return Flow{{0.3 * std::sin(t), 0.2, 0.1 * t}, {0.3 * std::cos(t), 0, 0.1}};
  };
  return water;
}

/// The same everywhere.
inline Water uniform_stream() {
  Water water;
  water.density = 1000;
  water.current = [](double t) {
    return Flow{{0.3 * std::sin(t), 0.2, 0.1 * t}, {0.3 * std::cos(t), 0, 0.1}};
  };
  return water;
}

/// The time of the loads.
inline constexpr double when = 1.3;

inline Loads<double> loads_of(Robot& r, WaterLoads& loads, const Water& water,
                              const Loads<double>& others = {}) {
  return loads.update(r.model, forward_kinematics(r.model, in(r.q), in(r.v), r.ws), water, when,
                      others);
}

/// The same water as a constant load.
inline FluidLoad<double> in_stream(const Robot& r, const std::vector<LinkHydrodynamics>& links) {
  FluidLoad<double> fluid = submerged(r.model, links, uniform_stream().density);
  const Flow flow = uniform_stream().flow({}, when);
  fluid.velocity = flow.velocity, fluid.acceleration = flow.acceleration;
  return fluid;
}

inline Spec one_body(double mass, const Sym3<double>& inertia) {
  Spec spec;
  spec.name = "body";
  spec.add_body("hull", mass, {}, inertia);
  spec.add_joint("base", JointKind::free, "", "hull");
  return spec;
}

}  // namespace limber::test
