#pragma once
// Contact that gives way: forces as functions of depth, rate and slip, for integrators of
// differential equations. Normal laws: a spring and a damper, or Hunt and Crossley's. Friction:
// Coulomb's law smoothed over a small speed, or a spring and a damper that end in a slider which
// obeys Coulomb's law exactly: it sticks without creeping. The latter has a state, the stretch of
// its spring (McMillan's feet keep the same as the point where the foot first touched).
#include <algorithm>
#include <cmath>
#include <cstdint>

#include <limber/math/vec3.hpp>

namespace limber {

/// What a contact answers to being pressed.
struct NormalLaw {
  enum class Kind : std::uint8_t {
    linear,        ///< stiffness · depth + damping · rate
    hunt_crossley  ///< stiffness · depth^exponent · (1 + dissipation · rate)
  };
  Kind kind = Kind::hunt_crossley;
  double stiffness = 1e6;    ///< [N/m], hunt_crossley: [N/m^exponent]
  double damping = 0;        ///< of `linear` [N s/m]
  double exponent = 1.5;     ///< of `hunt_crossley`: 1.5 between spheres, 1 between flat faces
  double dissipation = 0.5;  ///< of `hunt_crossley` [s/m]
};

/// The force [N] at a depth [m] that grows at a rate [m/s]; never pulls.
inline double normal_force(const NormalLaw& law, double depth, double rate) {
  if (!(depth > 0)) return 0;
  if (law.kind == NormalLaw::Kind::linear)
    return std::max(0.0, law.stiffness * depth + law.damping * rate);
  return law.stiffness * std::pow(depth, law.exponent) * std::max(0.0, 1 + law.dissipation * rate);
}

/// The part of it that depends on the depth alone [N], and its integral over the depth [J]: what
/// the contact stores.
inline double elastic_force(const NormalLaw& law, double depth) {
  if (!(depth > 0)) return 0;
  const bool linear = law.kind == NormalLaw::Kind::linear;
  return law.stiffness * (linear ? depth : std::pow(depth, law.exponent));
}
inline double elastic_energy(const NormalLaw& law, double depth) {
  const double power = law.kind == NormalLaw::Kind::linear ? 1 : law.exponent;
  return elastic_force(law, depth) * std::max(depth, 0.0) / (power + 1);
}

/// What a contact answers to being dragged along its surface.
struct FrictionLaw {
  enum class Kind : std::uint8_t {
    regularised,  ///< Coulomb's force times slip/√(slip² + slip_speed²): creeps under any load
    sticking      ///< a spring and damper before a slider that obeys Coulomb's law
  };
  Kind kind = Kind::sticking;
  double slip_speed = 1e-3;  ///< of `regularised` [m/s]
  double stiffness = 1e5;    ///< of `sticking`, along the surface [N/m]
  double damping = 200;      ///< of `sticking`, along the surface, positive [N s/m]
};

/// Coulomb's force for a limit µN [N] and a slip [m/s] of the body it acts on.
inline Vec3<double> regularised_friction(const FrictionLaw& law, double limit,
                                         const Vec3<double>& slip) {
  const double speed = std::sqrt(dot(slip, slip) + law.slip_speed * law.slip_speed);
  return slip * (-limit / speed);
}

/// The force of a sticking contact and the rate of its state.
struct StickingFriction {
  Vec3<double> force;  ///< on the body whose slip it is [N]
  Vec3<double> rate;   ///< of the stretch [m/s]
  bool slides = false;
};
/// The spring (stretched by `stretch` [m]) and the damper bear at most the limit µN [N]; what is
/// more moves the slider, as fast as needed for the force to stay on Coulomb's cone. With a limit
/// of zero the spring relaxes.
inline StickingFriction sticking_friction(const FrictionLaw& law, double limit,
                                          const Vec3<double>& stretch, const Vec3<double>& slip) {
  const Vec3<double> held = stretch * law.stiffness + slip * law.damping;
  const double size = norm(held);
  if (size <= limit) return {held * -1.0, slip, false};
  const Vec3<double> force = held * (limit / size);
  return {force * -1.0, (force - stretch * law.stiffness) / law.damping, true};
}

/// What the spring of a sticking contact stores [J].
inline double sticking_energy(const FrictionLaw& law, const Vec3<double>& stretch) {
  return law.stiffness * dot(stretch, stretch) / 2;
}

/// The coefficient between static friction, at rest, and sliding friction, at speeds well above
/// `transition` [m/s].
inline double friction_coefficient(double at_rest, double sliding, double speed,
                                   double transition) {
  const double s = speed / transition;
  return sliding + (at_rest - sliding) * std::exp(-s * s);
}

}  // namespace limber
