#include "io/numbers.hpp"

#include <clocale>
#include <numbers>

#include <gtest/gtest.h>

namespace LIMBER_TEST_FILE {

using limber::parse_expression;
using limber::parse_number;
using limber::split_words;

TEST(Numbers, OrdinaryOnesAreRead) {
  EXPECT_EQ(parse_number("1"), 1.0);
  EXPECT_EQ(parse_number("-2.5e-3"), -0.0025);
  EXPECT_EQ(parse_number("+.5"), 0.5);
  EXPECT_EQ(parse_number("1E2"), 100.0);
  EXPECT_EQ(parse_number("0.1"), 0.1);
}

TEST(Numbers, EverythingElseIsRefused) {
  for (const char* text :
       {"",   " ",  "1,2", "1.2.3", "nan", "inf", "-infinity", "1e999", "0x10", "1 ",
        " 1", "3m", "+-1", "++1",   "+",   "-",   "e5",        "1e",    "one",  "}"})
    EXPECT_FALSE(parse_number(text)) << "'" << text << "'";
}

TEST(Numbers, TheLocaleDoesNotMatter) {
  // a decimal comma, where such a locale is installed
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8"})
    if (std::setlocale(LC_NUMERIC, locale)) break;
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_expression("1.5*2"), 3.0);
  std::setlocale(LC_NUMERIC, "C");
}

TEST(Numbers, WordsAreSplitAtAnyWhiteSpace) {
  const std::vector<std::string_view> expected{"1", "2", "}"};
  EXPECT_EQ(split_words("  1\t2\n }\r "), expected);
  EXPECT_TRUE(split_words(" \n").empty());
}

TEST(Expressions, FollowTheRulesOfArithmetic) {
  constexpr double pi = std::numbers::pi;
  EXPECT_EQ(parse_expression("pi/2"), pi / 2);
  EXPECT_EQ(parse_expression("-pi/2"), -pi / 2);
  EXPECT_EQ(parse_expression(" 2 * pi / 3 "), 2 * pi / 3);
  EXPECT_EQ(parse_expression("1 - 2 - 3"), -4.0);
  EXPECT_EQ(parse_expression("8/4/2"), 1.0);
  EXPECT_EQ(parse_expression("1+2*3"), 7.0);
  EXPECT_EQ(parse_expression("(1+2)*3"), 9.0);
  EXPECT_EQ(parse_expression("-(1 - 3)"), 2.0);
  EXPECT_EQ(parse_expression("2*-3"), -6.0);
  EXPECT_EQ(parse_expression("200e-6"), 200e-6);
}

TEST(Expressions, EverythingElseIsRefused) {
  for (const char* text : {"", "pie", "1 2", "1/0", "0/0", "(1", "1)", "*2", "2*", "nan", "inf",
                           "1e999", "1e300*1e300", "sine(1)", "2pi"})
    EXPECT_FALSE(parse_expression(text)) << "'" << text << "'";
  EXPECT_FALSE(parse_expression(std::string(10000, '(')));
  EXPECT_FALSE(parse_expression(std::string(10000, '-') + "1"));
}

}  // namespace LIMBER_TEST_FILE
