#pragma once
// Cross-inertias: the rows of loops as springs between bodies.
#include <limber/constraint/cross_inertia.hpp>

#include <algorithm>

#include "constraint/loop_rows.ipp"
#include "dynamics/articulated_bodies.ipp"

namespace limber {

/// Mobility of a row that its spring leaves, of what it has.
inline constexpr double spring_weight = 1e-8;

/// One call. The block of two bodies has the cross-inertia as six rows, one for
/// each component of the force on the body that is eliminated later, in the
/// frame of the one that is eliminated earlier.
struct CrossPass {
  const Mechanism& m;
  CrossInertia& d;
  Workspace& ws;
  const Loads<double>& loads;
  const Model& tree = m.tree;
  const CrossPlan& plan = d.plan;

  int parent(int i) const { return tree.parent[i]; }
};

inline double component(const Force<double>& f, int c) {
  return c < 3 ? f.angular[c] : f.linear[c - 3];
}
inline void add_component(Force<double>& f, int c, double x) {
  Vec3<double>& part = c < 3 ? f.angular : f.linear;
  (c % 3 == 0 ? part.x : c % 3 == 1 ? part.y : part.z) += x;
}
using CrossBlock = std::array<Force<double>, 6>;

/// IA + E + Eᵀ
inline void add_with_transpose(const CrossBlock& E, ArticulatedInertia<double>& IA) {
  const auto at = [&](int r, int c) {
    return component(E[at_index(r)], c) + component(E[at_index(c)], r);
  };
  IA.I += Sym3<double>{at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)};
  IA.H += Mat3<double>{at(0, 3), at(0, 4), at(0, 5), at(1, 3), at(1, 4),
                       at(1, 5), at(2, 3), at(2, 4), at(2, 5)};
  IA.M += Sym3<double>{at(3, 3), at(4, 4), at(5, 5), at(3, 4), at(3, 5), at(4, 5)};
}

// --- the rows ---

/// Force of a row on body b or a, in the body's frame.
inline Force<double> in_body(const Transform<double>& X, const Vec3<double>& point,
                             const Force<double>& f) {
  return {transpose_times(X.R, f.angular + cross(point - X.p, f.linear)),
          transpose_times(X.R, f.linear)};
}

/// Adds K of a row on a body; on the world, whose acceleration is known, to the
/// bias.
inline void add_force(const CrossPass& c, int k, int row, int body, const Force<double>& K) {
  if (body <= 0) {
    c.d.bias[row] += dot(c.ws.a[0], K);
    return;
  }
  const std::array<int, 4>& bodies = c.plan.bodies[k];
  const auto at =
      static_cast<std::size_t>(std::find(bodies.begin(), bodies.end(), body) - bodies.begin());
  c.d.K[row][at] += K;
}

/// A coupling holds the accelerations of two joints: q̈ = Sᵀ (a − a of the
/// parent − c) / S².
inline void start_coupling(const CrossPass& c, int k, In<double> q, In<double> v) {
  const BasicLoop<double>& loop = c.m.loops[k];
  const int row = c.m.closures[k].first_row;
  const CouplingValues<double> value = coupling_values<double>(c.m, loop, q);
  const auto add = [&](int body, double factor) {
    with_joint(c.tree, c.ws, body, [&](const auto& joint) {
      joint.for_columns([&](const auto& S, int) {
        Motion<double> unit;
        unit += S * 1.0;
        const double scale =
            factor / (dot(unit.angular, unit.angular) + dot(unit.linear, unit.linear));
        const Force<double> K{unit.angular * scale, unit.linear * scale};
        add_force(c, k, row, body, K);
        add_force(c, k, row, c.parent(body), -joint.to_parent(K));
        c.d.bias[row] -= dot(c.ws.c[body], K);
      });
    });
  };
  add(loop.joint, 1);
  if (loop.leader < 0) return;
  const double rate = v[at_index(c.tree.v_index[loop.leader])];
  c.d.bias[row] -= value.curvature * rate * rate;
  add(loop.leader, -value.slope);
}

/// K of the rows on their bodies, and the part of their accelerations that
/// comes from velocities at the ends.
inline void start_rows(const CrossPass& c, int k) {
  const BasicLoop<double>& loop = c.m.loops[k];
  const LoopPose<double> pose = loop_pose(c.m, k, c.d.motion.X_W);
  const Vec3<double>& point = pose.B.p;
  const auto velocity = [&](int body) {
    const Transform<double>& X = c.d.motion.X_W[body];
    const Motion<double>& own = c.d.motion.v[body];
    return X.R * (own.linear + cross(own.angular, transpose_times(X.R, point - X.p)));
  };
  const auto at_end = [&](int body) {
    return point_motion<double>(c.d.motion.X_W[body], c.ws.w[body], {}, point);
  };
  const RelativeMotion<double> motion =
      relative_motion(at_end(loop.body_a), at_end(loop.body_b),
                      Vec3<double>(velocity(loop.body_b) - velocity(loop.body_a)));
  for_row_forces(c.m, k, pose, [&](int row, const Force<double>& F) {
    c.d.bias[row] +=
        dot(Motion<double>{motion.w_dot, motion.a}, F) + moving_row(c.m, k, row, pose, motion);
    add_force(c, k, row, loop.body_b, in_body(c.d.motion.X_W[loop.body_b], point, F));
    add_force(c, k, row, loop.body_a, -in_body(c.d.motion.X_W[loop.body_a], point, F));
  });
}

/// How well a force on a free body with this inertia accelerates its point.
inline double free_mobility(const Inertia<double>& body, const Force<double>& K) {
  if (!(body.m > 0)) return 0;
  const Vec3<double> center = body.h / body.m, couple = K.angular - cross(center, K.linear);
  const Sym3<double> I = body.rotational();
  const double turning =
      std::max((I.xx + I.yy + I.zz) / 3 - 2.0 / 3 * body.m * dot(center, center), 1e-6 * body.m);
  return dot(K.linear, K.linear) / body.m + dot(couple, couple) / turning;
}

/// Springs of the rows of loop k become part of the inertias and bias forces.
inline void add_springs(const CrossPass& c, int k) {
  const std::array<int, 4>& bodies = c.plan.bodies[k];
  const auto& closure = c.m.closures[k];
  for (int row = closure.first_row; row < closure.first_row + closure.rows; ++row) {
    const std::array<Force<double>, 4>& K = c.d.K[row];
    double mobility = 0;
    for (std::size_t i = 0; i < 4 && bodies[i] > 0; ++i)
      mobility += free_mobility(c.tree.inertia[bodies[i]], K[i]);
    const double stiffness = c.d.weight[row] = 1 / (spring_weight * (mobility > 0 ? mobility : 1));
    std::size_t at = 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j, ++at) {
        if (c.plan.loop_blocks[k][at] < 0) continue;
        const bool is_later = c.plan.place[bodies[i]] > c.plan.place[bodies[j]];
        const Force<double>&later = K[is_later ? i : j], &earlier = K[is_later ? j : i];
        CrossBlock& E = c.d.E[c.plan.loop_blocks[k][at]];
        for (int r = 0; r < 6; ++r) E[at_index(r)] += earlier * (stiffness * component(later, r));
      }
    for (std::size_t i = 0; i < 4 && bodies[i] > 0; ++i) {
      eliminate(c.d.IA[bodies[i]], K[i], K[i] * -stiffness);
      c.d.p[bodies[i]] += K[i] * (stiffness * c.d.bias[row]);
    }
  }
}

}  // namespace limber
