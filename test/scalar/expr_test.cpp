// Expr: every rule of the simplifier alone, derivatives, and random expressions against plain
// arithmetic.
#include <limber/scalar/expr_graph.hpp>

#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <limber/scalar/dual.hpp>

#include "support/graph_value.hpp"
#include "support/message.hpp"
#include "support/random_formula.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// A graph with three inputs.
struct ExprRule : testing::Test {
  ExprGraph graph;
  Expr x = graph.input(), y = graph.input(), z = graph.input();
  std::vector<double> at{0.7, -1.3, 2.1};

  /// Operations in the graph.
  std::size_t operations() const {
    return graph.nodes().size() - static_cast<std::size_t>(graph.inputs());
  }
  double value(Expr e) const { return test::value(graph, at, e); }
};

TEST_F(ExprRule, ConstantsFold) {
  EXPECT_TRUE((Expr(2) + Expr(3)).is(5));
  EXPECT_TRUE((Expr(2) - Expr(3)).is(-1));
  EXPECT_TRUE((Expr(2) * Expr(3)).is(6));
  EXPECT_TRUE((Expr(1) / Expr(3)).is(1.0 / 3));
  EXPECT_TRUE((Expr(5) / Expr(49)).is(5.0 / 49));  // rounded once
  EXPECT_TRUE((-Expr(2)).is(-2));
  EXPECT_TRUE(sqrt(Expr(2)).is(std::sqrt(2.0)));
  Expr s, c;
  sincos(Expr(0.3), s, c);
  EXPECT_TRUE(s.is(std::sin(0.3)));
  EXPECT_TRUE(c.is(std::cos(0.3)));
  EXPECT_EQ(operations(), 0u);
}

TEST_F(ExprRule, WhatHasNoValueIsNotHidden) {
  EXPECT_TRUE(std::isinf((Expr(1) / Expr(0)).value()));
  EXPECT_TRUE(std::isnan((Expr(0) / Expr(0)).value()));
  EXPECT_TRUE(std::isnan(sqrt(Expr(-1)).value()));
  EXPECT_TRUE(std::isnan((Expr(NAN) * Expr(0)).value()));
  EXPECT_TRUE(std::isnan(value(Expr(NAN) * x)));
  EXPECT_TRUE(std::isnan(value(Expr(NAN) + x)));
  EXPECT_TRUE(std::isinf(value(x / Expr(0))));
}

TEST_F(ExprRule, ZerosVanish) {
  EXPECT_TRUE(same(x + Expr(0), x));
  EXPECT_TRUE(same(Expr(0) + x, x));
  EXPECT_TRUE(same(x - Expr(0), x));
  EXPECT_TRUE(same(x + Expr(-0.0), x));
  EXPECT_TRUE(same(Expr(0) - x, -x));
  EXPECT_TRUE((x * Expr(0)).is(0));
  EXPECT_TRUE((Expr(-0.0) * x).is(0));
  EXPECT_TRUE((Expr(0) / x).is(0));
  EXPECT_EQ(operations(), 0u);
}

TEST_F(ExprRule, OnesVanish) {
  EXPECT_TRUE(same(x * Expr(1), x));
  EXPECT_TRUE(same(Expr(1) * x, x));
  EXPECT_TRUE(same(x / Expr(1), x));
  EXPECT_TRUE(same(x * Expr(-1), -x));
  EXPECT_TRUE(same(Expr(-1) * -x, x));
  EXPECT_TRUE(same(x / Expr(-1), -x));
  EXPECT_EQ(operations(), 0u);
}

