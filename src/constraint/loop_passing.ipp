#pragma once
// Articulated bodies with loops: what a joint does to the rows of the loops that pass it.
#include "constraint/loop_start.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// One column of a joint, and the step to the parent where it is the only one: K is read and
/// written once.
template <class T, class Joint, class Column>
[[gnu::always_inline]] inline void pass_unit_joint(const LoopPass<T>& p, int i, const Joint& joint,
                                                   const Column& S, const Force<T>& U,
                                                   const T& D_inverse, const T& u,
                                                   const Motion<T>& c) {
  const LoopPlan& plan = p.d.plan;
  const Force<Lanes<T>> wide = spread(U);
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop, rows = p.rows(k);
    if (p.d.closed_at[k] >= 0) continue;
    T* const e = &p.d.e[plan.passing_e[x] * row_places];
    const int groups = row_groups<T>(rows);
    const bool is_coupling = p.m.loops[k].kind == LoopSpec::Kind::coupling;
    for (int g = 0; g < groups; ++g) {
      Force<Lanes<T>> f = p.K(end).load(g);
      Lanes<T> products = column_rows(S, f);
      if (is_coupling) products += Lanes<T>(coupled_part(p.m.loops[k], i, p.lambda(k)[0]));
      products.store(e + g * lane_count<T>);
      const Lanes<T> scaled = products * Lanes<T>(D_inverse);
      T* const bias = p.bias(k) + g * lane_count<T>;
      Lanes<T> sum = Lanes<T>::load(bias) + scaled * Lanes<T>(u);
      if constexpr (!saves_operations<T>) sum += column_rows(c, f);
      f.angular -= wide.angular * scaled;
      f.linear -= wide.linear * scaled;
      if constexpr (saves_operations<T>) sum += column_rows(c, f);
      sum.store(bias);
      add_to_scale(p.scale(k) + g * lane_count<T>, products * scaled);
      p.K(end).store(g, rows_to_parent(joint, f, T(0)));
    }
    add_row_products(e, e, rows, groups, D_inverse, p.A(k));
  }
  couple_at_joint(p, i, 0, D_inverse);
}

/// All loops that pass the joint of body i, at one of its columns.
template <class T, class Column>
void pass_column(const LoopPass<T>& p, int i, int local, const Column& S, const Force<T>& U,
                 const T& D_inverse, const T& u) {
  const LoopPlan& plan = p.d.plan;
  const Force<Lanes<T>> wide = spread(U);
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop, rows = p.rows(k);
    if (p.d.closed_at[k] >= 0) continue;
    T* const e = &p.d.e[(plan.passing_e[x] + local) * row_places];
    const int groups = row_groups<T>(rows);
    for (int g = 0; g < groups; ++g) column_rows(S, p.K(end).load(g)).store(e + g * lane_count<T>);
    if (p.m.loops[k].kind == LoopSpec::Kind::coupling)
      e[0] += coupled_part(p.m.loops[k], i, p.lambda(k)[0]);
    for (int g = 0; g < groups; ++g) {
      const Lanes<T> scaled = Lanes<T>::load(e + g * lane_count<T>) * Lanes<T>(D_inverse);
      Force<Lanes<T>> f = p.K(end).load(g);
      f.angular -= wide.angular * scaled;
      f.linear -= wide.linear * scaled;
      p.K(end).store(g, f);
      T* const bias = p.bias(k) + g * lane_count<T>;
      (Lanes<T>::load(bias) + scaled * Lanes<T>(u)).store(bias);
      add_to_scale(p.scale(k) + g * lane_count<T>, Lanes<T>::load(e + g * lane_count<T>) * scaled);
    }
    add_row_products(e, e, rows, groups, D_inverse, p.A(k));
  }
  couple_at_joint(p, i, local, D_inverse);
}

/// Products of loops that pass a joint together, at one of its columns.
template <class T>
void couple_at_joint(const LoopPass<T>& p, int i, int local, const T& D_inverse) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.product_start[i]; x < plan.product_start[i + 1]; ++x) {
    const LoopPlan::Product& product = plan.products[x];
    const int first = plan.ends[plan.passing[product.first]].loop,
              second = plan.ends[plan.passing[product.second]].loop;
    if (p.d.closed_at[first] >= 0 || p.d.closed_at[second] >= 0) continue;
    if (!p.d.is_coupled[product.block]) {
      clear_rows(p.block(product.block), 6);
      p.d.is_coupled[product.block] = 1;
    }
    const auto e = [&](int at) { return &p.d.e[(plan.passing_e[at] + local) * row_places]; };
    add_row_products(e(product.first), e(product.second), p.rows(first),
                     row_groups<T>(p.rows(second)), D_inverse, p.block(product.block));
  }
}

/// Row accelerations that the bias acceleration c of the joint's step gives.
template <class T>
void pass_bias(const LoopPass<T>& p, int i, const Motion<T>& c) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop;
    if (p.d.closed_at[k] >= 0) continue;
    for (int g = 0; g < row_groups<T>(p.rows(k)); ++g) {
      T* const bias = p.bias(k) + g * lane_count<T>;
      (Lanes<T>::load(bias) + column_rows(c, p.K(end).load(g))).store(bias);
    }
  }
}

template <class T, class Joint>
void pass_joint(const LoopPass<T>& p, int i, const Joint& joint) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int end = plan.passing[x], k = plan.ends[end].loop;
    if (p.d.closed_at[k] >= 0) continue;
    for (int g = 0; g < row_groups<T>(p.rows(k)); ++g)
      p.K(end).store(g, rows_to_parent(joint, p.K(end).load(g), T(0)));
  }
}

/// Joints with one unit column.
template <class Joint>
inline constexpr bool has_one_column = false;
template <class T, int K>
inline constexpr bool has_one_column<UnitJoint<T, K>> = true;

}  // namespace LIMBER_REGISTERS
}  // namespace limber
