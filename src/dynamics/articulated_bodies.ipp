#pragma once
// The articulated-body algorithm in link coordinates, for forward and hybrid dynamics and every
// scalar. [RDA] (6.56)-(6.65) and, for columns whose acceleration is known, (7.36)-(7.38), with
// classical accelerations as [McM] table 29. A joint with several columns is eliminated one column
// at a time, the outermost first: that is the LDLᵀ elimination of Sᵀ IA S, so no small matrix is
// inverted. A column whose acceleration is known is not eliminated; its force is found on the way
// out. In which order a joint turns and eliminates is its own matter, see joints.ipp; columns that
// move together are eliminated together, see column_groups.hpp.
#include <limber/dynamics/tree_factor.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/column_groups.hpp"
#include "dynamics/fluid_pass.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// The first pass, outward: angular velocities, bias accelerations and bias forces of the single
/// bodies. q, v: tree variables.
template <class T, Extras E>
void start_articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, BasicWorkspace<T>& ws,
                              const Loads<T>& loads, const ArticulatedTree<T, E>& tree) {
  place_joints(m, q, ws);
  set_base(m, loads, ws);
  const int n = m.bodies();
  constexpr bool is_spatial = E == Extras::fluid || E == Extras::inertia;
  if constexpr (E == Extras::fluid) start_lanes_in_fluid(m, q, v, loads, ws);
  if constexpr (E == Extras::inertia) start_with_inertia(m, q, v, loads, ws);
  const bool is_in_fluid = E == Extras::any && loads.fluid;
  if (is_in_fluid) set_load_base(m, loads, ws);
  for (int i = 1; i < n && !is_spatial; ++i) {
    if (tree.skips(i)) continue;
    if (is_in_fluid) {
      start_in_fluid(m, q, v, loads, ws, i);
      continue;
    }
    with_joint(m, ws, i, [&](const auto& joint) {
      const int parent = m.parent[i];
      const auto vJ = joint.velocity(v);
      const Vec3<T> w = joint.to_child(ws.w[parent]);
      Motion<T> c{{}, joint.to_child(ws.centripetal[parent] * joint.origin())};
      add_bias(c, w, vJ, joint.bias(q, v));
      ws.c[i] = c;
      ws.w[i] = plus_turn(w, vJ);
      ws.centripetal[i] = centripetal_gradient(ws.w[i]);
      ws.p[i] = centrifugal_force(tree.inertia[i], ws.centripetal[i]);
    });
  }
  if (tree.is_locked()) start_rotors(m, v, ws);
  subtract_external_forces(m, loads, ws.p);
  if (tree.is_locked()) pass_on_forces(m, loads, ws);
  if (tree.adds_to_bodies(loads) && !is_spatial && !is_in_fluid)
    add_load_bias(m, v, loads, ws, ws.p);
}

/// What loads add to body i.
template <Extras E, class T>
[[gnu::always_inline]] inline ArticulatedInertia<T> added_to(const BasicModel<T>& m,
                                                             const Loads<T>& loads,
                                                             const BasicWorkspace<T>& ws, int i) {
  if constexpr (E == Extras::fluid) return loads.fluid->bodies()[i].added_mass;
  else if constexpr (E == Extras::inertia) return ws.load_inertia[i];
  else return body_load(m, loads, i);
}

/// Inertia of body i with what its children have added to it.
template <class T, Extras E>
[[gnu::always_inline]] inline ArticulatedInertia<T> carried_inertia(
    const BasicModel<T>& m, const ArticulatedTree<T, E>& tree, const Loads<T>& loads,
    const BasicWorkspace<T>& ws, int i) {
  const bool leaf = tree.is_leaf(i);
  const ArticulatedInertia<T> IA = leaf ? ArticulatedInertia<T>(tree.inertia[i]) : ws.IA[i];
  if (leaf && tree.adds_to_bodies(loads)) [[unlikely]]
    return added_to<E>(m, loads, ws, i) + tree.inertia[i];
  return IA;
}

