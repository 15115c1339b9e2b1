#pragma once
// A floating body with legs: what is done once, for one leg, for the body. [McM] tables 10, 11 and
// 13 to 15. Joints are eliminated in the order of their own choice, see joints.ipp.
#include <limber/dynamics/star_dynamics.hpp>

#include "dynamics/added_inertia.hpp"
#include "dynamics/checks.hpp"
#include "dynamics/fluid_pass.hpp"
#include "dynamics/passive.hpp"
#include "dynamics/tree_factor.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// One call: arguments that were checked, and where everything is. Without mimic joints the
/// variables of the tree are the user's.
template <class T>
struct StarCall {
  const BasicModel<T>& m;
  const T *q, *v;
  const Loads<T>& loads;
  BasicWorkspace<T>& ws;
  BasicStar<T>& star;
  T* a;              ///< result
  bool is_in_fluid;  ///< starts_in_fluid()

  static constexpr int body = 1;
  bool has_load() const { return loads.adds_to_bodies(); }
  /// Inertia on the diagonal of column k.
  T own_inertia(int k) const {
    return loads.joint_inertia.empty() ? m.armature[k]
                                       : m.armature[k] + loads.joint_inertia[at_index(k)];
  }
  /// f −= what acts on body i from outside, and the forces of the inertia that loads add.
  void add_loads(int i, Force<T>& f) const {
    if (!loads.body_forces.empty()) f -= m.body_placement[i] * loads.body_forces[at_index(i)];
    if (has_load() && !is_in_fluid) f += star.load_force[i];
  }
};

/// Whether start_in_fluid() has all of the loads' inertia.
template <class T>
bool starts_in_fluid(const Loads<T>& loads, StarMethod method) {
  return loads.fluid && method == StarMethod::articulated_bodies;
}

/// Joints in their places, the world's motion, and in ws.force what is left of tau.
template <class T>
void start_star(const StarCall<T>& c, In<T> q, In<T> v, In<T> tau) {
  place_joints(c.m, c.q, c.ws);
  set_base(c.m, c.loads, c.ws);
  std::copy(tau.begin(), tau.end(), c.ws.force.begin());
  if (c.loads.passive == Passive::included) add_passive_forces(c.m, q, v, T(-1), c.ws.force.data());
  if (c.is_in_fluid) set_load_base(c.m, c.loads, c.ws);
  if (!c.has_load() || c.is_in_fluid) return;
  for (Force<T>& f : c.star.load_force) f = {};
  add_load_bias(c.m, c.v, c.loads, c.ws, c.star.load_force);
}

// --- articulated bodies --------------------------------------------------------------------------

/// Angular velocity, bias acceleration and bias force of body i. [McM] (7.30)-(7.33)
template <class T>
[[gnu::always_inline]] inline void start_articulated(const StarCall<T>& call, int i) {
  const BasicModel<T>& m = call.m;
  BasicWorkspace<T>& ws = call.ws;
  if (call.is_in_fluid) {
    start_in_fluid(m, call.q, call.v, call.loads, ws, i);
    return call.add_loads(i, ws.p[i]);
  }
  with_joint(m, ws, i, [&](const auto& joint) {
    const int parent = m.parent[i];
    const auto vJ = joint.velocity(call.v);
    const Vec3<T> w = joint.to_child(ws.w[parent]);
    Motion<T> c{{}, joint.to_child(ws.centripetal[parent] * joint.origin())};
    add_bias(c, w, vJ, joint.bias(call.q, call.v));
    ws.c[i] = c;
    ws.w[i] = plus_turn(w, vJ);
    ws.centripetal[i] = centripetal_gradient(ws.w[i]);
    ws.p[i] = centrifugal_force(m.inertia[i], ws.centripetal[i]);
    call.add_loads(i, ws.p[i]);
  });
}

/// Takes the columns of a joint out of the inertia and bias force that are beyond it.
template <class T, class Joint>
[[gnu::always_inline]] inline Pivot<T> eliminate_joint(const StarCall<T>& call, const Joint& joint,
                                                       ArticulatedInertia<T>& IA, Force<T>& p) {
  BasicWorkspace<T>& ws = call.ws;
  Pivot<T> pivot;
  joint.for_columns_reversed([&](const auto& S, int k) {
    const Force<T> U = IA * S;
    ws.U[k] = joint.in_column_frame(U);
    pivot = {call.own_inertia(k), T(0), nullptr};
    pivot.D_inverse = T(1) / (dot(S, U) + pivot.inertia);
    const T u = ws.force[k] - dot(S, p);
    ws.D_inverse[k] = pivot.D_inverse;
    ws.u[k] = u;
    joint.eliminate(IA, S, U, pivot);
    p += U * (u * pivot.D_inverse);
  });
  return pivot;
}

