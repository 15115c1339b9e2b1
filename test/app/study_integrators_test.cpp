// limber study integrators: the fields of its JSON, what must hold whatever the machine, its
// tables, its page, its refusals. Nothing here depends on times.
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <limber/sim/integrator.hpp>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const Json& method_named(const Json& benchmark, const std::string& name) {
  for (const Json& method : benchmark["methods"])
    if (method["method"] == name) return method;
  throw std::runtime_error("no method " + name);
}

void expect_benchmark(const Json& benchmark) {
  EXPECT_LT(benchmark["reference_doubt"], 1e-9);
  EXPECT_GT(benchmark["evaluation_seconds"], 0);
  EXPECT_EQ(benchmark["methods"].size(), integrator_methods().size());
  for (const Json& method : benchmark["methods"]) {
    SCOPED_TRACE(method["method"]);
    ASSERT_FALSE(method["runs"].empty());
    for (const Json& run : method["runs"]) {
      EXPECT_GT(run["steps"], 0);
      EXPECT_GE(run["evaluations"], run["steps"]);
      EXPECT_GT(run["seconds"], 0);
      EXPECT_LT(run["error"], 1);
      EXPECT_GT(run["setting"], 0);
    }
  }
}

void expect_blocks(const Json& table) {
  const double required = table["required_error"];
  std::set<std::pair<int, int>> rows;
  for (const Json& row : table["rows"]) {
    rows.emplace(row["block"].get<int>(), row["threads"].get<int>());
    EXPECT_LE(row["error"], required);
    EXPECT_GT(row["steps"], 4);
    const double S_p = row["S_p"], S_a = row["S_a"], S_T = row["S_T"];
    EXPECT_NEAR(S_T, S_p * S_a, 1e-12 * S_T);
  }
  EXPECT_EQ(rows, (std::set<std::pair<int, int>>{
                      {1, 1}, {2, 1}, {2, 2}, {3, 1}, {3, 3}, {4, 1}, {4, 2}, {4, 4}}));
  // threads change nothing but the time
  for (const Json& row : table["rows"])
    for (const Json& other : table["rows"])
      EXPECT_TRUE(row["block"] != other["block"] || row["error"] == other["error"]) << row;
}

TEST(StudyIntegrators, JsonAndPage) {
  const std::string file = temporary_file("", ".html");
  const Outcome outcome = run_limber({"study", "integrators", "--quick", "--json", "--html", file});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  EXPECT_EQ(study["topic"], "integrators");
  EXPECT_EQ(study["quick"], true);
  EXPECT_GE(study["cores"], 1);
  ASSERT_EQ(study["benchmarks"].size(), 2u);
  for (const Json& benchmark : study["benchmarks"]) expect_benchmark(benchmark);
  // four arms without error control: 25 steps of four evaluations
  const Json& rk4 = method_named(study["benchmarks"][1], "rk4")["runs"][0];
  EXPECT_EQ(rk4["steps"], 25);
  EXPECT_EQ(rk4["evaluations"], 100);
  // tighter tolerances help
  const Json& dopri5 = method_named(study["benchmarks"][1], "dopri5")["runs"];
  EXPECT_LT(dopri5.back()["error"], 0.01 * dopri5.front()["error"].get<double>());
  ASSERT_EQ(study["blocks"].size(), 2u);
  for (const Json& table : study["blocks"]) expect_blocks(table);
  // as the thesis prints it
  EXPECT_EQ(study["thesis"].size(), 12u);
  EXPECT_EQ(study["thesis"][3], Json({{"block", 4},
                                      {"chain_parts", 1},
                                      {"threads", 4},
                                      {"T", 0.0637},
                                      {"S_p", 3.78},
                                      {"S_a", 0.485},
                                      {"S_T", 1.83}}));
  EXPECT_EQ(study["claims"].size(), 4u);
  for (const Json& claim : study["claims"]) EXPECT_TRUE(claim["holds"].is_boolean());

  std::ostringstream page;
  page << std::ifstream(file).rdbuf();
  EXPECT_TRUE(page.str().starts_with("<!DOCTYPE html>"));
  for (const char* place : {"/* STYLE */", "/* STUDY */", "/* SCRIPT */"})
    EXPECT_EQ(page.str().find(place), std::string::npos) << place;
}

TEST(StudyIntegrators, Tables) {
  const Outcome outcome = run_limber({"study", "integrators", "--quick"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no progress bar without a terminal
  for (const char* words : {"double pendulum", "four Puma 560", "semi_implicit_euler", "cvode_bdf",
                            "B4PC5", "S_T", "the grasp is left out", "what the thesis concludes"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words;
}

TEST(StudyIntegrators, Refusals) {
  const Outcome counts = run_limber({"study", "integrators", "--counts-only"});
  EXPECT_EQ(counts.status, 2);
  EXPECT_NE(counts.err.find("limber study integrators --quick"), std::string::npos) << counts.err;
  const Outcome file = run_limber({"study", "--html", "integrators"});
  EXPECT_EQ(file.status, 2);
  EXPECT_NE(file.err.find("limber study integrators --html"), std::string::npos) << file.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
