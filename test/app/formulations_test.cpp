// The formulations that `limber study` compares answer the same question: same numbers.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "study/formulations.hpp"

namespace limber::app::study {
namespace LIMBER_TEST_FILE {

// of a matrix the upper triangle, row by row: Limber writes no more
std::vector<double> upper_triangle(std::span<const double> H, std::size_t n) {
  std::vector<double> entries;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) entries.push_back(H[i * n + j]);
  return entries;
}

std::vector<double> result_of(const Formulation& formulation, int n, int state) {
  Chain<double> chain(n);
  const std::span<const double> result = formulation.compute(chain, state_of<double>(n, state));
  if (formulation.task == Task::mass_matrix)
    return upper_triangle(result, static_cast<std::size_t>(n));
  return {result.begin(), result.end()};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const char* key) {
  ASSERT_EQ(found.size(), expected.size()) << key;
  double scale = 0;
  for (const double x : expected) scale = std::max(scale, std::abs(x));
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k], expected[k], 1e-10 * scale) << key << " entry " << k;
}

TEST(Formulations, OfOneTaskAgree) {
  for (const int n : {1, 2, 6, 9}) {
    std::map<Task, std::vector<double>> expected;  // of the first formulation of each task
    for (const Formulation& formulation : all_formulations()) {
      const std::vector<double> found = result_of(formulation, n, n);
      expect_near(found, expected.try_emplace(formulation.task, found).first->second,
                  formulation.key);
    }
    EXPECT_EQ(expected.size(), all_tasks().size());
  }
}

TEST(Formulations, HaveKeysOfTheirOwn) {
  std::set<std::string> keys;
  for (const Formulation& formulation : all_formulations())
    EXPECT_TRUE(keys.insert(formulation.key).second) << formulation.key;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::app::study
