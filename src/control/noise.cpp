#include "control/noise.hpp"

#include <cmath>
#include <numbers>

namespace limber {

namespace {

// mixes all bits of x into all bits of the result: multiplications by odd constants and shifts
// (the finaliser of splitmix64)
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// in (0, 1]
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 1) * 0x1p-53; }

}  // namespace

std::uint64_t stream_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

double gaussian(std::uint64_t seed, std::uint64_t stream, std::uint64_t sample,
                std::uint64_t channel) {
  const std::uint64_t key = mixed(mixed(mixed(mixed(seed) ^ stream) ^ sample) ^ channel);
  // Box and Muller
  const double radius = std::sqrt(-2 * std::log(unit(mixed(key ^ 1))));
  return radius * std::cos(2 * std::numbers::pi * unit(mixed(key ^ 2)));
}

}  // namespace limber
