#pragma once
// Articulated bodies with loops: the start of a loop whose rows are constant in the axes of body a
// and hold the point of frame b. No pose is needed: the directions of all rows go from body a to
// body b joint by joint, in lanes, and the point goes the other way.
#include "constraint/loop_pass.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Directions from the axes of body a to those of body b, by the joints between them.
template <class T, class L>
[[gnu::always_inline]] inline void turn_across(const LoopPass<T>& p, int k, Vec3<L>& u) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  for (int i = p.m.loops[k].body_a; i != loop.carrier; i = p.m.tree.parent[i])
    with_joint(
        p.m.tree, p.ws,
        i, [&](const auto& joint) __attribute__((always_inline)) { u = axes_to_parent(joint, u); });
  for (int x = loop.first_out; x < loop.last_out; ++x)
    with_joint(
        p.m.tree, p.ws, p.d.plan.outward[x], [&](const auto& joint) __attribute__((always_inline)) {
          u = axes_to_child(joint, u);
        });
}

/// The same number in the axes of body b and of body a, and the joint's origin with it: a point of
/// body b in the frame of body a.
template <class T>
Vec3<T> point_across(const LoopPass<T>& p, int k, Vec3<T> point) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  const auto parent = [&](int i) { return p.m.tree.parent[i]; };
  for (int i = p.m.loops[k].body_b; i != loop.carrier; i = parent(i))
    with_joint(
        p.m.tree, p.ws, i, [&](const auto& joint) __attribute__((always_inline)) {
          point = axes_to_parent(joint, point) + joint.origin();
        });
  for (int x = loop.first_in; x < loop.last_in; ++x)
    with_joint(
        p.m.tree, p.ws, p.d.plan.outward[x], [&](const auto& joint) __attribute__((always_inline)) {
          point = axes_to_child(joint, point - joint.origin());
        });
  return point;
}

/// start_loop() of such a loop.
template <class T>
void start_short_loop(const LoopPass<T>& p, int k) {
  const BasicLoop<T>& loop = p.m.loops[k];
  const auto& closure = p.m.closures[k];
  const LoopPlan::Loop& plan = p.d.plan.loops[k];
  const BasicWorkspace<T>& ws = p.ws;
  const int a = loop.body_a, b = loop.body_b;
  const Vec3<T>& arm = loop.placement_b.p;
  const Motion<T>& world = ws.a[0];
  // accelerations where no joint accelerates, beside what the joints' bias accelerations give: of
  // the point on body b, in its axes; on body a, in its axes; an end on the world has the world's
  Vec3<T> a_b = ws.centripetal[b] * arm;
  if (b == 0) a_b += world.linear + cross(world.angular, arm);
  Vec3<T> point, a_a;
  if (plan.end[0] >= 0 || p.world_turns) {
    point = point_across(p, k, arm);
    a_a = ws.centripetal[a] * point;
  }
  if (a == 0) a_a += world.linear + cross(world.angular, point);
  Vec3<T> turning;  // angular acceleration of b against a, in the axes of b
  const bool turns_too = closure.turns > 0;
  if (turns_too) {
    Vec3<T> w_a = ws.w[a], world_b = world.angular;
    turn_across(p, k, w_a);
    turning = -cross(w_a, ws.w[b]);
    if (a == 0 && p.world_turns) turn_across(p, k, world_b), turning -= world_b;
    if (b == 0) turning += world.angular;
  }
  const RowForces<T> F{&p.d.unit[k * 6 * row_places]};
  with_lanes<T>(closure.rows, [&](auto lanes, int groups) {
    using L = decltype(lanes);
    for (int g = 0; g < groups; ++g) {
      const Force<L> f = F.template load<L>(g);
      Vec3<L> linear = f.linear;
      turn_across(p, k, linear);
      L bias = dot(spread<L>(a_b), linear) - dot(spread<L>(a_a), f.linear);
      Vec3<L> moment_b = cross(spread<L>(arm), linear),
              moment_a = cross(spread<L>(point), f.linear);
      if (turns_too) {
        Vec3<L> angular = f.angular;
        turn_across(p, k, angular);
        bias += dot(spread<L>(turning), angular);
        moment_b += angular, moment_a += f.angular;
      }
      if (plan.end[1] >= 0) p.K(plan.end[1]).store(g, Force<L>{moment_b, linear});
      if (plan.end[0] >= 0) p.K(plan.end[0]).store(g, -Force<L>{moment_a, f.linear});
      bias.store(p.bias(k) + g * width_of<L>);
    }
  });
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
