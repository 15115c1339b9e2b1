// Derivatives of the forces of inertia that loads add, and of a fluid. In world coordinates the
// inertia B of a body needs the force f = B a + v ×* B v, with the spatial acceleration a without
// gravity. In the terms of derivatives.ipp a step of variable k changes it by
//   S_k ×* f + B χ_k + K ψ_k,   K x = B (x × v) + x ×* B v + v ×* B x
// and a change of the velocity variable k by B χᵛ_k + K S_k. B, K and f are summed over subtrees.
//
// In a fluid all this holds for the motion in a frame that moves with the fluid (its velocity u and
// acceleration a_f are those of the world in it, reversed), and f is less by what the fluid does:
// drag, a function of v in the body's axes, whose slopes −∂drag/∂v go to K, and buoyancy, linear in
// g − a_f. A step turns the body against g − a_f, which adds buoyancy(ω_k × (g − a_f)).
#include "dynamics/load_derivatives.hpp"

#include <optional>

#include <limber/dynamics/tree_factor.hpp>

#include "dynamics/added_inertia.hpp"
#include "dynamics/derivatives.ipp"
#include "dynamics/fluid_slopes.hpp"
#include "dynamics/kinematics.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

template <class T>
using LoadedBody = typename BasicMatrixWorkspace<T>::LoadedBody;

template <class T>
Force<T> operator*(const std::array<Force<T>, 6>& K, const Motion<T>& x) {
  Force<T> sum;
  for (std::size_t i = 0; i < 3; ++i)
    sum += K[i] * x.angular[static_cast<int>(i)] + K[i + 3] * x.linear[static_cast<int>(i)];
  return sum;
}

/// The motion of the world: relative to the fluid, if there is one.
template <class T>
LoadedBody<T> loaded_world(const Loads<T>& loads) {
  LoadedBody<T> world;
  world.v = loads.base_velocity;
  world.a = loads.base_acceleration;
  if (!loads.fluid) return world;
  const Motion<T> stream{{}, loads.fluid->velocity};
  world.a -= Motion<T>{{}, loads.fluid->acceleration} + cross(stream, world.v);
  world.v -= stream;
  return world;
}

/// Takes buoyancy and drag from the force on a body. g: gravity less the fluid's acceleration.
template <class T>
void place_in_fluid(const FluidBody<T>& fluid, const Vec3<T>& g, LoadedBody<T>& body) {
  if (!fluid.is_wet) return;
  const Transform<T>& X = body.X;
  body.displaced_mass = fluid.displaced_mass;
  body.displaced_moment = X.R * fluid.displaced_moment + X.p * fluid.displaced_mass;
  body.f -= X * fluid_force(fluid, apply_inverse(X, body.v), transpose_times(X.R, g));
  const std::array<Force<T>, 6> slopes = drag_slopes(fluid, X, body.v);
  for (std::size_t k = 0; k < 6; ++k) body.K[k] -= slopes[k];
}

/// Gravity as what is displaced feels it.
template <class T>
Vec3<T> gravity_in_fluid(const BasicModel<T>& m, const Loads<T>& loads) {
  return loads.fluid ? m.gravity - loads.fluid->acceleration : m.gravity;
}

/// Motions of the bodies, columns, and B, K, f of the single bodies.
template <class T>
void place_loads(const BasicModel<T>& m, const T* q, const T* v, const T* a, const Loads<T>& loads,
                 BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  place_joints(m, q, ws);
  mw.loaded_bodies[0] = loaded_world(loads);
  for (int i = 1; i < m.bodies(); ++i)
    with_joint(m, ws, i, [&](const auto& joint) {
      LoadedBody<T>& body = mw.loaded_bodies[at_index(i)];
      const LoadedBody<T>& parent = mw.loaded_bodies[at_index(m.parent[i])];
      body.X = joint.pose_after(parent.X);
      body.a = parent.a;
      Motion<T> vJ;
      joint.for_columns([&](const auto& local, int k) {
        const Motion<T> S = absolute_column(body.X, local);
        mw.loaded_S[at_index(k)] = S;
        vJ += S * v[k];
        body.a += S * a[k];
      });
      add_absolute_bias(body.a, body.X, joint.bias(q, v));
      body.a += cross(parent.v, vJ);
      body.v = parent.v + vJ;
      body.B = body.X * body_load(m, loads, i);
      const Force<T> momentum = body.B * body.v;
      body.f = body.B * body.a + cross(body.v, momentum);
      for (int k = 0; k < 6; ++k) {
        Motion<T> unit;
        (k < 3 ? unit.angular : unit.linear)[k % 3] = T(1);
        body.K[at_index(k)] =
            body.B * cross(unit, body.v) + cross(unit, momentum) + cross(body.v, body.B * unit);
      }
      body.displaced_mass = T(0), body.displaced_moment = {};
      if (loads.fluid) place_in_fluid(loads.fluid->bodies()[i], gravity_in_fluid(m, loads), body);
    });
}