/// Inertia of body i with what loads add to it.
template <class T>
[[gnu::always_inline]] inline ArticulatedInertia<T> single_body(const StarCall<T>& call, int i) {
  const ArticulatedInertia<T> I(call.m.inertia[i]);
  return call.has_load() ? I + body_load(call.m, call.loads, i) : I;
}

/// The leg with free joints, as the body feels it: its articulated inertia and bias force.
template <class T>
void open_articulated(const StarCall<T>& call, BasicStarLeg<T>& leg) {
  const BasicModel<T>& m = call.m;
  BasicWorkspace<T>& ws = call.ws;
  for (int i = leg.first; i < leg.end; ++i) start_articulated(call, i);
  for (int i = leg.end - 1; i >= leg.first; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const bool is_leaf = m.branching[i] & carries_nothing;
      ArticulatedInertia<T> IA = is_leaf ? single_body(call, i) : ws.IA[i];
      Force<T> p = joint.bias_force(IA, ws.p[i], ws.c[i]);
      const Pivot<T> pivot = eliminate_joint(call, joint, IA, p);
      const ArticulatedInertia<T> carried = joint.to_parent_without_columns(IA, pivot);
      const Force<T> force = joint.to_parent(joint.reduced_bias_force(IA, p, ws.c[i], pivot));
      if (i == leg.first) {
        leg.articulated = carried;
        leg.force = force;
        return;
      }
      const int parent = m.parent[i];
      if (m.branching[i] & is_last_child) ws.IA[parent] = carried + single_body(call, parent);
      else ws.IA[parent] += carried;
      ws.p[parent] += force;
    });
  }
}

/// Acceleration of body i and of its joint, where its parent has its own.
template <class T>
[[gnu::always_inline]] inline void accelerate_body(const StarCall<T>& call, int i) {
  BasicWorkspace<T>& ws = call.ws;
  with_joint(call.m, ws, i, [&](const auto& joint) {
    Motion<T> a = joint.acceleration_before_columns(ws.a[call.m.parent[i]], ws.c[i]);
    joint.for_columns([&](const auto& S, int k) {
      const T acceleration = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
      call.a[k] = acceleration;
      a += S * acceleration;
    });
    ws.a[i] = joint.acceleration_after_columns(a, ws.c[i]);
  });
}

/// The body with what all legs put against it. [McM] (7.19)-(7.29)
template <class T>
void move_articulated(const StarCall<T>& call) {
  BasicWorkspace<T>& ws = call.ws;
  ArticulatedInertia<T> IA = single_body(call, call.body);
  for (const BasicStarLeg<T>& leg : call.star.legs) {
    IA += leg.articulated;
    ws.p[call.body] += leg.force;
  }
  with_joint(call.m, ws, call.body, [&](const auto& joint) {
    Force<T> p = joint.bias_force(IA, ws.p[call.body], ws.c[call.body]);
    eliminate_joint(call, joint, IA, p);
  });
  accelerate_body(call, call.body);
}

// --- composite bodies ----------------------------------------------------------------------------

/// Motion of body i and the force that it needs where no joint accelerates. [McM] table 10
template <class T>
[[gnu::always_inline]] inline void start_composite(const StarCall<T>& call, int i) {
  const BasicModel<T>& m = call.m;
  BasicWorkspace<T>& ws = call.ws;
  with_joint(m, ws, i, [&](const auto& joint) {
    const int p = m.parent[i];
    const auto vJ = joint.velocity(call.v);
    const Vec3<T> w = joint.to_child(ws.w[p]);
    Motion<T> a{joint.to_child(ws.a[p].angular),
                joint.to_child(ws.a[p].linear + ws.gradient[p] * joint.origin())};
    add_bias(a, w, vJ, joint.bias(call.q, call.v));
    ws.w[i] = plus_turn(w, vJ);
    ws.a[i] = a;
    ws.gradient[i] = acceleration_gradient(ws.w[i], a.angular);
    ws.f[i] = inertial_force(m.inertia[i], a.linear, ws.gradient[i]);
    call.add_loads(i, ws.f[i]);
    if (call.has_load()) ws.f[i] += body_load(m, call.loads, i) * a;
  });
}