TEST_F(ExprRule, SignsCostNothing) {
  EXPECT_TRUE(same(-(-x), x));
  EXPECT_FALSE(same(-x, x));
  EXPECT_EQ(operations(), 0u);
  const Expr product = x * y;
  EXPECT_TRUE(same(-x * y, -product));
  EXPECT_TRUE(same(x * -y, -product));
  EXPECT_TRUE(same(-x * -y, product));
  EXPECT_TRUE(same(Expr(-3) * x, -(Expr(3) * x)));
  EXPECT_TRUE(same(Expr(3) * -x, -(Expr(3) * x)));
  EXPECT_EQ(operations(), 2u);
  EXPECT_EQ(value(-x * y), -0.7 * -1.3);
  EXPECT_EQ(value(Expr(-3) * x), -3 * 0.7);
}

TEST_F(ExprRule, CommutedOperationsAreOne) {
  EXPECT_TRUE(same(x + y, y + x));
  EXPECT_TRUE(same(x * y, y * x));
  EXPECT_TRUE(same(Expr(3) + x, x + Expr(3)));
  EXPECT_TRUE(same(Expr(3) * x, x * Expr(3)));
  EXPECT_EQ(operations(), 4u);
}

TEST_F(ExprRule, DifferencesShareOneNode) {
  EXPECT_TRUE(same(x - y, -(y - x)));
  EXPECT_TRUE(same(-x + y, y - x));
  EXPECT_EQ(operations(), 1u);
  EXPECT_TRUE(same(-x - y, -(x + y)));
  EXPECT_TRUE(same(x - -y, x + y));
  EXPECT_EQ(operations(), 2u);
  EXPECT_EQ(value(x - y), 0.7 + 1.3);
  EXPECT_EQ(value(y - x), -1.3 - 0.7);
  EXPECT_EQ(value(-x - y), -0.7 + 1.3);
}

TEST_F(ExprRule, EqualTermsMeet) {
  EXPECT_TRUE((x - x).is(0));
  EXPECT_TRUE((-x + x).is(0));
  EXPECT_TRUE(same(x + x, Expr(2) * x));
  EXPECT_TRUE(same(-x - x, Expr(-2) * x));
  EXPECT_TRUE(same(Expr(2) * x + Expr(3) * x, Expr(5) * x));
  EXPECT_TRUE(same(Expr(2) * x - Expr(3) * x, -x));
  EXPECT_TRUE(same(x - Expr(3) * x, Expr(-2) * x));
  EXPECT_TRUE((Expr(3) * x - Expr(3) * x).is(0));
  EXPECT_TRUE((x / x).is(1));
  EXPECT_TRUE((-x / x).is(-1));
  EXPECT_EQ(operations(), 3u);  // 2 x, 3 x, 5 x
}

TEST_F(ExprRule, ConstantsMeetAcrossOperations) {
  EXPECT_TRUE(same(Expr(2) * (Expr(3) * x), Expr(6) * x));
  EXPECT_TRUE(same((x * Expr(-4)) * Expr(0.25), -x));
  EXPECT_TRUE(same(Expr(2) + (Expr(3) + x), Expr(5) + x));
  EXPECT_TRUE(same(Expr(2) + (Expr(3) - x), Expr(5) - x));
  EXPECT_TRUE(same(Expr(2) - (Expr(3) - x), Expr(-1) + x));
  EXPECT_TRUE(same(Expr(2) - (Expr(3) + x), Expr(-1) - x));
  EXPECT_TRUE(same(Expr(3) - (Expr(3) - x), x));
  EXPECT_TRUE(same((x - Expr(3)) + Expr(3), x));
  EXPECT_EQ(value(Expr(2) - (Expr(3) - x)), -1 + 0.7);
  EXPECT_EQ(value(Expr(2) - (Expr(3) + x)), -1 - 0.7);
}

TEST_F(ExprRule, DivisionByConstantIsAProduct) {
  EXPECT_TRUE(same(x / Expr(4), x * Expr(0.25)));
  EXPECT_TRUE(same((Expr(2) * x) / Expr(4), Expr(0.5) * x));
  EXPECT_EQ(graph[x / Expr(-4)].op, Op::multiply);
  EXPECT_EQ(value(x / Expr(-4)), -0.175);
}

