// Pack against scalar arithmetic, bit for bit, and its sine and cosine against long double. The
// file is compiled for every instruction set that this machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <limber/scalar/pack_sincos.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

template <class P>
class PackOf : public testing::Test {
 public:
  using T = typename P::Number;
  static constexpr int N = P::lanes;
  std::mt19937_64 random{5};

  /// Ordinary numbers of many sizes, with zeros, denormals, infinities and NaN among them.
  T any_number() {
    using Limits = std::numeric_limits<T>;
    const T special[] = {T(0),
                         T(-0.0),
                         T(1),
                         Limits::denorm_min(),
                         -Limits::min(),
                         Limits::max(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN()};
    if (random() % 8 == 0) return special[random() % std::size(special)];
    const T unit = static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-53) - T(0.5);
    return std::ldexp(unit, static_cast<int>(random() % 20) - 10);
  }
  P any_pack() {
    T numbers[N];
    for (T& x : numbers) x = any_number();
    return P::load(numbers);
  }
};

using Packs = testing::Types<Pack<double, 2>, Pack<double, 4>, Pack<double, 8>, Pack<double, 16>,
                             Pack<float, 2>, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>>;
TYPED_TEST_SUITE(PackOf, Packs);

/// The same bits; one NaN is as good as another.
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

#define EXPECT_LANES(pack, expected_of_lane_i) \
  for (int i = 0; i < TestFixture::N; ++i)     \
  EXPECT_TRUE(same((pack)[i], static_cast<typename TestFixture::T>(expected_of_lane_i))) << i

TYPED_TEST(PackOf, ArithmeticIsThatOfTheScalars) {
  for (int round = 0; round < 200; ++round) {
    const TypeParam a = this->any_pack(), b = this->any_pack();
    EXPECT_LANES(a + b, a[i] + b[i]);
    EXPECT_LANES(a - b, a[i] - b[i]);
    EXPECT_LANES(a * b, a[i] * b[i]);
    EXPECT_LANES(a / b, a[i] / b[i]);
    EXPECT_LANES(-a, -a[i]);
    EXPECT_LANES(abs(a), std::abs(a[i]));
    EXPECT_LANES(sqrt(a), std::sqrt(a[i]));
    EXPECT_LANES(min(a, b), std::min(a[i], b[i]));
    EXPECT_LANES(max(a, b), std::max(a[i], b[i]));
    TypeParam sum = a, difference = a, product = a, quotient = a;
    sum += b, difference -= b, product *= b, quotient /= b;
    EXPECT_LANES(sum, a[i] + b[i]);
    EXPECT_LANES(difference, a[i] - b[i]);
    EXPECT_LANES(product, a[i] * b[i]);
    EXPECT_LANES(quotient, a[i] / b[i]);
  }
}

TYPED_TEST(PackOf, FusedMultiplyAddRoundsOnceWhereTheTargetCan) {
  for (int round = 0; round < 200; ++round) {
    const TypeParam a = this->any_pack(), b = this->any_pack(), c = this->any_pack();
#ifdef __FMA__
    EXPECT_LANES(fma(a, b, c), std::fma(a[i], b[i], c[i]));
#else
    EXPECT_LANES(fma(a, b, c), a[i] * b[i] + c[i]);
#endif
  }
}

TYPED_TEST(PackOf, ComparesAndSelectsLaneByLane) {
  for (int round = 0; round < 200; ++round) {
    const TypeParam a = this->any_pack(), b = round % 2 == 0 ? this->any_pack() : min(a, a);
    EXPECT_LANES(select(a < b, a, b), a[i] < b[i] ? a[i] : b[i]);
    EXPECT_LANES(select(a <= b, a, b), a[i] <= b[i] ? a[i] : b[i]);
    EXPECT_LANES(select(a > b, a, b), a[i] > b[i] ? a[i] : b[i]);
    EXPECT_LANES(select(a >= b, a, b), a[i] >= b[i] ? a[i] : b[i]);
    EXPECT_LANES(select(a == b, TypeParam(1), TypeParam(2)), a[i] == b[i] ? 1 : 2);
    EXPECT_LANES(select(a != b, TypeParam(1), TypeParam(2)), a[i] != b[i] ? 1 : 2);
    const auto less = a<b, greater = a> b;
    bool some = false;
    for (int i = 0; i < TestFixture::N; ++i) {
      EXPECT_EQ(less[i], a[i] < b[i]);
      EXPECT_EQ((less | greater)[i], a[i] < b[i] || a[i] > b[i]);
      EXPECT_EQ((less & greater)[i], false);
      EXPECT_EQ((!less)[i], !(a[i] < b[i]));
      some = some || a[i] < b[i];
    }
    EXPECT_EQ(any(less), some);
  }
}

TYPED_TEST(PackOf, AnySeesEverySingleLane) {
  using T = typename TestFixture::T;
  EXPECT_FALSE(any(TypeParam(1) < TypeParam(0)));
  EXPECT_TRUE(known_zero(TypeParam(0)) && known_zero(TypeParam(-0.0)));
  for (int lane = 0; lane < TestFixture::N; ++lane) {
    T numbers[TestFixture::N] = {};
    numbers[lane] = std::numeric_limits<T>::denorm_min();
    EXPECT_TRUE(any(TypeParam::load(numbers) > TypeParam(0)));
    EXPECT_FALSE(known_zero(TypeParam::load(numbers)));
  }
  EXPECT_TRUE(finite(TypeParam(HUGE_VAL)) && is_regular_pivot(TypeParam(-1)));
}

