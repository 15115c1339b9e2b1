#include <limber/scalar/counted.hpp>

#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>

namespace limber {
namespace LIMBER_TEST_FILE {

// the count of what `work` does
template <class Work>
OperationCount count(Work work) {
  Counted::start();
  work();
  return Counted::count();
}

const Counted x = Counted::variable(3), y = Counted::variable(4), k = 5;

TEST(Counted, ValuesAreThoseOfDouble) {
  EXPECT_EQ((x + y).value(), 7);
  EXPECT_EQ((x - y).value(), -1);
  EXPECT_EQ((x * y).value(), 12);
  EXPECT_EQ((x / y).value(), 0.75);
  EXPECT_EQ((-x).value(), -3);
  EXPECT_EQ(sqrt(y).value(), 2);
  Counted z = x;
  EXPECT_EQ((z += y).value(), 7);
  EXPECT_EQ((z -= y).value(), 3);
  EXPECT_EQ((z *= y).value(), 12);
  EXPECT_EQ((z /= y).value(), 3);
  Counted s, c;
  sincos(x, s, c);
  EXPECT_EQ(s.value(), std::sin(3.0));
  EXPECT_EQ(c.value(), std::cos(3.0));
}

TEST(Counted, VariablesCount) {
  const OperationCount n = count([] { (void)(x * y + x / y - y); });
  EXPECT_EQ(n.multiplications, 2);
  EXPECT_EQ(n.additions, 2);
  EXPECT_EQ(n.executed, 4);
}

TEST(Counted, ConstantsAreFolded) {
  const OperationCount n = count([] {
    const Counted folded = k * k + k / k - Counted(2);
    EXPECT_TRUE(folded.constant());
    EXPECT_EQ(folded.value(), 24);
  });
  EXPECT_EQ(n.multiplications, 0);
  EXPECT_EQ(n.additions, 0);
  EXPECT_EQ(n.executed, 4);
}

TEST(Counted, ConstantTimesVariableCounts) {
  const OperationCount n = count([] {
    EXPECT_FALSE((k * x).constant());
    EXPECT_FALSE((k + x).constant());
  });
  EXPECT_EQ(n.multiplications, 1);
  EXPECT_EQ(n.additions, 1);
}

TEST(Counted, ZeroAndOneAreFree) {
  const OperationCount n = count([] {
    EXPECT_TRUE((x * Counted(0)).constant());
    EXPECT_TRUE((Counted(0) * x).constant());
    EXPECT_TRUE((Counted(0) / x).constant());
    EXPECT_EQ((x * Counted(1)).value(), 3);
    EXPECT_EQ((Counted(-1) * x).value(), -3);
    EXPECT_EQ((x / Counted(-1)).value(), -3);
    EXPECT_EQ((x + Counted(0)).value(), 3);
    EXPECT_EQ((Counted(0) - x).value(), -3);
  });
  EXPECT_EQ(n.multiplications, 0);
  EXPECT_EQ(n.additions, 0);
  EXPECT_EQ(n.executed, 8);
}

TEST(Counted, VariableThatHappensToBeZeroOrOneCounts) {
  const Counted zero = Counted::variable(0), one = Counted::variable(1);
  const OperationCount n = count([&] { (void)(zero * x + one * y); });
  EXPECT_EQ(n.multiplications, 2);
  EXPECT_EQ(n.additions, 1);
}

TEST(Counted, ReciprocalOfVariableCounts) {
  const OperationCount n = count([] { (void)(Counted(1) / x); });
  EXPECT_EQ(n.multiplications, 1);
  EXPECT_EQ(n.executed, 1);
}

TEST(Counted, NegationIsFree) {
  const OperationCount n = count([] { (void)-x; });
  EXPECT_EQ(n.multiplications + n.additions + n.executed, 0);
}

TEST(Counted, FunctionsOfConstantsAreFree) {
  const OperationCount n = count([] {
    Counted s, c;
    sincos(k, s, c);
    EXPECT_TRUE(s.constant() && c.constant());
    EXPECT_TRUE(sqrt(k).constant());
  });
  EXPECT_EQ(n.sincos, 0);
  EXPECT_EQ(n.roots, 0);
}

TEST(Counted, FunctionsOfVariablesCount) {
  const OperationCount n = count([] {
    Counted s, c;
    sincos(x, s, c);
    EXPECT_FALSE(s.constant() || c.constant());
    (void)sqrt(y);
  });
  EXPECT_EQ(n.sincos, 1);
  EXPECT_EQ(n.roots, 1);
  EXPECT_EQ(n.executed, 0);
}

TEST(Counted, NeededForCountsOnlyWhatTheResultsDependOn) {
  Counted::start();
  const Counted product = x * y;       // used by both results
  const Counted first = product + x;   // 1 product, 1 sum
  const Counted second = product * k;  // 2 products
  const Counted dropped = second / x + y;
  const auto needed = [](std::initializer_list<Counted> results) {
    return Counted::needed_for({results.begin(), results.size()});
  };
  EXPECT_EQ(needed({first}).multiplications, 1);
  EXPECT_EQ(needed({first}).additions, 1);
  EXPECT_EQ(needed({second}).multiplications, 2);
  EXPECT_EQ(needed({second}).additions, 0);
  EXPECT_EQ(needed({first, second}).multiplications, 2);
  EXPECT_EQ(needed({first, second}).additions, 1);
  EXPECT_EQ(needed({dropped}).multiplications, 3);
  EXPECT_EQ(needed({x, k}).multiplications, 0);
  // what costs nothing adds nothing
  EXPECT_EQ(needed({-first * Counted(-1) + Counted(0)}).multiplications, 1);
  EXPECT_EQ(Counted::count().multiplications, 3);
  EXPECT_EQ(Counted::count().additions, 2);
}

TEST(Counted, ComparesAndSelects) {
  EXPECT_TRUE(x < y);
  EXPECT_TRUE(y > x);
  EXPECT_TRUE(x == Counted(3));
  EXPECT_EQ(select(true, x, y).value(), 3);
  EXPECT_EQ(select(false, x, y).value(), 4);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber
