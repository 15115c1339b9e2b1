#pragma once
// Data that can be computed with but look like a mistake: states outside the limits of the robot or
// in degrees, and inertias that do not fit the size of their links. Each finding is a sentence with
// the element, the number, the bound that it exceeds, and the remedy.
#include <span>
#include <string>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// Findings about the positions q (nq) and velocities v (nv), mimic joints included: a position
/// beyond a limit; one that looks like degrees (more than a whole turn where the joint has
/// limits; a whole multiple of 5 beyond 6.3 for any joint that turns); a speed beyond the velocity
/// limit (a limit of zero says nothing and is left out). Throws Error for wrong sizes.
std::vector<std::string> suspicious_state(const Model& model, std::span<const double> q,
                                          std::span<const double> v);

/// Findings about the inertias of the moving bodies; links that move together count as one body:
///   - a radius of gyration √(largest principal moment / mass) beyond twice the reach: the
///     distance from the centre of mass to the furthest joint, frame or shape of the body, or from
///     its joint to the frame of the link that carries it, whichever is longest;
///   - mass without size: a radius of gyration below a thousandth of the reach, on a joint that
///     turns;
///   - a centre of mass further away from all joints, frames and shapes of the body than five times
///     what these reach from its joint.
/// Bodies of unknown size and bodies lighter than a millionth of the robot are left out. build()
/// warns of what no body can have at all: negative principal moments, and moments that violate the
/// triangle inequality.
std::vector<std::string> suspicious_inertias(const Spec& spec);

}  // namespace limber