TEST_F(ExprRule, SignsLeaveQuotients) {
  const Expr quotient = x / y;
  EXPECT_TRUE(same(-x / y, -quotient));
  EXPECT_TRUE(same(x / -y, -quotient));
  EXPECT_TRUE(same(-x / -y, quotient));
  EXPECT_TRUE(same(Expr(-2) / y, -(Expr(2) / y)));
  EXPECT_TRUE(same(Expr(2) / -y, -(Expr(2) / y)));
  EXPECT_EQ(operations(), 2u);
  EXPECT_EQ(value(-x / y), -0.7 / -1.3);
  EXPECT_EQ(value(Expr(-2) / y), -2 / -1.3);
}

TEST_F(ExprRule, SineIsOddAndCosineEven) {
  Expr s, c, s_of_minus, c_of_minus;
  sincos(x, s, c);
  sincos(-x, s_of_minus, c_of_minus);
  EXPECT_TRUE(same(s_of_minus, -s));
  EXPECT_TRUE(same(c_of_minus, c));
  EXPECT_EQ(operations(), 2u);
  EXPECT_EQ(value(s_of_minus), std::sin(-0.7));
  EXPECT_EQ(value(c_of_minus), std::cos(0.7));
}

TEST_F(ExprRule, QuarterTurnsLeaveTheAngle) {
  Expr s, c;
  sincos(x, s, c);
  const std::vector<std::pair<Expr, Expr>> expected{{s, c}, {c, -s}, {-s, -c}, {-c, s}};
  for (int k = -5; k <= 5; ++k) {
    Expr s_turned, c_turned;
    sincos(x + Expr(k * std::numbers::pi / 2), s_turned, c_turned);
    EXPECT_TRUE(same(s_turned, expected[static_cast<std::size_t>(k & 3)].first)) << k;
    EXPECT_TRUE(same(c_turned, expected[static_cast<std::size_t>(k & 3)].second)) << k;
    // π/2 − x, and the like
    sincos(Expr(k * std::numbers::pi / 2) - x, s_turned, c_turned);
    EXPECT_NEAR(value(s_turned), std::sin(k * std::numbers::pi / 2 - 0.7), 1e-15);
    EXPECT_NEAR(value(c_turned), std::cos(k * std::numbers::pi / 2 - 0.7), 1e-15);
  }
  // what is no quarter turn stays
  sincos(x + Expr(1.5707963), s, c);
  EXPECT_EQ(value(s), std::sin(0.7 + 1.5707963));
}

TEST_F(ExprRule, RootKeepsTheSignInside) {
  EXPECT_EQ(value(sqrt(-y)), std::sqrt(1.3));
  EXPECT_FALSE(same(sqrt(y), sqrt(-y)));
  EXPECT_TRUE(same(sqrt(x), sqrt(x)));
}

TEST_F(ExprRule, KnownAnswersChoose) {
  EXPECT_TRUE(same(select(Expr(1) < Expr(2), x, y), x));
  EXPECT_TRUE(same(select(Expr(2) < Expr(1), x, y), y));
  EXPECT_TRUE(same(select(Expr(2) > Expr(1), x, y), x));
  EXPECT_TRUE(same(select(Expr(2) == Expr(2), x, y), x));
  EXPECT_TRUE(same(select(x < x, x, y), y));
  EXPECT_TRUE(same(select(-x == -x, x, y), x));
  EXPECT_TRUE(same(select(true, x, y), x));
  EXPECT_EQ(operations(), 0u);
  EXPECT_TRUE(same(select(x < y, z, z), z));
  EXPECT_TRUE(same(select(x < y, Expr(3), Expr(3)), Expr(3)));
}

