#pragma once
// Articulated bodies with loops: loops that pass joints together. The one that is eliminated first
// changes the rows of the others.
#include "constraint/loop_pass.ipp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// Calls f(pair) for the loops that are coupled to loop k and not eliminated yet when it is.
template <class T, class F>
void for_coupled(const LoopPass<T>& p, int k, F&& f) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x)
    if (p.d.is_coupled[plan.pairs[x].block]) f(plan.pairs[x]);
}

template <class T>
bool is_coupled_to_later(const LoopPass<T>& p, int k) {
  bool is_coupled = false;
  for_coupled(p, k, [&](const LoopPlan::Pair&) { is_coupled = true; });
  return is_coupled;
}

/// A block that may be written to.
template <class T>
T* open_block(const LoopPass<T>& p, int block) {
  if (!p.d.is_coupled[block]) clear_rows(p.block(block), 6);
  p.d.is_coupled[block] = 1;
  return p.block(block);
}

/// Σ e D⁻¹ eᵀ of loop k with those that are eliminated later, over the columns that both have
/// passed.
template <class T>
void collect_blocks(const LoopPass<T>& p, int k) {
  const LoopPlan& plan = p.d.plan;
  const int rows = p.rows(k);
  for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x) {
    const LoopPlan::Pair& pair = plan.pairs[x];
    if (p.d.closed_at[pair.later] >= 0 || pair.first_product == pair.last_product) continue;
    T* const block = open_block(p, pair.block);
    for (int y = pair.first_product; y < pair.last_product; ++y) {
      const T* const first = p.e(plan.products[y].first);
      const T* const second = p.e(plan.products[y].second);
      const T& D_inverse = p.ws.D_inverse[plan.e_column[plan.products[y].first]];
      with_lanes<T>(p.rows(pair.later), [&](auto lanes, int groups) {
        using L = decltype(lanes);
        for (int r = 0; r < rows; ++r) {
          if (known_zero(first[r])) continue;
          const L factor(first[r] * D_inverse);
          for (int g = 0; g < groups; ++g) {
            T* const to = block + r * row_places + g * width_of<L>;
            (L::load(to) + factor * L::load(second + g * width_of<L>)).store(to);
          }
        }
      });
    }
  }
}

/// What a row couples two later loops by.
template <class T>
void couple_later(const LoopPass<T>& p, const LoopPlan::Pair& x, const LoopPlan::Pair& y, int row,
                  const T& inverse) {
  const LoopPlan& plan = p.d.plan;
  const auto find = [&](int earlier, int later) {
    for (int at = plan.loops[earlier].first_pair; at < plan.loops[earlier].last_pair; ++at)
      if (plan.pairs[at].later == later) return plan.pairs[at].block;
    return -1;
  };
  const bool in_order = find(x.later, y.later) >= 0;
  const LoopPlan::Pair &first = in_order ? x : y, &second = in_order ? y : x;
  T* const block = open_block(p, find(first.later, second.later));
  const T* const a = p.block(first.block) + row * row_places;
  const T* const b = p.block(second.block) + row * row_places;
  for (int i = 0; i < p.rows(first.later); ++i)
    subtract_scaled(block + i * row_places, b, a[i] * inverse, row_places);
}

/// Takes the rows of loop k, which is reduced, out of the loops that are coupled to it.
template <class T>
void change_later(const LoopPass<T>& p, int k) {
  const LoopPlan& plan = p.d.plan;
  const int rows = p.rows(k);
  for (int row = 0; row < rows; ++row) {
    const T* const own = p.reduced(k, row);
    const T* const a = p.A(k) + row * row_places;
    const T& inverse = own[7];
    for_coupled(p, k, [&](const LoopPlan::Pair& pair) {
      const T* const b = p.block(pair.block) + row * row_places;
      for (int i = row + 1; i < rows; ++i)
        if (!known_zero(a[i]))
          subtract_scaled(p.block(pair.block) + i * row_places, b, a[i] * inverse, row_places);
      if (!p.d.is_mixed[pair.later]) clear_rows(p.A(pair.later), p.rows(pair.later));
      p.d.is_mixed[pair.later] = 1;
      for (int i = 0; i < p.rows(pair.later); ++i)
        subtract_scaled(p.A(pair.later) + i * row_places, b, b[i] * inverse, row_places);
      for (int c = 0; c < 6; ++c)
        subtract_scaled(p.K(pair.end).x + c * row_places, b, own[c] * inverse, row_places);
      subtract_scaled(p.bias(pair.later), b, own[6] * inverse, row_places);
    });
    for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x)
      for (int y = x + 1; y < plan.loops[k].last_pair; ++y)
        if (p.d.is_coupled[plan.pairs[x].block] && p.d.is_coupled[plan.pairs[y].block])
          couple_later(p, plan.pairs[x], plan.pairs[y], row, inverse);
  }
}

/// What the forces of later loops give to a row of loop k.
template <class T>
T forces_of_later(const LoopPass<T>& p, int k, int row) {
  T sum(0);
  for_coupled(p, k, [&](const LoopPlan::Pair& pair) {
    const T* const b = p.block(pair.block) + row * row_places;
    for (int i = 0; i < p.rows(pair.later); ++i) sum += b[i] * p.lambda(pair.later)[i];
  });
  return sum;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
