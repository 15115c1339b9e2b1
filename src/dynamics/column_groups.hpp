#pragma once
// Columns that move together in the articulated-body recursion: joints that follow others, and
// rotors. They are not eliminated with their joints. What the freedom feels of them is carried on
// towards the world as PendingColumns, and where all are met it is eliminated like one column with
// U = H. A rotor is not treated as a body: locked, it belongs to its carrier, and with its inertia
// J about the axis e and the rate n q̇ it adds the couple H = n J e, n² J to D, and the gyroscopic
// moment ω × J e n q̇. A joint with its rotor and nothing else is eliminated at once, as other
// joints are (RotorCouple).
#include "dynamics/added_inertia.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Whether rotors are parts of their carriers: nothing adds inertia to them.
template <class T>
bool locks_rotors(const BasicModel<T>& m, const Loads<T>& loads) {
  return !m.together.empty() && !loads.adds_to_bodies();
}

/// What a pass over articulated bodies has to look for besides joints and bodies. `double`, whose
/// passes take tens of nanoseconds per body, has a text for each; what is not looked for costs it
/// nothing (5 to 7 % of forward dynamics on the arm).
enum class Extras : std::uint8_t {
  none,
  rotors,   ///< locked ones, each eliminated with its joint
  fluid,    ///< Loads::fluid
  inertia,  ///< Loads::body_inertia, and that of freedoms
  any       ///< columns that wait for others, inertia of loads, rotors
};

/// The tree as articulated bodies go through it.
template <class T, Extras E>
struct ArticulatedTree {
  const List<Inertia<T>>& inertia;  ///< of the bodies, with the rotors that are parts of them
  const std::uint8_t* branching;
  const std::uint8_t* skipped = nullptr;    ///< bodies that are left out: locked rotors; null: none
  const RotorCouple<T>* couples = nullptr;  ///< per column; null: none
  const Known* known = nullptr;             ///< of each column; null: all forces
  bool has_pending = false;                 ///< columns wait for others: is_pending()

  bool is_locked() const { return E == Extras::rotors || (E == Extras::any && skipped); }
  bool skips(int i) const { return is_locked() && skipped[i]; }
  bool is_leaf(int i) const { return branching[i] & carries_nothing; }
  bool is_last(int i) const { return branching[i] & is_last_child; }
  const RotorCouple<T>* couple(int k) const { return is_locked() ? couples + k : nullptr; }
  bool is_known(int k) const { return known && known[k] == Known::acceleration; }
  bool waits() const { return E == Extras::any && has_pending; }
  bool adds_to_bodies(const Loads<T>& loads) const {
    return E == Extras::fluid || E == Extras::inertia ||
           (E == Extras::any && loads.adds_to_bodies());
  }
};
template <Extras E, class T>
ArticulatedTree<T, E> articulated_tree(const BasicModel<T>& m, const Loads<T>& loads,
                                       const Known* known, bool has_pending,
                                       BasicWorkspace<T>& ws) {
  if (E == Extras::none || !locks_rotors(m, loads))
    return {m.inertia, m.branching.data(), nullptr, nullptr, known, has_pending};
  const ColumnGroups<T>& all = m.together;
  for (int i = 1; i < m.bodies(); ++i) ws.locked_inertia[i] = m.inertia[i] + all.rotor_inertia[i];
  return {ws.locked_inertia, all.branching.data(), m.is_rotor.data(), all.couple.data(), known,
          has_pending};
}

/// Whether column k is eliminated with others.
template <class T>
bool is_pending(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int k) {
  if (m.together.empty() || m.together.group[k] < 0) return false;
  return ws.pending[m.tree_nv + m.together.group[k]].waits;
}

