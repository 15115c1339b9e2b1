#pragma once
// M = Lᵀ D L along the branches, and solves with it.
#include <limber/dynamics/tree_factor.hpp>

#include "dynamics/lanes.hpp"

namespace limber {
inline namespace LIMBER_REGISTERS {

/// x −= y a, n numbers of padded rows: as many at a time as a register holds where T is built in,
/// into the padding too.
template <class T>
[[gnu::always_inline]] inline void subtract_scaled(T* x, const T* y, const T& a, int n) {
  if constexpr (std::is_class_v<T>) {
    for (int i = 0; i < n; ++i) x[i] -= a * y[i];
  } else {
    const Lanes<T> factor(a);
    for (int i = 0; i < n; i += lane_count<T>)
      (Lanes<T>::load(x + i) - factor * Lanes<T>::load(y + i)).store(x + i);
  }
}

/// Rows of M become rows of L, with 1/D at their end.
template <class T>
void factorize_rows(const TreePattern& at, T* L) {
  for (int k = at.variables() - 1; k >= 0; --k) {
    const int* path = at.path.data() + at.start[k];
    T* row = L + at.start[k];
    const int last = at.depth(k);
    const T inverse = T(1) / row[last];
    for (int t = last - 1; t >= 0; --t)
      subtract_scaled(L + at.start[path[t]], row, row[t] * inverse, t + 1);
    for (int t = 0; t < last; ++t) row[t] = row[t] * inverse;
    row[last] = inverse;
  }
}

/// x := L⁻ᵀ x
template <class T>
void half_solve_rows(const TreePattern& at, const T* L, T* x) {
  for (int k = at.variables() - 1; k >= 0; --k)
    for (int t = at.start[k]; t < at.end[k] - 1; ++t) x[at.path[t]] -= L[t] * x[k];
}

/// x := L⁻¹ D⁻¹ x
template <class T>
void finish_solve_rows(const TreePattern& at, const T* L, T* x) {
  for (int k = 0; k < at.variables(); ++k) {
    const int last = at.end[k] - 1;
    T sum = x[k] * L[last];
    for (int t = at.start[k]; t < last; ++t) sum -= L[t] * x[at.path[t]];
    x[k] = sum;
  }
}

/// The same for many columns, row by row.
template <class T>
void half_solve_rows(const TreePattern& at, const T* L, T* X, int columns) {
  for (int k = at.variables() - 1; k >= 0; --k)
    for (int t = at.start[k]; t < at.end[k] - 1; ++t)
      for (int c = 0; c < columns; ++c) X[at.path[t] * columns + c] -= L[t] * X[k * columns + c];
}
template <class T>
void finish_solve_rows(const TreePattern& at, const T* L, T* X, int columns) {
  for (int k = 0; k < at.variables(); ++k) {
    const int last = at.end[k] - 1;
    T* const row = X + k * columns;
    for (int c = 0; c < columns; ++c) row[c] = row[c] * L[last];
    for (int t = at.start[k]; t < last; ++t)
      for (int c = 0; c < columns; ++c) row[c] -= L[t] * X[at.path[t] * columns + c];
  }
}

/// X := L⁻ᵀ X for N columns that are zero but on the path to freedom k: the rows of X are those of
/// the path, from the root. [RDA] calls such columns the response to a force on one body.
template <int N, class T>
void half_solve_path(const TreePattern& at, const T* L, int k, T* X) {
  const int* path = at.path.data() + at.start[k];
  for (int t = at.depth(k); t > 0; --t) {
    const T* row = L + at.start[path[t]];
    const T* x = X + t * N;
    for (int s = 0; s < t; ++s)
      for (int c = 0; c < N; ++c) X[s * N + c] -= row[s] * x[c];
  }
}

}  // namespace LIMBER_REGISTERS
}  // namespace limber