/// Adds what the parent of body i carries with it; the last child is the first that comes, and
/// finds the parent's own inertia alone.
template <class T, Extras E>
[[gnu::always_inline]] inline void add_to_parent(const BasicModel<T>& m,
                                                 const ArticulatedTree<T, E>& tree,
                                                 const Loads<T>& loads, BasicWorkspace<T>& ws,
                                                 int i, const ArticulatedInertia<T>& IA) {
  const int parent = m.parent[i];
  if (!tree.is_last(i)) {
    ws.IA[parent] += IA;
    return;
  }
  ws.IA[parent] = tree.adds_to_bodies(loads)
                      ? IA + (added_to<E>(m, loads, ws, parent) + tree.inertia[parent])
                      : IA + tree.inertia[parent];
}

/// q, v: tree variables. known: what is given of each; null: all forces; columns that are
/// eliminated together (has_pending): acceleration, which is zero in qdd unless it is given. qdd
/// and tau: the given entries are read, the others written.
template <Extras E, class T>
void articulated_bodies(const BasicModel<T>& m, const T* q, const T* v, const Known* known,
                        bool has_pending, BasicWorkspace<T>& ws, const Loads<T>& loads, T* qdd,
                        T* tau) {
  const ArticulatedTree<T, E> tree = articulated_tree<E>(m, loads, known, has_pending, ws);
  start_articulated_bodies(m, q, v, ws, loads, tree);
  if (tree.waits() && tree.is_locked()) add_rotors(m, ws, qdd);
  const int n = m.bodies();
  const int groups = tree.waits() ? m.together.groups.count() : 0;
  int g = groups;
  // inward: articulated inertias and bias forces
  for (int i = n - 1; i > 0; --i) {
    if (tree.skips(i)) continue;
    while (g > 0 && m.together.groups[g - 1].carrier == i) eliminate_group(m, loads, ws, --g, tau);
    with_joint(m, ws, i, [&](const auto& joint) {
      ArticulatedInertia<T> IA = carried_inertia(m, tree, loads, ws, i);
      Force<T> p = joint.bias_force(IA, ws.p[i], ws.c[i]);
      Pivot<T> pivot;  // of the column that was eliminated last
      joint.for_columns_reversed([&](const auto& S, int k) {
        Force<T> U = IA * S;
        T Sp = dot(S, p);
        const RotorCouple<T>* const couple = tree.couple(k);
        if (couple) {
          joint.add_couple(U, *couple);
          Sp += joint.couple_bias(*couple, ws.c[i]);
        }
        ws.U[k] = joint.in_column_frame(U);
        if (tree.is_known(k)) {  // (7.36), (7.37)
          ws.u[k] = Sp;
          ws.D_inverse[k] = T(1);
          if (tree.waits() && is_pending(m, ws, k)) hand_on(m, ws, joint, S, k, U, p);
          p += U * qdd[k];
        } else {
          pivot = {eliminated_inertia(m, loads, tree, k, ws), T(0), couple};
          pivot.D_inverse = T(1) / (dot(S, U) + pivot.inertia);
          const T u = tau[k] - Sp;
          ws.D_inverse[k] = pivot.D_inverse;
          ws.u[k] = u;
          joint.eliminate(IA, S, U, pivot);
          p += U * (u * pivot.D_inverse);
        }
      });
      if (const int parent = m.parent[i]) {
        add_to_parent(m, tree, loads, ws, i, joint.to_parent_without_columns(IA, pivot));
        ws.p[parent] += joint.to_parent(joint.reduced_bias_force(IA, p, ws.c[i], pivot));
      }
    });
  }
  while (g > 0) eliminate_group(m, loads, ws, --g, tau);
  // outward: accelerations, and the forces of columns whose acceleration is known
  const auto accelerate_groups = [&](int carrier) {
    for (; g < groups && m.together.groups[g].carrier == carrier; ++g)
      accelerate_group(m, ws, g, qdd);
  };
  accelerate_groups(0);
  for (int i = 1; i < n; ++i) {
    if (tree.skips(i)) continue;
    with_joint(m, ws, i, [&](const auto& joint) {
      Motion<T> a = joint.acceleration_before_columns(ws.a[m.parent[i]], ws.c[i]);
      joint.for_columns([&](const auto& S, int k) {
        if (tree.is_known(k)) {  // (7.38)
          a += S * qdd[k];
          tau[k] = dot(a, ws.U[k]) + ws.u[k] + eliminated_inertia(m, loads, tree, k, ws) * qdd[k];
        } else {
          const T acceleration = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
          qdd[k] = acceleration;
          a += S * acceleration;
        }
      });
      ws.a[i] = joint.acceleration_after_columns(a, ws.c[i]);
    });
    accelerate_groups(i);
  }
}

