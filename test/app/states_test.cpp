// How states come in and results go out: lines, files, nothing at all, pipes.
#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

TEST(States, OneResultPerLineBlankLinesSkipped) {
  const Outcome outcome = run_limber({"id", two_link_urdf(), "--json"},
                                     "{\"q\":[0.1,0]}\n\n  \n{\"q\":[0.2,0]}\r\n{\"q\":[0.3,0]}");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_LT(lines[0]["tau"][0], lines[1]["tau"][0]);
  EXPECT_LT(lines[1]["tau"][0], lines[2]["tau"][0]);
}

TEST(States, FileDashAndStandardInputAreTheSame) {
  const std::string text = "{\"q\":[0.1,0.7]}\n";
  const std::string file = temporary_file(text, ".jsonl");
  const std::string expected = run_limber({"id", two_link_urdf(), "--json"}, text).out;
  EXPECT_NE(expected, "");
  EXPECT_EQ(run_limber({"id", two_link_urdf(), "--json", "--states", file}).out, expected);
  EXPECT_EQ(run_limber({"id", two_link_urdf(), "--json", "--states", "-"}, text).out, expected);
}

TEST(States, NumbersHaveSeventeenDigits) {
  const std::string out = run_limber({"mass", two_link_urdf(), "--json"}, "{\"q\":[0.1,0.7]}").out;
  const double value = Json::parse(out)["M"][0][0];
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  EXPECT_TRUE(out.starts_with(std::string("{\"M\":[[") + text + ",")) << out << text;
}

TEST(States, JointsLeftOutOfAnObjectAreNeutral) {
  const auto run = [](const std::string& state) {
    return run_limber({"kinematics", two_link_urdf(), "--floating", "--json", "--frame", "tool"},
                      state)
        .out;
  };
  EXPECT_EQ(run(R"({"q":{"elbow":0.5}})"), run(R"({"q":[0,0,0,0,0,0,1,0,0.5]})"));
  EXPECT_NE(run(R"({"q":{"elbow":0.5}})"), "");
}

TEST(States, NoStatesMeansNeutralForPeopleAndNothingForPrograms) {
  const Outcome people = run_limber({"id", two_link_urdf()}, "");
  EXPECT_EQ(people.status, 0);
  EXPECT_NE(people.out.find("shoulder"), std::string::npos);
  EXPECT_NE(people.err.find("neutral position"), std::string::npos);
  const Outcome program = run_limber({"id", two_link_urdf(), "--json"}, "");
  EXPECT_EQ(program.status, 0);
  EXPECT_EQ(program.out, "");
  EXPECT_NE(program.err.find("no states"), std::string::npos);
}

TEST(States, RoundedQuaternionsAreMadeUnit) {
  const auto run = [](const std::string& state) {
    return run_limber({"kinematics", two_link_urdf(), "--floating", "--json", "--frame", "base"},
                      state);
  };
  const Outcome outcome = run(R"({"q":{"root":[0,0,0,0.7071,0,0,0.7071]}})");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json R = outcome.lines().at(0)["frames"]["base"]["rotation"];
  EXPECT_NEAR(R[2][1], 1, 1e-15);
  EXPECT_NEAR(R[1][1], 0, 1e-15);
}

TEST(Output, ClosedPipeIsAFailedRun) {
  const std::string states = temporary_file(
      [] {
        std::string text;
        for (int k = 0; k < 20000; ++k) text += "{\"q\":[0.1,0.2]}\n";
        return text;
      }(),
      ".jsonl");
  const Outcome outcome =
      run_shell("{ \"$LIMBER\" mass '" + two_link_urdf() + "' --json --states '" + states +
                "'; echo \"status $?\" >&2; } | head -n 1");
  EXPECT_EQ(outcome.err,
            "limber: cannot write to standard output: its reader has gone\nstatus 1\n");
  EXPECT_EQ(outcome.lines().size(), 1u);
}

TEST(Output, FullDiskIsAFailedRun) {
  const Outcome outcome = run_shell("\"$LIMBER\" info '" + two_link_urdf() + "' > /dev/full");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
