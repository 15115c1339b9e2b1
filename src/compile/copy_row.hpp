#pragma once
// Rows of results written to arrays of any alignment.
#include <cstdint>
#include <cstring>

namespace limber {

/// Copies n numbers; from null: zeros. Long rows are written in whole cache lines: a store that
/// straddles two lines takes twice as long where the lines are far away.
template <class T>
[[gnu::always_inline]] inline void copy_row(const T* from, long n, T* to) {
  constexpr long line = 64 / sizeof(T), long_row = 4 * line;
  static constexpr T zeros[line] = {};
  const long step = from ? 1 : 0;
  if (!from) from = zeros;
  long i = 0;
  if (n >= long_row)
    for (; reinterpret_cast<std::uintptr_t>(to + i) % 64 != 0 && i < line; ++i)
      to[i] = from[i * step];
  for (; i + line <= n; i += line) std::memcpy(to + i, from + i * step, 64);
  for (; i < n; ++i) to[i] = from[i * step];
}

}  // namespace limber
