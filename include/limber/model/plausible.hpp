#pragma once
// What looks like a mistake although it can be computed: states outside a robot's own limits or in
// degrees, and inertias that do not fit the size of their links. Each doubt is a sentence with the
// element, the number, the bound that it passes, and the remedy.
#include <span>
#include <string>
#include <vector>

#include <limber/model/model.hpp>

namespace limber {

/// Doubts about the positions q (nq) and velocities v (nv), of joints that follow others too: a
/// position beyond a limit; one that looks like degrees (more than a whole turn where the joint has
/// limits; a whole multiple of 5 beyond 6.3 for any joint that turns); a speed beyond the velocity
/// limit (a limit of zero says nothing and is left out). Throws Error for wrong sizes.
std::vector<std::string> doubts_about_state(const Model& model, std::span<const double> q,
                                            std::span<const double> v);

/// Doubts about the inertias of the moving bodies, all links that move together taken as one:
///   - a radius of gyration √(largest principal moment / mass) beyond twice the reach: the
///     distance from the centre of mass to the furthest joint, frame or shape of the body, or from
///     its joint to the frame of the link that carries it, whichever is longest;
///   - mass without size: a radius of gyration below a thousandth of the reach, on a joint that
///     turns;
///   - a centre of mass further away from all joints, frames and shapes of the body than five times
///     what these reach from its joint.
/// A body whose size the description does not tell is passed over, and so is one that weighs less
/// than a millionth of the robot. build() warns of what no body can have at all: negative principal
/// moments, and moments that violate the triangle inequality.
std::vector<std::string> doubts_about_inertia(const Spec& spec);

}  // namespace limber