/// H of the leg, and Q in the first six entries of its rows; the rigid leg and its bias force.
/// [McM] table 11, (5.8)-(5.19)
template <class T, class Body>
void compose_leg(const StarCall<T>& call, BasicStarLeg<T>& leg, List<Body>& Ic, Body& composite) {
  const BasicModel<T>& m = call.m;
  BasicWorkspace<T>& ws = call.ws;
  const TreePattern& at = call.star.pattern;
  Force<T>* const F = ws.F.data();
  for (int i = leg.end - 1; i >= leg.first; --i) {
    with_joint(m, ws, i, [&](const auto& joint) {
      const int begin = m.v_index[i], end = m.columns_end[i];
      joint.for_columns([&](const auto& S, int k) { F[k] = Ic[i] * S; });
      joint.for_columns([&](const auto& S, int l) {
        T* const H = call.star.L.data() + at.depth(l);
        for (int k = l + 1; k < end; ++k) H[at.start[k]] = dot(S, F[k]);
        H[at.start[l]] = dot(S, F[l]) + call.own_inertia(l);
        call.a[l] = ws.force[l] - dot(S, ws.f[i]);  // tau − b
      });
      joint.columns_to_parent(F + begin, F + end);
      const Force<T> f = joint.to_parent(ws.f[i]);
      if (i == leg.first) {
        composite = joint.to_parent(Ic[i]);
        leg.force = f;
      } else {
        Ic[m.parent[i]] += joint.to_parent(Ic[i]);
        ws.f[m.parent[i]] += f;
      }
    });
  }
  for (int k = leg.first_column; k < leg.end_column; ++k) {
    T* const Q = call.star.L.data() + at.start[k];
    for (int j = 0; j < 3; ++j) Q[j] = F[k].angular[j], Q[j + 3] = F[k].linear[j];
  }
}

/// Block elimination of one leg: its rows become those of the factor, and what it takes from the
/// body's rows is kept apart. [McM] (5.21), (5.22)
template <class T>
void eliminate_leg(const StarCall<T>& call, BasicStarLeg<T>& leg) {
  const TreePattern& at = call.star.pattern;
  T* const L = call.star.L.data();
  leg.rows.fill(T(0));
  leg.u.fill(T(0));
  for (int k = leg.end_column - 1; k >= leg.first_column; --k) {
    const int* path = at.path.data() + at.start[k];
    T* const row = L + at.start[k];
    const int last = at.depth(k);
    const T inverse = T(1) / row[last];
    for (int t = last - 1; t >= 0; --t) {
      const T factor = row[t] * inverse;
      subtract_scaled(t < 6 ? leg.rows.data() + 8 * t : L + at.start[path[t]], row, factor, t + 1);
      row[t] = factor;  // no row that is left needs the entry itself
    }
    row[last] = inverse;
    for (int t = 0; t < 6; ++t) leg.u[at_index(t)] -= row[t] * call.a[k];
    for (int t = 6; t < last; ++t) call.a[path[t]] -= row[t] * call.a[k];
  }
}

template <class T>
void open_composite(const StarCall<T>& call, BasicStarLeg<T>& leg) {
  const BasicModel<T>& m = call.m;
  BasicWorkspace<T>& ws = call.ws;
  for (int i = leg.first; i < leg.end; ++i) start_composite(call, i);
  if (call.has_load()) {
    for (int i = leg.first; i < leg.end; ++i) ws.loaded_Ic[i] = single_body(call, i);
    compose_leg(call, leg, ws.loaded_Ic, leg.loaded);
  } else {
    for (int i = leg.first; i < leg.end; ++i) ws.Ic[i] = m.inertia[i];
    compose_leg(call, leg, ws.Ic, leg.composite);
  }
  eliminate_leg(call, leg);
}

/// The rows of the body: K_r with all legs, less what their elimination takes. [McM] (5.23)
template <class T, class Body>
void fill_body_rows(const StarCall<T>& call, const Body& K) {
  const TreePattern& at = call.star.pattern;
  T* const L = call.star.L.data();
  with_joint(call.m, call.ws, call.body, [&](const auto& joint) {
    Force<T>* const F = call.ws.F.data();
    joint.for_columns([&](const auto& S, int k) { F[k] = K * S; });
    joint.for_columns([&](const auto& S, int l) {
      for (int k = l; k < 6; ++k) {
        T entry = dot(S, F[k]);
        if (k == l) entry += call.own_inertia(k);
        for (const BasicStarLeg<T>& leg : call.star.legs) entry += leg.rows[at_index(8 * k + l)];
        L[at.start[k] + l] = entry;
      }
      T u = call.ws.force[l] - dot(S, call.ws.f[call.body]);
      for (const BasicStarLeg<T>& leg : call.star.legs) u += leg.u[at_index(l)];
      call.a[l] = u;
    });
  });
}

