#pragma once
// Articulated bodies with loops: the rows of each loop at its two ends, before the way inward. All
// in the axes of body a, where the directions of most rows are constant.
#include "constraint/loop_short_start.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Poses of the bodies of a loop in its carrier's frame. Loops with the same carrier follow each
/// other: what one of them has placed is not placed again.
template <class T>
void place_loop(const LoopPass<T>& p, int k) {
  const LoopPlan& plan = p.d.plan;
  p.d.X[plan.loops[k].carrier] = {};
  for (int at = plan.loops[k].first_placed; at < plan.loops[k].last_placed; ++at) {
    const int i = plan.placed[at];
    with_joint(p.m.tree, p.ws, i,
               [&](const auto& joint) { p.d.X[i] = joint.pose_after(p.d.X[p.m.tree.parent[i]]); });
  }
}

/// Pose of body b in the frame of body a.
template <class T>
Transform<T> pose_across(const LoopPass<T>& p, int k) {
  const BasicLoop<T>& loop = p.m.loops[k];
  const int carrier = p.d.plan.loops[k].carrier;
  if (loop.body_a == carrier) return p.d.X[loop.body_b];
  if (loop.body_b == carrier) return inverse(p.d.X[loop.body_a]);
  return apply_inverse(p.d.X[loop.body_a], p.d.X[loop.body_b]);
}

/// Velocity of frame b against frame a, in the axes of body a. point: in these axes, too.
template <class T>
Vec3<T> loop_velocity(const LoopPass<T>& p, int k, const Vec3<T>& point) {
  const BasicLoop<T>& loop = p.m.loops[k];
  const int carrier = p.d.plan.loops[k].carrier;
  const Transform<T>& X_a = p.d.X[loop.body_a];
  const Vec3<T> at = X_a.p + X_a.R * point;
  Vec3<T> velocity;
  const int bodies[2] = {loop.body_a, loop.body_b};
  for (int side = 0; side < 2; ++side)
    for_loop_columns(p.m, bodies[side], carrier, at, p.d.X, p.ws,
                     [&](int column, const Motion<T>& S) {
                       const T& rate = p.v[at_index(column)];
                       velocity += S.linear * (side == 0 ? -rate : rate);
                     });
  return transpose_times(X_a.R, velocity);
}

/// How frame b moves against frame a where no joint accelerates, beside what the joints' bias
/// accelerations give; at `point`, in the axes of body a.
template <class T>
RelativeMotion<T> motion_at_rest(const LoopPass<T>& p, int k, const Transform<T>& X,
                                 const Vec3<T>& point) {
  const BasicLoop<T>& loop = p.m.loops[k];
  const LoopPlan::Loop& plan = p.d.plan.loops[k];
  const BasicWorkspace<T>& ws = p.ws;
  const Vec3<T>&w_a = ws.w[loop.body_a], &arm_b = loop.placement_b.p;
  RelativeMotion<T> motion;
  motion.a = X.R * (ws.centripetal[loop.body_b] * arm_b) - ws.centripetal[loop.body_a] * point;
  if (plan.needs_velocity || p.m.closures[k].turns > 0) {
    motion.w = X.R * ws.w[loop.body_b] - w_a;
    motion.w_dot = -cross(w_a, motion.w);
  }
  if (plan.needs_velocity) {
    motion.v = loop_velocity(p, k, point);
    motion.a -= cross(w_a, motion.v) * T(2);
  }
  // an end on the world has the world's acceleration
  const Motion<T>& world = ws.a[0];
  if (loop.body_a == 0) {
    motion.a -= world.linear + cross(world.angular, point);
    motion.w_dot -= world.angular;
  } else if (loop.body_b == 0) {
    motion.a += X.R * (world.linear + cross(world.angular, arm_b));
    motion.w_dot += X.R * world.angular;
  }
  return motion;
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
  if constexpr (std::is_class_v<T>) clear_rows(p.scale(k), 1);
  if constexpr (!std::is_class_v<T>)
    if (plan.is_short) return start_short_loop(p, k);
  if (loop.kind == LoopSpec::Kind::coupling) {
    for (const int end : plan.end)
      if (end >= 0) clear_rows(p.K(end).x, 6);
    clear_rows(p.bias(k), 1);
    const CouplingValues<T> value = coupling_values<T>(p.m, loop, p.q);
    p.lambda(k)[0] = value.slope;  // until the forces are known
    if (loop.leader < 0) return;
    const T& rate = p.v[at_index(p.m.tree.v_index[loop.leader])];
    p.bias(k)[0] = -(value.curvature * rate * rate);
    return;
  }
  place_loop(p, k);
  const Transform<T> X = pose_across(p, k);
  const Vec3<T> point = X.p + X.R * loop.placement_b.p;
  const RelativeMotion<T> motion = motion_at_rest(p, k, X, point);
  const RowForces<T> F{&p.d.unit[k * 6 * row_places]};
  const bool turns_too = closure.turns > 0 || plan.rows_move;
  LoopPose<T> pose;
  if (plan.rows_move) {
    pose = {loop.placement_a, X * loop.placement_b, loop.placement_a.R * closure.basis};
    for_row_forces(p.m, k, pose,
                   [&](int row, const Force<T>& f) { F.put(row - closure.first_row, f); });
  }
  with_lanes<T>(closure.rows, [&](auto lanes, int groups) {
    using L = decltype(lanes);
    for (int g = 0; g < groups; ++g) {
      const Force<L> f = F.template load<L>(g);
      if (plan.end[0] >= 0) {
        const Vec3<L> moment = cross(spread<L>(point), f.linear);
        p.K(plan.end[0]).store(g, -Force<L>{turns_too ? moment + f.angular : moment, f.linear});
      }
      if (plan.end[1] >= 0) {
        const Mat3<L> R = spread<L>(X.R);
        const Vec3<L> linear = transpose_times(R, f.linear);
        const Vec3<L> moment = cross(spread<L>(loop.placement_b.p), linear);
        p.K(plan.end[1])
            .store(g,
                   Force<L>{turns_too ? moment + transpose_times(R, f.angular) : moment, linear});
      }
      L bias = dot(spread<L>(motion.a), f.linear);
      if (turns_too) bias += dot(spread<L>(motion.w_dot), f.angular);
      bias.store(p.bias(k) + g * width_of<L>);
    }
  });
  if (!plan.rows_move) return;
  for (int r = 0; r < closure.rows; ++r)
    p.bias(k)[r] += moving_row(p.m, k, closure.first_row + r, pose, motion);
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
