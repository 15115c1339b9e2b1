#pragma once
// From states one after the other to lanes, in squares of lanes × lanes numbers that stay in
// registers. (On the way back whole rows would overlap in memory; there a plain loop is as good.)
#include <utility>

#include <limber/scalar/pack.hpp>

namespace limber {

/// Exchanges the off-diagonal blocks of two rows, lane l with lane l ± D.
template <int D, class T, int N, std::size_t... L>
[[gnu::always_inline]] inline void exchange_blocks(Pack<T, N>& a, Pack<T, N>& b,
                                                   std::index_sequence<L...>) {
  const auto x = a.x, y = b.x;
  a.x = __builtin_shufflevector(
      x, y, ((L & D) == 0 ? static_cast<int>(L) : static_cast<int>(L) - D + N)...);
  b.x = __builtin_shufflevector(
      x, y, ((L & D) == 0 ? static_cast<int>(L) + D : static_cast<int>(L) + N)...);
}

/// The rows of a square become its columns.
template <int D = 1, class T, int N>
[[gnu::always_inline]] inline void transpose(Pack<T, N> (&rows)[N]) {
  if constexpr (D < N) {
    for (int i = 0; i < N; ++i)
      if ((i & D) == 0) exchange_blocks<D>(rows[i], rows[i + D], std::make_index_sequence<N>{});
    transpose<2 * D>(rows);
  }
}

/// See LaneSet::to_lanes.
template <class P>
void to_lanes(const typename P::Number* states, long readable, int width, long count,
              typename P::Number* x, long stride) {
  constexpr int N = P::lanes;
  const long whole = count - count % N;
  for (int j = 0; j < width; j += N) {
    const int rows = width - j < N ? width - j : N;
    for (long i = 0; i < whole; i += N) {
      if ((i + N - 1) * width + j + N > readable) {  // the last numbers of all
        for (int k = j; k < j + rows; ++k)
          P::gather(states + i * width + k, width).store(x + k * stride + i);
        continue;
      }
      P square[N];
      for (int k = 0; k < N; ++k) square[k] = P::load(states + (i + k) * width + j);
      transpose(square);
      for (int k = 0; k < N; ++k)
        if (k < rows) square[k].store(x + (j + k) * stride + i);
    }
  }
  for (long i = whole; i < count; ++i)
    for (int j = 0; j < width; ++j) x[j * stride + i] = states[i * width + j];
}

/// See LaneSet::mark_bad: 0 times a number is 0 if it is finite.
template <class P>
void mark_bad(const typename P::Number* x, long stride, int width, long count,
              typename P::Number* bad) {
  for (long i = 0; i < count; i += P::lanes) {
    P sum = P::load(bad + i);
    for (int j = 0; j < width; ++j) sum = fma(P::load(x + j * stride + i), P(0), sum);
    sum.store(bad + i);
  }
}

}  // namespace limber
