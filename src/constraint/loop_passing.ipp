#pragma once
// Articulated bodies with loops: what a joint does to the rows of the loops that pass it.
#include "constraint/loop_pass.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Takes one column out of the forces f of a loop's rows, and notes e. k: the column.
template <class T, class L, class Column>
[[gnu::always_inline]] inline void pass_rows(const LoopPass<T>& p, const LoopPlan::Passing& one,
                                             int i, int k, const Column& S, const Force<T>& U,
                                             int group, L& bias, Force<L>& f) {
  L e = column_rows(S, f);
  if (one.is_coupling) [[unlikely]]
    e += L(coupled_part(p.m.loops[one.loop], i, p.lambda(one.loop)[0]));
  e.store(p.e(one.e + k - p.m.tree.v_index[i]) + group * width_of<L>);
  const L scaled = e * L(p.ws.D_inverse[k]);
  bias += scaled * L(p.ws.u[k]);
  f.angular -= spread<L>(U.angular) * scaled;
  f.linear -= spread<L>(U.linear) * scaled;
  // Scalars whose values are not known measure a row by what the column could have given, f being
  // what is left of K: where joints move a row by rounding errors alone, e says nothing.
  if constexpr (std::is_class_v<T>) {
    T* const scale = p.scale(one.loop) + group * width_of<L>;
    (L::load(scale) + e * scaled + row_reach(S, f) * L(p.ws.D_inverse[k])).store(scale);
  }
}

/// Calls f(one, group, bias, forces) for the loops that pass the joint of body i, which may change
/// bias and forces.
template <class T, class F>
[[gnu::always_inline]] inline void for_passing(const LoopPass<T>& p, int i, F&& f) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const LoopPlan::Passing& one = plan.passing[x];
    if (p.d.closed_at[one.loop] >= 0) continue;
    const RowForces<T> K = p.K(one.end);
    T* const bias = p.bias(one.loop);
    with_lanes<T>(
        one.rows, [&](auto lanes, int groups) __attribute__((always_inline)) {
          using L = decltype(lanes);
          for (int g = 0; g < groups; ++g) {
            Force<L> forces = K.template load<L>(g);
            L sum = L::load(bias + g * width_of<L>);
            f(one, g, sum, forces);
            sum.store(bias + g * width_of<L>);
            K.store(g, forces);
          }
        });
  }
}

/// A joint with one column, and the step to the parent: K is read and written once. U of the column
/// is where the recursion has left it: in built-in numbers before the joint's own turn.
template <class T, class Joint, class Column>
[[gnu::noinline]] void pass_unit_joint(const LoopPass<T>& p, int i, const Joint& joint,
                                       const Column& S, int k) {
  const Motion<T>& c = p.ws.c[i];
  for_passing(
      p, i,
      [&](const LoopPlan::Passing& one, int g, auto& bias, auto& f) __attribute__((always_inline)) {
        if constexpr (saves_operations<T>) {
          pass_rows(p, one, i, k, S, p.ws.U[k], g, bias, f);
          bias += column_rows(c, f);
          f = rows_to_parent(joint, f);
        } else {
          bias += column_rows(c, f);
          f = rows_before_turn(joint, f);
          pass_rows(p, one, i, k, S, p.ws.U[k], g, bias, f);
          f = constant_rows_to_parent(joint, f);
        }
      });
}

/// One of several columns.
template <class T, class Column>
void pass_column(const LoopPass<T>& p, int i, const Column& S, int k, const Force<T>& U) {
  for_passing(
      p, i,
      [&](const LoopPlan::Passing& one, int g, auto& bias, auto& f)
          __attribute__((always_inline)) { pass_rows(p, one, i, k, S, U, g, bias, f); });
}

/// Row accelerations that the bias acceleration c of the joint's step gives.
template <class T>
void pass_bias(const LoopPass<T>& p, int i, const Motion<T>& c) {
  for_passing(
      p, i, [&](const LoopPlan::Passing&, int, auto& bias, auto& f) __attribute__((always_inline)) {
        bias += column_rows(c, f);
      });
}

template <class T, class Joint>
void pass_joint(const LoopPass<T>& p, int i, const Joint& joint) {
  for_passing(
      p, i, [&](const LoopPlan::Passing&, int, auto&, auto& f) __attribute__((always_inline)) {
        f = rows_to_parent(joint, f);
      });
}

/// Whether a loop passes the joint of body i that is not eliminated yet.
template <class T>
bool has_open_loops(const LoopPass<T>& p, int i) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x)
    if (p.d.closed_at[plan.passing[x].loop] < 0) return true;
  return false;
}

/// Joints with one unit column.
template <class Joint>
inline constexpr bool has_one_column = false;
template <class T, int K>
inline constexpr bool has_one_column<UnitJoint<T, K>> = true;

}  // namespace LIMBER_REGISTERS
}  // namespace limber
