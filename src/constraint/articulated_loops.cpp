#include "constraint/loop_elimination.ipp"
#include "constraint/loop_passing.ipp"
#include "constraint/loop_start.ipp"

#include <algorithm>

#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* articulated_loops_what = "dynamics with closed loops";

/// The recursion of articulated_bodies() with loops. No joint follows another: freedoms are
/// columns.
template <Extras E, class T>
bool articulated_loops(const LoopPass<T>& p, const Loads<T>& loads, const T* tau, T* qdd) {
  const BasicModel<T>& m = p.m.tree;
  BasicWorkspace<T>& ws = p.ws;
  const ArticulatedTree<T, E> tree = articulated_tree<E>(m, loads, nullptr, false, ws);
  start_articulated_bodies(m, p.q.data(), p.v.data(), ws, loads, tree);
  std::fill(p.d.is_coupled.begin(), p.d.is_coupled.end(), std::uint8_t(0));
  for (const int k : p.d.plan.order) start_loop(p, k);
  for (int i = m.bodies() - 1; i > 0; --i) {
    if (p.d.plan.eliminates_at(i) && !close_loops_at(p, i)) return false;
    const bool has_loops = has_open_loops(p, i);
    with_joint(m, ws, i, [&](const auto& joint) {
      ArticulatedInertia<T> IA = carried_inertia(m, tree, loads, ws, i);
      Force<T> f = joint.bias_force(IA, ws.p[i], ws.c[i]);
      Pivot<T> pivot;
      constexpr bool is_unit = has_one_column<std::decay_t<decltype(joint)>>;
      if (has_loops && !is_unit && !saves_operations<T>) pass_bias(p, i, ws.c[i]);
      joint.for_columns_reversed([&](const auto& S, int k) {
        const Force<T> U = IA * S;
        ws.U[k] = joint.in_column_frame(U);
        pivot = {eliminated_inertia(m, loads, tree, k, ws), T(0), nullptr};
        pivot.D_inverse = T(1) / (dot(S, U) + pivot.inertia);
        const T u = tau[k] - dot(S, f);
        ws.D_inverse[k] = pivot.D_inverse;
        ws.u[k] = u;
        if constexpr (!is_unit)
          if (has_loops) pass_column<T>(p, i, S, k, U);
        joint.eliminate(IA, S, U, pivot);
        f += U * (u * pivot.D_inverse);
      });
      if (has_loops && !is_unit) {
        if (saves_operations<T>) pass_bias(p, i, ws.c[i]);
        pass_joint(p, i, joint);
      }
      if (const int parent = m.parent[i]) {
        add_to_parent(m, tree, loads, ws, i, joint.to_parent_without_columns(IA, pivot));
        ws.p[parent] += joint.to_parent(joint.reduced_bias_force(IA, f, ws.c[i], pivot));
      }
      if constexpr (is_unit)
        if (has_loops)
          joint.for_columns([&](const auto& S, int k) { pass_unit_joint(p, i, joint, S, k); });
    });
  }
  if (!close_loops_at(p, 0)) return false;
  find_forces_at(p, 0);
  for (int i = 1; i < m.bodies(); ++i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      Motion<T> a = joint.acceleration_before_columns(ws.a[m.parent[i]], ws.c[i]);
      joint.for_columns([&](const auto& S, int k) {
        const T acceleration = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
        qdd[k] = acceleration;
        a += S * acceleration;
      });
      ws.a[i] = joint.acceleration_after_columns(a, ws.c[i]);
    });
    if (p.d.plan.eliminates_at(i)) find_forces_at(p, i);
  }
  return true;
}

template <class T>
bool world_turns(const Loads<T>& loads) {
  for (const Vec3<T>& u : {loads.base_velocity.angular, loads.base_acceleration.angular})
    for (int c = 0; c < 3; ++c)
      if (!known_zero(u[c])) return true;
  return false;
}

}  // namespace

