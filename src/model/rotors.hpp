#pragma once
// Rotors with a mount as bodies of the tree: the rotor spins about an axis of its carrier at gear
// ratio times the rate of the freedom that it drives. Its mass and its inertia across the axis stay
// with the carrier, whose data are those with the rotor locked; J e eᵀ moves from the carrier to
// the rotor. So the kinetic energy becomes ½ J (G q̇)² + J G q̇ e · ω + that of the locked carrier,
// and everything that knows mimic joints knows the gyroscopic effect.
#include "model/structure.hpp"

namespace limber {

/// A rotor that has become a joint of the Spec.
struct RotorJoint {
  int joint = 0;    ///< the rotor's own joint, index into spec.joints
  int driven = 0;   ///< the joint that it drives
  int freedom = 0;  ///< which of that joint's freedoms
  double gear_ratio = 1;
};

/// Appends a body and a joint for every rotor with a mount, and takes J e eᵀ from its carrier.
/// Throws Error for a mount that does not exist. The Spec must have passed validate().
std::vector<RotorJoint> mount_rotors(Spec& spec);

/// True if mount_rotors() has something to do: a rotor has a mount.
bool has_mounted_rotors(const Spec& spec);

/// Lets the rotors follow the freedoms that they drive, through mimic joints to their masters.
void couple_rotors(const Spec& spec, const std::vector<RotorJoint>& rotors, Structure& structure);

}  // namespace limber
