#pragma once
// The tree in absolute coordinates, in strips: what whole matrices are made of. There S,
// velocities, inertias and forces of different bodies add without transforms, so that the rows of a
// matrix are plain products of columns, eight at a time. The absolute frame rests in the world; it
// is the one in which the first body finds itself, so that nothing is far away and the columns of a
// floating base are unit vectors.
//
// Besides the inertia I each body has B, the matrix of its velocity terms: with the velocity
// u = v + ω × r of its points, B = ∫ [r×; 1] [−u×, 0] dm, so that B ψ is half of what a change ψ of
// its velocity adds to the force I a + v ×̂ I v when the acceleration follows as ψ ×̂ v. Then
//   C = Σ Jᵀ (B J + I J̇)   is the Coriolis matrix (Christoffel's, so that Ṁ − 2C is antisymmetric).
// B acts on the angular part only: B ψ = (P ω_ψ, −p × ω_ψ) with P = (v·h) 1 − v hᵀ − ω× J and the
// linear momentum p.
#include <limber/dynamics/matrix_workspace.hpp>
#include <limber/spatial/acceleration_field.hpp>

#include "dynamics/base.hpp"
#include "dynamics/joints.ipp"
#include "dynamics/strips.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// First strips of the values over bodies; inertia … force are summed over subtrees.
namespace body_strip {
inline constexpr int pose = 0, velocity = 12, acceleration = 18, inertia = 24, coupling = 34,
                     force = 46, change = 52, below = 58, count = 64;
}
/// First strips of the values over columns.
namespace column_strip {
inline constexpr int S = 0, psi = 6, chi = 9, chi_v = 15, IS = 21, BtS = 27, force_v = 30,
                     force_q = 36, general = 42, simple = 60, joint = 61, count = 62;
}

/// B of one body or of a subtree.
template <class T>
struct VelocityCoupling {
  Mat3<T> P;  ///< on angular velocities, to moments
  Vec3<T> p;  ///< linear momentum
};
template <class T>
[[gnu::always_inline]] inline Force<T> operator*(const VelocityCoupling<T>& B,
                                                 const Motion<T>& psi) {
  return {B.P * psi.angular, cross(psi.angular, B.p)};
}
/// Bᵀ S: only an angular part.
template <class T>
[[gnu::always_inline]] inline Vec3<T> transpose_times(const VelocityCoupling<T>& B,
                                                      const Motion<T>& S) {
  return transpose_times(B.P, S.angular) + cross(B.p, S.linear);
}
template <class V, class F>
[[gnu::always_inline]] inline void for_numbers(V& x, F&& f) requires requires {
  x.P;
}
{ for_numbers(x.P, f), for_numbers(x.p, f); }
template <class T>
[[gnu::always_inline]] inline VelocityCoupling<T> velocity_coupling(const Inertia<T>& I,
                                                                    const Motion<T>& v) {
  const T vh = dot(v.linear, I.h);
  Mat3<T> P = -outer(v.linear, I.h) - cross(v.angular, to_mat3(I.J));
  P.xx += vh, P.yy += vh, P.zz += vh;
  return {P, v.linear * I.m + cross(v.angular, I.h)};
}

/// Strips over bodies: body 1 begins a block, the world lies before it.
template <class T>
Strips<T> body_strips(BasicMatrixWorkspace<T>& mw) {
  return {mw.bodies.data(), mw.body_stride, 1 - lane_count<T>};
}
template <class T>
Strips<T> column_strips(BasicMatrixWorkspace<T>& mw) {
  return {mw.columns.data(), mw.column_stride, -mw.lead};
}

// "flatten" here and below: what is called is inlined, so that no function with a general name is
// left that is compiled for wide registers (scalar/registers.hpp).

/// A joint column in absolute coordinates, for a body with pose X.
template <int K, class T>
[[gnu::always_inline]] inline Motion<T> absolute_column(const Transform<T>& X, Axis<K>) {
  const T x = X.R.template get<0, K>(), y = X.R.template get<1, K>(), z = X.R.template get<2, K>();
  if constexpr (K < 3) return {{x, y, z}, cross(X.p, Vec3<T>{x, y, z})};
  else return {{}, {x, y, z}};
}
template <class T>
[[gnu::flatten]] Motion<T> absolute_column(const Transform<T>& X, const Motion<T>& S) {
  return X * S;
}
/// Ṡ v in absolute coordinates.
template <class T>
void add_absolute_bias(Motion<T>&, const Transform<T>&, NoBias) {}
template <class T>
[[gnu::flatten]] void add_absolute_bias(Motion<T>& a, const Transform<T>& X,
                                        const Motion<T>& bias) {
  a += X * bias;
}

