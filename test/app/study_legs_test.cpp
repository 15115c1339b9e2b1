// limber study legs: counts against the thesis, the fields of its JSON, its tables, its page.
// Nothing here depends on times.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Json cost(long multiplications, long additions) {
  return {{"multiplications", multiplications}, {"additions", additions}};
}
void expect_at_most(const Json& found, const Json& thesis) {
  EXPECT_LE(found["multiplications"], thesis["multiplications"]);
  EXPECT_LE(found["additions"], thesis["additions"]);
}

TEST(StudyLegs, CountsOnly) {
  const Outcome outcome = run_limber({"study", "legs", "--counts-only", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  EXPECT_EQ(study["topic"], "legs");
  EXPECT_EQ(study["timed"], false);
  EXPECT_TRUE(study["team"].empty());
  ASSERT_EQ(study["sizes"].size(), 50u);
  for (const Json& size : study["sizes"]) {
    SCOPED_TRACE(size.dump());
    // of a single joint, gravity in the body's axes costs more by a quaternion than by angles
    if (size["joints"] != 1) expect_at_most(size["composite"], size["thesis"]["composite"]);
    expect_at_most(size["articulated"], size["thesis"]["articulated"]);
    EXPECT_EQ(size["composite"]["nanoseconds"], nullptr);
    if (size["legs"] == 6 && size["joints"] == 3) {  // as printed
      EXPECT_EQ(size["thesis"]["composite"], cost(4440, 3944));
      EXPECT_EQ(size["thesis"]["articulated"], cost(4485, 4136));
    }
    if (size["legs"] == 1 && size["joints"] == 6) {
      EXPECT_EQ(size["thesis"]["articulated"], cost(1502, 1361));
    }
  }
  for (const Json& crossover : study["crossovers"]) {
    EXPECT_EQ(crossover["thesis"], 4) << crossover;
    EXPECT_EQ(crossover["timed"], nullptr);
    if (crossover["legs"].get<int>() > 1) {
      EXPECT_EQ(crossover["counted"], 4) << crossover;
    }
  }
}

TEST(StudyLegs, Times) {
  const Outcome outcome = run_limber({"study", "legs", "--quick", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  for (const Json& size : study["sizes"])
    for (const char* way : {"composite", "articulated", "general"})
      EXPECT_GT(size[way]["nanoseconds"], 0);
  EXPECT_GE(study["team"].size(), 10u);
  for (const Json& row : study["team"]) {
    EXPECT_GT(row["composite_nanoseconds"], 0);
    EXPECT_GT(row["articulated_nanoseconds"], 0);
  }
}

TEST(StudyLegs, TablesAndPage) {
  const std::string file = testing::TempDir() + "study_legs.html";
  const Outcome text = run_limber({"study", "legs", "--counts-only", "--html", file});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words :
       {"[McM] tables 12 and 16", "6 legs of N revolute joints", "4440", "4136"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words;
  std::ostringstream page;
  page << std::ifstream(file).rdbuf();
  for (const char* words : {"CRB/DTS", "\"topic\":\"legs\"", "drawTeam()"})
    EXPECT_NE(page.str().find(words), std::string::npos) << words;
  EXPECT_EQ(page.str().find("/* STUDY */"), std::string::npos);
  std::filesystem::remove(file);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
