#include <limber/scalar/sincos.hpp>

#include <bit>
#include <cstdint>

namespace limber {

namespace {

// the reduction below is exact to rounding up to here
constexpr double largest_angle = 1e5;

// π/2 in three parts of at most 33 bits, so that k · part is exact for |k| < 2²⁰
constexpr double half_pi_1 = 0x1.921fb544p+0;
constexpr double half_pi_2 = 0x1.0b4611a6p-34;
constexpr double half_pi_3 = 0x1.3198a2e037073p-69;

// adding this to a number below 2⁵¹ leaves its nearest integer in the low bits
constexpr double round_to_integer = 0x1.8p52;

// Taylor series on |r| ≤ π/4, r2 = r²: sine to r¹⁵ / 15!, cosine to r¹⁶ / 16!; the remainders are
// below 5e-17 and 3e-18
inline double sine_series(double r, double r2) {
  double p = -1.0 / 1307674368000.0;
  p = p * r2 + 1.0 / 6227020800.0;
  p = p * r2 - 1.0 / 39916800.0;
  p = p * r2 + 1.0 / 362880.0;
  p = p * r2 - 1.0 / 5040.0;
  p = p * r2 + 1.0 / 120.0;
  p = p * r2 - 1.0 / 6.0;
  return r + r * r2 * p;
}
inline double cosine_series(double r2) {
  double p = 1.0 / 20922789888000.0;
  p = p * r2 - 1.0 / 87178291200.0;
  p = p * r2 + 1.0 / 479001600.0;
  p = p * r2 - 1.0 / 3628800.0;
  p = p * r2 + 1.0 / 40320.0;
  p = p * r2 - 1.0 / 720.0;
  p = p * r2 + 1.0 / 24.0;
  return 1.0 - 0.5 * r2 + r2 * r2 * p;
}

inline double with_sign(double x, std::uint64_t sign_bit) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ sign_bit);
}

}  // namespace

void sincos_all(const double* __restrict angle, double* __restrict sine, double* __restrict cosine,
                int n) {
  for (int i = 0; i < n; ++i) {
    const double x = angle[i];
    const double shifted = x * 0x1.45f306dc9c883p-1 + round_to_integer;  // 2/π x
    const double k = shifted - round_to_integer;
    const auto quadrant = std::bit_cast<std::uint64_t>(shifted);
    const double r = ((x - k * half_pi_1) - k * half_pi_2) - k * half_pi_3;
    const double r2 = r * r;
    const double s = sine_series(r, r2), c = cosine_series(r2);
    // odd quadrants swap sine and cosine; bit 1 of k and of k + 1 are their signs
    const bool odd = (quadrant & 1) != 0;
    sine[i] = with_sign(odd ? c : s, (quadrant & 2) << 62);
    cosine[i] = with_sign(odd ? s : c, ((quadrant + 1) & 2) << 62);
  }
  for (int i = 0; i < n; ++i)
    if (!(std::abs(angle[i]) < largest_angle)) sincos(angle[i], sine[i], cosine[i]);
}

}  // namespace limber
