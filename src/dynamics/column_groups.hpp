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
  return !m.groups.empty() && loads.body_inertia.empty();
}
template <class T>
const List<Inertia<T>>& own_inertias(const BasicModel<T>& m, const Loads<T>& loads) {
  return locks_rotors(m, loads) ? m.locked_inertia : m.inertia;
}

template <class T>
struct Rotor {
  int carrier, column;
  Vec3<T> axis;  ///< in the carrier's frame
  T inertia;     ///< about it
  T ratio;       ///< rate / rate of the freedom

  Rotor(const BasicModel<T>& m, int body)
      : carrier(m.parent[body]),
        column(m.v_index[body]),
        axis(m.step[body].direction),
        inertia(m.inertia[body].J.xx + m.inertia[body].J.yy),
        ratio(m.v_fold[column].ratio) {}
};

/// The group of column k, or null.
template <class T>
[[gnu::always_inline]] inline const PendingColumns<T>* group_of(const BasicModel<T>& m,
                                                                const BasicWorkspace<T>& ws,
                                                                int k) {
  if (m.groups.empty() || m.column_group[k] < 0) return nullptr;
  return &ws.pending[m.tree_nv + m.column_group[k]];
}
/// Whether column k is eliminated with others.
template <class T>
[[gnu::always_inline]] inline bool is_pending(const BasicModel<T>& m, const BasicWorkspace<T>& ws,
                                              int k) {
  const PendingColumns<T>* group = group_of(m, ws, k);
  return group && !group->is_coupled;
}

/// Inertia on the diagonal of column k as articulated bodies meet it. couples: the model's, or
/// null. The loads' share of a group is added to the group.
template <class T>
[[gnu::always_inline]] inline T eliminated_inertia(const BasicModel<T>& m, const Loads<T>& loads,
                                                   const BasicWorkspace<T>& ws,
                                                   const RotorCouple<T>* couples, int k) {
  T inertia = m.armature[k];
  if (couples) inertia += couples[k].inertia;
  if (loads.joint_inertia.empty()) [[likely]]
    return inertia;
  if (is_pending(m, ws, k)) return inertia;
  return inertia + loads.joint_inertia[at_index(m.v_fold[k].index)];
}

/// Before the recursion: nothing is met. known: of the user's freedoms; null: all forces. True if
/// there are groups whose columns are eliminated together.
template <class T>
bool start_groups(const BasicModel<T>& m, BasicWorkspace<T>& ws, bool locked, const Known* known) {
  bool any = false;
  for (int g = 0; g < m.groups.count(); ++g) {
    const ColumnGroup& at = m.groups[g];
    PendingColumns<T>& group = ws.pending[m.tree_nv + g];
    group = {};
    group.is_known = known && known[at.freedom] == Known::acceleration;
    group.is_coupled = locked && at.is_coupled;
    if (group.is_coupled) continue;
    any = true;
    for (int j = at.first; j < at.end; ++j) ws.pending[m.group_columns[j]] = {};
  }
  return any;
}

/// The first pass for a rotor, after its carrier. v: tree variables.
template <class T>
[[gnu::always_inline]] inline void start_rotor(const BasicModel<T>& m, const T* v,
                                               BasicWorkspace<T>& ws, int i) {
  const Rotor<T> rotor(m, i);
  ws.p[rotor.carrier].angular +=
      cross(ws.w[rotor.carrier], rotor.axis * (rotor.inertia * v[rotor.column]));
  ws.p[i] = {};
  ws.D_inverse[rotor.column] = T(1);  // it is not eliminated alone
}

