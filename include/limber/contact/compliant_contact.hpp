#pragma once
// Contact that gives way: forces as functions of depth, rate and slip, for integrators of
// differential equations. Normal laws: a spring and a damper, or Hunt and Crossley's. Friction:
// Coulomb's law smoothed over a small speed, or a spring and a damper that end in a slider which
// obeys Coulomb's law exactly: it sticks without creeping. The latter has a state, the stretch of
// its spring (McMillan's feet keep the same as the point where the foot first touched).
//
// T: double, or a Pack of many contacts that obey the same law.
#include <cmath>
#include <cstdint>
#include <type_traits>

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

/// A value that does not say what T is: T is double unless it is named.
template <class T>
using Value = std::type_identity_t<T>;

/// depth^exponent of a depth that is not negative.
inline double power_of_depth(double depth, double exponent) {
  if (exponent == 1.5) return depth * std::sqrt(depth);
  return exponent == 1 ? depth : std::pow(depth, exponent);
}
template <class T>
T power_of_depth(const T& depth, double exponent) {
  if (exponent == 1.5) return depth * sqrt(depth);
  if (exponent == 1) return depth;
  T r = depth;
  for (int i = 0; i < T::lanes; ++i) r.x[i] = std::pow(depth[i], exponent);
  return r;
}

/// The part of the force that depends on the depth [m] alone [N], and its integral over the depth
/// [J]: what the contact stores.
template <class T = double>
inline T elastic_force(const NormalLaw& law, const Value<T>& depth) {
  const T deep = select(depth > T(0), depth, T(0));
  const bool linear = law.kind == NormalLaw::Kind::linear;
  return T(law.stiffness) * (linear ? deep : power_of_depth(deep, law.exponent));
}
template <class T = double>
inline T elastic_energy(const NormalLaw& law, const Value<T>& depth) {
  const double power = law.kind == NormalLaw::Kind::linear ? 1 : law.exponent;
  return elastic_force<T>(law, depth) * depth * T(1 / (power + 1));
}

