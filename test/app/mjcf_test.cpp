// limber with an MJCF file: what info says, loops that are refused or left open.
#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// a pendulum whose tip is held by a pin
std::string held_pendulum() {
  return temporary_file(R"(<mujoco model="held">
  <visual/>
  <worldbody>
    <light/>
    <light/>
    <body name="rod"><joint name="swing" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/></body>
  </worldbody>
  <equality><connect name="pin" body1="rod" anchor="0 0 -1"/></equality>
  <actuator><motor name="drive" joint="swing" gear="3"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/></sensor>
  <keyframe><key name="up" qpos="3.14"/></keyframe>
</mujoco>
)",
                        ".txt");
}

TEST(MjcfCommand, InfoTellsFormatLoopsAndWhatWasPassedOver) {
  const std::string file = held_pendulum();
  const Outcome text = run_limber({"info", file});
  ASSERT_EQ(text.status, 0) << text.err;
  for (const char* word : {"read as MJCF", "pin", "connect", "rod and the world",
                           "actuators: drive", "sensors: angle", "named states: qpos0, up",
                           "not read:", ":4: <light> (and 1 more like this)", ":2: <visual>"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word << "\n" << text.out;
  const Json info = run_limber({"info", file, "--json"}).lines().at(0);
  EXPECT_EQ(info["loops"][0]["name"], "pin");
  EXPECT_EQ(info["loops"][0]["active"], true);
  EXPECT_EQ(info["actuators"][0]["gear"], 3);
  EXPECT_EQ(info["sensors"][0]["object"], "swing");
  EXPECT_EQ(info["keyframes"], Json({"qpos0", "up"}));
  EXPECT_EQ(info["ignored"].size(), 2u);
}

TEST(MjcfCommand, LoopsAreOpenedOnRequestOnly) {
  const std::string file = held_pendulum(), state = R"({"q":[0.3]})";
  for (const char* command : {"fd", "id"})
    expect_refused(run_limber({command, file}, state),
                   {"robot 'held'", "1 loop", "'pin'", "--open-loops"});
  EXPECT_EQ(run_limber({"kinematics", file}, state).status, 0);
  EXPECT_EQ(run_limber({"mass", file}, state).status, 0);
  const Outcome open = run_limber({"fd", file, "--open-loops", "--json"}, state);
  ASSERT_EQ(open.status, 0) << open.err;
  EXPECT_LT(open.lines().at(0)["a"][0], 0);
  const Outcome info = run_limber({"info", file, "--open-loops"});
  EXPECT_NE(info.out.find("1 loop is left open: 'pin'"), std::string::npos) << info.out;
}

TEST(MjcfCommand, ScenariosKeepLoopsClosedUnlessTheyAreOpened) {
  const std::string file = held_pendulum();
  const auto scenario = [&](const std::string& more) {
    return temporary_file("robots: [{model: " + file + more + "}]\nduration: 0.1\n", ".yaml");
  };
  const std::string folder = temporary_file("", "") + "_out";
  const Outcome closed = run_limber({"simulate", scenario(""), "-o", folder, "--json"});
  ASSERT_EQ(closed.status, 0) << closed.err;
  const std::string loops = closed.lines().at(0)["facts"]["Closed loops"];
  EXPECT_NE(loops.find("1 loop with 3 rows"), std::string::npos) << loops;
  const Outcome open = run_limber({"simulate", scenario(", loops: open"), "-o", folder, "--json"});
  ASSERT_EQ(open.status, 0) << open.err;
  EXPECT_FALSE(open.lines().at(0)["facts"].contains("Closed loops"));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
