#pragma once
// The thesis's vehicles under water, for any scalar, at one state: a floating body with legs, or
// with one arm whose first joint turns about an axis of the body's frame.
#include <cmath>
#include <vector>

#include <limber/fluid/submerged.hpp>

#include "study_legs/walker.hpp"
#include "study_water/results.hpp"

namespace limber::app::study_water {

/// [McM] §7.5: frames 0 and 1 have one z axis and one origin.
inline Spec arm_spec(int joints) {
  Spec spec = study_legs::walker_spec(1, joints);
  spec.name = "vehicle with arm";
  spec.bodies[0].inertia = reference::mdh_test_chain(2).links[1].inertia;
  spec.joints[1].placement = {};
  return spec;
}

/// For every body a full matrix of added mass, a centre of buoyancy off the axes, and a cylinder
/// along x, which is what the thesis counts.
inline std::vector<LinkHydrodynamics> thesis_water(const Spec& spec) {
  std::vector<LinkHydrodynamics> links;
  for (const BodySpec& body : spec.bodies) {
    const auto n = static_cast<double>(links.size());
    // numbers without pattern between −1 and 1
    const auto number = [n](int k) { return std::sin(12.9898 * n + 78.233 * k); };
    Hydrodynamics water;
    water.added_mass.I = {2 + number(1),   2 + number(2),   2 + number(3),
                          0.3 * number(4), 0.3 * number(5), 0.3 * number(6)};
    water.added_mass.M = {5 + number(7),    6 + number(8),    7 + number(9),
                          0.5 * number(10), 0.5 * number(11), 0.5 * number(12)};
    water.added_mass.H = {0.2 * number(13), 0.2 * number(14), 0.2 * number(15),
                          0.2 * number(16), 0.2 * number(17), 0.2 * number(18),
                          0.2 * number(19), 0.2 * number(20), 0.2 * number(21)};
    water.displacement = {4e-3, {0.1 * number(22), 0.1 * number(23), 0.1 * number(24)}};
    water.cylinders.push_back({{}, {0.5, 0, 0}, 0.05});
    links.push_back({body.name, water});
  }
  return links;
}

template <class T>
struct Vehicle : study_legs::Walker<T> {
  using study_legs::Walker<T>::model;
  using study_legs::Walker<T>::ws;
  using study_legs::Walker<T>::star;
  using study_legs::Walker<T>::q;
  using study_legs::Walker<T>::v;
  using study_legs::Walker<T>::tau;
  using study_legs::Walker<T>::a;

  Vehicle(const Spec& spec, const Model& plain, Place place)
      : study_legs::Walker<T>(plain), fluid(cast<T>(submerged(plain, thesis_water(spec)))) {
    for (int k = 0; k < 3; ++k) {
      fluid.velocity[k] = this->running(0.2 + 0.1 * k);
      fluid.acceleration[k] = this->running(0.1 - 0.1 * k);
    }
    for (std::size_t k = 0; k < 6; ++k) tau[k] = this->running(0.5);  // thrusters
    if (place == Place::water) loads.fluid = &fluid;
  }
  Vehicle(const Vehicle&) = delete;
  Vehicle& operator=(const Vehicle&) = delete;

  void compute(Way way) {
    if (way == Way::general) return forward_dynamics<T>(model, q, v, tau, ws, a, loads);
    star_dynamics<T>(
        model, q, v, tau,
        way == Way::composite ? StarMethod::composite_bodies : StarMethod::articulated_bodies, ws,
        star, a, loads);
  }
  /// Accelerations of the joints where those of the body are known: [McM] §7.5.2.
  std::vector<T> compute_decoupled() {
    std::vector<Known> known(6, Known::acceleration);
    known.resize(tau.size(), Known::force);
    const auto all = hybrid_dynamics<T>(model, q, v, known, tau, ws, loads).a;
    return {all.begin() + 6, all.end()};
  }

  FluidLoad<T> fluid;
  Loads<T> loads;
};

}  // namespace limber::app::study_water