TYPED_TEST(PackOf, SpreadsLoadsAndStores) {
  using T = typename TestFixture::T;
  EXPECT_LANES(TypeParam(-0.0), T(-0.0));
  EXPECT_LANES(TypeParam(0.1), static_cast<T>(0.1));
  EXPECT_LANES(TypeParam(3), 3);
  EXPECT_LANES(TypeParam{}, 0);
  std::vector<T> numbers(100), out(100, T(0));
  for (T& x : numbers) x = this->any_number();
  const TypeParam loaded = TypeParam::load(numbers.data() + 1);  // not aligned
  EXPECT_LANES(loaded, numbers[static_cast<std::size_t>(i) + 1]);
  const TypeParam gathered = TypeParam::gather(numbers.data() + 2, 5);
  EXPECT_LANES(gathered, numbers[static_cast<std::size_t>(5 * i) + 2]);
  loaded.store(out.data() + 3);
  gathered.scatter(out.data() + 20, 3);
  EXPECT_LANES(loaded, out[static_cast<std::size_t>(i) + 3]);
  EXPECT_LANES(gathered, out[static_cast<std::size_t>(3 * i) + 20]);
}

// --- sine and cosine ---

/// Distance in units of the last place of the true value.
template <class T>
double ulps(T found, long double exact) {
  const T rounded = std::abs(static_cast<T>(exact));
  const T unit = std::nextafter(rounded, std::numeric_limits<T>::infinity()) - rounded;
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact) /
                             static_cast<long double>(unit));
}

template <class P>
double worst_error(std::vector<typename P::Number> angles) {
  while (angles.size() % P::lanes != 0) angles.push_back(0);
  double worst = 0;
  for (std::size_t at = 0; at < angles.size(); at += P::lanes) {
    P s, c;
    sincos(P::load(angles.data() + at), s, c);
    for (int i = 0; i < P::lanes; ++i) {
      const long double x = angles[at + static_cast<std::size_t>(i)];
      worst = std::max({worst, ulps(s[i], std::sin(x)), ulps(c[i], std::cos(x))});
    }
  }
  return worst;
}

TYPED_TEST(PackOf, SineAndCosineToTwoUnits) {
  using T = typename TestFixture::T;
  for (const double size : {1e-30, 1e-8, 1e-3, 0.5, 3.2, 100.0, 1e5}) {
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<T> angles;
    for (int k = 0; k < 20000; ++k) angles.push_back(static_cast<T>(uniform(this->random)));
    EXPECT_LT(worst_error<TypeParam>(angles), 2) << size;
  }
}

// every multiple of π/2 up to 1e5 and its neighbours, where next to nothing is left of the angle,
// and the odd multiples of π/4, where sine and cosine change roles
TYPED_TEST(PackOf, SineAndCosineNearMultiplesOfARightAngle) {
  using T = typename TestFixture::T;
  const long double half_pi = 1.57079632679489661923132169163975144L;
  std::vector<T> angles;
  for (int k = -63661; k <= 63661; ++k) {
    const T x = static_cast<T>(half_pi * static_cast<long double>(k));
    for (const T y : {std::nextafter(x, T(-1e9)), x, std::nextafter(x, T(1e9))})
      angles.push_back(y);
    if (k % 16 == 0)
      angles.push_back(static_cast<T>(half_pi * (static_cast<long double>(k) + 0.5L)));
  }
  EXPECT_LT(worst_error<TypeParam>(angles), 2);
}

TYPED_TEST(PackOf, SineAndCosineOfTinyAndBorderAngles) {
  using T = typename TestFixture::T;
  using Limits = std::numeric_limits<T>;
  EXPECT_LT(worst_error<TypeParam>({T(0), T(-0.0), Limits::denorm_min(), -Limits::denorm_min(),
                                    Limits::min(), -Limits::min(), Limits::min() / 3, T(1e5),
                                    T(-1e5), std::nextafter(T(1e5), T(0))}),
            2);
}

// a lane that is large or no number comes from the standard library, its neighbours do not notice
TYPED_TEST(PackOf, LargeAnglesGoToTheStandardLibraryLaneByLane) {
  using T = typename TestFixture::T;
  const TypeParam ordinary = min(max(this->any_pack(), TypeParam(-9)), TypeParam(9));
  T numbers[TestFixture::N];
  for (int i = 0; i < TestFixture::N; ++i)
    numbers[i] = std::isfinite(ordinary[i]) ? ordinary[i] : T(i);
  TypeParam plain_s, plain_c;
  sincos(TypeParam::load(numbers), plain_s, plain_c);
  for (const T large : {std::nextafter(T(1e5), T(1e6)), T(-3e22), std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN()}) {
    for (int lane = 0; lane < TestFixture::N; ++lane) {
      T angles[TestFixture::N];
      std::copy(numbers, numbers + TestFixture::N, angles);
      angles[lane] = large;
      TypeParam s, c;
      sincos(TypeParam::load(angles), s, c);
      EXPECT_LANES(s, i == lane ? std::sin(large) : plain_s[i]);
      EXPECT_LANES(c, i == lane ? std::cos(large) : plain_c[i]);
    }
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
