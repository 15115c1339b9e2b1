#pragma once
// Robots under water for tests: random hydrodynamics, a current, a body alone.
#include <vector>

#include <limber/fluid/water_loads.hpp>

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

inline Water streaming() {
  Water water;
  water.density = 1000;
  water.profile = {{-3, {0.4, 0.2, 0}}, {3, {-0.1, 0.3, 0}}};
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

inline Spec one_body(double mass, const Sym3<double>& inertia) {
  Spec spec;
  spec.name = "body";
  spec.add_body("hull", mass, {}, inertia);
  spec.add_joint("base", JointKind::free, "", "hull");
  return spec;
}

}  // namespace limber::test
