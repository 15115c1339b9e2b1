#pragma once
// The ground below a point of the robot as expressions: a plane or a height field, see
// limber/compile/step_contact.hpp.
#include <limber/compile/step_contact.hpp>
#include <limber/scalar/expr.hpp>

namespace limber {

/// Axes of the ground: normal, tangents, right-handed. Of a height field: its z, x, y.
struct GroundAxes {
  Vec3<Expr> n, t1, t2;  ///< in world axes
  Vec3<Expr> along(const Vec3<Expr>& x) const { return {dot(n, x), dot(t1, x), dot(t2, x)}; }
  Vec3<Expr> world(const Vec3<Expr>& x) const { return n * x.x + t1 * x.y + t2 * x.z; }
};

/// The surface below a point.
struct GroundBelow {
  Expr gap;  ///< the point's distance from it; below zero inside of the ground [m]
  Vec3<Expr> n{1.0, 0.0, 0.0}, t1{0.0, 1.0, 0.0}, t2{0.0, 0.0, 1.0};  ///< in the ground's axes
};

GroundAxes ground_axes(const StepContact& contact);
/// point: world axes [m]. Heights are those of table 0 of the graph.
GroundBelow ground_below(const StepContact& contact, const GroundAxes& axes,
                         const Vec3<Expr>& point);

}  // namespace limber