/// The force [N] at a depth [m] that grows at a rate [m/s]; never pulls.
template <class T = double>
inline T normal_force(const NormalLaw& law, const Value<T>& depth, const Value<T>& rate) {
  const T elastic = elastic_force<T>(law, depth);
  const T force = law.kind == NormalLaw::Kind::linear
                      ? elastic + T(law.damping) * rate
                      : elastic * (T(1) + T(law.dissipation) * rate);
  return select((depth > T(0)) & (force > T(0)), force, T(0));
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
template <class T = double>
inline Vec3<T> regularised_friction(const FrictionLaw& law, const Value<T>& limit,
                                    const Vec3<Value<T>>& slip) {
  const T speed = sqrt(dot(slip, slip) + T(law.slip_speed * law.slip_speed));
  return slip * (-limit / speed);
}

/// The force of a sticking contact and the rate of its state.
template <class T>
struct BasicStickingFriction {
  Vec3<T> force;  ///< on the body whose slip it is [N]
  Vec3<T> rate;   ///< of the stretch [m/s]
  decltype(T() < T()) slides{};
};
using StickingFriction = BasicStickingFriction<double>;
/// The spring (stretched by `stretch` [m]) and the damper bear at most the limit µN [N]; what is
/// more moves the slider, as fast as needed for the force to stay on Coulomb's cone. With a limit
/// of zero the spring relaxes.
template <class T = double>
inline BasicStickingFriction<T> sticking_friction(const FrictionLaw& law, const Value<T>& limit,
                                                  const Vec3<Value<T>>& stretch,
                                                  const Vec3<Value<T>>& slip) {
  const T stiffness(law.stiffness), damping(law.damping);
  const Vec3<T> held = stretch * stiffness + slip * damping;
  const T size = sqrt(dot(held, held));
  const auto slides = limit < size;
  const Vec3<T> force = held * select(slides, limit / size, T(1));
  const Vec3<T> pulled = (force - stretch * stiffness) / damping;
  return {-force,
          {select(slides, pulled.x, slip.x), select(slides, pulled.y, slip.y),
           select(slides, pulled.z, slip.z)},
          slides};
}

/// What the spring of a sticking contact stores [J].
template <class T = double>
inline T sticking_energy(const FrictionLaw& law, const Vec3<Value<T>>& stretch) {
  return T(law.stiffness / 2) * dot(stretch, stretch);
}

// --- over a step -------------------------------------------------------------------------------
// The same laws for an implicit step of h [s]: forces as they are at its end, where depths and
// stretches have changed with the velocities of the end. `impedance` is how fast a force falls as
// that velocity grows [N s/m]: with it steps stay stable however stiff the contact is.

/// The force along the normal.
template <class T>
struct NormalOverStep {
  T force, impedance;
  T stored_rate;  ///< how fast the stored energy grows, in the mean [W]
};
/// depth: at the beginning of the step; rate: its rate at the end. What comes to touch within the
/// step is braked by how deep it gets in it: a damper that were there at once would push with a
/// jump, and no velocity at the end would fit.
template <class T = double>
inline NormalOverStep<T> normal_over_step(const NormalLaw& law, const Value<T>& depth,
                                          const Value<T>& rate, double h) {
  const T end = depth + T(h) * rate, elastic = elastic_force<T>(law, end);
  const T grows = select(depth > T(0), rate, end * T(1 / h));
  const T force = normal_force<T>(law, end, grows);
  const bool linear = law.kind == NormalLaw::Kind::linear;
  const T deep = select(end > T(0), end, T(1));
  const T stiffness = linear
                          ? T(law.stiffness)
                          : T(law.exponent) * elastic / deep * (T(1) + T(law.dissipation) * grows);
  const T damping = linear ? T(law.damping) : T(law.dissipation) * elastic;
  return {force, select(force > T(0), damping + T(h) * stiffness, T(0)),
          (elastic_energy<T>(law, end) - elastic_energy<T>(law, depth)) * T(1 / h)};
}

/// What is taken for the impedance of what slides. Newton's method: the derivative, which is zero
/// along the slip; it finds how fast something slides, and never ends where something comes to
/// rest. Secants: the force over the velocity, which finds that, slowly. So take them in turn.
enum class SlidingImpedance : std::uint8_t { secant, newton };

/// The force along the surface, and the mean rate of the stretch.
template <class T>
struct FrictionOverStep {
  Vec3<T> force;
  T impedance;
  Vec3<T> rate;
  T stored_rate;
  Vec3<T> direction;  ///< unit, in which something slides
  T less;             ///< by which the impedance is less in that direction
};
/// limit: µN at the end; stretch: at the beginning; slip: at the end.
template <class T = double>
inline FrictionOverStep<T> friction_over_step(const FrictionLaw& law, const Value<T>& limit,
                                              const Vec3<Value<T>>& stretch,
                                              const Vec3<Value<T>>& slip, double h,
                                              SlidingImpedance sliding = SlidingImpedance::secant) {
  if (law.kind == FrictionLaw::Kind::regularised) {
    const T speed = sqrt(dot(slip, slip) + T(law.slip_speed * law.slip_speed));
    return {slip * (-limit / speed), limit / speed, {}, T(0), {}, T(0)};
  }
  const double impedance = law.damping + h * law.stiffness;
  const Vec3<T> sprung = stretch * T(law.stiffness), held = sprung + slip * T(impedance);
  const T size = sqrt(dot(held, held));
  const Vec3<T> direction = held * (T(1) / select(size > T(0), size, T(1)));
  const T share = select(limit < size, limit / select(size > T(0), size, T(1)), T(1));
  const auto slides = (limit < size) & (dot(slip, held) > T(0));
  const T less = select(slides, share * T(impedance), T(0));
  const Vec3<T> rate = (held * share - sprung) * T(1 / impedance), end = stretch + rate * T(h);
  return {
      held * -share, share * T(impedance),
      rate,          (sticking_energy<T>(law, end) - sticking_energy<T>(law, stretch)) * T(1 / h),
      direction,     sliding == SlidingImpedance::newton ? less : T(0)};
}

/// The coefficient between static friction, at rest, and sliding friction, at speeds well above
/// `transition` [m/s].
inline double friction_coefficient(double at_rest, double sliding, double speed,
                                   double transition) {
  if (at_rest == sliding) return sliding;
  const double s = speed / transition;
  return sliding + (at_rest - sliding) * std::exp(-s * s);
}

}  // namespace limber
