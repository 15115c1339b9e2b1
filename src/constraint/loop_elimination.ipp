#pragma once
// Articulated bodies with loops: where a loop is eliminated, and its forces on the way out.
#include <algorithm>
#include <cmath>

#include "constraint/loop_start.ipp"
#include "dynamics/symmetric_factor.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

enum class Elimination { done, postponed, careful };

/// Puts K, the bias less what is wanted, of each row side by side: (K, l − c, 1/d).
template <class T>
void gather_rows(const LoopPass<T>& p, int k, int body) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  const bool is_coupling = p.m.loops[k].kind == LoopSpec::Kind::coupling;
  const bool waits = loop.carrier != 0 && !is_coupling && (loop.end[0] < 0 || loop.end[1] < 0);
  for (int r = 0; r < p.rows(k); ++r) {
    T* const row = p.reduced(k, r);
    Force<T> K;
    if (waits && body == loop.carrier) K = {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
    for (const int end : loop.end)
      if (end >= 0) K += p.K(end).get(r);
    for (int c = 0; c < 3; ++c) row[c] = K.angular[c], row[c + 3] = K.linear[c];
    const int own = p.m.closures[k].first_row + r;
    row[6] = p.bias(k)[r] - p.wanted[at_index(own)] - p.d.target[own];
    row[7] = T(0);
  }
}

/// Eliminates one row of loop k from the rows after it and from coupled loops. inverse: 1/d.
template <class T>
void eliminate_row(const LoopPass<T>& p, int k, int row, const T& inverse) {
  const LoopPlan& plan = p.d.plan;
  const T* const a = p.A(k) + row * row_places;
  const int rows = p.rows(k);
  for (int i = row + 1; i < rows; ++i) {
    if (known_zero(a[i])) continue;
    const T factor = a[i] * inverse;
    subtract_scaled(p.A(k) + i * row_places, a, factor, row_places);
    subtract_scaled(p.reduced(k, i), p.reduced(k, row), factor, row_places);
  }
  for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x) {
    const LoopPlan::Pair& pair = plan.pairs[x];
    if (!p.d.is_coupled[pair.block] || p.d.closed_at[pair.later] >= 0) continue;
    const T* const b = p.block(pair.block) + row * row_places;
    for (int i = row + 1; i < rows; ++i)
      if (!known_zero(a[i]))
        subtract_scaled(p.block(pair.block) + i * row_places, b, a[i] * inverse, row_places);
    p.d.is_mixed[pair.later] = 1;
    const int later_rows = p.rows(pair.later);
    for (int i = 0; i < later_rows; ++i)
      subtract_scaled(p.A(pair.later) + i * row_places, b, b[i] * inverse, row_places);
    const T* const own = p.reduced(k, row);
    for (int c = 0; c < 6; ++c)
      subtract_scaled(p.K(pair.end).x + c * row_places, b, own[c] * inverse, row_places);
    subtract_scaled(p.bias(pair.later), b, own[6] * inverse, row_places);
    for (int y = x + 1; y < plan.loops[k].last_pair; ++y) {
      const LoopPlan::Pair& other = plan.pairs[y];
      if (!p.d.is_coupled[other.block] || p.d.closed_at[other.later] >= 0) continue;
      couple_later(p, pair, other, row, inverse);
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
  const int block = find(first.later, second.later);
  if (!p.d.is_coupled[block]) {
    clear_rows(p.block(block), 6);
    p.d.is_coupled[block] = 1;
  }
  const T* const a = p.block(first.block) + row * row_places;
  const T* const b = p.block(second.block) + row * row_places;
  for (int i = 0; i < p.rows(first.later); ++i)
    subtract_scaled(p.block(block) + i * row_places, b, a[i] * inverse, row_places);
}

/// Eliminates the rows of loop k at `body`, whose inertia and bias force take them up.
template <class T>
Elimination eliminate_loop(const LoopPass<T>& p, int k, int body) {
  constexpr bool is_number = !std::is_class_v<T>;
  const T small = T(std::is_same_v<T, float> ? 1e-3 : 1e-6);
  const T none = T(std::is_same_v<T, float> ? 1e-6 : 1e-13);
  const int rows = p.rows(k);
  const bool is_early = body != p.d.plan.loops[k].carrier;
  if constexpr (is_number) {
    if (is_early && !is_well_conditioned(p, k, small)) return Elimination::postponed;
  } else {
    if (is_early) return Elimination::postponed;
  }
  gather_rows(p, k, body);
  p.d.closed_at[k] = body;
  for (int r = 0; r < rows; ++r) {
    T* const own = p.reduced(k, r);
    const T& d = p.A(k)[r * row_places + r];
    if constexpr (is_number) {
      if (!(d > small * p.scale(k)[r])) {
        if (!(d <= none * p.scale(k)[r]) || p.d.is_mixed[k]) return Elimination::careful;
        for (int x = p.d.plan.loops[k].first_pair; x < p.d.plan.loops[k].last_pair; ++x)
          if (p.d.is_coupled[p.d.plan.pairs[x].block]) return Elimination::careful;
        own[7] = T(0);  // it depends on the rows before it
        continue;
      }
    }
    if constexpr (is_number) {
      own[7] = T(1) / d;
    } else {
      if (known_zero(p.scale(k)[r])) {  // no joint moves it, whatever the state
        own[7] = T(0);
        continue;
      }
      own[7] = T(1) / (d + T(proximal_weight<T>) * p.scale(k)[r]);
    }
    eliminate_row(p, k, r, own[7]);  // writes to the eighth place of the rows after it, too
    if (body == 0) continue;
    const Force<T> f{{own[0], own[1], own[2]}, {own[3], own[4], own[5]}};
    eliminate(p.ws.IA[body], f, f * -own[7]);
    p.ws.p[body] += f * (own[6] * own[7]);
  }
  return Elimination::done;
}

/// Whether the limb alone can give the rows any acceleration: pivots of A against its largest
/// entry.
template <class T>
bool is_well_conditioned(const LoopPass<T>& p, int k, const T& small) {
  T a[6][6];
  const int rows = p.rows(k);
  T largest(0);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) a[i][j] = p.A(k)[i * row_places + j];
    largest = std::max(largest, a[i][i]);
  }
  for (int r = 0; r < rows; ++r) {
    if (!(a[r][r] > small * largest)) return false;
    for (int i = r + 1; i < rows; ++i)
      for (int j = i; j < rows; ++j) a[i][j] -= a[r][i] * a[r][j] / a[r][r];
  }
  return true;
}

