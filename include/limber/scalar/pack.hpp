// a guard by name: copies of this file stand beside the generated code of each robot
#ifndef LIMBER_SCALAR_PACK_HPP
#define LIMBER_SCALAR_PACK_HPP
// Pack<T, N>: N numbers in the lanes of one vector register (or of several neighbouring ones), each
// lane a robot of its own. Arithmetic goes lane by lane, so that an algorithm run with Pack
// computes N states at once, and no lane depends on another.
//
// This file and pack_sincos.hpp need nothing but the standard library and C++17, and every function
// is inlined: their text is also copied beside generated code. They work with g++ and clang for any
// target; vectors wider than the machine's are split by the compiler.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#define LIMBER_PACK_INLINE [[gnu::always_inline]] inline

// vectors wider than the target's registers are passed in memory; here nothing is passed at all
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace limber {

// Instructions that generic vectors do not reach, by the names that g++ and clang share.
namespace pack_detail {

template <class T, int Bytes>
struct Vector {
  typedef T type __attribute__((vector_size(Bytes)));
};
template <class T, int Bytes>
using vector_of = typename Vector<T, Bytes>::type;

/// Bytes of the widest vector with a fused multiply-add; 0: the target has none.
#if defined(__FMA__) && defined(__AVX512F__)
inline constexpr int fused_bytes = 64;
#elif defined(__FMA__)
inline constexpr int fused_bytes = 32;
#else
inline constexpr int fused_bytes = 0;
#endif

/// a b + c, rounded once.
// clang-format off
#ifdef __FMA__
LIMBER_PACK_INLINE vector_of<double, 16> fused(vector_of<double, 16> a, vector_of<double, 16> b, vector_of<double, 16> c) { return __builtin_ia32_vfmaddpd(a, b, c); }
LIMBER_PACK_INLINE vector_of<float, 16> fused(vector_of<float, 16> a, vector_of<float, 16> b, vector_of<float, 16> c) { return __builtin_ia32_vfmaddps(a, b, c); }
LIMBER_PACK_INLINE vector_of<double, 32> fused(vector_of<double, 32> a, vector_of<double, 32> b, vector_of<double, 32> c) { return __builtin_ia32_vfmaddpd256(a, b, c); }
LIMBER_PACK_INLINE vector_of<float, 32> fused(vector_of<float, 32> a, vector_of<float, 32> b, vector_of<float, 32> c) { return __builtin_ia32_vfmaddps256(a, b, c); }
#endif
#ifndef __FMA__
void fused();  // never called
#elif defined(__AVX512F__)
LIMBER_PACK_INLINE vector_of<double, 64> fused(vector_of<double, 64> a, vector_of<double, 64> b, vector_of<double, 64> c) { return __builtin_ia32_vfmaddpd512_mask(a, b, c, static_cast<unsigned char>(-1), 4); }
LIMBER_PACK_INLINE vector_of<float, 64> fused(vector_of<float, 64> a, vector_of<float, 64> b, vector_of<float, 64> c) { return __builtin_ia32_vfmaddps512_mask(a, b, c, static_cast<unsigned short>(-1), 4); }
#endif
// clang-format on

/// Square roots of all lanes.
// clang-format off
#ifdef __SSE2__
LIMBER_PACK_INLINE vector_of<double, 16> root(vector_of<double, 16> a) { return __builtin_ia32_sqrtpd(a); }
LIMBER_PACK_INLINE vector_of<float, 16> root(vector_of<float, 16> a) { return __builtin_ia32_sqrtps(a); }
#endif
#ifdef __AVX__
LIMBER_PACK_INLINE vector_of<double, 32> root(vector_of<double, 32> a) { return __builtin_ia32_sqrtpd256(a); }
LIMBER_PACK_INLINE vector_of<float, 32> root(vector_of<float, 32> a) { return __builtin_ia32_sqrtps256(a); }
#endif
#if defined(__AVX512F__) && defined(__clang__)
LIMBER_PACK_INLINE vector_of<double, 64> root(vector_of<double, 64> a) { return __builtin_ia32_sqrtpd512(a, 4); }
LIMBER_PACK_INLINE vector_of<float, 64> root(vector_of<float, 64> a) { return __builtin_ia32_sqrtps512(a, 4); }
#elif defined(__AVX512F__)
LIMBER_PACK_INLINE vector_of<double, 64> root(vector_of<double, 64> a) { return __builtin_ia32_sqrtpd512_mask(a, a, static_cast<unsigned char>(-1), 4); }
LIMBER_PACK_INLINE vector_of<float, 64> root(vector_of<float, 64> a) { return __builtin_ia32_sqrtps512_mask(a, a, static_cast<unsigned short>(-1), 4); }
#endif
// clang-format on
/// Bytes of the widest vector that it takes; 0: none.
#if defined(__AVX512F__)
inline constexpr int root_bytes = 64;
#elif defined(__AVX__)
inline constexpr int root_bytes = 32;
#elif defined(__SSE2__)
inline constexpr int root_bytes = 16;
#else
inline constexpr int root_bytes = 0;
void root();  // never called
#endif

/// True if some bit of the vector is set.
template <class V>
LIMBER_PACK_INLINE bool any_bit(const V& x) {
  using Words [[maybe_unused]] = vector_of<long long, sizeof(V)>;
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 64) {
    constexpr int differs = 4;
    return __builtin_ia32_cmpq512_mask(reinterpret_cast<Words>(x), Words{}, differs,
                                       static_cast<unsigned char>(-1)) != 0;
  }
#endif
#ifdef __AVX__
  if constexpr (sizeof(V) == 32) {
    return __builtin_ia32_ptestz256(reinterpret_cast<Words>(x), reinterpret_cast<Words>(x)) == 0;
  }
#endif
  long long words[sizeof(V) / sizeof(long long)];
  std::memcpy(words, &x, sizeof words);
  long long all = 0;
  for (const long long word : words) all |= word;
  return all != 0;
}

}  // namespace pack_detail