template <class T>
void sum_loads(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  for (int i = m.bodies() - 1; i > 0; --i) {
    const LoadedBody<T>& body = mw.loaded_bodies[at_index(i)];
    LoadedBody<T>& parent = mw.loaded_bodies[at_index(m.parent[i])];
    parent.B += body.B;
    parent.f += body.f;
    for (std::size_t k = 0; k < 6; ++k) parent.K[k] += body.K[k];
    parent.displaced_mass += body.displaced_mass;
    parent.displaced_moment += body.displaced_moment;
  }
}

/// Adds entries of matrices over tree variables to the rows of the user's.
template <class T>
struct LoadRows {
  const BasicModel<T>& m;
  BasicMatrixWorkspace<T>& mw;

  T* row(int variable, int part) const {
    return mw.rows.data() + mw.lead + (3 * variable + part) * mw.row_stride;
  }
  /// part 0: ∂/∂q, 1: ∂/∂v
  void add(int part, int j, int k, const T& x) const {
    const Fold<T>&r = m.v_fold[j], &c = m.v_fold[k];
    row(r.index, part)[c.index] += r.ratio * c.ratio * x;
  }
  /// Of the mass matrix, the entries jk and kj; its upper triangle is kept.
  void add_inertia(int j, int k, const T& x) const {
    const Fold<T>&r = m.v_fold[j], &c = m.v_fold[k];
    const T twice(j != k && r.index == c.index ? 2 : 1);
    row(std::min(r.index, c.index), 2)[std::max(r.index, c.index)] += twice * r.ratio * c.ratio * x;
  }
  template <class F>
  void for_columns_of(int body, F&& f) const {
    for (int j = m.v_index[body]; j < m.v_index[body] + m.v_count[body]; ++j)
      f(j, mw.loaded_S[at_index(j)]);
  }
};

/// Column k, of joint b, of the three matrices. g: gravity_in_fluid(); d: how its joint's columns
/// vary, if they do.
template <class T>
void add_load_column(const LoadRows<T>& rows, int b, int k, const ColumnChange<T>& change,
                     const Vec3<T>& g, const JointPartials<T>* d) {
  const BasicModel<T>& m = rows.m;
  const LoadedBody<T>& body = rows.mw.loaded_bodies[at_index(b)];
  const Motion<T>& S_k = rows.mw.loaded_S[at_index(k)];
  const auto force_q = [&](const LoadedBody<T>& at) {
    return at.B * change.chi + at.K * change.psi +
           buoyancy(at.displaced_mass, at.displaced_moment, cross(S_k.angular, g));
  };
  const auto force_v = [&](const LoadedBody<T>& at) { return at.B * change.chi_v + at.K * S_k; };
  const Force<T> f_q = force_q(body), f_v = force_v(body), f_a = body.B * S_k;
  // the joint's own rows: S_j moves along
  const Force<T> local = apply_inverse(body.X, body.f);
  rows.for_columns_of(b, [&](int j, const Motion<T>& S) {
    T x = dot(S, f_q);
    if (d) x += dot(d->S[at_index(j - m.v_index[b])][at_index(k - m.v_index[b])], local);
    rows.add(0, j, k, x);
    rows.add(1, j, k, dot(S, f_v));
    if (j <= k) rows.add_inertia(j, k, dot(S, f_a));
  });
  // rows of the joints that carry it: S_j stays
  const Force<T> moved = f_q + cross(S_k, body.f);
  for (int i = m.parent[b]; i > 0; i = m.parent[i])
    rows.for_columns_of(i, [&](int j, const Motion<T>& S) {
      rows.add(0, j, k, dot(S, moved));
      rows.add(1, j, k, dot(S, f_v));
      rows.add_inertia(j, k, dot(S, f_a));
    });
  // rows of the joints that it carries: S_j moves along
  for (int i = b + 1; i < m.subtree_end[b]; ++i) {
    const LoadedBody<T>& outer = rows.mw.loaded_bodies[at_index(i)];
    const Force<T> outer_q = force_q(outer), outer_v = force_v(outer);
    rows.for_columns_of(i, [&](int j, const Motion<T>& S) {
      rows.add(0, j, k, dot(S, outer_q));
      rows.add(1, j, k, dot(S, outer_v));
    });
  }
}

}  // namespace

