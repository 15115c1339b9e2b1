#pragma once
// Which columns of the tree move together, and whether articulated bodies can eliminate them.
#include <limber/model/model.hpp>

namespace limber {

enum class Rotors { are_bodies, are_parts_of_carriers };

/// Branching of every body.
List<std::uint8_t> branching(const Model& model, Rotors rotors);

/// Of a model that has all else of its tree; to be found again when inertias of rotors change.
ColumnGroups<double> find_column_groups(const Model& model);

/// Of a joint and the rotor that drives it, where the group is coupled.
template <class T>
RotorCouple<T> couple_of(const BasicModel<T>& m, int joint, const MountedRotor<T>& rotor) {
  const T reflected = rotor.ratio * rotor.inertia;
  const bool turns = m.form[joint] == JointForm::revolute;
  Vec3<T> couple = rotor.axis * reflected;
  if (rotor.carrier == joint)
    return {couple, true, rotor.ratio * reflected + (turns ? couple.z : T(0))};
  const StepConstants<T>& s = m.step[joint];
  if (s.has_z0) couple = to_child(s.z0, couple);
  couple = to_child(s.x, couple);
  if (s.has_y) couple = to_child(s.y, couple);
  return {couple, false, rotor.ratio * reflected - (turns ? couple.z : T(0))};
}

}  // namespace limber
