#pragma once
// Forward dynamics of a floating body with legs, leg by leg. [McM] ch. V (CRB/DTS) and ch. VII
// (AB/DTS)
//
// A leg is all that hangs from the body by one joint; it may branch. What its feet feel of the
// ground comes as forces on its bodies (compliant feet: functions of the state), so the loops
// through the ground are cut, and a leg meets the others at the body alone:
//   1. each leg by itself: what it puts against the body,
//   2. the body with all of them,
//   3. each leg again, with the body's acceleration.
// 1 and 3 may be done by several threads (batch/star_team.hpp). Legs are added to the body in
// their order, so the results are the same bits, whoever computed them.
#include <array>
#include <cstdint>

#include <limber/dynamics/forward_dynamics.hpp>

namespace limber {

/// How a leg is eliminated.
enum class StarMethod : std::uint8_t {
  /// CRB/DTS: composite bodies, then block elimination of the arrow matrix of legs and body, O(N³)
  /// for N joints. Fewer operations up to N = 3. [McM] tables 10 and 11, (5.21)-(5.25)
  composite_bodies,
  /// AB/DTS: articulated bodies, O(N). [McM] tables 13 to 15
  articulated_bodies
};

/// One leg: where it is in the model, and what it puts against the body, in the body's frame.
template <class T>
struct BasicStarLeg {
  int first = 0, end = 0;                ///< bodies
  int first_column = 0, end_column = 0;  ///< freedoms
  Force<T> force;  ///< at the joint for zero acceleration of the body: of the rigid leg (composite
                   ///< bodies), of the leg with free joints (articulated bodies)
  // articulated bodies
  ArticulatedInertia<T> articulated;
  // composite bodies
  Inertia<T> composite;                     ///< rK
  ArticulatedInertia<T> loaded;             ///< the same where loads add to it
  alignas(64) std::array<T, 6 * 8> rows{};  ///< −Q H⁻¹ Qᵀ, lower triangle
  std::array<T, 6> u{};                     ///< −Q H⁻¹ (τ − b)
};

/// A model as a body with legs, and the scratch of star_dynamics().
template <class T>
struct BasicStar {
  /// Throws Error unless the robot floats on a single body, without mimic joints and mounted
  /// rotors (forward_dynamics() takes these).
  explicit BasicStar(const BasicModel<T>& model);

  ModelIdentity model;  ///< whose legs these are
  List<BasicStarLeg<T>> legs;
  TreePattern pattern;        ///< of the mass matrix
  AlignedVector<T> L;         ///< composite bodies: H and Q, then their factors, 1/D at the ends
  List<Force<T>> load_force;  ///< of the inertia that loads add (bodies)
};

/// In double precision.
using Star = BasicStar<double>;

/// a(q, v, tau), as forward_dynamics() gives it, by the method that is named. No allocation.
template <class T>
void star_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau, StarMethod method,
                   BasicWorkspace<T>& ws, BasicStar<T>& star, Out<T> out,
                   const Loads<T>& loads = {});
/// The same, a view of nv numbers in `ws`.
template <class T>
std::span<const T> star_dynamics(const BasicModel<T>& model, In<T> q, In<T> v, In<T> tau,
                                 StarMethod method, BasicWorkspace<T>& ws, BasicStar<T>& star,
                                 const Loads<T>& loads = {});

}  // namespace limber
