#include <limber/scalar/dual.hpp>
#include <limber/scalar/scalar.hpp>

#include <cmath>
#include <gtest/gtest.h>

#include "support/random.hpp"

namespace limber {
namespace LIMBER_TEST_FILE {

using test::Random;

// derivative of f at x by Dual
template <class F>
double by_dual(F f, double x) {
  return f(Dual(x, 1)).derivative;
}
// the same by central differences: error O(h²) + O(ε/h), about 1e-10 for functions of size one
template <class F>
double by_difference(F f, double x) {
  const double h = 1e-5;
  return (f(Dual(x + h)).value - f(Dual(x - h)).value) / (2 * h);
}

TEST(Dual, ConstantsHaveNoDerivative) {
  const Dual c = 3.5;
  EXPECT_EQ(c.value, 3.5);
  EXPECT_EQ(c.derivative, 0);
  EXPECT_EQ(Dual().value, 0);
  EXPECT_EQ((c * Dual(2) + Dual(1)).derivative, 0);
}

TEST(Dual, ArithmeticMatchesClosedForms) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const double a = random.uniform(), da = random.uniform();
    const double b = random.uniform(0.2, 2), db = random.uniform();
    const Dual x(a, da), y(b, db);
    EXPECT_EQ((x + y).value, a + b);
    EXPECT_EQ((x + y).derivative, da + db);
    EXPECT_EQ((x - y).value, a - b);
    EXPECT_EQ((x - y).derivative, da - db);
    EXPECT_EQ((-x).value, -a);
    EXPECT_EQ((-x).derivative, -da);
    EXPECT_EQ((x * y).value, a * b);
    EXPECT_NEAR((x * y).derivative, da * b + a * db, 1e-15);
    EXPECT_EQ((x / y).value, a / b);
    EXPECT_NEAR((x / y).derivative, (da * b - a * db) / (b * b), 1e-13);
  }
}

TEST(Dual, CompoundAssignmentsAgreeWithOperators) {
  const Dual x(1.25, -0.5), y(0.75, 2);
  const auto same = [](Dual a, Dual b) {
    EXPECT_EQ(a.value, b.value);
    EXPECT_EQ(a.derivative, b.derivative);
  };
  Dual z = x;
  same(z += y, x + y);
  z = x;
  same(z -= y, x - y);
  z = x;
  same(z *= y, x * y);
  z = x;
  same(z /= y, x / y);
}

TEST(Dual, FunctionsMatchClosedForms) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double a = random.uniform(-4, 4), d = random.uniform();
    Dual s, c;
    sincos(Dual(a, d), s, c);
    EXPECT_EQ(s.value, std::sin(a));
    EXPECT_EQ(c.value, std::cos(a));
    EXPECT_NEAR(s.derivative, std::cos(a) * d, 1e-15);
    EXPECT_NEAR(c.derivative, -std::sin(a) * d, 1e-15);
    const double p = random.uniform(0.1, 5);
    EXPECT_EQ(sqrt(Dual(p, d)).value, std::sqrt(p));
    EXPECT_NEAR(sqrt(Dual(p, d)).derivative, 0.5 * d / std::sqrt(p), 1e-15);
  }
}

TEST(Dual, CompositionsMatchDifferences) {
  const auto f = [](Dual x) {
    Dual s, c;
    sincos(x * x + Dual(0.5), s, c);
    return s * sqrt(Dual(2) + c) / (Dual(1.5) + x * c) - x;
  };
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const double x = random.uniform();
    EXPECT_NEAR(by_dual(f, x), by_difference(f, x), 1e-8);
  }
}

TEST(Dual, ComparesAndSelectsByValue) {
  const Dual low(1, 5), high(2, -5);
  EXPECT_TRUE(low < high);
  EXPECT_FALSE(high < low);
  EXPECT_TRUE(high > low);
  EXPECT_TRUE(low == Dual(1));
  EXPECT_EQ(select(true, low, high).derivative, 5);
  EXPECT_EQ(select(false, low, high).derivative, -5);
}

TEST(Scalar, FloatAndDoubleFunctions) {
  double s = 0, c = 0;
  sincos(0.3, s, c);
  EXPECT_EQ(s, std::sin(0.3));
  EXPECT_EQ(c, std::cos(0.3));
  float sf = 0, cf = 0;
  sincos(0.3f, sf, cf);
  EXPECT_EQ(sf, std::sin(0.3f));
  EXPECT_EQ(cf, std::cos(0.3f));
  EXPECT_EQ(limber::sqrt(2.0), std::sqrt(2.0));
  EXPECT_EQ(limber::sqrt(2.0f), std::sqrt(2.0f));
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0f, 2.0f), 2.0f);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