/// Poses of the bodies; joints must be placed.
template <class T>
void absolute_poses(const BasicModel<T>& m, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> bodies = body_strips(mw);
  with_joint(m, ws, 1, [&](const auto& joint) {
    put(bodies, body_strip::pose, 0, inverse(joint.pose_after({})));
    put(bodies, body_strip::pose, 1, Transform<T>{});
  });
  for (int i = 2; i < m.bodies(); ++i)
    with_joint(
        m, ws, i, [&](const auto& joint) __attribute__((always_inline)) {
          const int p = m.parent[i];
          put(bodies, body_strip::pose, i,
              joint.pose_after(get<Transform<T>>(bodies, body_strip::pose, p)));
        });
}

/// Columns S, velocities and spatial accelerations, with gravity as an acceleration −g of the
/// world, from the poses. A pass of its own: the poses wait for each other, these hardly do.
/// v, a: tree variables. [RDA] (4.6), (4.7)
template <class T>
void absolute_motions(const BasicModel<T>& m, const T* q, const T* v, const T* a,
                      const Loads<T>& loads, BasicWorkspace<T>& ws, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  const auto X_W = get<Transform<T>>(bodies, body_strip::pose, 0);
  Motion<T> base = loads.base_acceleration;
  base.linear -= m.gravity;
  put(bodies, body_strip::velocity, 0, X_W * loads.base_velocity);
  put(bodies, body_strip::acceleration, 0, X_W * base);
  auto move = [&](const auto& joint, int i, const Transform<T>& X) __attribute__((always_inline)) {
    const int p = m.parent[i];
    const auto carrying = get<Motion<T>>(bodies, body_strip::velocity, p);
    auto acceleration = get<Motion<T>>(bodies, body_strip::acceleration, p);
    Motion<T> vJ;
    joint.for_columns([&](const auto& local, int k) __attribute__((always_inline)) {
      const Motion<T> S = absolute_column(X, local);
      put(columns, column_strip::S, k, S);
      vJ += S * v[k];
      acceleration += S * a[k];
    });
    add_absolute_bias(acceleration, X, joint.bias(q, v));
    acceleration += cross(carrying, vJ);
    put(bodies, body_strip::velocity, i, carrying + vJ);
    put(bodies, body_strip::acceleration, i, acceleration);
  };
  with_joint(m, ws, 1, [&](const auto& joint) { move(joint, 1, {}); });
  for (int i = 2; i < m.bodies(); ++i)
    with_joint(
        m, ws, i, [&](const auto& joint) __attribute__((always_inline)) {
          move(joint, i, get<Transform<T>>(bodies, body_strip::pose, i));
        });
}

/// Calls f(i) for i = 1, 9, … so that every body is in some lane.
template <class T, class F>
void for_body_lanes(const BasicModel<T>& m, F&& f) {
  for (int i = 1; i < m.bodies(); i += lane_count<T>) f(i);
}

/// Inertias and velocity couplings of the single bodies.
template <class T>
void absolute_inertias(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> local{mw.inertia.data(), mw.body_stride, 1}, bodies = body_strips(mw);
  for_body_lanes(m, [&](int i) {
    const Inertia<L> I =
        get<Transform<L>>(bodies, body_strip::pose, i) * get<Inertia<L>>(local, 0, i);
    put(bodies, body_strip::inertia, i, I);
    put(bodies, body_strip::coupling, i,
        velocity_coupling(I, get<Motion<L>>(bodies, body_strip::velocity, i)));
  });
}

/// Forces that the single bodies need, (4.8), less the external ones. Inertias must be those of the
/// single bodies still.
template <class T>
void absolute_forces(const BasicModel<T>& m, const Loads<T>& loads, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw);
  for_body_lanes(m, [&](int i) {
    const auto I = get<Inertia<L>>(bodies, body_strip::inertia, i);
    const auto v = get<Motion<L>>(bodies, body_strip::velocity, i);
    const auto a = get<Motion<L>>(bodies, body_strip::acceleration, i);
    put(bodies, body_strip::force, i,
        inertial_force(I, classical_acceleration(a, v).linear,
                       acceleration_gradient(v.angular, a.angular)));
  });
  if (loads.body_forces.empty()) return;
  check_size("dynamics", "loads.body_forces", loads.body_forces.size(), m.bodies(), m.name);
  for (int i = 1; i < m.bodies(); ++i) {
    const Force<T> external = get<Transform<T>>(bodies, body_strip::pose, i) *
                              (m.body_placement[i] * loads.body_forces[at_index(i)]);
    put(bodies, body_strip::force, i, get<Force<T>>(bodies, body_strip::force, i) - external);
  }
}