/// The text that looks for what there is.
template <class T>
[[gnu::always_inline]] inline void articulated_bodies(const BasicModel<T>& m, const T* q,
                                                      const T* v, const Known* known,
                                                      bool has_pending, BasicWorkspace<T>& ws,
                                                      const Loads<T>& loads, T* qdd, T* tau) {
  if constexpr (std::is_same_v<T, double>) {
    if (!has_pending && loads.fluid && loads.joint_inertia.empty())
      return articulated_bodies<Extras::fluid>(m, q, v, known, false, ws, loads, qdd, tau);
    if (!has_pending && !loads.body_inertia.empty())
      return articulated_bodies<Extras::inertia>(m, q, v, known, false, ws, loads, qdd, tau);
    if (!has_pending && !loads.adds_to_bodies() && loads.joint_inertia.empty())
      return locks_rotors(m, loads)
                 ? articulated_bodies<Extras::rotors>(m, q, v, known, false, ws, loads, qdd, tau)
                 : articulated_bodies<Extras::none>(m, q, v, known, false, ws, loads, qdd, tau);
  }
  articulated_bodies<Extras::any>(m, q, v, known, has_pending, ws, loads, qdd, tau);
}

/// The same for the user's freedoms: of a and tau (nv each) the given entries are read, the others
/// written. known: null, or of each freedom. The groups of the model are local. Returns whether
/// columns were eliminated together.
template <class T>
bool articulated_bodies_of_freedoms(const BasicModel<T>& m, const char* function, In<T> q, In<T> v,
                                    const Known* known, BasicWorkspace<T>& ws,
                                    const Loads<T>& loads, T* a, T* tau) {
  if (!m.has_mimic()) {
    articulated_bodies<T>(m, q.data(), v.data(), known, false, ws, loads, a, tau);
    return false;
  }
  const bool is_locked = locks_rotors(m, loads);
  const bool has_pending = start_groups(m, ws, is_locked, known);
  if (is_locked) add_forces_on_rotors(m, loads, T(1), tau);
  if (known || has_pending) {
    for (int k = 0; k < m.tree_nv; ++k) {
      const Fold<T>& fold = m.v_fold[k];
      const bool is_known = known && known[fold.index] == Known::acceleration;
      const bool waits = has_pending && is_pending(m, ws, k);
      ws.column_known[k] = is_known || waits ? Known::acceleration : Known::force;
      ws.tree_acceleration[k] = is_known ? fold.ratio * a[fold.index] : T(0);
      ws.tree_force[k] = tau[fold.index];
    }
  } else {
    for (int f = 0; f < m.nv; ++f) ws.tree_force[m.together.of_freedom[f]] = tau[f];
  }
  const T* tree_q = tree_positions(m, function, q, ws);
  const T* tree_v = tree_rates(m, function, "v", v, ws.tree_v);
  articulated_bodies<T>(m, tree_q, tree_v, known || has_pending ? ws.column_known.data() : nullptr,
                        has_pending, ws, loads, ws.tree_acceleration.data(), ws.tree_force.data());
  fold_articulated(m, loads, is_locked, known, ws, a, tau);
  if (is_locked && known) add_forces_on_rotors(m, loads, T(-1), tau);
  return has_pending;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