template <class T>
bool closed_articulated_bodies(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                               In<T> v, In<T> tau, In<T> wanted, BasicWorkspace<T>& ws,
                               BasicArticulatedLoops<T>& d, Out<T> a, const Loads<T>& loads) {
  const char* name = "closed_articulated_bodies";
  const char* what = articulated_loops_what;
  check_workspace(name, m.tree, ws);
  if (!d.plan.reason.empty()) refuse_articulated_loops(m.tree.name, d.plan.reason);
  check_regular(m.tree.name, m.tree.singular_reason);
  check_size(name, "q", q.size(), m.tree.nq, m.tree.name);
  check_size(name, "v", v.size(), m.tree.nv, m.tree.name);
  check_size(name, "tau", tau.size(), m.tree.nv, m.tree.name);
  check_size(name, "wanted", wanted.size(), m.rows, m.tree.name);
  check_size(name, "a", a.size(), m.tree.nv, m.tree.name);
  d.rank = m.rows;
  d.inconsistency = T(0);
  d.inconsistent_row = -1;
  std::fill(d.is_determinate.begin(), d.is_determinate.end(), std::uint8_t(1));
  for (std::size_t k = 0; k < tau.size(); ++k) d.tau[k] = tau[k];
  if (loads.passive == Passive::included) add_passive_forces(m.tree, q, v, T(-1), d.tau.data());
  for_moving_targets(m, T(t), [&](int row, double, double, double acceleration) {
    d.target[row] = T(acceleration);
  });
  const LoopPass<T> pass{m, d, ws, q, v, wanted, world_turns(loads)};
  const bool plain = !loads.adds_to_bodies() && loads.joint_inertia.empty();
  const bool done = plain ? articulated_loops<Extras::none>(pass, loads, d.tau.data(), a.data())
                          : articulated_loops<Extras::any>(pass, loads, d.tau.data(), a.data());
  if (!done) return false;
  for (int k = 0; k < m.loops.count(); ++k)
    for (int r = 0; r < m.closures[k].rows; ++r)
      d.force[m.closures[k].first_row + r] = pass.lambda(k)[r];
  check_pivots<T>(m.tree, what, q, false, ws);
  check_result<T>(m.tree, what, q, v, "tau", tau, a);
  return true;
}

template <class T>
void closed_forward_dynamics_proximal(const BasicMechanism<T>& m, std::type_identity_t<T> t,
                                      In<T> q, In<T> v, In<T> tau, BasicWorkspace<T>& ws,
                                      BasicArticulatedLoops<T>& d, Out<T> a, Out<T> force,
                                      Out<T> residual, const Loads<T>& loads) {
  const char* name = "closed_forward_dynamics_proximal";
  check_size(name, "force", force.size(), m.rows, m.tree.name);
  check_size(name, "residual", residual.size(), m.rows, m.tree.name);
  for (T& x : residual) x = T(0);
  for (T& x : force) x = T(0);
  const T w = proximal_weight<T>();
  for (int pass = 0; pass <= proximal_corrections; ++pass) {
    closed_articulated_bodies<T>(m, t, q, v, tau, residual, ws, d, a, loads);
    for_loop_places(m, [&](std::size_t row, int at) {
      const T before = pass < proximal_corrections ? T(0) : force[row];
      residual[row] = w * d.scale[at] * (d.force[row] - before);
      force[row] = d.force[row];
    });
  }
}

#define LIMBER_ARTICULATED_LOOPS(T)                                                          \
  template bool closed_articulated_bodies(const BasicMechanism<T>&, std::type_identity_t<T>, \
                                          In<T>, In<T>, In<T>, In<T>, BasicWorkspace<T>&,    \
                                          BasicArticulatedLoops<T>&, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_ARTICULATED_LOOPS)
// built-in numbers go by closed_forward_dynamics()
#if defined(LIMBER_SCALARS_EXPR) || defined(LIMBER_SCALARS_LANES)
#define LIMBER_PROXIMAL(T)                                                                        \
  template void closed_forward_dynamics_proximal(                                                 \
      const BasicMechanism<T>&, std::type_identity_t<T>, In<T>, In<T>, In<T>, BasicWorkspace<T>&, \
      BasicArticulatedLoops<T>&, Out<T>, Out<T>, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_PROXIMAL)
#endif

}  // namespace limber
