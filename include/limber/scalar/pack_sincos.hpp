// a guard by name: copies of this file stand beside the generated code of each robot
#ifndef LIMBER_SCALAR_PACK_SINCOS_HPP
#define LIMBER_SCALAR_PACK_SINCOS_HPP
// Sine and cosine of all lanes of a Pack. Like pack.hpp it stands alone (beside that file) and is
// C++17, so that generated code can carry it along.
//
// x = k π/2 + r with |r| ≤ π/4 (a little more where k is rounded from a float), sine and cosine of
// r by polynomials, exchanged and signed by the quadrant k. The polynomials are minimax fits in r²
// (Remez; coefficients rounded one after the other, the rest fitted again): relative error of the
// sine 2⁻⁵⁷ (float: 2⁻²⁷), error of the cosine 2⁻⁶⁴ (float: 2⁻³³).
#include "pack.hpp"  // from the same folder, wherever that is

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace limber {

namespace pack_detail {

template <class T>
struct SincosNumbers;
template <>
struct SincosNumbers<double> {
  static constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  /// Adding this to a number below 2⁵¹ leaves its nearest integer in the low bits.
  static constexpr double round_to_integer = 0x1.8p52;
  /// π/2 in parts; k · part is exact for the first two, |k| < 2¹⁶.
  static constexpr double half_pi[3] = {0x1.921fb5444p+0, 0x1.68c234c4cp-39, 0x1.98a2e03707345p-77};
  static constexpr double sine[6] = {-0x1.5555555555548p-3,  0x1.111111110f730p-7,
                                     -0x1.a01a019be921cp-13, 0x1.71de35552be1dp-19,
                                     -0x1.ae5e4b8485af4p-26, 0x1.5d8b55ce3dd82p-33};
  static constexpr double cosine[6] = {0x1.555555555554cp-5,  -0x1.6c16c16c15217p-10,
                                       0x1.a01a019cbe0a2p-16, -0x1.27e4f8116c4b8p-22,
                                       0x1.1ee9f044e39c7p-29, -0x1.8fb09170001a7p-37};
};
template <>
struct SincosNumbers<float> {
  static constexpr float two_over_pi = 0x1.45f306p-1F;
  static constexpr float round_to_integer = 0x1.8p23F;
  /// π/2 in parts of 24 bits, for fused multiply-adds.
  static constexpr float half_pi[3] = {0x1.921fb6p+0F, -0x1.777a5cp-25F, -0x1.ee59dap-50F};
  static constexpr float sine[3] = {-0x1.555544p-3F, 0x1.1106c6p-7F, -0x1.991c26p-13F};
  static constexpr float cosine[3] = {0x1.55554ap-5F, -0x1.6c0c1ap-10F, 0x1.99e0eep-16F};
};

/// x − k π/2.
template <class T, int N>
LIMBER_PACK_INLINE Pack<T, N> reduced(const Pack<T, N>& x, const Pack<T, N>& k) {
  if constexpr (std::is_same_v<T, float> && fused_bytes == 0) {
    // products of floats that are not fused have no room for the digits of π: double has
    using Wide = Pack<double, N>;
    const auto wide = [](const Pack<T, N>& f) {
      return Wide(__builtin_convertvector(f.x, typename Wide::Storage));
    };
    constexpr auto& half_pi = SincosNumbers<double>::half_pi;
    const Wide kd = wide(k);
    const Wide r = fma(kd, Wide(-half_pi[1]), fma(kd, Wide(-half_pi[0]), wide(x)));
    return Pack<T, N>(__builtin_convertvector(r.x, typename Pack<T, N>::Storage));
  } else {
    constexpr auto& half_pi = SincosNumbers<T>::half_pi;
    Pack<T, N> r = x;
    for (const T part : half_pi) r = fma(k, Pack<T, N>(-part), r);
    return r;
  }
}

/// c[0] + c[1] u + … by Horner's scheme.
template <int Count, class T, int N>
LIMBER_PACK_INLINE Pack<T, N> polynomial(const T (&c)[Count], const Pack<T, N>& u) {
  Pack<T, N> p(c[Count - 1]);
  for (int i = Count - 2; i >= 0; --i) p = fma(p, u, Pack<T, N>(c[i]));
  return p;
}

/// True if some lane is larger than ±limit or not a number: without their signs, numbers are in the
/// order of their bits.
template <class T, int N>
LIMBER_PACK_INLINE bool any_beyond(const Pack<T, N>& x, T limit) {
  using Bits = typename Pack<T, N>::Bits;
  const auto sign_bit = reinterpret_cast<Bits>(Pack<T, N>(T(-0.0)).x);
  return any_bit((reinterpret_cast<Bits>(Pack<T, N>(limit).x) - reinterpret_cast<Bits>(abs(x).x)) &
                 sign_bit);
}

}  // namespace pack_detail

/// Sine and cosine of every lane [rad], within 2 units in the last place. Lanes beyond ±1e5 rad and
/// those that are not finite come from the standard library, one by one. The sine of −0 is 0.
template <class T, int N>
LIMBER_PACK_INLINE void sincos(const Pack<T, N>& x, Pack<T, N>& sine, Pack<T, N>& cosine) {
  using P = Pack<T, N>;
  using Bits = typename P::Bits;
  using Numbers = pack_detail::SincosNumbers<T>;
  constexpr int to_sign = 8 * static_cast<int>(sizeof(T)) - 2;  // from bit 1 to the sign bit

  const P shifted = fma(x, P(Numbers::two_over_pi), P(Numbers::round_to_integer));
  const P r = pack_detail::reduced(x, shifted - P(Numbers::round_to_integer));
  const P u = r * r;
  const P s = fma(r * u, pack_detail::polynomial(Numbers::sine, u), r);
  const P c = fma(fma(pack_detail::polynomial(Numbers::cosine, u), u, P(T(-0.5))), u, P(T(1)));
  // odd quadrants exchange sine and cosine; bit 1 of k and of k + 1 are their signs
  const auto quadrant = reinterpret_cast<Bits>(shifted.x);
  const Mask<T, N> even{(quadrant & 1) == 0};
  const auto signed_by = [](const P& a, const Bits& bits) {
    const auto sign_bit = reinterpret_cast<Bits>(P(T(-0.0)).x);
    return P(reinterpret_cast<typename P::Storage>(reinterpret_cast<Bits>(a.x) ^
                                                   ((bits << to_sign) & sign_bit)));
  };
  sine = signed_by(select(even, s, c), quadrant);
  cosine = signed_by(select(even, c, s), quadrant + 1);

  if (__builtin_expect(pack_detail::any_beyond(x, T(1e5)), false)) {
    T angle[N], lane_sine[N], lane_cosine[N];
    x.store(angle), sine.store(lane_sine), cosine.store(lane_cosine);
    for (int i = 0; i < N; ++i) {
      if (std::abs(angle[i]) <= T(1e5)) continue;
      lane_sine[i] = std::sin(angle[i]);
      lane_cosine[i] = std::cos(angle[i]);
    }
    sine = P::load(lane_sine);
    cosine = P::load(lane_cosine);
  }
}

}  // namespace limber

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // LIMBER_SCALAR_PACK_SINCOS_HPP
