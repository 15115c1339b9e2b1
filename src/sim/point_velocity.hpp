#pragma once
// How fast a point of a body moves.
#include <limber/model/body_motion.hpp>

namespace limber {

/// Of the point of a body that is at `point` now [m], both in world axes [m/s]; the world stands
/// still.
inline Vec3<double> point_velocity(const Velocities& bodies, int body, const Vec3<double>& point) {
  if (body <= 0) return {};
  const Transform<double>& X = bodies.X_W[body];
  const Motion<double>& v = bodies.v[body];
  return X.R * v.linear + cross(X.R * v.angular, point - X.p);
}

}  // namespace limber