TEST_F(ExprRule, UnknownAnswersChooseLater) {
  // x = 0.7, y = −1.3, z = 2.1
  EXPECT_EQ(value(select(x < y, z, -z)), -2.1);
  EXPECT_EQ(value(select(x > y, z, -z)), 2.1);
  EXPECT_EQ(value(select(-x < y, x, Expr(4))), 4);
  EXPECT_EQ(value(select(x < -y, Expr(5), x)), 5);
  EXPECT_EQ(value(select(x == Expr(0.7), -y, x)), 1.3);
  EXPECT_EQ(value(select(x == y, -y, -x)), -0.7);
  EXPECT_TRUE(same(select(x < y, z, x), select(y > x, z, x)));
}

TEST_F(ExprRule, AGraphMustBeAlive) {
  EXPECT_TRUE(mentions(message_of([] { ExprGraph second; }), {"another graph"}));
  Expr kept;
  std::string message;
  {
    // on a thread of its own nothing is being recorded
    const Expr outside = x;
    std::jthread([&] { message = message_of([&] { kept = outside * outside; }); }).join();
  }
  EXPECT_TRUE(mentions(message, {"after its graph had ended"}));
}

TEST_F(ExprRule, ZeroIsKnown) {
  EXPECT_TRUE(known_zero(Expr(0)));
  EXPECT_TRUE(known_zero(x * Expr(0)));
  EXPECT_FALSE(known_zero(x));
  EXPECT_FALSE(known_zero(Expr(1)));
}

// closed forms of the derivative
TEST_F(ExprRule, DerivativesOfTheOperations) {
  const double a = at[0], b = at[1];
  const auto slope = [&](Expr e, Expr by) { return value(graph.derivative(e, by)); };
  EXPECT_EQ(slope(x + y, x), 1);
  EXPECT_EQ(slope(x - y, y), -1);
  EXPECT_EQ(slope(y - x, y), 1);
  EXPECT_EQ(slope(-(x - y), x), -1);
  EXPECT_EQ(slope(x * y, x), b);
  EXPECT_EQ(slope(-x * y, y), -a);
  EXPECT_DOUBLE_EQ(slope(x * x * x, x), 3 * a * a);
  EXPECT_DOUBLE_EQ(slope(x / y, x), 1 / b);
  EXPECT_DOUBLE_EQ(slope(x / y, y), -a / (b * b));
  EXPECT_DOUBLE_EQ(slope(Expr(1) / x, x), -1 / (a * a));
  EXPECT_DOUBLE_EQ(slope(sqrt(x), x), 0.5 / std::sqrt(a));
  EXPECT_DOUBLE_EQ(slope(sqrt(-y), y), -0.5 / std::sqrt(-b));
  Expr s, c;
  sincos(Expr(2) * x, s, c);
  EXPECT_DOUBLE_EQ(slope(s, x), 2 * std::cos(2 * a));
  EXPECT_DOUBLE_EQ(slope(c, x), -2 * std::sin(2 * a));
  EXPECT_EQ(slope(select(x < y, x, Expr(3) * x), x), 3);
  EXPECT_EQ(slope(select(x > y, -x, x * y), x), -1);
  EXPECT_TRUE(graph.derivative(x * y, z).is(0));
  EXPECT_TRUE(graph.derivative(Expr(4), x).is(0));
  EXPECT_TRUE(graph.derivative(x, x).is(1));
  EXPECT_TRUE(graph.derivative(x, y).is(0));
}

TEST_F(ExprRule, DerivativesAreByInputs) {
  EXPECT_TRUE(mentions(message_of([&] { graph.derivative(x, x * y); }), {"input only"}));
  EXPECT_TRUE(mentions(message_of([&] { graph.derivative(x, -x); }), {"input only"}));
  EXPECT_TRUE(mentions(message_of([&] { graph.derivative(x, Expr(1)); }), {"input only"}));
}

