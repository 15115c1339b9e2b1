#pragma once
// Articulated bodies with loops: where a loop is eliminated, and its forces on the way out.
#include <algorithm>
#include <cmath>

#include "constraint/loop_coupling.ipp"
#include "constraint/proximal.hpp"
#include "dynamics/symmetric_factor.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

enum class Elimination { done, postponed, careful };

/// A = Σ e D⁻¹ eᵀ over the columns that the loop has passed, and its diagonal beside it.
template <int R, class T>
void collect_products(const LoopPass<T>& p, int k, int last_e) {
  const LoopPlan& plan = p.d.plan;
  with_lanes<T>(R, [&](auto lanes, int groups) {
    using L = decltype(lanes);
    for (int g = 0; g < groups; ++g) {
      const int at = g * width_of<L>;
      L sum[R], scale(T(0));
      for (int r = 0; r < R; ++r)
        sum[r] = p.d.is_mixed[k] ? L::load(p.A(k) + r * row_places + at) : L(T(0));
      for (int x = plan.loops[k].first_e; x < last_e; ++x) {
        const T* const e = p.e(x);
        const L own = L::load(e + at), scaled = own * L(p.ws.D_inverse[plan.e_column[x]]);
        scale += own * scaled;
        for (int r = 0; r < R; ++r)
          if (!known_zero(e[r])) sum[r] += L(e[r]) * scaled;
      }
      for (int r = 0; r < R; ++r) sum[r].store(p.A(k) + r * row_places + at);
      if constexpr (!std::is_class_v<T>) scale.store(p.scale(k) + at);
    }
  });
}

/// A = Lᵀ D L of the rows in their order, the upper triangle in place; 1/d, zero of a row that
/// depends on those before it.
template <int R, class T>
Elimination factor_rows(const LoopPass<T>& p, int k, bool is_early, T (&inverse)[R]) {
  T a[R][R];
  for (int r = 0; r < R; ++r)
    for (int i = r; i < R; ++i) a[r][i] = p.A(k)[r * row_places + i];
  const T* const scale = p.scale(k);
  [[maybe_unused]] T largest = scale[0];
  if constexpr (!std::is_class_v<T>)
    for (int r = 1; r < R; ++r) largest = std::max(largest, scale[r]);
  for (int r = 0; r < R; ++r) {
    const T& d = a[r][r];
    if constexpr (!std::is_class_v<T>) {
      const T small = T(std::is_same_v<T, float> ? 1e-3 : 1e-6);
      const T none = T(std::is_same_v<T, float> ? 1e-6 : 1e-13), least = none * none;
      // whether the limb alone can give the rows any acceleration
      if (is_early && !(d > small * largest)) return Elimination::postponed;
      if (!(d > small * scale[r] && d > T(1e6) * least * largest)) {
        const bool is_dependent = d <= none * scale[r] || d <= least * largest;
        if (!is_dependent || p.d.is_mixed[k] || is_coupled_to_later(p, k))
          return Elimination::careful;
        inverse[r] = T(0);
        continue;
      }
      inverse[r] = T(1) / d;
    } else if (known_zero(scale[r])) {  // no joint moves it, whatever the state
      inverse[r] = T(0);
      continue;
    } else {
      inverse[r] = T(1) / (d + proximal_weight<T>() * scale[r]);
    }
    for (int i = r + 1; i < R; ++i) {
      const T factor = a[r][i] * inverse[r];
      for (int j = i; j < R; ++j) a[i][j] -= factor * a[r][j];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int i = r; i < R; ++i) p.A(k)[r * row_places + i] = a[r][i];
  return Elimination::done;
}

/// Rows (K, l − c, 1/d) of the loop after elimination; body takes them up in its inertia and bias
/// force.
template <int R, class T>
void reduce_rows(const LoopPass<T>& p, int k, int body, const T (&inverse)[R]) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  const int first_row = p.m.closures[k].first_row;
  T row[R][7];
  for (int r = 0; r < R; ++r) {
    const auto at = [&](int end, int c) -> const T& { return p.K(end).x[c * row_places + r]; };
    for (int c = 0; c < 6; ++c) {
      if (loop.end[0] < 0) row[r][c] = at(loop.end[1], c);
      else if (loop.end[1] < 0) row[r][c] = at(loop.end[0], c);
      else row[r][c] = at(loop.end[0], c) + at(loop.end[1], c);
    }
    const auto own = at_index(first_row + r);
    row[r][6] = p.bias(k)[r] - p.wanted[own] - p.d.target[own];
  }
  for (int r = 0; r < R; ++r)
    for (int i = r + 1; i < R; ++i) {
      const T& a = p.A(k)[r * row_places + i];
      if (known_zero(a)) continue;
      const T factor = a * inverse[r];
      for (int c = 0; c < 7; ++c) row[i][c] -= factor * row[r][c];
    }
  for (int r = 0; r < R; ++r) {
    T* const to = p.reduced(k, r);
    for (int c = 0; c < 7; ++c) to[c] = row[r][c];
    to[7] = inverse[r];
  }
  if (body == 0) return;
  ArticulatedInertia<T> IA = p.ws.IA[body];
  Force<T> bias = p.ws.p[body];
  for (int r = 0; r < R; ++r) {
    if (known_zero(inverse[r])) continue;
    const Force<T> f{{row[r][0], row[r][1], row[r][2]}, {row[r][3], row[r][4], row[r][5]}};
    limber::eliminate(IA, f, f * -inverse[r]);
    bias += f * (row[r][6] * inverse[r]);
  }
  p.ws.IA[body] = IA;
  p.ws.p[body] = bias;
}