/// N answers, one for each lane: what comparisons of Packs give.
template <class T, int N>
struct Mask {
  using Integer = std::conditional_t<sizeof(T) == 8, long long, int>;
  typedef Integer Storage __attribute__((vector_size(N * sizeof(T))));
  Storage x;  ///< all bits set: yes; 0: no

  LIMBER_PACK_INLINE bool operator[](int lane) const { return x[lane] != 0; }
  LIMBER_PACK_INLINE friend Mask operator&(const Mask& a, const Mask& b) { return {a.x & b.x}; }
  LIMBER_PACK_INLINE friend Mask operator|(const Mask& a, const Mask& b) { return {a.x | b.x}; }
  LIMBER_PACK_INLINE friend Mask operator!(const Mask& a) { return {~a.x}; }
  /// True if some lane says yes.
  LIMBER_PACK_INLINE friend bool any(const Mask& a) { return pack_detail::any_bit(a.x); }
};

template <class T, int N>
struct Pack {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, float>);
  static_assert(N >= 2 && (N & (N - 1)) == 0, "the number of lanes is a power of two");
  typedef T Storage __attribute__((vector_size(N * sizeof(T))));
  using Bits = typename Mask<T, N>::Storage;  ///< the lanes as integers
  using Number = T;
  static constexpr int lanes = N;
  Storage x;

  Pack() = default;
  LIMBER_PACK_INLINE explicit Pack(const Storage& all) : x(all) {}
  /// The same number in every lane.
  template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>
  LIMBER_PACK_INLINE Pack(U number)               // NOLINT(google-explicit-constructor)
      : x(static_cast<T>(number) - Storage{}) {}  // x − 0 is x, −0 too

  /// N neighbours in memory, of any alignment.
  LIMBER_PACK_INLINE static Pack load(const T* from) {
    Pack r;
    std::memcpy(&r.x, from, sizeof r.x);
    return r;
  }
  LIMBER_PACK_INLINE void store(T* to) const { std::memcpy(to, &x, sizeof x); }
  /// Lane i is from[i * stride].
  LIMBER_PACK_INLINE static Pack gather(const T* from, std::ptrdiff_t stride) {
    Pack r;
    for (int i = 0; i < N; ++i) r.x[i] = from[i * stride];
    return r;
  }
  LIMBER_PACK_INLINE void scatter(T* to, std::ptrdiff_t stride) const {
    for (int i = 0; i < N; ++i) to[i * stride] = x[i];
  }
  LIMBER_PACK_INLINE T operator[](int lane) const { return x[lane]; }

  /// The halves of the lanes, and what they are halves of.
  using Half = Pack<T, N / 2>;
  LIMBER_PACK_INLINE Half low() const { return half(0); }
  LIMBER_PACK_INLINE Half high() const { return half(1); }
  LIMBER_PACK_INLINE static Pack join(const Half& low, const Half& high) {
    const typename Half::Storage halves[2] = {low.x, high.x};
    Pack r;
    std::memcpy(&r.x, halves, sizeof r.x);
    return r;
  }

  // clang-format off
  LIMBER_PACK_INLINE friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.x + b.x); }
  LIMBER_PACK_INLINE friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.x - b.x); }
  LIMBER_PACK_INLINE friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.x * b.x); }
  LIMBER_PACK_INLINE friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.x / b.x); }
  LIMBER_PACK_INLINE friend Pack operator-(const Pack& a) { return Pack(-a.x); }
  LIMBER_PACK_INLINE Pack& operator+=(const Pack& b) { return *this = *this + b; }
  LIMBER_PACK_INLINE Pack& operator-=(const Pack& b) { return *this = *this - b; }
  LIMBER_PACK_INLINE Pack& operator*=(const Pack& b) { return *this = *this * b; }
  LIMBER_PACK_INLINE Pack& operator/=(const Pack& b) { return *this = *this / b; }

  LIMBER_PACK_INLINE friend Mask<T, N> operator<(const Pack& a, const Pack& b) { return {reinterpret_cast<Bits>(a.x < b.x)}; }
  LIMBER_PACK_INLINE friend Mask<T, N> operator<=(const Pack& a, const Pack& b) { return {reinterpret_cast<Bits>(a.x <= b.x)}; }
  LIMBER_PACK_INLINE friend Mask<T, N> operator>(const Pack& a, const Pack& b) { return {reinterpret_cast<Bits>(a.x > b.x)}; }
  LIMBER_PACK_INLINE friend Mask<T, N> operator>=(const Pack& a, const Pack& b) { return {reinterpret_cast<Bits>(a.x >= b.x)}; }
  LIMBER_PACK_INLINE friend Mask<T, N> operator==(const Pack& a, const Pack& b) { return {reinterpret_cast<Bits>(a.x == b.x)}; }
  LIMBER_PACK_INLINE friend Mask<T, N> operator!=(const Pack& a, const Pack& b) { return {reinterpret_cast<Bits>(a.x != b.x)}; }
  // clang-format on

  /// `a` in the lanes where the condition holds, `b` in the others.
  LIMBER_PACK_INLINE friend Pack select(const Mask<T, N>& condition, const Pack& a, const Pack& b) {
    return Pack(condition.x ? a.x : b.x);
  }
  /// As std::min and std::max: the first where a lane of either is not a number.
  LIMBER_PACK_INLINE friend Pack min(const Pack& a, const Pack& b) { return select(b < a, b, a); }
  LIMBER_PACK_INLINE friend Pack max(const Pack& a, const Pack& b) { return select(a < b, b, a); }
  LIMBER_PACK_INLINE friend Pack abs(const Pack& a) {
    return Pack(reinterpret_cast<Storage>(reinterpret_cast<Bits>(a.x) &
                                          ~reinterpret_cast<Bits>(Pack(T(-0.0)).x)));
  }
  LIMBER_PACK_INLINE friend Pack sqrt(const Pack& a) {
    using pack_detail::root_bytes;
    if constexpr (sizeof(Storage) < 16 || root_bytes == 0) {
      Pack r;
      for (int i = 0; i < N; ++i) r.x[i] = std::sqrt(a.x[i]);
      return r;
    } else if constexpr (sizeof(Storage) <= root_bytes) {
      return Pack(pack_detail::root(a.x));
    } else {
      return join(sqrt(a.low()), sqrt(a.high()));
    }
  }
  /// a b + c: rounded once where the target has such an instruction, else twice.
  LIMBER_PACK_INLINE friend Pack fma(const Pack& a, const Pack& b, const Pack& c) {
    using pack_detail::fused_bytes;
    if constexpr (fused_bytes == 0) return Pack(a.x * b.x + c.x);
    else if constexpr (sizeof(Storage) < 16) {  // half a register
      Pack r;
      for (int i = 0; i < N; ++i) r.x[i] = std::fma(a.x[i], b.x[i], c.x[i]);
      return r;
    } else if constexpr (sizeof(Storage) <= fused_bytes)
      return Pack(pack_detail::fused(a.x, b.x, c.x));
    else return join(fma(a.low(), b.low(), c.low()), fma(a.high(), b.high(), c.high()));
  }

  // What the recursions need of a scalar, see scalar.hpp. A pack holds many states, of which one
  // may be bad and the others good: nothing is refused, the results show what went wrong.
  /// True if every lane is zero.
  LIMBER_PACK_INLINE friend bool known_zero(const Pack& a) { return !any(a != Pack(T(0))); }
  LIMBER_PACK_INLINE friend bool is_regular_pivot(const Pack&) { return true; }
  LIMBER_PACK_INLINE friend bool finite(const Pack&) { return true; }

 private:
  LIMBER_PACK_INLINE Half half(int which) const {
    typename Half::Storage halves[2];
    std::memcpy(halves, &x, sizeof halves);
    return Half(halves[which]);
  }
};

}  // namespace limber

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // LIMBER_SCALAR_PACK_HPP
