// limber study water: counts against the thesis, the fields of its JSON, its tables, its page.
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
long operations(const Json& cost) {
  return cost["multiplications"].get<long>() + cost["additions"].get<long>();
}

TEST(StudyWater, CountsOnly) {
  const Outcome outcome = run_limber({"study", "water", "--counts-only", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  EXPECT_EQ(study["topic"], "water");
  EXPECT_EQ(study["timed"], false);
  ASSERT_EQ(study["sizes"].size(), 20u);
  for (const Json& size : study["sizes"]) {
    SCOPED_TRACE(size.dump());
    for (const char* place : {"land", "water"}) {
      expect_at_most(size[place]["articulated"], size[place]["thesis"]);
      EXPECT_EQ(size[place]["articulated"]["nanoseconds"], nullptr);
    }
    // [McM] §7.4
    EXPECT_LT(operations(size["water"]["articulated"]), operations(size["water"]["composite"]));
    if (size["legs"] == 6 && size["joints"] == 3) {  // as printed
      EXPECT_EQ(size["land"]["thesis"], cost(4485, 4136));
      EXPECT_EQ(size["water"]["thesis"], cost(7540, 6658));
    }
    if (size["legs"] == 1 && size["joints"] == 6) {
      EXPECT_EQ(size["water"]["thesis"], cost(2601, 2277));
    }
  }
  expect_at_most(study["link"]["counted"], study["link"]["thesis"]);
  ASSERT_EQ(study["arms"].size(), 10u);
  const Json& arm = study["arms"][5];
  EXPECT_EQ(arm["thesis_full"], cost(2394, 2093));
  EXPECT_EQ(arm["thesis_decoupled"], cost(1997, 1733));
  expect_at_most(arm["full"], arm["thesis_full"]);
  expect_at_most(arm["decoupled"], arm["thesis_decoupled"]);
}

// of first order in the mass of the arm over that of the vehicle
TEST(StudyWater, ErrorOfTheDecoupledForm) {
  const Outcome outcome = run_limber({"study", "water", "--counts-only", "--json"});
  const Json rows = outcome.lines().at(0)["decoupled"];
  ASSERT_GE(rows.size(), 3u);
  const Json &light = rows[rows.size() - 2], &heavy = rows[rows.size() - 1];
  const double times = heavy["mass_ratio"].get<double>() / light["mass_ratio"].get<double>();
  for (const char* error : {"vehicle_error", "joints_error"}) {
    EXPECT_GT(heavy[error], 0);
    EXPECT_NEAR(light[error].get<double>() / heavy[error].get<double>() / times, 1, 0.1);
    EXPECT_LT(rows[0][error], 1);
  }
}

TEST(StudyWater, Times) {
  const Outcome outcome = run_limber({"study", "water", "--quick", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  for (const Json& size : study["sizes"])
    for (const char* place : {"land", "water"})
      for (const char* way : {"composite", "articulated", "general"})
        EXPECT_GT(size[place][way]["nanoseconds"], 0);
}

TEST(StudyWater, TablesAndPage) {
  const std::string file = testing::TempDir() + "study_water.html";
  const Outcome text = run_limber({"study", "water", "--counts-only", "--html", file});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words : {"[McM] table 16", "[McM] table 19", "7540", "6658", "2394", "1733",
                            "6 legs of N revolute joints", "vehicle and arm apart"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words;
  std::ostringstream page;
  page << std::ifstream(file).rdbuf();
  for (const char* words : {"What water costs", "\"topic\":\"water\"", "drawDecoupled()"})
    EXPECT_NE(page.str().find(words), std::string::npos) << words;
  EXPECT_EQ(page.str().find("/* STUDY */"), std::string::npos);
  std::filesystem::remove(file);
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