/// Inertia on the diagonal of column k as articulated bodies meet it. The loads' share of columns
/// that are eliminated together is added to the group.
template <class T, Extras E>
[[gnu::always_inline]] inline T eliminated_inertia(const BasicModel<T>& m, const Loads<T>& loads,
                                                   const ArticulatedTree<T, E>& tree, int k,
                                                   const BasicWorkspace<T>& ws) {
  T inertia = m.armature[k];
  if (const RotorCouple<T>* couple = tree.couple(k)) inertia += couple->inertia;
  if ((E != Extras::any && E != Extras::inertia) || loads.joint_inertia.empty()) return inertia;
  if (tree.waits() && is_pending(m, ws, k)) return inertia;
  return inertia + loads.joint_inertia[at_index(m.v_fold[k].index)];
}

/// Before the recursion: nothing is met. known: of the user's freedoms; null: all forces. True if
/// there are columns that are eliminated together.
template <class T>
bool start_groups(const BasicModel<T>& m, BasicWorkspace<T>& ws, bool is_locked,
                  const Known* known) {
  const ColumnGroups<T>& all = m.together;
  if (is_locked && all.all_coupled) return false;
  for (int g = 0; g < all.groups.count(); ++g) {
    const ColumnGroup& at = all.groups[g];
    PendingColumns<T>& group = ws.pending[m.tree_nv + g];
    group = {};
    group.is_known = known && known[at.freedom] == Known::acceleration;
    group.waits = !(is_locked && at.is_coupled);
    for (int j = at.first; j < at.end; ++j) ws.pending[all.columns[j]] = {};
  }
  return true;
}

/// The first pass for locked rotors, after that of the bodies. v: tree variables.
template <class T>
void start_rotors(const BasicModel<T>& m, const T* v, BasicWorkspace<T>& ws) {
  for (const MountedRotor<T>& rotor : m.together.rotors)
    ws.p[rotor.carrier].angular +=
        cross(ws.w[rotor.carrier], rotor.axis * (rotor.inertia * v[rotor.column]));
}

/// The forces on locked rotors are their carriers'.
template <class T>
void pass_on_forces(const BasicModel<T>& m, const Loads<T>& loads, BasicWorkspace<T>& ws) {
  if (loads.body_forces.empty()) return;
  for (const MountedRotor<T>& rotor : m.together.rotors) {
    const UnitJoint<T, 2> joint{{{m, ws, rotor.body}}};
    const Force<T> f = m.body_placement[rotor.body] * loads.body_forces[at_index(rotor.body)];
    ws.p[rotor.carrier] -= joint.to_parent(f);
    ws.p[rotor.body] = {};
  }
}
/// tau += scale · (what they do for their freedoms). tau: the user's.
template <class T>
void add_forces_on_rotors(const BasicModel<T>& m, const Loads<T>& loads, const T& scale, T* tau) {
  if (loads.body_forces.empty()) return;
  for (const MountedRotor<T>& rotor : m.together.rotors) {
    const Force<T> f = m.body_placement[rotor.body] * loads.body_forces[at_index(rotor.body)];
    tau[m.v_fold[rotor.column].index] += scale * rotor.ratio * f.angular.z;
  }
}

/// What locked rotors add to groups that are eliminated together.
template <class T>
void add_rotors(const BasicModel<T>& m, BasicWorkspace<T>& ws, const T* qdd) {
  for (const MountedRotor<T>& rotor : m.together.rotors) {
    if (rotor.is_coupled) continue;
    PendingColumns<T>& group = ws.pending[m.together.target[rotor.column]];
    const T reflected = rotor.ratio * rotor.inertia;
    group.D += rotor.ratio * reflected;
    if (rotor.carrier == 0) {  // whose acceleration is given
      group.u += reflected * dot(rotor.axis, ws.a[0].angular);
    } else {
      group.H.angular += rotor.axis * reflected;
      ws.p[rotor.carrier].angular += rotor.axis * (rotor.inertia * qdd[rotor.column]);
    }
  }
}

