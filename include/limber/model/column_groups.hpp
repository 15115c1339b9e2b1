#pragma once
// Columns of the tree that move together: a joint, those that follow it (mimic joints), rotors.
// Forward dynamics eliminates them together, at the body that carries them all. A rotor is then no
// body: locked, it belongs to its carrier, and what it has of its own is here. The inertia of other
// bodies is not, and may be changed; where that of rotors changes, find_column_groups() is due
// again.
#include <cstdint>

#include <limber/model/list.hpp>
#include <limber/spatial/inertia.hpp>

namespace limber {

/// The columns that one freedom moves, where they are several.
struct ColumnGroup {
  int freedom = 0;
  int carrier = 0;          ///< the body that carries all its joints
  int first = 0, end = 0;   ///< its columns: ColumnGroups::columns[first] … [end − 1]
  bool is_coupled = false;  ///< nothing but a joint and its rotor, see RotorCouple
};

/// A rotor with a mount.
template <class T>
struct MountedRotor {
  int body = 0, column = 0;  ///< in the tree
  int carrier = 0;
  Vec3<T> axis;      ///< in the carrier's frame
  T inertia = T(0);  ///< J, about the axis [kg m²]
  T ratio = T(0);    ///< n: its rate, relative to the carrier, is n times that of the freedom
  bool is_coupled = false;  ///< its group is a joint and itself
};

/// What a rotor adds to the column of the joint that it drives, where the joint is revolute or
/// prismatic and the rotor is mounted on one of the two bodies that it connects: a unit
/// acceleration of the joint takes the couple n J e on the carrier.
template <class T>
struct RotorCouple {
  /// On the body before the joint, in the frame before the joint's last screw; or on the body after
  /// it, in its frame.
  Vec3<T> couple;
  bool is_after = false;
  T inertia = T(0);  ///< of the column: n² J, and ∓ the couple's part along the column
};

/// All of a model. Everything is empty where a robot has no such columns, or where joints that
/// belong to no group, or to another, stand between the joints of a group.
template <class T>
struct ColumnGroups {
  List<ColumnGroup> groups;  ///< by ascending carrier
  List<int> columns;         ///< of each group
  List<MountedRotor<T>> rotors;
  List<Inertia<T>> rotor_inertia;  ///< per body: of the rotors that it carries, locked
  List<std::uint8_t> branching;    ///< per body: Branching without rotors
  bool all_coupled = false;        ///< every group is a joint and its rotor

  // --- per column ---
  List<int> group;  ///< −1: none
  /// Where the column meets the others of its group on the way to the world: the column of the
  /// parent's joint, or tree_nv + group at the carrier; −1: it belongs to no group.
  List<int> target;
  List<RotorCouple<T>> couple;  ///< zero: none
  List<int> of_freedom;         ///< per freedom: the column that is its own

  bool empty() const { return groups.empty(); }
};

/// How a body lies in the tree, as bits.
enum Branching : std::uint8_t {
  carries_nothing = 1,
  is_last_child = 2,  ///< the first child that comes on the way to the world
};

}  // namespace limber