/// q̈ of the columns, where those that carry them have theirs. [McM] (5.25)
template <class T>
void finish_columns(const StarCall<T>& call, int first, int end) {
  const TreePattern& at = call.star.pattern;
  const T* const L = call.star.L.data();
  for (int k = first; k < end; ++k) {
    const int last = at.end[k] - 1;
    T sum = call.a[k] * L[last];
    for (int t = at.start[k]; t < last; ++t) sum -= L[t] * call.a[at.path[t]];
    call.a[k] = sum;
  }
}

/// [McM] (5.24)
template <class T>
void move_composite(const StarCall<T>& call) {
  for (const BasicStarLeg<T>& leg : call.star.legs) call.ws.f[call.body] += leg.force;
  if (call.has_load()) {
    ArticulatedInertia<T> K = single_body(call, call.body);
    for (const BasicStarLeg<T>& leg : call.star.legs) K += leg.loaded;
    fill_body_rows(call, K);
  } else {
    Inertia<T> K = call.m.inertia[call.body];
    for (const BasicStarLeg<T>& leg : call.star.legs) K += leg.composite;
    fill_body_rows(call, K);
  }
  const TreePattern& at = call.star.pattern;
  T* const L = call.star.L.data();
  for (int k = 5; k >= 0; --k) {
    T* const row = L + at.start[k];
    const T inverse = T(1) / row[k];
    for (int t = k - 1; t >= 0; --t) {
      const T factor = row[t] * inverse;
      subtract_scaled(L + at.start[t], row, factor, t + 1);
      call.a[t] -= factor * call.a[k];
      row[t] = factor;
    }
    row[k] = inverse;
  }
  finish_columns(call, 0, 6);
}

// --- the three steps -----------------------------------------------------------------------------

template <class T>
void start_body(const StarCall<T>& call, StarMethod method) {
  if (method == StarMethod::articulated_bodies) start_articulated(call, call.body);
  else start_composite(call, call.body);
}
template <class T>
void open_leg(const StarCall<T>& call, StarMethod method, int leg) {
  if (method == StarMethod::articulated_bodies) open_articulated(call, call.star.legs[leg]);
  else open_composite(call, call.star.legs[leg]);
}
template <class T>
void move_body(const StarCall<T>& call, StarMethod method) {
  if (method == StarMethod::articulated_bodies) move_articulated(call);
  else move_composite(call);
}
template <class T>
void close_leg(const StarCall<T>& call, StarMethod method, int number) {
  const BasicStarLeg<T>& leg = call.star.legs[number];
  if (method == StarMethod::composite_bodies)
    return finish_columns(call, leg.first_column, leg.end_column);
  for (int i = leg.first; i < leg.end; ++i) accelerate_body(call, i);
}

}  // namespace LIMBER_REGISTERS

/// Throws Error for arguments that do not fit.
template <class T>
void check_star_call(const char* function, const BasicModel<T>& m, In<T> q, In<T> v, In<T> tau,
                     const BasicWorkspace<T>& ws, const BasicStar<T>& star, In<T> out) {
  check_workspace(function, m, ws);
  check_tree("forward dynamics", m);
  check_regular(m.name, m.singular_reason);
  if (!star.model.is(m.identity))
    throw Error(
        fmt::format("{}: the star was made for another model than '{}'; make one with "
                    "Star star(model)",
                    function, m.name));
  check_size(function, "q", q.size(), m.nq, m.name);
  check_size(function, "v", v.size(), m.nv, m.name);
  check_size(function, "tau", tau.size(), m.nv, m.name);
  check_size(function, "out", out.size(), m.nv, m.name);
}

/// Throws Error where a joint meets no inertia, or the result is not finite.
template <class T>
void check_star_result(const StarCall<T>& call, StarMethod method, In<T> q, In<T> v, In<T> tau,
                       In<T> out) {
  constexpr const char* what = "forward dynamics";
  const TreePattern& at = call.star.pattern;
  for (int k = call.m.nv - 1; k >= 0; --k)
    check_pivot<T>(call.m, what, q,
                   method == StarMethod::articulated_bodies ? call.ws.D_inverse[k]
                                                            : call.star.L[at.end[k] - 1],
                   call.m.column_body[k]);
  check_result<T>(call.m, what, q, v, "tau", tau, out);
}

}  // namespace limber
