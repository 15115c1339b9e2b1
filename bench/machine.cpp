#include "machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <limber/scalar/pack.hpp>

#include "timing.hpp"

namespace limber::bench {

namespace {

double fused(double a, double b, double c) { return std::fma(a, b, c); }
template <int N>
Pack<double, N> fused(const Pack<double, N>& a, const Pack<double, N>& b,
                      const Pack<double, N>& c) {
  return fma(a, b, c);
}

/// Keeps the compiler from putting neighbours into one vector.
void hold(double& x) {
#ifdef __aarch64__
  asm volatile("" : "+w"(x));
#else
  asm volatile("" : "+x"(x));
#endif
}
template <int N>
void hold(const Pack<double, N>&) {}

/// Sums that do not wait for each other hide the latency of the units. Returns what they come to.
template <class V, std::size_t... k>
V many_fused(int repeats, std::index_sequence<k...>) {
  V x[] = {V(1.0 + 1e-3 * static_cast<double>(k))...};
  const V a(0.999), b(1e-3);
  for (int r = 0; r < repeats; ++r) ((x[k] = fused(x[k], a, b), hold(x[k])), ...);
  return (x[k] + ...);
}

template <class V>
double fused_per_second(int lanes) {
  constexpr int sums = 12, repeats = 20000;
  double best = 0;
  for (int round = 0; round < 20; ++round) {
    const double start = thread_seconds();
    const V total = many_fused<V>(repeats, std::make_index_sequence<sums>());
    keep(&total);
    best = std::max(best, 1.0 * sums * lanes * repeats / (thread_seconds() - start));
  }
  return best;
}

}  // namespace

double peak_fused_vector() { return fused_per_second<Pack<double, 8>>(8); }
double peak_fused_scalar() { return fused_per_second<double>(1); }

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double copy_bandwidth(int threads) {
  constexpr std::size_t bytes = std::size_t{1} << 28;
  const std::size_t part = bytes / static_cast<std::size_t>(threads);
  std::vector<char> from(bytes, 1), to(bytes, 2);
  double best = 0;
  for (int round = 0; round < 8; ++round) {
    const double start = wall_seconds();
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t)
      others.emplace_back([&, first = part * static_cast<std::size_t>(t)] {
        std::memcpy(to.data() + first, from.data() + first, part);
      });
    std::memcpy(to.data(), from.data(), part);
    for (std::thread& other : others) other.join();
    best = std::max(best, 2.0 * static_cast<double>(part) * threads / (wall_seconds() - start));
    keep(to.data());
  }
  return best;
}

}  // namespace limber::bench
