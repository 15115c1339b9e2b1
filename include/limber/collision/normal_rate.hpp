#pragma once
// How fast the normal of a contact turns.
#include <optional>

#include <limber/collision/collide.hpp>

namespace limber {

/// How a shape moves: world axes, of the origin of the shape's frame.
struct ShapeVelocity {
  Vec3<double> angular;  ///< [rad/s]
  Vec3<double> linear;   ///< [m/s]
};

/// dn/dt of the normal n of a contact point that collide() found, while both shapes move. [1/s]
/// With R the radii of curvature of the two surfaces (as matrices of the tangent plane), g = −depth
/// and v the velocity of a against b at the contact:
///   (R_a + R_b + g) dn/dt = v_tangential + R_a (ω_a × n) + R_b (ω_b × n)
/// A flat face carries the normal with it; a straight edge does so along itself, and has no radius
/// across; a corner has none at all. Empty where the geometry does not say: two faces or parallel
/// lines on each other, two corners, meshes and height fields.
std::optional<Vec3<double>> normal_rate(const Shape& a, const Transform<double>& a_pose,
                                        const ShapeVelocity& a_velocity, const Shape& b,
                                        const Transform<double>& b_pose,
                                        const ShapeVelocity& b_velocity, const ContactPoint& at);

/// How a contact moves.
struct ContactRates {
  Vec3<double> normal;  ///< dn/dt [1/s]
  Vec3<double> point;   ///< of the place of contact, which is fixed to neither body [m/s]
};
/// Both rates of a contact without overlap or gap, as normal_rate(). On the surface of a,
///   dp/dt = v_a(p) + R_a (ω_a × n − dn/dt),
/// or likewise on b: the side that is curved, an edge or a corner; of two lines, where they cross;
/// of a line on a face, the ends of the line. Of two faces on each other the
/// point is taken to be a corner of a (of b, if a is a plane), and the normal that of the other.
/// Empty with meshes and height fields, and where
/// normal_rate() is empty for another reason.
std::optional<ContactRates> contact_rates(const Shape& a, const Transform<double>& a_pose,
                                          const ShapeVelocity& a_velocity, const Shape& b,
                                          const Transform<double>& b_pose,
                                          const ShapeVelocity& b_velocity, const ContactPoint& at);

}  // namespace limber
