// limber study arms: counts against the thesis, the fields of its JSON, its tables, its refusals.
// Nothing here depends on times.
#include <cstdio>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

long operations(const Json& cost) {
  return cost["multiplications"].get<long>() + cost["additions"].get<long>();
}

void expect_counts(const Json& study) {
  long multiplications = 0, additions = 0, thesis_multiplications = 0, thesis_additions = 0;
  EXPECT_EQ(study["parts"].size(), 10u);
  for (const Json& part : study["parts"]) {
    multiplications += part["counted"]["multiplications"].get<long>();
    additions += part["counted"]["additions"].get<long>();
    thesis_multiplications += part["thesis"]["multiplications"].get<long>();
    thesis_additions += part["thesis"]["additions"].get<long>();
  }
  EXPECT_EQ(thesis_multiplications, 7187);
  EXPECT_EQ(thesis_additions, 6242);
  EXPECT_LE(multiplications, 7187);
  EXPECT_LE(additions, 6242);
  ASSERT_EQ(study["sizes"].size(), 28u);
  for (std::size_t k = 0; k < 28; ++k) {
    const Json& size = study["sizes"][k];
    EXPECT_EQ(size["joints"], 3 + k);
    if (k < 3) continue;  // all arms are singular, which the thesis does not count
    EXPECT_LE(operations(size["operational_space"]),
              operations(size["thesis"]["operational_space"]));
    EXPECT_LE(operations(size["articulated"]), operations(size["thesis"]["articulated"]));
  }
  // what the parts add up to
  EXPECT_EQ(operations(study["sizes"][3]["operational_space"]), multiplications + additions);
  EXPECT_EQ(operations(study["sizes"][3]["thesis"]["operational_space"]), 7187 + 6242);
  EXPECT_EQ(study["sizes"][3]["thesis"]["articulated"],
            Json({{"multiplications", 15188}, {"additions", 12589}}));
  EXPECT_EQ(study["crossovers"]["thesis"], 22);
  EXPECT_LE(study["crossovers"]["counted"], 22);
  EXPECT_LE(operations(study["dual_arm"]["method_1"]), 512 + 416);
  EXPECT_LE(operations(study["dual_arm"]["method_2"]), 374 + 284);
}

void expect_sweep(const Json& sweep) {
  ASSERT_GT(sweep.size(), 5u);
  EXPECT_LT(sweep.front()["condition"], 1e3);
  EXPECT_GT(sweep.back()["condition"], 1e14);
  EXPECT_EQ(sweep.front()["inverted"], true);
  EXPECT_EQ(sweep.back()["inverted"], false);
  for (const Json& row : sweep) {
    EXPECT_LT(row["from_singular"], row["bend"].get<double>());
    EXPECT_LT(row["from_block_system"], 1e-12);
  }
}

TEST(StudyArms, CountsOnly) {
  const Outcome outcome = run_limber({"study", "arms", "--counts-only", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  EXPECT_EQ(study["topic"], "arms");
  EXPECT_EQ(study["timed"], false);
  expect_counts(study);
  expect_sweep(study["sweep"]);
  EXPECT_TRUE(study["runs"].empty());
  EXPECT_EQ(study["crossovers"]["timed"], nullptr);
}

TEST(StudyArms, Runs) {
  const Outcome outcome = run_limber({"study", "arms", "--quick", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  EXPECT_EQ(study["quick"], true);
  for (const Json& size : study["sizes"])
    for (const char* way : {"operational_space", "articulated", "augmented", "general"})
      EXPECT_GT(size[way]["nanoseconds"], 0);
  int compared = 0;
  for (const Json& row : study["meetings"]) {
    if (row["thesis_meetings"].is_null()) continue;
    ++compared;
    EXPECT_EQ(row["meetings"], row["thesis_meetings"]);
    EXPECT_EQ(row["objects"], row["thesis_objects"]);
  }
  EXPECT_EQ(compared, 9);
  EXPECT_EQ(study["runs"].size(), 17u);
  for (const Json& row : study["runs"]) {
    EXPECT_LE(row["error"], study["required_error"]);
    EXPECT_GT(row["error"], 0);
    // threads change nothing but the time
    for (const Json& other : study["runs"])
      EXPECT_TRUE(row["block"] != other["block"] || row["error"] == other["error"]) << row;
  }
}

TEST(StudyArms, TablesAndRefusals) {
  const Outcome text = run_limber({"study", "arms", "--counts-only"});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* words : {"[McM] table 2", "method II, table 9", "(4.3)", "N = 22 ([McM])"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words;
  const std::string file = testing::TempDir() + "study_arms_page.html";
  const Outcome page = run_limber({"study", "arms", "--counts-only", "--html", file});
  EXPECT_EQ(page.status, 0) << page.err;
  std::ifstream in(file);
  const std::string html((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::remove(file.c_str());
  for (const char* words : {"Arms that hold one object", "drawThreads", "\"topic\":\"arms\""})
    EXPECT_NE(html.find(words), std::string::npos) << words;
  for (const char* place : {"/* STYLE */", "/* STUDY */", "/* SCRIPT */"})
    EXPECT_EQ(html.find(place), std::string::npos) << place;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