/// Sums over subtrees: inertia, velocity coupling and force of every body are added to its
/// parent's.
template <class T>
void sum_subtrees(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> bodies = body_strips(mw);
  for (int i = m.bodies() - 1; i > 0; --i) {
    const int p = m.parent[i];
    if (p == 0) continue;
    constexpr int first = body_strip::inertia, end = body_strip::force + 6;
    T* sum = bodies.at(first, p);
    static_assert((end - first) % 4 == 0);  // four at a time, for short loops are dear
    for (int c = first; c < end; c += 4)
      for (int l = 0; l < 4; ++l, sum += bodies.stride) *sum += sum[i - p];
  }
}

template <class T>
using Block = typename BasicMatrixWorkspace<T>::Block;

/// The values of the bodies of eight neighbouring columns.
template <class V, class T>
[[gnu::always_inline]] inline V of_columns(const BasicMatrixWorkspace<T>& mw, const Block<T>& block,
                                           const Strips<T>& bodies, int component) {
  using Bodies = typename BasicMatrixWorkspace<T>::BlockBodies;
  const int* body = mw.lane_body.data() + mw.lead + block.column;
  if (block.bodies == Bodies::same) return spread<V>(bodies, component, body[0]);
  if (block.bodies == Bodies::neighbours) return get<V>(bodies, component, body[0]);
  return gather<V>(bodies, component, body);
}

/// I S (5.8) and 2 Bᵀ S of the subtrees.
template <class T>
void column_momenta(BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  for (const auto& block : mw.blocks) {
    const int k = block.column;
    const auto S = get<Motion<L>>(columns, column_strip::S, k);
    const auto I = of_columns<Inertia<L>>(mw, block, bodies, body_strip::inertia);
    const auto B = of_columns<VelocityCoupling<L>>(mw, block, bodies, body_strip::coupling);
    const Vec3<L> BtS = transpose_times(B, S);
    put(columns, column_strip::IS, k, I * S);
    put(columns, column_strip::BtS, k, BtS + BtS);
  }
}

/// The columns' parts of the forces through their joints, S · f, in the strip `joint`.
template <class T>
void joint_forces(BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  for (const auto& block : mw.blocks)
    dot(get<Motion<L>>(columns, column_strip::S, block.column),
        of_columns<Force<L>>(mw, block, bodies, body_strip::force))
        .store(columns.at(column_strip::joint, block.column));
}

/// Outward: gives the robot accelerations where it had none. acceleration(k, carrying) is that of
/// column k, where what carries it has got the spatial acceleration `carrying`.
template <class T, class F>
void add_motions(const BasicModel<T>& m, F&& acceleration, BasicMatrixWorkspace<T>& mw) {
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  put(bodies, body_strip::change, 0, Motion<T>{});
  for (int i = 1; i < m.bodies(); ++i) {
    auto change = get<Motion<T>>(bodies, body_strip::change, m.parent[i]);
    for (int k = m.v_index[i]; k < m.v_index[i] + m.v_count[i]; ++k) {
      const T a = acceleration(k, change);
      *columns.at(column_strip::joint, k) = a;
      change += get<Motion<T>>(columns, column_strip::S, k) * a;
    }
    put(bodies, body_strip::change, i, change);
  }
}

/// Inward: the forces for the accelerations of add_motions(). The subtree of a body is carried by
/// its own acceleration, and every column below adds its force I S a. Needs composites and I S.
template <class T>
void add_motion_forces(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  using L = Lanes<T>;
  const Strips<T> bodies = body_strips(mw), columns = column_strips(mw);
  constexpr int own = column_strip::force_v;  // not yet in use
  for (const auto& block : mw.blocks)
    put(columns, own, block.column,
        get<Force<L>>(columns, column_strip::IS, block.column) *
            L::load(columns.at(column_strip::joint, block.column)));
  for_body_lanes(m, [&](int i) { put(bodies, body_strip::below, i, Force<L>{}); });
  for (int i = m.bodies() - 1; i > 0; --i) {
    const int p = m.parent[i];
    if (p == 0) continue;
    auto force =
        get<Force<T>>(bodies, body_strip::below, p) + get<Force<T>>(bodies, body_strip::below, i);
    for (int k = m.v_index[i]; k < m.v_index[i] + m.v_count[i]; ++k)
      force += get<Force<T>>(columns, own, k);
    put(bodies, body_strip::below, p, force);
  }
  for_body_lanes(m, [&](int i) {
    const auto change = get<Motion<L>>(bodies, body_strip::change, i);
    put(bodies, body_strip::acceleration, i,
        get<Motion<L>>(bodies, body_strip::acceleration, i) + change);
    put(bodies, body_strip::force, i,
        get<Force<L>>(bodies, body_strip::force, i) + get<Force<L>>(bodies, body_strip::below, i) +
            get<Inertia<L>>(bodies, body_strip::inertia, i) * change);
  });
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
