#pragma once
// Articulated bodies with loops: the rows of each loop at its two ends, before the way inward.
#include "constraint/articulated_loops.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// One call: the mechanism, its plan and where the numbers are.
template <class T>
struct LoopPass {
  const BasicMechanism<T>& m;
  BasicArticulatedLoops<T>& d;
  BasicWorkspace<T>& ws;
  In<T> q, v, wanted;

  int rows(int k) const { return m.closures[k].rows; }
  RowForces<T> K(int end) const { return {&d.K[end * 6 * row_places]}; }
  T* bias(int k) const { return &d.bias[k * row_places]; }
  T* A(int k) const { return &d.A[k * 6 * row_places]; }
  T* block(int b) const { return &d.coupling[b * 6 * row_places]; }
  T* reduced(int k, int row) const { return &d.reduced[(k * 6 + row) * row_places]; }
  T* lambda(int k) const { return &d.lambda[k * row_places]; }
  T* scale(int k) const { return &d.scale[k * row_places]; }
};

/// Poses of the bodies of a loop in its carrier's frame.
template <class T>
void place_loop(const LoopPass<T>& p, int k) {
  const LoopPlan& plan = p.d.plan;
  p.d.X[plan.loops[k].carrier] = {};
  for (const int end : plan.loops[k].end) {
    if (end < 0) continue;
    for (int at = plan.ends[end].first; at < plan.ends[end].last; ++at) {
      const int i = plan.path[at];
      with_joint(p.m.tree, p.ws, i, [&](const auto& joint) {
        p.d.X[i] = joint.pose_after(p.d.X[p.m.tree.parent[i]]);
      });
    }
  }
}

/// Velocity of frame b against frame a, in the carrier's axes.
template <class T>
Vec3<T> loop_velocity(const LoopPass<T>& p, int k, const Vec3<T>& point) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  Vec3<T> velocity;
  const int bodies[2] = {p.m.loops[k].body_a, p.m.loops[k].body_b};
  for (int side = 0; side < 2; ++side)
    for_loop_columns(p.m, bodies[side], loop.carrier, point, p.d.X, p.ws,
                     [&](int column, const Motion<T>& S) {
                       const T& rate = p.v[at_index(column)];
                       velocity += S.linear * (side == 0 ? -rate : rate);
                     });
  return velocity;
}

/// K of both ends in their bodies' frames, and the part of the row accelerations that comes from
/// velocities at the ends; what the joints between add is found on the way.
template <class T>
void start_loop(const LoopPass<T>& p, int k) {
  const BasicLoop<T>& loop = p.m.loops[k];
  const auto& closure = p.m.closures[k];
  const LoopPlan::Loop& plan = p.d.plan.loops[k];
  p.d.closed_at[k] = -1;
  p.d.is_mixed[k] = 0;
  clear_rows(p.A(k), closure.rows);
  clear_rows(p.bias(k), 1);
  clear_rows(p.scale(k), 1);
  for (const int end : plan.end)
    if (end >= 0) clear_rows(p.K(end).x, 6);
  if (loop.kind == LoopSpec::Kind::coupling) {
    const CouplingValues<T> value = coupling_values<T>(p.m, loop, p.q);
    p.lambda(k)[0] = value.slope;  // until the forces are known
    if (loop.leader < 0) return;
    const T& rate = p.v[at_index(p.m.tree.v_index[loop.leader])];
    p.bias(k)[0] = -(value.curvature * rate * rate);
    return;
  }
  place_loop(p, k);
  const LoopPose<T> pose = loop_pose(p.m, k, p.d.X);
  const Vec3<T>& point = pose.B.p;
  const Transform<T>&X_a = p.d.X[loop.body_a], &X_b = p.d.X[loop.body_b];
  // centripetal accelerations of the points, beside the accelerations of the bodies
  const PointMotion<T> a = point_motion<T>(X_a, p.ws.w[loop.body_a], {}, point),
                       b = point_motion<T>(X_b, p.ws.w[loop.body_b], {}, point);
  const Vec3<T> velocity = plan.needs_velocity ? loop_velocity(p, k, point) : Vec3<T>{};
  const RelativeMotion<T> motion = relative_motion(a, b, velocity);
  alignas(64) T rows[6 * row_places];
  const RowForces<T> F{rows};
  clear_rows(rows, 6);
  for_row_forces(p.m, k, pose,
                 [&](int row, const Force<T>& f) { F.put(row - closure.first_row, f); });
  const bool on_world = plan.carrier == 0 && (plan.end[0] < 0 || plan.end[1] < 0);
  for (int g = 0; g < row_groups<T>(closure.rows); ++g) {
    const Force<Lanes<T>> f = F.load(g);
    if (plan.end[1] >= 0) p.K(plan.end[1]).store(g, rows_in_body(X_b, point, f));
    if (plan.end[0] >= 0) p.K(plan.end[0]).store(g, -rows_in_body(X_a, point, f));
    Lanes<T> bias = column_rows(Motion<T>{motion.w_dot, motion.a}, f);
    if (on_world) {  // an end on the world has the world's acceleration
      const Lanes<T> share = column_rows(
          p.ws.a[0], Force<Lanes<T>>{f.angular + cross(spread(point), f.linear), f.linear});
      bias = plan.end[0] < 0 ? bias - share : bias + share;
    }
    bias.store(p.bias(k) + g * lane_count<T>);
  }
  const bool rows_move = plan.needs_velocity || closure.turns == 1;
  const bool waits = plan.carrier != 0 && (plan.end[0] < 0 || plan.end[1] < 0);
  for (int r = 0; r < (rows_move || waits ? closure.rows : 0); ++r) {
    p.bias(k)[r] += moving_row(p.m, k, closure.first_row + r, pose, motion);
    if (!waits) continue;
    // on a carrier that moves, the end that is on it waits there
    const Force<T> f = F.get(r), at_origin{f.angular + cross(point, f.linear), f.linear};
    put_on_carrier(p, k, r, plan.end[0] < 0 ? -at_origin : at_origin);
  }
}

/// The end that is on the carrier from the beginning.
template <class T>
void put_on_carrier(const LoopPass<T>& p, int k, int row, const Force<T>& F) {
  T* const to = p.reduced(k, row);
  for (int c = 0; c < 3; ++c) to[c] = F.angular[c], to[c + 3] = F.linear[c];
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