/// The column S of a group with U = IA S, where the bias force is p: on to the parent, with what it
/// has met.
template <class T, class Joint, class Column>
void hand_on(const BasicModel<T>& m, BasicWorkspace<T>& ws, const Joint& joint, const Column& S,
             int k, const Force<T>& U, const Force<T>& p) {
  const T ratio = m.v_fold[k].ratio;
  const PendingColumns<T>& met = ws.pending[k];
  PendingColumns<T>& next = ws.pending[m.together.target[k]];
  const T coupling = dot(S, met.H);
  const Force<T> H = met.H + U * ratio;
  next.D += met.D + ratio * (coupling + coupling + ratio * (dot(S, U) + m.armature[k]));
  // the bias force of built-in numbers has IA c in it, see joints.ipp
  next.u += met.u + ratio * dot(S, p) + dot(ws.c[joint.at()], saves_operations<T> ? H : met.H);
  if (m.parent[joint.at()] == 0) next.u += dot(ws.a[0], joint.to_parent(H));  // which is given
  else next.H += joint.to_parent(H);
}

/// Eliminates the group g at its carrier. tau: tree variables.
template <class T>
void eliminate_group(const BasicModel<T>& m, const Loads<T>& loads, BasicWorkspace<T>& ws, int g,
                     const T* tau) {
  const ColumnGroup& at = m.together.groups[g];
  PendingColumns<T>& group = ws.pending[m.tree_nv + g];
  if (group.is_known || !group.waits) return;
  if (!loads.joint_inertia.empty()) group.D += loads.joint_inertia[at_index(at.freedom)];
  group.D = T(1) / group.D;
  group.u = tau[m.together.columns[at.first]] - group.u;
  if (at.carrier == 0) return;
  eliminate(ws.IA[at.carrier], group.H, group.H * group.D);
  ws.p[at.carrier] += group.H * (group.u * group.D);
}

/// The accelerations of the group g, when its carrier has its own.
template <class T>
void accelerate_group(const BasicModel<T>& m, BasicWorkspace<T>& ws, int g, T* qdd) {
  const ColumnGroup& at = m.together.groups[g];
  const PendingColumns<T>& group = ws.pending[m.tree_nv + g];
  if (group.is_known || !group.waits) return;
  const T acceleration = (group.u - dot(ws.a[at.carrier], group.H)) * group.D;
  for (int j = at.first; j < at.end; ++j) {
    const int k = m.together.columns[j];
    qdd[k] = m.v_fold[k].ratio * acceleration;
  }
}

/// From the tree's variables to the user's: accelerations, and forces where accelerations are
/// known.
template <class T>
void fold_articulated(const BasicModel<T>& m, const Loads<T>& loads, bool is_locked,
                      const Known* known, BasicWorkspace<T>& ws, T* a, T* tau) {
  const ColumnGroups<T>& all = m.together;
  const bool has_pending = !(is_locked && all.all_coupled);
  for (int f = 0; f < m.nv; ++f) {
    const int k = all.of_freedom[f];
    if (!known || known[f] == Known::force) a[f] = ws.tree_acceleration[k];
    else if (!has_pending || !is_pending(m, ws, k)) tau[f] = ws.tree_force[k];
    else tau[f] = loads.joint_inertia.empty() ? T(0) : loads.joint_inertia[at_index(f)] * a[f];
  }
  if (!known || !has_pending) return;
  for (const MountedRotor<T>& rotor : all.rotors) {  // the forces on their columns
    if (!is_locked || rotor.is_coupled) continue;
    ws.tree_force[rotor.column] = rotor.inertia * (dot(rotor.axis, ws.a[rotor.carrier].angular) +
                                                   ws.tree_acceleration[rotor.column]);
  }
  for (int k = 0; k < m.tree_nv; ++k) {
    const Fold<T>& fold = m.v_fold[k];
    if (is_pending(m, ws, k) && known[fold.index] == Known::acceleration)
      tau[fold.index] += fold.ratio * ws.tree_force[k];
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
