// Expressions of users: their values against the compiler's arithmetic, their mistakes by column.
#include <limber/io/expression.hpp>

#include <cmath>
#include <numbers>

#include "support/message.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

using std::numbers::pi;

const std::vector<std::string> xy{"x", "y"};

double value(const std::string& text, double x = 0, double y = 0) {
  const double variables[] = {x, y};
  return Expression(text, xy).value(variables);
}

TEST(Expression, IsWhatTheCompilerMakesOfIt) {
  for (const double x : {-1.7, -0.3, 0.2, 0.9, 3.1})
    for (const double y : {-2.2, 0.4, 1.3}) {
      EXPECT_DOUBLE_EQ(value("2*x - y/3 + 1.5e-1", x, y), 2 * x - y / 3 + 0.15);
      EXPECT_DOUBLE_EQ(value("-x^2", x, y), -(x * x));
      EXPECT_DOUBLE_EQ(value("(-x)^2*3", x, y), x * x * 3);
      EXPECT_DOUBLE_EQ(value("2^-y", x, y), std::pow(2, -y));
      EXPECT_DOUBLE_EQ(value("2^y^2", x, y), std::pow(2, y * y));
      EXPECT_DOUBLE_EQ(value("x-y-1", x, y), x - y - 1);
      EXPECT_DOUBLE_EQ(value("x/y/2*3", x, y), x / y / 2 * 3);
      EXPECT_DOUBLE_EQ(value(" sin( 2*pi*x )+cos(y)", x, y), std::sin(2 * pi * x) + std::cos(y));
      EXPECT_DOUBLE_EQ(value("exp(-x)*tan(y)", x, y), std::exp(-x) * std::tan(y));
      EXPECT_DOUBLE_EQ(value("sqrt(abs(x))+log(1+abs(y))", x, y),
                       std::sqrt(std::abs(x)) + std::log(1 + std::abs(y)));
      EXPECT_DOUBLE_EQ(value("atan2(x,y)+atan(x)", x, y), std::atan2(x, y) + std::atan(x));
      EXPECT_DOUBLE_EQ(value("asin(x/4)+acos(y/4)", x, y), std::asin(x / 4) + std::acos(y / 4));
      EXPECT_EQ(value("min(x, y, 0.5)", x, y), std::min({x, y, 0.5}));
      EXPECT_EQ(value("max(x,\ty)", x, y), std::max(x, y));
      EXPECT_EQ(value("step(x)*2-step(y)", x, y), (x >= 0 ? 2 : 0) - (y >= 0 ? 1 : 0));
    }
  EXPECT_EQ(value("step(0)"), 1);
  EXPECT_EQ(value("1e-400"), 0);
  EXPECT_TRUE(std::isnan(value("min(1, sqrt(-1))")) && std::isnan(value("max(sqrt(-1), 1)")));
  EXPECT_TRUE(std::isinf(value("1/0")));
}

// against differences, for each variable
TEST(Expression, HasDerivatives) {
  const std::string names[] = {"x", "y"};
  for (const char* text :
       {"3",           "x",           "x+2*y-x*y",      "x/y",         "x^3",       "x^y",
        "2^x",         "-sin(x*y)",   "cos(x)^2",       "tan(x)",      "asin(x/3)", "acos(y/3)",
        "atan(x*x)",   "exp(-x*y)",   "log(x+y)",       "sqrt(x*y)",   "abs(x-y)",  "abs(y-x)",
        "step(x-1)*y", "atan2(x, y)", "min(x, y, x*y)", "max(x^2, y)", "(x-5)^2"}) {
    const Expression expression(text, names);
    for (const std::size_t by : {0U, 1U}) {
      const double at[] = {1.3, 0.7}, h = 1e-6;
      double above[] = {at[0], at[1]}, below[] = {at[0], at[1]};
      above[by] += h, below[by] -= h;
      EXPECT_NEAR(expression.derivative(at, by),
                  (expression.value(above) - expression.value(below)) / (2 * h), 1e-8)
          << text << " by " << names[by];
    }
  }
}

TEST(Expression, StepsCanBeGiven) {
  const Expression e("3*step(x-1) + 10*step(step(x)-y)", xy);
  ASSERT_EQ(e.steps(), 3);
  const double variables[] = {0.25, 0.5};
  const double results[] = {1, 0, 1};
  EXPECT_EQ(e.value(variables, results), 13);
  EXPECT_EQ(e.value(variables), 10);
  EXPECT_EQ(e.step_argument(0, variables, results), -0.75);
  EXPECT_EQ(e.step_argument(1, variables, results), 0.25);
  EXPECT_EQ(e.step_argument(2, variables, results), -0.5);
}

TEST(Expression, MistakesAreToldWithTheirColumn) {
  const auto message = [](const std::string& text) {
    return message_of([&] { Expression(text, xy); });
  };
  EXPECT_TRUE(mentions(message("sin(2*pi*x"), {"column 11", "ends", "parenthesis"}));
  EXPECT_TRUE(mentions(message("2 x"), {"column 3", "'x'", "operator"}));
  EXPECT_TRUE(mentions(message("2*"), {"column 3", "number"}));
  EXPECT_TRUE(mentions(message(""), {"column 1", "ends"}));
  EXPECT_TRUE(mentions(message("x**2"), {"column 3", "^"}));
  EXPECT_TRUE(mentions(message("5*sine(x)"), {"column 3", "'sine'", "x, y, pi, sin"}));
  EXPECT_TRUE(mentions(message("sin x"), {"column 5", "'(' is expected after 'sin'"}));
  EXPECT_TRUE(mentions(message("1+sin(x,y)"), {"column 3", "'sin' has 2 arguments", "1 are"}));
  EXPECT_TRUE(mentions(message("min(x)"), {"column 1", "1 arguments", "2 or more"}));
  EXPECT_TRUE(mentions(message("1e999"), {"column 1", "double"}));
  EXPECT_TRUE(mentions(message("(x+1))"), {"column 6", "')'"}));
  EXPECT_TRUE(mentions(message("π·x"), {"column 1", "no part"}));
  EXPECT_TRUE(mentions(message("x + 2·x"), {"column 6", "no part"}));
  EXPECT_TRUE(mentions(message(std::string(60, '(') + "1" + std::string(60, ')')), {"50 deep"}));
  EXPECT_TRUE(mentions(message(std::string(5000, '1')), {"5000 characters"}));
}

// the deepest and the longest that are allowed, with as many values waiting as can be
TEST(Expression, HoldsWhatItsLimitsAllow) {
  std::string text = "1";
  for (int level = 1; level < Expression::deepest; ++level) text = "max(0,1+1*" + text + ")";
  EXPECT_EQ(value(text), Expression::deepest);
  std::string power = "1";
  for (int level = 1; level < Expression::deepest; ++level) power += "^1";
  EXPECT_EQ(value(power), 1);
  std::string sum = "1";
  while (sum.size() + 2 <= Expression::longest) sum += "+1";
  EXPECT_EQ(value(sum), static_cast<double>((sum.size() + 1) / 2));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
