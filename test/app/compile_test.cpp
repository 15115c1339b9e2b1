// limber compile: files that compile and give right numbers, the table, wrong options.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

/// A folder that does not exist yet, gone at the end.
struct Output {
  std::string path = temporary_file("", "_compiled") + "/in/it";
  Output() { std::filesystem::remove(path.substr(0, path.size() - 6)); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { std::filesystem::remove_all(path.substr(0, path.size() - 6)); }
  bool has(const std::string& name) const { return std::filesystem::exists(path + "/" + name); }
  std::string text(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path + "/" + name).rdbuf();
    return text.str();
  }
};

TEST(Compile, WritesFilesAndATable) {
  const Output out;
  const Outcome outcome = run_limber({"compile", two_link_urdf(), "-o", out.path});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* word : {"two_link", "inverse_dynamics", "forward_dynamics_derivatives", "step",
                           "operations", "instructions", "sin/cos", "live values"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
  for (const char* file :
       {"two_link.hpp", "example.cpp", "two_link_lanes.hpp", "example_lanes.cpp", "pack.hpp",
        "pack_sincos.hpp", "two_link.h", "two_link.c", "example.c"}) {
    EXPECT_TRUE(out.has(file)) << file;
    EXPECT_NE(outcome.out.find(out.path + "/" + file), std::string::npos) << file;
  }
}

TEST(Compile, GeneratedCGivesTheNumbersOfTheCommand) {
  const Output out;
  const Outcome outcome = run_limber({"compile", two_link_urdf(), "-o", out.path, "--functions",
                                      "inverse_dynamics", "--targets", "c", "--passive",
                                      "--gravity", "0,0,-3", "--name", "arm", "--quiet"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(out.has("arm.hpp"));
  std::ofstream(out.path + "/main.c") << R"(#include <stdio.h>
#include "arm.h"
int main(void) {
  const double q[] = {0.4, -0.9}, v[] = {1.3, -0.7}, a[] = {0.6, 2.1};
  double tau[2];
  arm_inverse_dynamics(q, v, a, tau);
  printf("{\"tau\":[%.17g,%.17g]}\n", tau[0], tau[1]);
  return 0;
})";
  const Outcome ran = run_shell("cd '" + out.path +
                                "' && cc -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror "
                                "main.c arm.c -lm -o main && ./main");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Outcome id =
      run_limber({"id", two_link_urdf(), "--json", "--friction", "--gravity", "0,0,-3"},
                 R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"a":[0.6,2.1]})");
  for (std::size_t i = 0; i < 2; ++i) {
    const double expected = id.lines().at(0)["tau"][i];
    EXPECT_NEAR(ran.lines().at(0)["tau"][i], expected, 1e-12 * std::abs(expected));
  }
}

TEST(Compile, NamesOfLibrariesAreNotUsed) {
  const Output out;
  std::vector<std::string> arguments{
      "compile", two_link_urdf(), "-o",          out.path, "--targets",
      "c",       "--functions",   "mass_matrix", "--name", "sin"};
  const Outcome outcome = run_limber(arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("as `sin_robot`"), std::string::npos) << outcome.out;
  EXPECT_TRUE(out.has("sin_robot.h"));
  arguments.emplace_back("--exact-name");
  const Outcome refused = run_limber(arguments);
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("'sin_robot' can be used"), std::string::npos) << refused.err;
}

TEST(Compile, OptionsReachTheText) {
  const Output out;
  const Outcome outcome =
      run_limber({"compile",         two_link_urdf(), "-o",          out.path,     "--functions",
                  "kinematics,step", "--targets",     "cpp",         "--frame",    "tool",
                  "--frame",         "upper",         "--parameter", "gravity",    "--parameter",
                  "payload:tool",    "--method",      "rk4",         "--floating", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json table = outcome.lines().at(0);
  EXPECT_EQ(table["name"], "two_link");
  EXPECT_EQ(table["nq"], 9);
  EXPECT_EQ(table["nv"], 8);
  EXPECT_EQ(table["functions"].size(), 2U);
  EXPECT_GT(table["functions"]["step"]["instructions"], 100);
  EXPECT_EQ(table["files"].size(), 2U);
  const std::string text = out.text("two_link.hpp");
  for (const char* word :
       {"tool_pose", "upper_pose", "parameters[0 to 2] gravity", "parameters[3 to 12] payload"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(Compile, WrongOptionsAreNamed) {
  const Output out;
  auto expect = [&](const std::vector<std::string>& more, const std::string& word) {
    std::vector<std::string> arguments{"compile", two_link_urdf(), "-o", out.path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_limber(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
  };
  expect({"--functions", "inverse_dynamic"}, "did you mean 'inverse_dynamics'?");
  expect({"--targets", "cp"}, "did you mean 'cpp'?");
  expect({"--frame", "tol"}, "did you mean 'tool'?");
  expect({"--parameter", "mass"}, "payload:FRAME");
  expect({"--parameter", "gear:elbow"}, "no rotor");
  expect({"--method", "rk5"}, "rk4");
  EXPECT_FALSE(std::filesystem::exists(out.path));
  EXPECT_EQ(run_limber({"compile", "puma560"}).status, 2);  // no folder
}

TEST(Compile, HeightFields) {
  const Output out;
  const std::vector<std::string> step{"compile",     "quadruped", "-o",        out.path,
                                      "--functions", "step",      "--targets", "c,cuda",
                                      "--sweeps",    "1",         "--contact", "front_left_foot"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = step;
    all.insert(all.end(), more.begin(), more.end());
    return run_limber(all);
  };
  const Outcome outcome = with({"--height-field", "61,41,6,4"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(out.text("quadruped.h").find("heights[2501]: heights of the ground over 6 m by 4 m"),
            std::string::npos);
  EXPECT_NE(out.text("quadruped.c").find("at(heights, "), std::string::npos);
  EXPECT_NE(out.text("example.c").find("heights[2501] = {0}"), std::string::npos);
  EXPECT_NE(out.text("quadruped.cuh").find("limber_at(heights, "), std::string::npos);
  for (const char* wrong : {"61,41,6", "61.5,41,6,4", "61,1,6,4", "61,41,6,m", "61,41,6,4,5"}) {
    const Outcome refused = with({"--height-field", wrong});
    EXPECT_NE(refused.status, 0) << wrong;
    EXPECT_NE(refused.err.find("COLUMNS,ROWS,WIDTH,DEPTH"), std::string::npos) << refused.err;
  }
  EXPECT_NE(with({"--height-field", "61,41,0,4"}).err.find("0 m by 4 m"), std::string::npos);
  const Outcome alone =
      run_limber({"compile", "quadruped", "-o", out.path, "--height-field", "61,41,6,4"});
  EXPECT_NE(alone.err.find("--contact"), std::string::npos) << alone.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
