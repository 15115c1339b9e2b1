#pragma once
// A sphere that rolls on a plane without slipping: the standard example of a non-holonomic joint,
// with 5 position freedoms and 3 velocity freedoms. [RDA] §7.4.4
#include <limber/model/custom_joint.hpp>

namespace limber {

/// The joint of a sphere of the given radius [m] that rolls on the plane z = 0 of the joint frame.
/// The child's frame has its origin at the sphere's centre. q = (x, y, quaternion x, y, z, w): the
/// centre in the plane [m] and the child's orientation. v: angular velocity in the child's axes
/// [rad/s], relative to the plane; these are quasi-velocities, no derivatives of position
/// variables.
///
/// The sphere may spin about the plane's normal. The joint holds it on the plane by any force that
/// is needed, also by one that pulls. difference() uses the orientation alone: not every (x, y)
/// can be reached by one steady turn. Throws Error for a radius that is not positive.
CustomJoint rolling_sphere(double radius);

}  // namespace limber
