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
      for (int k = 0; k < N; ++k)
        if (k < rows) square[k].store(x + (j + k) * stride + i);
    }
  }
  for (long i = whole; i < count; ++i)
    for (int j = 0; j < width; ++j) x[j * stride + i] = states[i * width + j];
}

/// Results of P::lanes states as a kernel leaves them. `bad` becomes NaN in the lanes of which a
/// number is not finite: 0 times a number is 0 if it is finite.
template <class P>
struct ResultRows {
  using T = typename P::Number;
  static constexpr int N = P::lanes;
  static constexpr T zeros[static_cast<std::size_t>(N)] = {};
  const T* x;
  long stride;
  const int* entries;  ///< see LaneSet::to_states
  P bad[4] = {};       ///< sums that do not wait for each other

  /// N numbers of each state from number j on: those of state k in square[k]. `numbers` of them
  /// are there.
  template <bool Sparse>
  [[gnu::always_inline]] void read(int j, int numbers, P (&square)[N]) {
    for (int k = 0; k < N; ++k) {
      const int number = k < numbers ? j + k : j, entry = Sparse ? entries[number] : number;
      square[k] = P::load(Sparse && entry < 0 ? zeros : x + entry * stride);
      bad[k % 4] = fma(square[k], P(0), bad[k % 4]);
    }
    transpose(square);
  }
  /// Writes the numbers of `count` states.
  template <bool Sparse>
  [[gnu::always_inline]] void write(int width, long count, T* states) {
    int j = 0;
    if (count == N)
      for (; j + N <= width; j += N) {
        P square[N];
        read<Sparse>(j, N, square);
        for (int k = 0; k < N; ++k) square[k].store(states + k * width + j);
      }
    for (; j < width; j += N) {  // the last numbers, and the last states
      const int numbers = width - j < N ? width - j : N;
      P square[N];
      read<Sparse>(j, numbers, square);
      for (int k = 0; k < count; ++k)
        for (int l = 0; l < numbers; ++l) states[k * width + j + l] = square[k][l];
    }
  }
};

/// See LaneSet::to_states.
template <class P>
void to_states(const typename P::Number* x, long stride, const int* entries, int width, long count,
               typename P::Number* states, typename P::Number* bad) {
  constexpr int N = P::lanes;
  for (long i = 0; i < count; i += N, states += N * width) {
    const long here = count - i < N ? count - i : N;
    ResultRows<P> rows{x + i, stride, entries};
    if (entries) rows.template write<true>(width, here, states);
    else rows.template write<false>(width, here, states);
    (P::load(bad + i) + rows.bad[0] + rows.bad[1] + rows.bad[2] + rows.bad[3]).store(bad + i);
  }
}

/// See LaneSet::mark_bad.
template <class P>
void mark_bad(const typename P::Number* x, long stride, int width, long count,
              typename P::Number* bad) {
  constexpr long together = 4L * P::lanes;
  long i = 0;
  for (; i + together <= count; i += together) {
    P sum[4];
    for (int k = 0; k < 4; ++k) sum[k] = P::load(bad + i + k * P::lanes);
    for (int j = 0; j < width; ++j)
      for (int k = 0; k < 4; ++k)
        sum[k] = fma(P::load(x + j * stride + i + k * P::lanes), P(0), sum[k]);
    for (int k = 0; k < 4; ++k) sum[k].store(bad + i + k * P::lanes);
  }
  for (; i < count; i += P::lanes) {
    P sum[4] = {P::load(bad + i)};
    int j = 0;
    for (; j + 4 <= width; j += 4)
      for (int k = 0; k < 4; ++k) sum[k] = fma(P::load(x + (j + k) * stride + i), P(0), sum[k]);
    for (; j < width; ++j) sum[0] = fma(P::load(x + j * stride + i), P(0), sum[0]);
    (sum[0] + sum[1] + sum[2] + sum[3]).store(bad + i);
  }
}

}  // namespace limber