/// λ of a loop for the acceleration of the body where it was eliminated.
template <class T>
void find_forces(const LoopPass<T>& p, int k, const Motion<T>& a) {
  const LoopPlan& plan = p.d.plan;
  const int rows = p.rows(k);
  T* const lambda = p.lambda(k);
  clear_rows(lambda, 1);
  bool all = true;
  for (int r = rows - 1; r >= 0; --r) {
    const T* own = p.reduced(k, r);
    T sum = -(own[6] + dot(a, Force<T>{{own[0], own[1], own[2]}, {own[3], own[4], own[5]}}));
    for (int x = plan.loops[k].first_pair; x < plan.loops[k].last_pair; ++x) {
      const LoopPlan::Pair& pair = plan.pairs[x];
      if (!p.d.is_coupled[pair.block]) continue;
      const T* const b = p.block(pair.block) + r * row_places;
      for (int i = 0; i < p.rows(pair.later); ++i) sum -= b[i] * p.lambda(pair.later)[i];
    }
    if constexpr (!std::is_class_v<T>) {
      if (own[7] == T(0)) {
        all = false;
        --p.d.rank;
        if (p.d.inconsistent_row < 0 || std::abs(sum) > p.d.inconsistency)
          p.d.inconsistency = std::abs(sum), p.d.inconsistent_row = p.m.closures[k].first_row + r;
        continue;
      }
    }
    for (int j = r + 1; j < rows; ++j) sum -= p.A(k)[r * row_places + j] * lambda[j];
    lambda[r] = sum * own[7];
  }
  if constexpr (!std::is_class_v<T>)
    if (!all) choose_loop_forces(p, k);
}

