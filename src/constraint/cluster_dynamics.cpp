// Articulated bodies with clusters of loops: one more kind of "joint" in the recursion of
// dynamics/articulated_bodies.ipp. Of a cluster, with the carrier's acceleration a, the joints' q̈
// and the forces λ of its rows,
//   H q̈ + Fᵀ a = u + Jᵀ λ,   J q̈ = c,   force on the carrier: I a + F q̈ + f₀,
// so that with H = Lᵀ D L and Y = L⁻ᵀ (Jᵀ | Fᵀ | u) everything is in Yᵀ D⁻¹ Y: its rows of λ are
// eliminated, and what is left of F's block is what the cluster takes off the inertia I.
#include <limber/constraint/clusters.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "constraint/loop_rows.ipp"
#include "dynamics/articulated_bodies.ipp"
#include "dynamics/checks.hpp"
#include "dynamics/passive.hpp"
#include "dynamics/symmetric_factor.hpp"
#include "dynamics/tree_factor.ipp"
#include "scalars.hpp"

namespace limber {

namespace {

constexpr const char* cluster_what = "dynamics with closed loops";

/// Accelerations of targets that move.
template <class T>
void target_accelerations(const BasicMechanism<T>& m, const T& t, BasicClusterDynamics<T>& d) {
  if constexpr (std::is_same_v<T, double>) {
    for (const LoopMotion& motion : m.motions) {
      double values[9];
      const auto& closure = m.closures[motion.loop];
      motion.compute(t, std::span<double>(values, at_index(3 * closure.slides)));
      for (int i = 0; i < closure.slides; ++i)
        d.target[closure.first_row + closure.turns + i] = values[3 * i + 2];
    }
  }
}

/// Numbers of one cluster.
template <class T>
struct ClusterNumbers {
  T *Y, *H, *S;
  int columns, rows, width;
  T* y(int column) const { return Y + column * width; }
  T* s(int row) const { return S + row * width; }
  T& h(int k, int l) const { return H[k * columns + l]; }
  int carrier_column() const { return rows; }  ///< of the six for the carrier
  int force_column() const { return rows + 6; }
};
template <class T>
ClusterNumbers<T> numbers_of(BasicClusterDynamics<T>& d, int c) {
  const LoopCluster& cluster = d.plan.clusters[c];
  T* const Y = d.numbers.data() + d.start[c];
  T* const H = Y + cluster.columns * cluster.width;
  const int square = (cluster.columns * cluster.columns + 7) / 8 * 8;
  return {Y, H, H + square, cluster.columns, cluster.rows, cluster.width};
}

/// Places the bodies of a cluster in the carrier's frame, and finds how they move while neither
/// carrier nor joints accelerate.
template <class T>
void place_cluster(const BasicMechanism<T>& m, const LoopCluster& cluster, BasicWorkspace<T>& ws,
                   BasicClusterDynamics<T>& d) {
  d.X[cluster.carrier] = {};
  d.a0[cluster.carrier] = {};
  for (int k = cluster.first_body; k < cluster.last_body; ++k) {
    const int i = d.plan.members[k], parent = m.tree.parent[i];
    with_joint(m.tree, ws, i, [&](const auto& joint) {
      d.X[i] = joint.pose_after(d.X[parent]);
      d.a0[i] = joint.to_child(d.a0[parent]) + ws.c[i];
    });
    d.Ic[i] = ws.IA[i];
    d.f0[i] = ws.IA[i] * d.a0[i] + ws.p[i];
  }
}

/// Jᵀ of a loop into the columns of its cluster, from `first_row` on, and its bias.
template <class T>
void cluster_loop(const BasicMechanism<T>& m, int k, const LoopCluster& cluster, In<T> q, In<T> v,
                  int first_row, BasicWorkspace<T>& ws, BasicClusterDynamics<T>& d,
                  const ClusterNumbers<T>& n) {
  const BasicLoop<T>& loop = m.loops[k];
  const auto& closure = m.closures[k];
  T* const bias = &d.bias[closure.first_row];
  if (loop.kind == LoopSpec::Kind::coupling) {
    const CouplingValues<T> value = coupling_values<T>(m, loop, q);
    n.y(d.plan.column[m.tree.v_index[loop.joint]])[first_row] += T(1);
    *bias = T(0);
    if (loop.leader < 0) return;
    const int leader = m.tree.v_index[loop.leader];
    n.y(d.plan.column[leader])[first_row] -= value.slope;
    *bias = -(value.curvature * v[at_index(leader)] * v[at_index(leader)]);
    return;
  }
  const LoopPose<T> pose = loop_pose(m, k, d.X);
  Force<T>* const rows = &d.row_force[closure.first_row];
  for_row_forces(m, k, pose,
                 [&](int row, const Force<T>& F) { rows[row - closure.first_row] = F; });
  Vec3<T> velocity;
  const auto add = [&](int body, const T& sign) {
    for_loop_columns(m, body, cluster.carrier, pose.B.p, d.X, ws,
                     [&](int column, const Motion<T>& S) {
                       T* const to = n.y(d.plan.column[column]) + first_row;
                       for (int r = 0; r < closure.rows; ++r) to[r] += dot(S, rows[r]) * sign;
                       velocity += S.linear * (v[at_index(column)] * sign);
                     });
  };
  add(loop.body_b, T(1));
  add(loop.body_a, T(-1));
  const auto motion_of = [&](int body) {
    return point_motion(d.X[body], ws.w[body], d.a0[body], pose.B.p);
  };
  const RelativeMotion<T> motion =
      relative_motion(motion_of(loop.body_a), motion_of(loop.body_b), velocity);
  for (int r = 0; r < closure.rows; ++r)
    bias[r] = dot(Motion<T>{motion.w_dot, motion.a}, rows[r]) +
              moving_row(m, k, closure.first_row + r, pose, motion);
}

/// Composite bodies of the cluster, [RDA] (5.11)-(5.14) with articulated inertias: H, F and u.
/// Returns what the carrier feels while the joints do not accelerate: inertia and force.
template <class T>
std::pair<ArticulatedInertia<T>, Force<T>> compose_cluster(
    const BasicMechanism<T>& m, const LoopCluster& cluster, const Loads<T>& loads, const T* tau,
    BasicWorkspace<T>& ws, BasicClusterDynamics<T>& d, const ClusterNumbers<T>& n) {
  ArticulatedInertia<T> inertia;
  Force<T> force;
  for (int b = cluster.last_body - 1; b >= cluster.first_body; --b) {
    const int i = d.plan.members[b], parent = m.tree.parent[i];
    with_joint(m.tree, ws, i, [&](const auto& joint) {
      const int begin = d.plan.column[m.tree.v_index[i]], end = d.plan.columns_end[i];
      joint.for_columns([&](const auto& S, int k) { d.F[d.plan.column[k]] = d.Ic[i] * S; });
      joint.for_columns([&](const auto& S, int k) {
        const int l = d.plan.column[k];
        for (int j = l; j < end; ++j) n.h(j, l) = dot(S, d.F[j]);
        n.h(l, l) += m.tree.armature[k];
        if (!loads.joint_inertia.empty()) n.h(l, l) += loads.joint_inertia[at_index(k)];
        n.y(l)[n.force_column()] = tau[k] - dot(S, d.f0[i]);
      });
      if (end > begin) joint.columns_to_parent(&d.F[begin], &d.F[begin] + (end - begin));
      const bool at_carrier = parent == cluster.carrier;
      (at_carrier ? inertia : d.Ic[parent]) += joint.to_parent(d.Ic[i]);
      (at_carrier ? force : d.f0[parent]) += joint.to_parent(d.f0[i]);
    });
  }
  for (int k = 0; k < n.columns; ++k)
    for (int c = 0; c < 3; ++c) {
      n.y(k)[n.carrier_column() + c] = d.F[k].angular[c];
      n.y(k)[n.carrier_column() + 3 + c] = d.F[k].linear[c];
    }
  return {inertia, force};
}

/// H = Lᵀ D L from the leaves, Y := L⁻ᵀ Y; entries between branches stay zero.
template <class T>
void factorize_cluster(const ClusterNumbers<T>& n) {
  for (int k = n.columns - 1; k >= 0; --k) {
    const T inverse = T(1) / n.h(k, k);
    for (int i = 0; i < k; ++i) {
      if (known_zero(n.h(k, i))) continue;
      const T factor = n.h(k, i) * inverse;
      for (int j = 0; j <= i; ++j) n.h(i, j) -= factor * n.h(k, j);
      subtract_scaled(n.y(i), n.y(k), factor, n.width);
    }
    for (int i = 0; i < k; ++i) n.h(k, i) = n.h(k, i) * inverse;
    n.h(k, k) = inverse;
  }
}

/// S := Yᵀ D⁻¹ Y, upper triangle.
template <class T>
void fill_products(const ClusterNumbers<T>& n) {
  constexpr int lanes = lane_count<T>;
  std::fill_n(n.S, (n.rows + 7) * n.width, T(0));
  for (int k = 0; k < n.columns; ++k) {
    const T* y = n.y(k);
    const T& inverse = n.h(k, k);
    for (int i = 0; i < n.force_column(); ++i) {
      if (known_zero(y[i])) continue;
      const int first = i / lanes * lanes;
      subtract_scaled(n.s(i) + first, y + first, -(y[i] * inverse), n.width - first);
    }
  }
}

/// Eliminates the rows; a row that depends on those before it is left out: its diagonal becomes
/// zero. False: it nearly does.
template <class T>
bool eliminate_rows(const ClusterNumbers<T>& n, const T* scale) {
  constexpr int lanes = lane_count<T>;
  constexpr bool is_number = !std::is_class_v<T>;
  const T small = T(std::is_same_v<T, float> ? 1e-3 : 1e-6);
  const T none = T(std::is_same_v<T, float> ? 1e-6 : 1e-13);
  for (int k = 0; k < n.rows; ++k) {
    T* const row = n.s(k);
    if constexpr (is_number) {
      if (!(row[k] > small * scale[k])) {
        if (!(row[k] <= none * scale[k])) return false;
        row[k] = T(0);
        continue;
      }
    }
    const T inverse = T(1) / row[k];
    for (int i = k + 1; i < n.force_column(); ++i) {
      if (known_zero(row[i])) continue;
      const int first = i / lanes * lanes;
      subtract_scaled(n.s(i) + first, row + first, row[i] * inverse, n.width - first);
    }
  }
  return true;
}

/// What elimination takes off the inertia of the carrier, and adds to the force on it.
template <class T>
void reduce_carrier(const ClusterNumbers<T>& n, ArticulatedInertia<T>& IA, Force<T>& f) {
  const int at = n.carrier_column();
  const auto s = [&](int i, int j) { return n.s(at + i)[at + j]; };
  IA.I -= Sym3<T>{s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)};
  IA.H -= Mat3<T>{s(0, 3), s(0, 4), s(0, 5), s(1, 3), s(1, 4), s(1, 5), s(2, 3), s(2, 4), s(2, 5)};
  IA.M -= Sym3<T>{s(3, 3), s(4, 4), s(5, 5), s(3, 4), s(3, 5), s(4, 5)};
  const int u = n.force_column();
  f += Force<T>{{n.s(at)[u], n.s(at + 1)[u], n.s(at + 2)[u]},
                {n.s(at + 3)[u], n.s(at + 4)[u], n.s(at + 5)[u]}};
}

/// Takes a cluster out of the tree: what is left of it is in the carrier. False: its rows need more
/// care.
template <class T>
bool eliminate_cluster(const BasicMechanism<T>& m, int c, In<T> q, In<T> v, In<T> wanted,
                       BasicWorkspace<T>& ws, const Loads<T>& loads, const T* tau,
                       BasicClusterDynamics<T>& d) {
  const LoopCluster& cluster = d.plan.clusters[c];
  const ClusterNumbers<T> n = numbers_of(d, c);
  place_cluster(m, cluster, ws, d);
  std::fill_n(n.Y, n.columns * n.width, T(0));
  std::fill_n(n.H, n.columns * n.columns, T(0));
  int row = 0;
  for (int k = cluster.first_loop; k < cluster.last_loop; ++k) {
    cluster_loop<T>(m, d.plan.loops[k], cluster, q, v, row, ws, d, n);
    row += m.closures[d.plan.loops[k]].rows;
  }
  auto [inertia, force] = compose_cluster(m, cluster, loads, tau, ws, d, n);
  factorize_cluster(n);
  fill_products(n);
  for (int r = 0; r < n.rows; ++r) {
    const int own = d.plan.rows[cluster.first_row + r];
    n.s(r)[n.force_column()] -= wanted[at_index(own)] + d.target[own] - d.bias[own];
    d.scale[cluster.first_row + r] = n.s(r)[r];
  }
  if (!eliminate_rows(n, &d.scale[cluster.first_row])) return false;
  for (int b = cluster.first_body; b < cluster.last_body; ++b) {
    const int i = d.plan.members[b];
    for (int k = m.tree.v_index[i]; k < m.tree.v_index[i] + m.tree.v_count[i]; ++k)
      ws.D_inverse[k] = n.h(d.plan.column[k], d.plan.column[k]);
  }
  if (cluster.carrier == 0) return true;
  reduce_carrier(n, inertia, force);
  ws.IA[cluster.carrier] += inertia;
  ws.p[cluster.carrier] += force;
  return true;
}

/// Of all forces with the same effect, those of the smallest norm, each measured by what its row
/// can accelerate: λ² scale. As choose_forces() in row_solver.cpp.
template <class T>
void choose_cluster_forces(const LoopCluster& cluster, const ClusterNumbers<T>& n,
                           BasicClusterDynamics<T>& d) {
  const T* const scale = &d.scale[cluster.first_row];
  T* const weight = d.null.data();
  T* const null = weight + n.rows;
  int missing = 0;
  for (int row = 0; row < n.rows; ++row) {
    if (!(n.s(row)[row] == T(0))) continue;
    T* const N = null + missing++ * n.rows;
    std::fill_n(N, n.rows, T(0));
    N[row] = scale[row] > T(0) ? T(1) / std::sqrt(scale[row]) : T(1);
    for (int k = row - 1; k >= 0; --k) {
      if (n.s(k)[k] == T(0)) continue;
      T sum(0);
      for (int j = k + 1; j <= row; ++j) sum += n.s(k)[j] * N[j];
      N[k] = -sum / n.s(k)[k];
    }
  }
  const auto product = [&](const T* a, const T* b) {
    T sum(0);
    for (int k = 0; k < n.rows; ++k) sum += a[k] * b[k];
    return sum;
  };
  for (int i = 0; i < missing; ++i) {
    weight[i] = product(null + i * n.rows, d.lambda.data());
    for (int j = 0; j < missing; ++j)
      d.gram[i * missing + j] = product(null + i * n.rows, null + j * n.rows);
  }
  factorize_symmetric(d.gram.data(), at_index(missing), at_index(missing), T(0));
  solve_symmetric(d.gram.data(), at_index(missing), at_index(missing), weight);
  for (int k = 0; k < n.rows; ++k) {
    T size(0);
    for (int i = 0; i < missing; ++i) {
      d.lambda[k] -= null[i * n.rows + k] * weight[i];
      size += null[i * n.rows + k] * null[i * n.rows + k] * (scale[k] > T(0) ? scale[k] : T(1));
    }
    d.is_determinate[d.plan.rows[cluster.first_row + k]] = size < T(1e-14) ? 1 : 0;
  }
}

/// Forces of the rows and accelerations of a cluster's joints and bodies, for that of its carrier.
template <class T>
void accelerate_cluster(const BasicMechanism<T>& m, int c, BasicWorkspace<T>& ws, T* qdd,
                        BasicClusterDynamics<T>& d) {
  const LoopCluster& cluster = d.plan.clusters[c];
  const ClusterNumbers<T> n = numbers_of(d, c);
  const Motion<T>& a = ws.a[cluster.carrier];
  const int at = n.carrier_column(), u = n.force_column();
  const auto carried = [&](const T* row) {
    const T* x = row + at;
    return dot(a, Force<T>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
  };
  bool all = true;
  for (int k = n.rows - 1; k >= 0; --k) {
    const T* row = n.s(k);
    T sum = carried(row) - row[u];
    if constexpr (!std::is_class_v<T>) {
      if (row[k] == T(0)) {
        all = false;
        d.lambda[k] = T(0);
        --d.rank;
        const int own = d.plan.rows[cluster.first_row + k];
        if (d.inconsistent_row < 0 || std::abs(sum) > d.inconsistency)
          d.inconsistency = std::abs(sum), d.inconsistent_row = own;
        continue;
      }
    }
    for (int j = k + 1; j < n.rows; ++j) sum -= row[j] * d.lambda[j];
    d.lambda[k] = sum / row[k];
  }
  for (int b = cluster.first_body; b < cluster.last_body; ++b) {
    const int i = d.plan.members[b];
    for (int column = m.tree.v_index[i]; column < m.tree.v_index[i] + m.tree.v_count[i]; ++column) {
      const int k = d.plan.column[column];
      const T* y = n.y(k);
      T sum = y[u] - carried(y);
      for (int j = 0; j < n.rows; ++j) sum += y[j] * d.lambda[j];
      sum = sum * n.h(k, k);
      for (int j = 0; j < k; ++j) sum -= n.h(k, j) * d.solved[j];
      qdd[column] = d.solved[k] = sum;
    }
    with_joint(m.tree, ws, i, [&](const auto& joint) {
      Motion<T> acc = joint.to_child(ws.a[m.tree.parent[i]]) + ws.c[i];
      joint.for_columns([&](const auto& S, int k) { acc += S * qdd[k]; });
      ws.a[i] = acc;
    });
  }
  if constexpr (!std::is_class_v<T>)
    if (!all) choose_cluster_forces(cluster, n, d);
  for (int k = 0; k < n.rows; ++k) d.force[d.plan.rows[cluster.first_row + k]] = d.lambda[k];
}

/// The recursion of articulated_bodies() with clusters among the joints. q, v, tau: no joint
/// follows another, so freedoms are columns.
template <Extras E, class T>
bool articulated_clusters(const BasicMechanism<T>& mechanism, In<T> q, In<T> v, In<T> wanted,
                          BasicWorkspace<T>& ws, const Loads<T>& loads, const T* tau, T* qdd,
                          BasicClusterDynamics<T>& d) {
  const BasicModel<T>& m = mechanism.tree;
  const ArticulatedTree<T, E> tree = articulated_tree<E>(m, loads, nullptr, false, ws);
  start_articulated_bodies(m, q.data(), v.data(), ws, loads, tree);
  for (int i = 1; i < m.bodies(); ++i) {
    ws.IA[i] = ArticulatedInertia<T>(m.inertia[i]);
    if (tree.adds_to_bodies(loads)) ws.IA[i] += body_load(m, loads, i);
  }
  for (int i = m.bodies() - 1; i > 0; --i) {
    if (const int c = d.plan.of_body[i]; c >= 0) {
      if (d.plan.members[d.plan.clusters[c].first_body] != i) continue;
      if (!eliminate_cluster(mechanism, c, q, v, wanted, ws, loads, tau, d)) return false;
      continue;
    }
    with_joint(m, ws, i, [&](const auto& joint) {
      ArticulatedInertia<T> IA = ws.IA[i];
      Force<T> p = joint.bias_force(IA, ws.p[i], ws.c[i]);
      Pivot<T> pivot;
      joint.for_columns_reversed([&](const auto& S, int k) {
        const Force<T> U = IA * S;
        ws.U[k] = joint.in_column_frame(U);
        pivot = {eliminated_inertia(m, loads, tree, k, ws), T(0), nullptr};
        pivot.D_inverse = T(1) / (dot(S, U) + pivot.inertia);
        ws.D_inverse[k] = pivot.D_inverse;
        ws.u[k] = tau[k] - dot(S, p);
        joint.eliminate(IA, S, U, pivot);
        p += U * (ws.u[k] * pivot.D_inverse);
      });
      if (const int parent = m.parent[i]) {
        ws.IA[parent] += joint.to_parent_without_columns(IA, pivot);
        ws.p[parent] += joint.to_parent(joint.reduced_bias_force(IA, p, ws.c[i], pivot));
      }
    });
  }
  for (int i = 1; i < m.bodies(); ++i) {
    if (const int c = d.plan.of_body[i]; c >= 0) {
      if (d.plan.members[d.plan.clusters[c].first_body] == i)
        accelerate_cluster(mechanism, c, ws, qdd, d);
      continue;
    }
    with_joint(m, ws, i, [&](const auto& joint) {
      Motion<T> a = joint.acceleration_before_columns(ws.a[m.parent[i]], ws.c[i]);
      joint.for_columns([&](const auto& S, int k) {
        const T acceleration = (ws.u[k] - dot(a, ws.U[k])) * ws.D_inverse[k];
        qdd[k] = acceleration;
        a += S * acceleration;
      });
      ws.a[i] = joint.acceleration_after_columns(a, ws.c[i]);
    });
  }
  return true;
}

}  // namespace

template <class T>
bool closed_articulated_bodies(const BasicMechanism<T>& m, std::type_identity_t<T> t, In<T> q,
                               In<T> v, In<T> tau, In<T> wanted, BasicWorkspace<T>& ws,
                               BasicClusterDynamics<T>& d, Out<T> a, const Loads<T>& loads) {
  const char* name = "closed_articulated_bodies";
  check_workspace(name, m.tree, ws);
  if (!d.plan.reason.empty()) refuse_clusters(m.tree.name, d.plan.reason);
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
  target_accelerations(m, t, d);
  const bool plain = loads.body_inertia.empty() && loads.joint_inertia.empty();
  const bool done = plain ? articulated_clusters<Extras::none, T>(m, q, v, wanted, ws, loads,
                                                                  d.tau.data(), a.data(), d)
                          : articulated_clusters<Extras::any, T>(m, q, v, wanted, ws, loads,
                                                                 d.tau.data(), a.data(), d);
  if (!done) return false;
  check_pivots<T>(m.tree, cluster_what, q, false, ws);
  check_result<T>(m.tree, cluster_what, q, v, "tau", tau, a);
  return true;
}

#define LIMBER_CLUSTER_DYNAMICS(T)                                                           \
  template bool closed_articulated_bodies(const BasicMechanism<T>&, std::type_identity_t<T>, \
                                          In<T>, In<T>, In<T>, In<T>, BasicWorkspace<T>&,    \
                                          BasicClusterDynamics<T>&, Out<T>, const Loads<T>&);
LIMBER_FOR_EACH_SCALAR(LIMBER_CLUSTER_DYNAMICS)

}  // namespace limber
