// From graphs to programs: what is fused, dropped and ordered keeps its value.
#include <limber/compile/program.hpp>

#include <bit>

#include <gtest/gtest.h>

#include "compile/orders.hpp"
#include "compile/schedule.hpp"
#include "support/message.hpp"
#include "support/random_formula.hpp"
#include "support/run_program.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using Eigen::VectorXd;

FunctionShape shape(int inputs, int outputs) { return {{{"x", inputs, ""}}, {{"y", outputs, ""}}}; }

/// The results of a function with one output array.
std::vector<std::vector<Expr>> one(std::vector<Expr> results) { return {std::move(results)}; }

/// A graph with three inputs, and programs for lists of results.
struct Lowering : testing::Test {
  ExprGraph graph;
  Expr x = graph.input(), y = graph.input(), z = graph.input();
  double a = 0.7, b = -1.3, c = 2.1;  // values of the inputs

  Program program(const std::vector<Expr>& results) const {
    return lower(graph, shape(3, static_cast<int>(results.size())), one(results));
  }
  /// The values of the results, by a program.
  VectorXd values(const std::vector<Expr>& results) const {
    return run(program(results), {Eigen::Vector3d(a, b, c)})[0];
  }
};

TEST_F(Lowering, ResultsThatAreConstantsOrInputs) {
  const VectorXd found = values({Expr(3), x, -x, -x * y, Expr(0), x, -y});
  VectorXd expected(7);
  expected << 3, a, -a, -a * b, 0, a, -b;
  EXPECT_EQ(found, expected);
}

// two tables between the inputs; outside of a table its nearest number, for what is no number the
// first
TEST_F(Lowering, NumbersOfTables) {
  FunctionShape with_tables{{{"x", 2, ""}, {"first", 3, ""}, {"z", 1, ""}, {"second", 2, ""}},
                            {{"y", 4, ""}}};
  with_tables.inputs[1].is_table = with_tables.inputs[3].is_table = true;
  const Program p = lower(graph, with_tables,
                          one({element(0, floor(x)), element(1, floor(z)), floor(-y), floor(2.5)}));
  const Eigen::Vector3d first(10, 20, 30);
  const Eigen::Vector2d second(7, 8);
  const auto at = [&](double u, double w, double v) {
    return run(p, {Eigen::Vector2d(u, v), first, VectorXd::Constant(1, w), second})[0];
  };
  EXPECT_EQ(at(1.9, 0.5, 1.5), Eigen::Vector4d(20, 7, -2, 2));
  EXPECT_EQ(at(2, 1, -1.5), Eigen::Vector4d(30, 8, 1, 2));
  EXPECT_EQ(at(-5, 1e30, 0), Eigen::Vector4d(10, 8, 0, 2));
  EXPECT_EQ(at(NAN, -HUGE_VAL, 0), Eigen::Vector4d(10, 7, 0, 2));
  // what was looked up is found again, and is constant where it has a derivative
  EXPECT_TRUE(same(element(0, floor(x)), element(0, floor(x))));
  EXPECT_FALSE(same(element(0, floor(x)), element(1, floor(x))));
  EXPECT_TRUE(graph.derivative(element(0, floor(x)) + floor(y), x).is(0));
}

TEST_F(Lowering, ConstantsAlone) {
  const Program p = program({Expr(1), Expr(-2)});
  EXPECT_TRUE(p.code.empty());
  EXPECT_EQ(run(p, {Eigen::Vector3d(a, b, c)})[0], Eigen::Vector2d(1, -2));
}

TEST_F(Lowering, RepeatedAndNegatedResultsAreOneValue) {
  const Expr sum = x + y;
  const Program p = program({sum, -sum, sum});
  EXPECT_EQ(p.count().additions, 1);
  EXPECT_EQ(values({sum, -sum, sum}), Eigen::Vector3d(a + b, -(a + b), a + b));
}

TEST_F(Lowering, WhatNobodyNeedsIsDropped) {
  Expr s, co;
  sincos(x * y, s, co);
  const Program p = program({x + z});
  EXPECT_EQ(p.code.size(), 3u);  // two inputs and a sum
}

