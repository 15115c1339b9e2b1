#pragma once
// Line-of-sight guidance: a vehicle steers towards a point ahead on the line between two way-points
// and so gets onto this line. [Fos] §12.3
#include <vector>

#include <limber/math/vec3.hpp>

namespace limber {

/// Way-points in the world, and how they are followed.
struct Route {
  std::vector<Vec3<double>> points;  ///< [m]
  double speed = 0;                  ///< on the way [m/s]
  double lookahead = 2;              ///< how far ahead on the line the vehicle aims [m]
  double acceptance = 1;             ///< a point is reached within this horizontal distance [m]
};

/// What the vehicle should do now.
struct Guidance {
  double heading = 0;      ///< about z, from x towards y [rad]
  double height = 0;       ///< z on the line beside the vehicle [m]
  double speed = 0;        ///< [m/s]; 0 when the last point is reached
  double cross_track = 0;  ///< horizontal distance from the line, positive to its left [m]
  int next = 0;            ///< the way-point that it goes to; points.size() when all are reached
};

/// Throws Error for no points, points that coincide with the one before them in the plan, and
/// distances that are not positive.
void check_route(const Route& route);
/// From the place where the route began and the way-point that the vehicle went to. Points that
/// are reached by now are passed. No allocation.
Guidance line_of_sight(const Route& route, const Vec3<double>& start, const Vec3<double>& position,
                       int next);

}  // namespace limber
