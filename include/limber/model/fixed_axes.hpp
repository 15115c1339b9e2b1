#pragma once
// Velocities and momenta in axes that do not turn with the body. The velocities of spherical and
// free joints are components along the body's own axes, which change while the body turns although
// no force acts; numbers that a method adds up from step to step must not. Here they are
//   spherical  w = ω in the axes of the joint's parent,
//   free       w = (ω, velocity of the centre of mass of the body that the joint carries) in them,
//   others     w = v,
// and the momenta π belong to them: π · w = p · v. A body that flies freely keeps π and its linear
// velocity, wherever its frame lies.
#include <span>

#include <limber/model/model.hpp>

namespace limber {

/// w of the velocities v at q. `w` may be v itself. Throws Error for wrong sizes, as all do here.
void to_fixed_axes(const Model& model, std::span<const double> q, std::span<const double> v,
                   std::span<double> w);
/// v of the velocities w at q. `v` may be w itself.
void from_fixed_axes(const Model& model, std::span<const double> q, std::span<const double> w,
                     std::span<double> v);
/// ẇ for the accelerations a.
void fixed_axes_rate(const Model& model, std::span<const double> q, std::span<const double> v,
                     std::span<const double> a, std::span<double> w_dot);
/// q moved with constant w for time dt [s]: centres of mass of free bodies go straight. `result`
/// must not be q.
void integrate_fixed_axes(const Model& model, std::span<const double> q, std::span<const double> w,
                          double dt, std::span<double> result);

/// Turns the momenta p = M v at q into π, in place.
void momenta_to_fixed_axes(const Model& model, std::span<const double> q, std::span<double> p);
/// Turns π at q into p = M v, in place.
void momenta_from_fixed_axes(const Model& model, std::span<const double> q, std::span<double> p);
/// Turns the rate ṗ of the momenta p at (q, v) into π̇, in place.
void momentum_rate_to_fixed_axes(const Model& model, std::span<const double> q,
                                 std::span<const double> v, std::span<const double> p,
                                 std::span<double> p_dot);

/// The point of a free body whose velocity w has: its centre of mass, its origin if it has no mass;
/// in the frame of the joint that moves with the body [m].
Vec3<double> fixed_axes_center(const Model& model, int body);

/// True if w differs from v for this robot: it has spherical or free joints.
bool turns_freely(const Model& model);

}  // namespace limber
