#pragma once
// Inverse kinematics with loops: a frame reaches a pose while all loops of the mechanism stay
// closed. The search moves along the directions that the loops allow and closes them again after
// each iteration, so the loops are exact even where the pose is out of reach.
#include <limber/constraint/mechanism.hpp>
#include <limber/control/inverse_kinematics.hpp>

namespace limber {

/// As inverse_kinematics() of the tree, with the loops at time t closed to settings.tolerance.
/// `settings.joints`: those that may move, joints that the loops carry along included; empty: all
/// but free joints without actuators. `start` need not be closed: it is closed first (assemble());
/// throws Error naming the loops where that is impossible.
InverseKinematicsResult inverse_kinematics(const Mechanism& mechanism, double t,
                                           const std::string& frame, const Transform<double>& pose,
                                           std::span<const double> start,
                                           const InverseKinematicsSettings& settings = {});

}  // namespace limber
