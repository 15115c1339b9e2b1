// --floating: the same robot as the one with a free joint written out by hand.
#include <fstream>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// trunk and arm; `held` is the joint that holds the trunk, or nothing
std::string robot_file(const std::string& held) {
  return temporary_file(
      "name: r\nbodies:\n"
      "- {name: trunk, mass: 3, com: [0.1, 0, 0], inertia: [0.3, 0.4, 0.5]}\n"
      "- {name: arm, mass: 1, com: [0, 0.2, 0], inertia: [0.1, 0.1, 0.1]}\n"
      "joints:\n- {name: shoulder, kind: revolute, parent: trunk, child: arm}\n" +
          held,
      ".yaml");
}

std::string held_by(const std::string& kind) {
  return "- {name: hold, kind: " + kind +
         ", parent: world, child: trunk, xyz: [0, 0, 1], "
         "rpy: [0.5, 0, 0]}\n";
}

Json torques(const std::string& file, const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"id", file, "--json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = run_limber(
      arguments,
      R"({"q":[0.1,0.2,0.3,0.5,0.5,0.5,0.5,0.7],"v":[1,2,3,4,5,6,7],"a":[7,6,5,4,3,2,1]})");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? outcome.lines().at(0)["tau"] : Json();
}

TEST(Floating, FreesWhatTheWorldHoldsAndDoublesNothing) {
  const std::string by_hand = robot_file(held_by("free"));
  const Json expected = torques(by_hand, {});
  ASSERT_EQ(expected.size(), 7u);
  EXPECT_EQ(torques(by_hand, {"--floating"}), expected);                       // is free already
  EXPECT_EQ(torques(robot_file(held_by("fixed")), {"--floating"}), expected);  // was bolted
  for (const std::string& robot : {by_hand, robot_file(held_by("fixed")), robot_file("")}) {
    const Json info = run_limber({"info", robot, "--json", "--floating"}).lines().at(0);
    EXPECT_EQ(info["nv"], 7);
    EXPECT_EQ(info["mass"], 4);
  }
  EXPECT_EQ(run_limber({"info", "quadruped", "--json", "--floating"}).lines().at(0)["nv"], 18);
  const Outcome tied = run_limber({"info", robot_file(held_by("revolute")), "--floating"});
  EXPECT_EQ(tied.status, 2);
  EXPECT_NE(tied.err.find("joint 'hold'"), std::string::npos) << tied.err;
  EXPECT_NE(tied.err.find("ties it to the world"), std::string::npos) << tied.err;
}

TEST(LargeRobots, DynamicsNeedLittleAndMatricesSayWhatTheyNeed) {
  const std::string file = temporary_file("", ".yaml");
  std::ofstream robot(file);
  robot << "bodies:\n- {name: l0, mass: 1}\n";
  const int links = 15000;
  for (int i = 1; i <= links; ++i) robot << "- {name: l" << i << ", mass: 1, com: [1, 0, 0]}\n";
  robot << "joints:\n";
  for (int i = 1; i <= links; ++i)
    robot << "- {name: j" << i << ", kind: revolute, parent: l" << i - 1 << ", child: l" << i
          << "}\n";
  robot.close();
  const Outcome info = run_limber({"info", file});
  EXPECT_EQ(info.status, 0) << info.err;
  EXPECT_NE(info.out.find("nv = 15000"), std::string::npos);
  const Outcome forces = run_limber({"id", file});
  EXPECT_EQ(forces.status, 0) << forces.err;
  const Outcome refused = run_shell("LIMBER_MEMORY=1 \"$LIMBER\" mass " + file + " < /dev/null");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("2.25 GB, the limit is 1 GB"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("LIMBER_MEMORY"), std::string::npos) << refused.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
