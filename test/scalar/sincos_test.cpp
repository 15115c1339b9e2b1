#include <gtest/gtest.h>

#include <cfloat>
#include <limits>
#include <random>
#include <vector>

#include <limber/scalar/sincos.hpp>

namespace limber {
namespace LIMBER_TEST_FILE {

// distance in units of the last place of the true value, from long double
double ulps(double found, long double exact) {
  const double unit = std::nextafter(std::abs(static_cast<double>(exact)), HUGE_VAL) -
                      std::abs(static_cast<double>(exact));
  return static_cast<double>(std::abs(static_cast<long double>(found) - exact)) / unit;
}

TEST(SincosAll, AgreesWithLongDoubleToTwoUnits) {
  std::mt19937_64 random(7);
  for (const double size : {1e-300, 1e-8, 0.5, 3.2, 100.0, 9.9e4}) {
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<double> x(4001), s(x.size()), c(x.size());
    for (double& a : x) a = uniform(random);
    x[0] = 0;
    sincos_all(x.data(), s.data(), c.data(), static_cast<int>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      // near a zero of the sine or cosine the reduction is exact to 1e-19 absolutely
      EXPECT_TRUE(ulps(s[i], std::sin(static_cast<long double>(x[i]))) < 2 ||
                  std::abs(static_cast<long double>(s[i]) -
                           std::sin(static_cast<long double>(x[i]))) < 1e-19L)
          << x[i];
      EXPECT_TRUE(ulps(c[i], std::cos(static_cast<long double>(x[i]))) < 2 ||
                  std::abs(static_cast<long double>(c[i]) -
                           std::cos(static_cast<long double>(x[i]))) < 1e-19L)
          << x[i];
    }
  }
}

TEST(SincosAll, LargeAndNonFiniteAnglesGoToTheStandardLibrary) {
  const double x[4] = {1e5, -3e22, HUGE_VAL, std::numeric_limits<double>::quiet_NaN()};
  double s[4], c[4];
  sincos_all(x, s, c, 4);
  EXPECT_EQ(s[0], std::sin(1e5));
  EXPECT_EQ(c[1], std::cos(-3e22));
  EXPECT_TRUE(std::isnan(s[2]) && std::isnan(c[2]) && std::isnan(s[3]) && std::isnan(c[3]));
}

TEST(SincosAll, OtherScalarsOneByOne) {
  const float x[2] = {0.5F, -2.0F};
  float s[2], c[2];
  sincos_all(x, s, c, 2);
  EXPECT_FLOAT_EQ(s[1], std::sin(-2.0F));
  EXPECT_FLOAT_EQ(c[0], std::cos(0.5F));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