template <class T>
void add_load_derivatives(const char* function, const BasicModel<T>& m, const T* q, const T* v,
                          const T* a, const Loads<T>& loads, BasicWorkspace<T>& ws,
                          BasicMatrixWorkspace<T>& mw) {
  check_loads(function, m, loads);
  const LoadRows<T> rows{m, mw};
  for (int k = 0; k < static_cast<int>(loads.joint_inertia.size()); ++k)
    rows.row(k, 2)[k] += loads.joint_inertia[at_index(k)];
  if (!loads.adds_to_bodies()) return;
  mw.loaded_bodies.resize(at_index(m.bodies()));
  mw.loaded_S.resize(at_index(m.tree_nv));
  place_loads(m, q, v, a, loads, ws, mw);
  sum_loads(m, mw);
  for (int b = 1; b < m.bodies(); ++b) {
    const LoadedBody<T>&body = mw.loaded_bodies[at_index(b)],
          &parent = mw.loaded_bodies[at_index(m.parent[b])];
    const int first = m.v_index[b];
    std::optional<JointPartials<T>> d;
    if (!has_constant_columns(m.kind[b]))
      joint_partials(m, b, q, v, ws.S.data() + first, d.emplace());
    for (int k = first; k < first + m.v_count[b]; ++k) {
      ColumnChange<T> change(mw.loaded_S[at_index(k)], parent.v, parent.a, body.v);
      if (d)
        add_variation(*d, at_index(k - first), at_index(m.v_count[b]), v + first, a + first, body.X,
                      parent.v + body.v, change);
      add_load_column(rows, b, k, change, gravity_in_fluid(m, loads), d ? &*d : nullptr);
    }
  }
}

template <class T>
void solve_columns(const BasicModel<T>& m, const BasicTreeFactor<T>& factor,
                   BasicMatrixWorkspace<T>& mw) {
  const LoadRows<T> rows{m, mw};
  mw.filled = true;
  mw.loaded_column.resize(at_index(m.nv));
  const std::span<T> x = mw.loaded_column;
  for (const int part : {0, 1, 2})
    for (int k = 0; k < m.nv; ++k) {
      for (int i = 0; i < m.nv; ++i)
        x[at_index(i)] = part == 2 ? T(i == k ? 1 : 0) : -rows.row(i, part)[k];
      solve(factor, x);
      for (int i = 0; i < m.nv; ++i) rows.row(i, part)[k] = x[at_index(i)];
    }
}

#define LIMBER_LOAD_DERIVATIVES(T)                                                          \
  template void add_load_derivatives(const char*, const BasicModel<T>&, const T*, const T*, \
                                     const T*, const Loads<T>&, BasicWorkspace<T>&,         \
                                     BasicMatrixWorkspace<T>&);                             \
  template void solve_columns(const BasicModel<T>&, const BasicTreeFactor<T>&,              \
                              BasicMatrixWorkspace<T>&);
LIMBER_FOR_EACH_REAL(LIMBER_LOAD_DERIVATIVES)

}  // namespace limber
