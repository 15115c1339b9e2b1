// limber study: counts against the books' figures, the fields of its JSON, its page, its refusals.
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::set<std::string> verdicts{"holds", "fails on counts", "fails in time",
                                     "fails on counts and in time", "not measured"};

const Json& named(const Json& list, const std::string& key) {
  for (const Json& entry : list)
    if (entry["key"] == key) return entry;
  throw std::runtime_error("no entry " + key);
}

void expect_at_most(const Json& study, const std::string& key, std::size_t n, int multiplications,
                    int additions) {
  const Json& series = named(study["formulations"], key);
  EXPECT_LE(series["multiplications"][n - 1], multiplications) << key;
  EXPECT_LE(series["additions"][n - 1], additions) << key;
}

void expect_fields(const Json& object, const std::vector<std::string>& fields) {
  for (const std::string& field : fields) EXPECT_TRUE(object.contains(field)) << field;
}

void expect_schema(const Json& study) {
  EXPECT_EQ(study["topic"], "recursions");
  EXPECT_EQ(study["links"], Json({1, 30}));
  for (const Json& series : study["formulations"]) {
    expect_fields(series, {"key", "task", "title", "source", "room", "timed_up_to"});
    for (const char* list : {"multiplications", "additions", "executed", "sincos", "nanoseconds"})
      EXPECT_EQ(series[list].size(), 30u) << series["key"] << list;
    // what the result needs is part of what is executed
    for (std::size_t k = 0; k < 30; ++k)
      EXPECT_LE(series["multiplications"][k].get<long>() + series["additions"][k].get<long>(),
                series["executed"][k].get<long>())
          << series["key"];
  }
  for (const Json& formula : study["published"]) {
    expect_fields(formula, {"key", "task", "title", "source"});
    EXPECT_EQ(formula["multiplications"].size(), 30u);
  }
  for (const Json& row : study["crossovers"])
    expect_fields(row, {"contest", "who", "first", "second", "from"});
  ASSERT_FALSE(study["claims"].empty());
  for (const Json& claim : study["claims"]) {
    expect_fields(claim, {"key", "source", "claim", "found", "on_counts", "in_time"});
    EXPECT_TRUE(verdicts.contains(claim["verdict"])) << claim;
  }
}

// the page needs nothing from outside: the only address in it is the name of SVG's namespace
void expect_self_contained(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::string page = text.str();
  ASSERT_TRUE(page.starts_with("<!DOCTYPE html>"));
  const std::string svg = "http://www.w3.org/2000/svg";
  for (std::size_t at; (at = page.find(svg)) != std::string::npos;) page.erase(at, svg.size());
  for (const char* outside : {"http://", "https://", "src=", "@import", "url(\"", "<link"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  // every part has found its place
  for (const char* place : {"/* STYLE */", "/* STUDY */", "/* SCRIPT */"})
    EXPECT_EQ(page.find(place), std::string::npos) << place;
  EXPECT_NE(page.find("limber_articulated_bodies"), std::string::npos);
}

TEST(Study, CountsAgainstTheBooks) {
  const std::string file = temporary_file("", ".html");
  const Outcome outcome = run_limber({"study", "--counts-only", "--json", "--html", file});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json study = outcome.lines().at(0);
  expect_schema(study);
  EXPECT_EQ(study["timed"], false);
  expect_at_most(study, "limber_inverse_dynamics", 6, 459, 400);
  expect_at_most(study, "limber_mass_matrix", 6, 389, 370);
  expect_at_most(study, "limber_articulated_bodies", 6, 1090, 989);
  expect_at_most(study, "limber_by_mass_matrix", 6, 1303, 1019);
  // the published polynomials at n = 6, as the tables print them
  const Json& formulas = study["published"];
  EXPECT_EQ(named(formulas, "rda_by_mass_matrix")["multiplications"][5], 1303);
  EXPECT_EQ(named(formulas, "rda_by_mass_matrix")["additions"][5], 1019);
  EXPECT_EQ(named(formulas, "rda_articulated_bodies")["multiplications"][5], 1533);
  EXPECT_EQ(named(formulas, "mcm_mass_matrix")["additions"][5], 370);
  EXPECT_EQ(named(formulas, "brandl_articulated_bodies")["additions"][5], 1122);
  // the tables of the book cross between 11 and 12 if all operations count alike
  for (const Json& row : study["crossovers"])
    EXPECT_TRUE(row["first"] != "rda_by_mass_matrix" || row["from"]["operations"] == 12) << row;
  EXPECT_EQ(named(study["claims"], "table_8_6")["verdict"], "holds");
  EXPECT_EQ(named(study["claims"], "tally_is_a_guide")["verdict"], "not measured");
  expect_self_contained(file);
}

TEST(Study, TimesAsTables) {
  const Outcome outcome = run_limber({"study", "recursions", "--quick"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");  // no progress bar without a terminal
  for (const char* words : {"inverse dynamics: time [ns]", "n = 30", "crossovers", "Walker",
                            "[RDA] table 8-6", "explicit H, C, g of inverse dynamics only up to"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words;
  EXPECT_EQ(outcome.out.find("not measured"), std::string::npos);
}

TEST(Study, Refusals) {
  const Outcome topic = run_limber({"study", "optics"});
  EXPECT_EQ(topic.status, 2);
  EXPECT_NE(topic.err.find("'optics'"), std::string::npos) << topic.err;
  EXPECT_NE(topic.err.find("topics: recursions, integrators"), std::string::npos) << topic.err;
  EXPECT_EQ(run_limber({"study", "--quick", "--counts-only"}).status, 2);
  const Outcome file = run_limber({"study", "--html", "recursions"});
  EXPECT_EQ(file.status, 2);
  EXPECT_NE(file.err.find("limber study recursions --html"), std::string::npos) << file.err;
}

TEST(Study, PageThatCannotBeWritten) {
  const Outcome outcome = run_limber({"study", "--counts-only", "--html", "/nowhere/at/all.html"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("/nowhere/at/all.html"), std::string::npos) << outcome.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
