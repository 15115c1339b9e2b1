// limber analyse, run as a user runs it.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

// Runs in one folder exclude each other, and the tests of this file run side by side.
class Analyse : public testing::Test {
 protected:
  ~Analyse() override { fs::remove_all(folder); }

  const std::string folder =
      (fs::temp_directory_path() / ("limber_analyse_" + std::to_string(getpid()))).string();
};

const std::string swing = R"(title: Swing
duration: 0.2
robots: [{model: pendulum, initial: {velocity: [2]}}]
analyse:
  interval: 0.01
  limits:
    - {figure: peak_speed, at_most: 0.5}
    - {figure: radial_force, at_most: 1e5}
  scan:
    - {name: mass, path: robots.0.changes, values: [[], [{link: rod, mass_factor: 2}]]}
)";

TEST_F(Analyse, ShippedDesignFitsItsLimits) {
  const Outcome outcome =
      run_limber({"analyse", "arm_design", "-o", folder, "--json", "--strict", "--no-scan"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json result = outcome.lines().at(0);
  EXPECT_EQ(result.at("violations"), 0);
  EXPECT_EQ(result.at("joints").size(), 2U);
  EXPECT_EQ(result.at("motors").size(), 2U);
  EXPECT_EQ(result.at("links").size(), 2U);
  EXPECT_GT(result.at("motors").at(0).at("figures").at("rms_current").get<double>(), 1);
  EXPECT_TRUE(result.at("scan").empty());
  for (const auto& file : result.at("files")) {
    std::ifstream page(file.get<std::string>());
    EXPECT_NE(std::string(std::istreambuf_iterator<char>(page), {}).find("Torque and speed"),
              std::string::npos);
  }
}

TEST_F(Analyse, ViolationsAreListedAndStrictMakesThemAFailure) {
  const std::string file = temporary_file(swing, ".yaml");
  const Outcome text = run_limber({"analyse", file, "-o", folder, "--no-report"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("2 checked, 1 violated"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("Bearings"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("Scan"), std::string::npos) << text.out;
  const Outcome strict = run_limber({"analyse", file, "-o", folder, "--no-report", "--strict"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_NE(strict.err.find("1 of 2 limits"), std::string::npos) << strict.err;
}

TEST_F(Analyse, ScansAsTheSingleRunsDo) {
  const std::string file = temporary_file(swing, ".yaml");
  const std::vector<std::string> common = {"analyse", file, "-o", folder, "--no-report", "--json"};
  const Json scanned = run_limber(common).lines().at(0);
  std::vector<std::string> single = common;
  single.insert(single.end(), {"--set", "robots.0.changes=[{link: rod, mass_factor: 2}]"});
  const Json heavy = run_limber(single).lines().at(0);
  ASSERT_EQ(scanned.at("scan").size(), 2U);
  EXPECT_EQ(scanned.at("scan").at(1).at("figures").at("peak_speed"),
            heavy.at("joints").at(0).at("figures").at("peak_speed"));
}

TEST_F(Analyse, BadInputIsToldOf) {
  EXPECT_EQ(run_limber({"analyse"}).status, 2);
  const Outcome key =
      run_limber({"analyse", temporary_file(swing + "  limitz: []\n", ".yaml"), "-o", folder});
  EXPECT_EQ(key.status, 2);
  EXPECT_NE(key.err.find(":11: "), std::string::npos) << key.err;
  EXPECT_NE(key.err.find("limits"), std::string::npos) << key.err;
  const Outcome set = run_limber({"analyse", temporary_file(swing, ".yaml"), "-o", folder, "--set",
                                  "analyse.scan.0.path=x.y"});
  EXPECT_EQ(set.status, 2);
  EXPECT_NE(set.err.find("'x'"), std::string::npos) << set.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