TEST_F(Lowering, ProductsVanishIntoSums) {
  const std::vector<Expr> sums{x * y + z, x * y - z, z - x * y, -(x * y) - z, Expr(5) - x * y};
  for (const Expr& sum : sums) {
    const ProgramCounts n = program({sum}).count();
    EXPECT_EQ(n.fused, 1);
    EXPECT_EQ(n.multiplications + n.additions, 0);
  }
  VectorXd expected(5);
  expected << std::fma(a, b, c), std::fma(a, b, -c), std::fma(-a, b, c), std::fma(-a, b, -c),
      std::fma(-a, b, 5);
  EXPECT_EQ(values(sums), expected);
}

TEST_F(Lowering, ProductsWithConstantsVanishToo) {
  EXPECT_EQ(values({Expr(3) * x + y, y - Expr(3) * x, Expr(3) * x - y}),
            Eigen::Vector3d(std::fma(3, a, b), std::fma(-3, a, b), std::fma(3, a, -b)));
}

TEST_F(Lowering, SharedProducts) {
  // all users are sums: the product is computed twice, but for nothing
  ProgramCounts n = program({x * y + z, x * y - x}).count();
  EXPECT_EQ(n.fused, 2);
  EXPECT_EQ(n.multiplications, 0);
  // somebody needs the product itself
  n = program({x * y + z, x * y}).count();
  EXPECT_EQ(n.multiplications, 1);
  EXPECT_EQ(n.additions, 1);
  // a sum has room for one product
  n = program({x * y + y * z}).count();
  EXPECT_EQ(n.multiplications, 1);
  EXPECT_EQ(n.fused, 1);
  EXPECT_DOUBLE_EQ(values({x * y - y * z})[0], a * b - b * c);
}

TEST_F(Lowering, TwoProductsAndSomethingElse) {
  const Expr xy = x * y, yz = y * z, xz = x * z, s = x + z;
  const std::vector<Expr> sums{s + (xy + yz),       s + (xy - yz),           s - (xy + yz),
                               s - (xy - yz),       (xy - yz) - s,           -(xy + yz) - s,
                               Expr(2) - (xz - yz), (xy + yz) + (xz - y * y)};
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const ProgramCounts n = program({sums[k]}).count();
    const bool has_s = k < 6, four = k == 7;
    EXPECT_EQ(n.fused, four ? 3 : 2) << k;
    EXPECT_EQ(n.multiplications, four ? 1 : 0) << k;
    EXPECT_EQ(n.additions, has_s ? 1 : 0) << k;
  }
  const double ab = a * b, bc = b * c, ac = a * c, sum = a + c;
  VectorXd expected(8);
  expected << sum + (ab + bc), sum + (ab - bc), sum - (ab + bc), sum - (ab - bc), (ab - bc) - sum,
      -(ab + bc) - sum, 2 - (ac - bc), (ab + bc) + (ac - b * b);
  for (std::size_t k = 0; k < sums.size(); ++k)
    EXPECT_NEAR(values({sums[k]})[0], expected[static_cast<Eigen::Index>(k)], 1e-14) << k;
  // all at once the products are shared, and stay
  EXPECT_TRUE(near(values(sums), expected, 1e-14));
}

TEST_F(Lowering, ConditionsKeepTheirSigns) {
  const std::vector<Expr> results{select(-x < y, -z, Expr(4)), select(x < -y, -z, Expr(4)),
                                  select(x == Expr(0.7), sqrt(-y), x),
                                  select(y > -x, Expr(1), -x * y)};
  EXPECT_EQ(values(results), Eigen::Vector4d(4, -c, std::sqrt(-b), -a * b));
}

TEST_F(Lowering, ConstantsMustBeFinite) {
  for (const Expr& result : {Expr(NAN), Expr(INFINITY) * x, x * y + Expr(1) / Expr(0)})
    EXPECT_TRUE(mentions(message_of([&] { program({result}); }), {"not a finite number"}));
}

/// A random formula as a program, in the order of the graph. Formulas that divide by zero whatever
/// the inputs are thrown away.
Program random_program(Random& random, int steps, int results) {
  for (;;) {
    const RandomFormula formula(random, 3, steps);
    ExprGraph graph;
    std::vector<Expr> inputs{graph.input(), graph.input(), graph.input()};
    const std::vector<Expr> all = formula.run(inputs);
    try {
      return lower_in_order(graph, shape(3, results),
                            one(std::vector<Expr>(all.end() - results, all.end())));
    } catch (const Error&) {
    }
  }
}

