// limber, limber --help, --version and info.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

const std::vector<std::string> commands{"info",     "id",         "fd",      "mass",  "jacobian",
                                        "assemble", "kinematics", "compile", "bench", "study"};

TEST(Help, EverySubcommandExplainsItselfWithExamples) {
  const Outcome overview = run_limber({"--help"});
  EXPECT_EQ(overview.status, 0);
  for (const std::string& command : commands) {
    EXPECT_NE(overview.out.find("\n  " + command + " "), std::string::npos) << command;
    const Outcome help = run_limber({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Examples:\n  "), std::string::npos) << command;
    EXPECT_EQ(help.err, "");
  }
}

TEST(Help, Version) {
  const Outcome outcome = run_limber({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("limber 0.")) << outcome.out;
}

TEST(Help, NoSubcommandIsBadInput) {
  const Outcome outcome = run_limber({});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--help"), std::string::npos);
}

TEST(Help, MistypedSubcommandIsCorrected) {
  const Outcome outcome = run_limber({"jacobain", "puma560"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("did you mean 'jacobian'?"), std::string::npos) << outcome.err;
}

TEST(Info, ListsTheShippedRobots) {
  const Outcome list = run_limber({"info", "--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  const Json robots = list.lines().at(0)["robots"];
  EXPECT_NE(std::find(robots.begin(), robots.end(), "puma560"), robots.end());
  const Outcome table = run_limber({"info"});
  for (const std::string robot : robots) {
    EXPECT_NE(table.out.find(robot), std::string::npos);
    EXPECT_EQ(run_limber({"info", robot}).status, 0) << robot;
  }
}

// of a robot that nobody reads line by line, tables end and say so
TEST(Info, TablesOfLargeRobotsEnd) {
  std::string text = "bodies:\n";
  for (int i = 0; i < 300; ++i) text += "  - {name: b" + std::to_string(i) + ", mass: 1}\n";
  text += "joints:\n";
  for (int i = 0; i < 300; ++i)
    text += "  - {name: j" + std::to_string(i) +
            ", kind: prismatic, parent: " + (i == 0 ? "world" : "b" + std::to_string(i - 1)) +
            ", child: b" + std::to_string(i) + "}\n";
  const std::string file = temporary_file(text, ".yaml");
  const auto lines = [](const Outcome& outcome) {
    return std::count(outcome.out.begin(), outcome.out.end(), '\n');
  };
  const Outcome some = run_limber({"info", file}), all = run_limber({"info", file, "--all"});
  EXPECT_EQ(some.status, 0) << some.err;
  EXPECT_NE(some.out.find("j199"), std::string::npos);
  EXPECT_EQ(some.out.find("j200 "), std::string::npos);
  EXPECT_NE(some.out.find("… and 100 more; --all shows them"), std::string::npos);  // joints
  EXPECT_NE(some.out.find("… and 101 more; --all shows them"), std::string::npos);  // and the world
  EXPECT_LT(lines(some), 420);
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_GT(lines(all), 600);
  EXPECT_EQ(all.out.find("more; --all"), std::string::npos);
}

TEST(Info, JsonOfAFixedRobot) {
  const Outcome outcome = run_limber({"info", two_link_urdf(), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json info = outcome.lines().at(0);
  EXPECT_EQ(info["name"], "two_link");
  EXPECT_EQ(info["nq"], 2);
  EXPECT_EQ(info["nv"], 2);
  EXPECT_EQ(info["mass"], 3);
  EXPECT_EQ(info["joints"], Json::parse(R"([
    {"name":"shoulder","kind":"revolute","q":[0,1],"v":[0,1],"parent":"base","child":"upper"},
    {"name":"elbow","kind":"revolute","q":[1,1],"v":[1,1],"parent":"upper","child":"lower"}])"));
  ASSERT_EQ(info["bodies"].size(), 3u);
  EXPECT_EQ(info["bodies"][1]["name"], "upper");
  EXPECT_NEAR(info["bodies"][2]["com"][2], -0.25, 1e-15);
  EXPECT_NEAR(info["bodies"][1]["inertia"][1][1], 0.2, 1e-15);
  EXPECT_EQ(info["bodies"][2]["parent"], "upper");
  std::map<std::string, std::string> frames;
  for (const Json& frame : info["frames"]) frames[frame["name"]] = frame["body"];
  EXPECT_EQ(frames["tool"], "lower");
  EXPECT_EQ(frames["upper"], "upper");
  EXPECT_TRUE(info["warnings"].is_array());
}

TEST(Info, FloatingBaseAddsSixFreedoms) {
  const Outcome outcome = run_limber({"info", two_link_urdf(), "--json", "--floating"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json info = outcome.lines().at(0);
  EXPECT_EQ(info["nq"], 9);
  EXPECT_EQ(info["nv"], 8);
  EXPECT_EQ(info["joints"][0], Json::parse(R"({"name":"root","kind":"free","q":[0,7],"v":[0,6],
    "parent":"world","child":"base"})"));
  EXPECT_EQ(info["joints"][2]["q"], Json({8, 1}));
}

// a finger that follows the other, and a second link without mass
std::string gripper_urdf() {
  return temporary_file(R"(<robot name="gripper">
  <link name="palm"/>
  <link name="left"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="right_finger" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="left_finger" multiplier="-2" offset="0.1"/></joint>
  <joint name="left_finger" type="prismatic"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
</robot>
)",
                        ".urdf");
}

TEST(Info, ListsWhatDoesNotTouch) {
  const std::string link =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
      "iyz=\"0\"/></inertial><collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
  const std::string robot = temporary_file(
      "<robot name=\"pincer\"><link name=\"palm\">" + link + "</link><link name=\"finger\">" +
          link +
          "</link><joint name=\"hinge\" type=\"continuous\"><parent link=\"palm\"/><child "
          "link=\"finger\"/><axis xyz=\"0 0 1\"/></joint></robot>",
      ".urdf");
  const Json info = run_limber({"info", robot, "--json"}).lines().at(0);
  ASSERT_FALSE(info["contacts_left_out"].empty());
  const std::string first = info["contacts_left_out"][0];
  EXPECT_NE(first.find("joins them"), std::string::npos);
  const std::string text = run_limber({"info", robot}).out;
  EXPECT_NE(text.find("do not touch each other:\n  " + first + "\n"), std::string::npos);
  // without shapes there is nothing to say
  const std::string without = run_limber({"info", "double_pendulum"}).out;
  EXPECT_EQ(without.find("do not touch"), std::string::npos);
}

TEST(Info, MimicJointsAreMarked) {
  const std::string robot = gripper_urdf();
  const Json info = run_limber({"info", robot, "--json"}).lines().at(0);
  EXPECT_EQ(info["nv"], 1);
  EXPECT_EQ(info["joints"][0]["name"], "right_finger");
  EXPECT_EQ(info["joints"][0]["q"], Json({0, 0}));
  EXPECT_EQ(info["joints"][0]["mimic"],
            Json::parse(R"({"joint":"left_finger","multiplier":-2.0,"offset":0.1})"));
  EXPECT_FALSE(info["joints"][1].contains("mimic"));
  // the follower's mass counts four times: its speed is twice the leader's
  const Outcome mass = run_limber({"mass", robot, "--json"}, R"({"q":[0.2]})");
  ASSERT_EQ(mass.status, 0) << mass.err;
  EXPECT_NEAR(mass.lines().at(0)["M"][0][0], 5, 1e-13);
  const Outcome set = run_limber({"mass", robot, "--json"}, R"({"q":{"right_finger":0.2}})");
  EXPECT_EQ(set.status, 2);
  EXPECT_NE(set.err.find("follows 'left_finger'"), std::string::npos) << set.err;
}

TEST(Info, TablesNameJointsBodiesAndLinks) {
  const Outcome outcome = run_limber({"info", two_link_urdf()});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* word :
       {"two_link", "shoulder", "elbow", "upper", "lower", "tool", "-3 to 3 rad"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << "\n" << outcome.out;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
