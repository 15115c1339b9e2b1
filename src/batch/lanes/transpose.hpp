#pragma once
// From states one after the other to lanes and back, in squares of lanes × lanes numbers that stay
// in registers.
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
      for (int k = 0; k < rows; ++k) square[k].store(x + (j + k) * stride + i);
    }
  }
  for (long i = whole; i < count; ++i)
    for (int j = 0; j < width; ++j) x[j * stride + i] = states[i * width + j];
}

/// See LaneSet::from_lanes.
template <class P>
void from_lanes(const typename P::Number* x, long stride, int width, long count,
                typename P::Number* states) {
  constexpr int N = P::lanes;
  const long whole = count - count % N;
  // the last columns first: their rows run on into the next state, which is written afterwards
  for (int j = (width + N - 1) / N * N - N; j >= 0; j -= N) {
    const int rows = width - j < N ? width - j : N;
    for (long i = 0; i < whole; i += N) {
      P square[N];
      for (int k = 0; k < rows; ++k) square[k] = P::load(x + (j + k) * stride + i);
      for (int k = rows; k < N; ++k) square[k] = P(0);
      transpose(square);
      for (int k = 0; k < N; ++k) {
        typename P::Number* const to = states + (i + k) * width + j;
        if ((N - k) * width - j >= N) {
          square[k].store(to);
          continue;
        }
        typename P::Number row[N];  // it would run on out of these states
        square[k].store(row);
        for (int l = 0; l < rows; ++l) to[l] = row[l];
      }
    }
  }
  for (long i = whole; i < count; ++i)
    for (int j = 0; j < width; ++j) states[i * width + j] = x[j * stride + i];
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