/// Random formulas, each with a graph of its own, and the inputs at which they are evaluated.
template <class F>
void for_random_formulas(int count, F&& f) {
  Random random(11);
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE("formula " + std::to_string(i));
    const RandomFormula formula(random, 4, 60);
    std::vector<double> at;
    for (int k = 0; k < 4; ++k) at.push_back(random.uniform(-2, 2));
    ExprGraph graph;
    std::vector<Expr> inputs;
    for (int k = 0; k < 4; ++k) inputs.push_back(graph.input());
    f(formula, at, graph, inputs);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ExprFormulas, ValuesAreThoseOfPlainArithmetic) {
  int compared = 0;
  for_random_formulas(2000, [&](const RandomFormula& formula, const std::vector<double>& at,
                                const ExprGraph& graph, const std::vector<Expr>& inputs) {
    const std::vector<Sized> expected = formula.run(std::vector<Sized>(at.begin(), at.end()));
    const std::vector<Expr> found = formula.run(inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (expected[i].uncertain) continue;
      ++compared;
      EXPECT_NEAR(value(graph, at, found[i]), expected[i].value, 1e-12 * expected[i].size) << i;
    }
  });
  EXPECT_GT(compared, 60000);
}

TEST(ExprFormulas, OneNodeAtMostForAnOperation) {
  std::size_t nodes = 0, operations = 0;
  for_random_formulas(2000, [&](const RandomFormula& formula, const std::vector<double>&,
                                const ExprGraph& graph, const std::vector<Expr>& inputs) {
    formula.run(inputs);
    const std::size_t made = graph.nodes().size() - inputs.size();
    EXPECT_LE(made, formula.operations());
    nodes += made, operations += formula.operations();
  });
  // the formulas have many zeros, ones and repetitions
  EXPECT_LT(static_cast<double>(nodes), 0.9 * static_cast<double>(operations));
}

TEST(ExprFormulas, DerivativesAreThoseOfDual) {
  int compared = 0;
  for_random_formulas(300, [&](const RandomFormula& formula, const std::vector<double>& at,
                               ExprGraph& graph, const std::vector<Expr>& inputs) {
    const std::vector<Sized> sizes = formula.run(std::vector<Sized>(at.begin(), at.end()));
    const std::vector<Expr> results = formula.run(inputs);
    for (std::size_t k = 0; k < at.size(); ++k) {
      std::vector<Dual> seeded(at.begin(), at.end());
      seeded[k].derivative = 1;
      const std::vector<Dual> expected = formula.run(seeded);
      // slopes of steep formulas amplify rounding more than their values do
      for (std::size_t i = results.size() - 10; i < results.size(); ++i) {
        if (sizes[i].uncertain || sizes[i].steepness > 1e4) continue;
        ++compared;
        EXPECT_NEAR(value(graph, at, graph.derivative(results[i], inputs[k])),
                    expected[i].derivative, 1e-10 * sizes[i].steepness)
            << i;
      }
    }
  });
  EXPECT_GT(compared, 3000);
}

// a smooth function of everything that a formula can hold, by central differences of fourth order
TEST_F(ExprRule, DerivativesAreThoseOfDifferences) {
  const auto f = [](auto a, auto b, auto c) {
    using T = decltype(a);
    T s, co;
    sincos(a * b - c, s, co);
    const T r = sqrt(a * a + b * b + T(1));
    return select(s < co, s / r - c * co, co * T(3) - s * r) / (T(2) + c * c);
  };
  const auto along = [&](std::size_t k, double step) {
    std::vector<double> there = at;
    there[k] += step;
    return f(there[0], there[1], there[2]);
  };
  const Expr result = f(x, y, z);
  const std::vector<Expr> inputs{x, y, z};
  for (std::size_t k = 0; k < 3; ++k) {
    const double h = 1e-3;
    const double expected =
        (8 * (along(k, h) - along(k, -h)) - (along(k, 2 * h) - along(k, -2 * h))) / (12 * h);
    EXPECT_NEAR(value(graph.derivative(result, inputs[k])), expected, 1e-10);
  }
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