/// Of all forces of a loop with the same effect, those of the smallest norm.
template <class T>
void choose_loop_forces(const LoopPass<T>& p, int k) {
  const int rows = p.rows(k);
  T* const lambda = p.lambda(k);
  T null[6][6] = {}, gram[36], weight[6] = {};
  int missing = 0;
  for (int row = 0; row < rows; ++row) {
    if (p.reduced(k, row)[7] != T(0)) continue;
    T* const N = null[missing++];
    N[row] = T(1);
    for (int r = row - 1; r >= 0; --r) {
      const T* const a = p.A(k) + r * row_places;
      T sum(0);
      for (int j = r + 1; j <= row; ++j) sum += a[j] * N[j];
      N[r] = p.reduced(k, r)[7] != T(0) ? -sum * p.reduced(k, r)[7] : T(0);
    }
  }
  const auto n = at_index(missing);
  for (int i = 0; i < missing; ++i) {
    for (int r = 0; r < rows; ++r) weight[i] += null[i][r] * lambda[r];
    for (int j = 0; j < missing; ++j) {
      T& sum = gram[i * missing + j] = T(0);
      for (int r = 0; r < rows; ++r) sum += null[i][r] * null[j][r];
    }
  }
  factorize_symmetric(gram, n, n, T(0));
  solve_symmetric(gram, n, n, weight);
  for (int r = 0; r < rows; ++r) {
    T size(0);
    for (int i = 0; i < missing; ++i) {
      lambda[r] -= null[i][r] * weight[i];
      size += null[i][r] * null[i][r];
    }
    const T own = p.scale(k)[r] > T(0) ? p.scale(k)[r] : T(1);
    T largest(0);
    for (int j = 0; j < rows; ++j) largest = std::max(largest, p.scale(k)[j]);
    p.d.is_determinate[p.m.closures[k].first_row + r] =
        size * own < T(1e-12) * std::max(largest, own) ? 1 : 0;
  }
}

/// Loops that are eliminated at a body, after what it carries. False: more care is needed.
template <class T>
bool close_loops_at(const LoopPass<T>& p, int body) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.closing_start[body]; x < plan.closing_start[body + 1]; ++x)
    if (p.d.closed_at[plan.closing[x]] < 0 &&
        eliminate_loop(p, plan.closing[x], body) == Elimination::careful)
      return false;
  for (int x = plan.early_start[body]; x < plan.early_start[body + 1]; ++x)
    if (eliminate_loop(p, plan.early[x], body) == Elimination::careful) return false;
  return true;
}

/// Forces of the loops that were eliminated at a body, whose acceleration is known now.
template <class T>
void find_forces_at(const LoopPass<T>& p, int body) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.early_start[body + 1] - 1; x >= plan.early_start[body]; --x)
    if (p.d.closed_at[plan.early[x]] == body) find_forces(p, plan.early[x], p.ws.a[body]);
  for (int x = plan.closing_start[body + 1] - 1; x >= plan.closing_start[body]; --x)
    if (p.d.closed_at[plan.closing[x]] == body) find_forces(p, plan.closing[x], p.ws.a[body]);
}

/// What the loops' forces add to u of a column.
template <class T>
T loop_forces_at(const LoopPass<T>& p, int i, int local) {
  const LoopPlan& plan = p.d.plan;
  T sum(0);
  for (int x = plan.passing_start[i]; x < plan.passing_start[i + 1]; ++x) {
    const int k = plan.ends[plan.passing[x]].loop;
    if (p.d.closed_at[k] >= i) continue;  // it was eliminated further out
    const T* const e = &p.d.e[(plan.passing_e[x] + local) * row_places];
    for (int r = 0; r < p.rows(k); ++r) sum += e[r] * p.lambda(k)[r];
  }
  return sum;
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
