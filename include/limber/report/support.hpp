#pragma once
// How a robot stands: which of its links are on the ground when, what they span, and where the
// centre of mass is over it.
#include <span>

#include <limber/math/vec3.hpp>
#include <limber/report/report.hpp>

namespace limber {

/// The convex hull of points seen from above: its corners counter-clockwise, none of them on a line
/// between others; one or two corners where the points lie so. z is left as it was.
std::vector<Vec3<double>> support_polygon(std::vector<Vec3<double>> points);

/// How far a point is inside the polygon, seen from above [m]: the distance to its nearest edge,
/// negative outside. Without corners not a number.
double support_margin(std::span<const Vec3<double>> polygon, const Vec3<double>& point);

/// Gait diagram, support polygons with the path of the centre of mass, and its margin over time.
/// Empty unless the recording has the centre of mass and the contacts of each pair of things.
std::vector<Diagram> support_diagrams(const Scenario& scenario, const Recording& recording);

}  // namespace limber