TEST(Lowered, FormulasKeepTheirValues) {
  Random random(3);
  int compared = 0;
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE("formula " + std::to_string(i));
    const RandomFormula formula(random, 3, 50);
    const std::vector<double> at{random.uniform(-2, 2), random.uniform(-2, 2),
                                 random.uniform(-2, 2)};
    const std::vector<Sized> expected = formula.run(std::vector<Sized>(at.begin(), at.end()));
    if (std::any_of(expected.begin(), expected.end(), [](Sized s) { return s.uncertain; }))
      continue;  // some divide by zero whatever the inputs
    ExprGraph graph;
    const std::vector<Expr> inputs{graph.input(), graph.input(), graph.input()};
    const Program p = lower(graph, shape(3, 50), one(formula.run(inputs)));
    const VectorXd found = run(p, {Eigen::Vector3d(at[0], at[1], at[2])})[0];
    for (std::size_t k = 0; k < expected.size(); ++k, ++compared)
      ASSERT_NEAR(found[static_cast<Eigen::Index>(k)], expected[k].value, 1e-12 * expected[k].size);
  }
  EXPECT_GT(compared, 10000);
}

/// Operands before operations, every instruction once.
void expect_order(const Program& p, const std::vector<int>& order) {
  std::vector<int> place(p.code.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    ASSERT_GE(place[i], 0);
    for (const int x : Reads(p.code[i])) ASSERT_LT(place[static_cast<std::size_t>(x)], place[i]);
  }
  EXPECT_EQ(order.size(), p.code.size());
}

TEST(Schedule, OrdersArePossible) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Program p = random_program(random, 40, 5);
    expect_order(p, fewest_kept(p));
    expect_order(p, fewest_asked_for(p));
    std::vector<int> roots;
    for (const Result& r : p.results)
      if (r.value.value >= 0) roots.push_back(r.value.value);
    expect_order(p, depth_first(p, roots));
  }
}

TEST(Schedule, NeverChangesValuesAndNeverCostsMore) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Program p = random_program(random, 60, 8);
    const Eigen::Vector3d at(random.uniform(), random.uniform(), random.uniform());
    const VectorXd expected = run(p, {at})[0];
    for (const int registers : {2, 5, 16}) {
      const Program ordered = schedule(p, registers);
      const VectorXd found = run(ordered, {at})[0];
      for (Eigen::Index k = 0; k < found.size(); ++k)
        EXPECT_TRUE(found[k] == expected[k] || (std::isnan(found[k]) && std::isnan(expected[k])));
      EXPECT_LE(reloads(ordered, registers), reloads(p, registers));
      EXPECT_EQ(ordered.count().operations(), p.count().operations());
    }
  }
}

/// The fewest reloads of all ways to give up values: every subset that fits is tried after every
/// instruction.
int least_reloads(const Program& p, int registers) {
  using Set = unsigned;
  const std::size_t n = p.code.size();
  std::vector<int> least(std::size_t{1} << n, 1 << 20);  // by the set of kept values
  least[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Set used = 0;
    for (const int x : Reads(p.code[i])) used |= 1u << x;
    std::vector<int> next(least.size(), 1 << 20);
    for (Set kept = 0; kept < least.size(); ++kept) {
      if (least[kept] >= 1 << 20) continue;
      const int cost = least[kept] + std::popcount(used & ~kept);
      const Set there = kept | used | (1u << i);
      for (Set stays = there;; stays = (stays - 1) & there) {
        if (std::popcount(stays) <= registers) next[stays] = std::min(next[stays], cost);
        if (stays == 0) break;
      }
    }
    least = next;
  }
  return *std::min_element(least.begin(), least.end());
}

TEST(Reloads, AreTheFewestPossible) {
  Random random(6);
  int compared = 0, some = 0;
  while (compared < 150) {
    const Program p = random_program(random, 12, 2);
    if (p.code.size() < 6 || p.code.size() > 11) continue;
    ++compared;
    for (const int registers : {1, 2, 3}) {
      EXPECT_EQ(reloads(p, registers), least_reloads(p, registers));
      some += reloads(p, registers) > 0 ? 1 : 0;
    }
    EXPECT_EQ(reloads(p, 11), 0);
  }
  EXPECT_GT(some, 100);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
