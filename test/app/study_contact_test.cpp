// limber study contact: the stiffest ground for each integrator, against the theory of stability.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <set>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// |growth| of a swing in one step of rk4, whose polynomial is the exponential series to the fourth
// power
double growth_of_rk4(double radians, double damping_ratio) {
  const std::complex<double> z =
      radians * std::complex<double>(-damping_ratio, std::sqrt(1 - damping_ratio * damping_ratio));
  return std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0))));
}

TEST(StudyContact, StableStepsAreThoseOfTheTheory) {
  const Outcome outcome = run_limber({"study", "contact", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  const double mass = study["mass"], ratio = study["damping_ratio"];
  const std::vector<double> stiffness = study["stiffness"];
  double limit_of_rk4 = 2;  // [rad]
  while (growth_of_rk4(limit_of_rk4, ratio) <= 1) limit_of_rk4 += 1e-5;
  // z² − (2 − 2ζx − x²) z + 1 − 2ζx of the semi-implicit method has a root −1
  const std::map<std::string, double> limits{
      {"euler", 2 * ratio},
      {"semi_implicit_euler", 2 * (std::sqrt(1 + ratio * ratio) - ratio)},
      {"rk4", limit_of_rk4}};
  std::set<std::string> found;
  for (const Json& row : study["methods"]) {
    SCOPED_TRACE(row.dump());
    const std::vector<double> steps = row["steps"];
    ASSERT_EQ(steps.size(), stiffness.size());
    for (std::size_t k = 0; k < steps.size(); ++k) {
      ASSERT_GT(steps[k], 0);
      const double radians = steps[k] * std::sqrt(stiffness[k] / mass);
      // the equation of a stiffer ground is the same one in a shorter unit of time; midpoint's
      // steps are bounded by its iteration, whose tolerance has a unit
      if (!row["error_control"] && row["method"] != "midpoint") {
        EXPECT_NEAR(radians, steps[0] * std::sqrt(stiffness[0] / mass), 2e-3 * radians);
      }
      if (const auto limit = limits.find(row["method"]); limit != limits.end()) {
        EXPECT_NEAR(radians, limit->second, 0.003 * limit->second);
        found.insert(limit->first);
      }
    }
  }
  EXPECT_EQ(found.size(), limits.size());
}

TEST(StudyContact, TableAndRefusal) {
  const Outcome text = run_limber({"study", "contact"});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words : {"largest stable step", "time_stepping", "rk4"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words;
  const Outcome page =
      run_limber({"study", "contact", "--html", testing::TempDir() + "contact.html"});
  EXPECT_EQ(page.status, 2);
  EXPECT_NE(page.err.find("no page"), std::string::npos) << page.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