/// What a rotor adds to its group.
template <class T>
void add_rotor(const BasicModel<T>& m, BasicWorkspace<T>& ws, int i, const T* qdd) {
  const Rotor<T> rotor(m, i);
  PendingColumns<T>& group = ws.pending[m.column_target[rotor.column]];
  const T reflected = rotor.ratio * rotor.inertia;
  group.D += rotor.ratio * reflected;
  if (rotor.carrier == 0) {  // whose acceleration is given
    group.u += reflected * dot(rotor.axis, ws.a[0].angular);
    return;
  }
  group.H.angular += rotor.axis * reflected;
  ws.p[rotor.carrier].angular += rotor.axis * (rotor.inertia * qdd[rotor.column]);
}

/// The pass inward for a rotor; the force on it is its carrier's.
template <class T>
[[gnu::always_inline]] inline void pass_rotor(const BasicModel<T>& m, const Loads<T>& loads,
                                              BasicWorkspace<T>& ws, int i, const T* qdd) {
  const int carrier = m.parent[i];
  if (m.subtree_end[i] == m.subtree_end[carrier])  // as in add_to_parent()
    ws.IA[carrier] = ArticulatedInertia<T>(m.locked_inertia[carrier]);
  if (!loads.body_forces.empty()) ws.p[carrier] += UnitJoint<T, 2>{{{m, ws, i}}}.to_parent(ws.p[i]);
  if (is_pending(m, ws, m.v_index[i])) add_rotor(m, ws, i, qdd);
}

/// tau += scale · (what forces on rotors do for their freedoms). tau: the user's.
template <class T>
void add_forces_on_rotors(const BasicModel<T>& m, const Loads<T>& loads, const T& scale, T* tau) {
  if (loads.body_forces.empty()) return;
  for (int i = 1; i < m.bodies(); ++i) {
    if (!m.is_rotor[i]) continue;
    const Fold<T>& fold = m.v_fold[m.v_index[i]];
    const Force<T> f = m.body_placement[i] * loads.body_forces[at_index(i)];
    tau[fold.index] += scale * fold.ratio * f.angular.z;
  }
}

/// The way out: the force on the column of a rotor whose acceleration is known.
template <class T>
T rotor_force(const BasicModel<T>& m, const BasicWorkspace<T>& ws, int i, const T* qdd) {
  const Rotor<T> rotor(m, i);
  return rotor.inertia * (dot(rotor.axis, ws.a[rotor.carrier].angular) + qdd[rotor.column]);
}

/// The column S of a group with U = IA S, where the bias force is p: on to the parent, with what it
/// has met.
template <class T, class Joint, class Column>
void hand_on(const BasicModel<T>& m, BasicWorkspace<T>& ws, const Joint& joint, const Column& S,
             int k, const Force<T>& U, const Force<T>& p) {
  const T ratio = m.v_fold[k].ratio;
  const PendingColumns<T>& met = ws.pending[k];
  PendingColumns<T>& next = ws.pending[m.column_target[k]];
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
  const ColumnGroup& at = m.groups[g];
  PendingColumns<T>& group = ws.pending[m.tree_nv + g];
  if (group.is_known || group.is_coupled) return;
  if (!loads.joint_inertia.empty()) group.D += loads.joint_inertia[at_index(at.freedom)];
  group.D = T(1) / group.D;
  group.u = tau[m.group_columns[at.first]] - group.u;
  if (at.carrier == 0) return;
  eliminate(ws.IA[at.carrier], group.H, group.H * group.D);
  ws.p[at.carrier] += group.H * (group.u * group.D);
}

/// The accelerations of the group g, when its carrier has its own.
template <class T>
void accelerate_group(const BasicModel<T>& m, BasicWorkspace<T>& ws, int g, T* qdd) {
  const ColumnGroup& at = m.groups[g];
  const PendingColumns<T>& group = ws.pending[m.tree_nv + g];
  if (group.is_known || group.is_coupled) return;
  const T acceleration = (group.u - dot(ws.a[at.carrier], group.H)) * group.D;
  ws.acceleration[at.freedom] = acceleration;
  for (int j = at.first; j < at.end; ++j) {
    const int k = m.group_columns[j];
    qdd[k] = m.v_fold[k].ratio * acceleration;
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