/// Eliminates the rows of loop k at `body`.
template <class T>
Elimination eliminate_loop(const LoopPass<T>& p, int k, int body, bool is_early) {
  const LoopPlan::Loop& loop = p.d.plan.loops[k];
  if (is_early && std::is_class_v<T>) return Elimination::postponed;
  return with_rows(p.rows(k), [&](auto rows) {
    constexpr int R = rows;
    T inverse[R];
    p.d.last_e[k] = is_early ? loop.early_e : loop.last_e;
    collect_products<R>(p, k, p.d.last_e[k]);
    if (!is_early) collect_blocks(p, k);
    const Elimination how = factor_rows<R>(p, k, is_early, inverse);
    if (how != Elimination::done) return how;
    p.d.closed_at[k] = body;
    reduce_rows<R>(p, k, body, inverse);
    if (is_coupled_to_later(p, k)) change_later(p, k);
    return how;
  });
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

/// A row that depends on others by rounding alone, for no joint of the loop moves it: it has no
/// force, and any would do.
template <class T>
bool is_idle(const LoopPass<T>& p, int k, int row) {
  const T* const scale = p.scale(k);
  for (int r = 0; r < row; ++r) {
    const T own = p.A(k)[r * row_places + row];
    if (own * own > T(1e-26) * scale[r] * scale[r]) return false;
  }
  return true;
}

/// λ of a loop for the acceleration of the body where it was eliminated, and what it adds to the
/// forces of the columns further out.
template <int R, class T>
void find_forces(const LoopPass<T>& p, int k, const Motion<T>& a) {
  const LoopPlan& plan = p.d.plan;
  T lambda[R];
  bool is_split = false;
  const bool is_coupled = is_coupled_to_later(p, k);
  for (int r = R - 1; r >= 0; --r) {
    const T* own = p.reduced(k, r);
    T sum = -(own[6] + dot(a, Force<T>{{own[0], own[1], own[2]}, {own[3], own[4], own[5]}}));
    if (is_coupled) sum -= forces_of_later(p, k, r);
    if constexpr (!std::is_class_v<T>) {
      if (own[7] == T(0)) {
        lambda[r] = T(0);
        --p.d.rank;
        const int row = p.m.closures[k].first_row + r;
        if (p.d.inconsistent_row < 0 || std::abs(sum) > p.d.inconsistency)
          p.d.inconsistency = std::abs(sum), p.d.inconsistent_row = row;
        if (is_idle(p, k, r)) p.d.is_determinate[row] = 0;
        else is_split = true;
        continue;
      }
    }
    for (int j = r + 1; j < R; ++j) sum -= p.A(k)[r * row_places + j] * lambda[j];
    lambda[r] = sum * own[7];
  }
  for (int r = 0; r < R; ++r) p.lambda(k)[r] = lambda[r];
  if constexpr (!std::is_class_v<T>) {
    if (is_split) {
      choose_loop_forces(p, k);
      for (int r = 0; r < R; ++r) lambda[r] = p.lambda(k)[r];
    }
  }
  for (int x = plan.loops[k].first_e; x < p.d.last_e[k]; ++x) {
    T sum = p.e(x)[0] * lambda[0];
    for (int r = 1; r < R; ++r) sum += p.e(x)[r] * lambda[r];
    p.ws.u[plan.e_column[x]] += sum;
  }
}

/// Loops that are eliminated at a body, after what it carries. False: more care is needed.
template <class T>
bool close_loops_at(const LoopPass<T>& p, int body) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.eliminated_start[body]; x < plan.eliminated_start[body + 1]; ++x) {
    const LoopPlan::Elimination& one = plan.eliminated[x];
    if (p.d.closed_at[one.loop] >= 0) continue;
    if (eliminate_loop(p, one.loop, body, one.is_early) == Elimination::careful) return false;
  }
  return true;
}

/// Forces of the loops that were eliminated at a body, whose acceleration is known now.
template <class T>
void find_forces_at(const LoopPass<T>& p, int body) {
  const LoopPlan& plan = p.d.plan;
  for (int x = plan.eliminated_start[body + 1] - 1; x >= plan.eliminated_start[body]; --x) {
    const int k = plan.eliminated[x].loop;
    if (p.d.closed_at[k] != body) continue;
    with_rows(p.rows(k), [&](auto rows) { find_forces<rows>(p, k, p.ws.a[body]); });
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
