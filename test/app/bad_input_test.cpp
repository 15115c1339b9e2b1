// Wrong input: status 2 and a message that says where, what was found and what was expected.
#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Outcome id_of(const std::string& states) {
  return run_limber({"id", two_link_urdf(), "--json"}, states);
}

TEST(BadStates, WrongNumberOfNumbers) {
  const Outcome outcome = id_of("{\"q\":[0.1,0.2]}\n{\"q\":[0.1,0.2],\"v\":[1]}\n");
  expect_refused(outcome,
                 {"standard input:2", "key 'v'", "found 1", "expected 2", "shoulder, elbow"});
  EXPECT_EQ(outcome.lines().size(), 1u);  // the good line before it was answered
}

TEST(BadStates, FileAndLineAreNamed) {
  const std::string file = temporary_file("\n{\"q\":[0.1,0.2,0.3]}\n", ".jsonl");
  expect_refused(run_limber({"fd", two_link_urdf(), "--json", "--states", file}),
                 {file + ":2", "found 3", "expected 2"});
}

TEST(BadStates, FloatingBaseSizeIsNamed) {
  expect_refused(run_limber({"id", two_link_urdf(), "--floating"}, R"({"q":[1,2]})"),
                 {"found 2", "expected 9", "root (7)"});
}

TEST(BadStates, NotFinite) {
  expect_refused(id_of(R"({"q":[NaN,0]})"), {"standard input:1", "NaN"});
  expect_refused(id_of(R"({"q":[1e999,0]})"), {"standard input:1"});
  expect_refused(id_of(R"({"q":[null,0]})"), {"key 'q'", "entry 1 is null", "finite number"});
  expect_refused(id_of(R"({"q":["0.1",0]})"), {"entry 1", "finite number"});
}

TEST(BadStates, NotAnObject) {
  expect_refused(id_of("[0.1,0.2]"), {"standard input:1", "array", "one JSON object per line"});
  expect_refused(id_of("{\"q\":[0.1,"), {"standard input:1", "one JSON object per line"});
}

TEST(BadStates, UnknownAndMissingKeys) {
  expect_refused(run_limber({"fd", two_link_urdf()}, R"({"q":[0,0],"taw":[0,0]})"),
                 {"unknown key 'taw'", "did you mean 'tau'?"});
  expect_refused(id_of(R"({"v":[0,0]})"), {"key 'q' is missing", "2 numbers"});
}

TEST(BadStates, UnknownJoint) {
  expect_refused(id_of(R"({"q":{"elbw":0.1}})"), {"key 'q'", "'elbw'", "did you mean 'elbow'?"});
  expect_refused(id_of(R"({"q":{"elbow":[0.1,0.2]}})"),
                 {"joint 'elbow'", "found 2", "expected 1", "revolute"});
}

TEST(BadStates, QuaternionFarFromUnit) {
  expect_refused(run_limber({"id", two_link_urdf(), "--floating"}, R"({"q":[0,0,0,0,0,0,2,0,0]})"),
                 {"quaternion", "'root'", "length 2", "expected 1"});
  expect_refused(run_limber({"id", two_link_urdf(), "--floating"}, R"({"q":[0,0,0,0,0,0,0,0,0]})"),
                 {"quaternion", "'root'"});
}

TEST(BadStates, ExternalForces) {
  expect_refused(id_of(R"({"q":[0,0],"f_ext":[1]})"), {"key 'f_ext'", "object"});
  expect_refused(id_of(R"({"q":[0,0],"f_ext":{"tol":[0,0,0,0,0,1]}})"),
                 {"'tol'", "did you mean 'tool'?"});
  expect_refused(id_of(R"({"q":[0,0],"f_ext":{"tool":[0,0,1]}})"),
                 {"found 3", "expected 6", "moment"});
}

TEST(BadStates, UnreadableFile) {
  expect_refused(run_limber({"id", two_link_urdf(), "--states", "/no/such/file"}),
                 {"/no/such/file"});
  expect_refused(run_limber({"id", two_link_urdf(), "--states", "/"}), {"cannot be read"});
}

TEST(BadOptions, AreExplained) {
  expect_refused(run_limber({"id"}), {"MODEL"});
  expect_refused(run_limber({"id", "/no/such/robot.urdf"}), {"/no/such/robot.urdf"});
  expect_refused(run_limber({"id", "puma56"}), {"puma56"});
  expect_refused(run_limber({"id", two_link_urdf(), "--jsn"}), {"--jsn", "limber id --help"});
  for (const char* gravity : {"9.81", "0,0", "0,0,x", "0,0,-9.81,1", "0,0,nan", ""})
    expect_refused(run_limber({"id", two_link_urdf(), std::string("--gravity=") + gravity}),
                   {"--gravity"});
  expect_refused(run_limber({"jacobian", two_link_urdf()}), {"--frame"});
  expect_refused(run_limber({"jacobian", two_link_urdf(), "--frame", "tol"}),
                 {"did you mean 'tool'?"});
  expect_refused(
      run_limber({"jacobian", two_link_urdf(), "--frame", "tool", "--reference", "local"}),
      {"--reference", "world_aligned"});
  expect_refused(run_limber({"bench", two_link_urdf(), "--count", "3"}), {"--count"});
}

TEST(BadRobot, MasslessLeafRefusesForwardDynamicsOnly) {
  const std::string robot = temporary_file(R"(<robot name="ghost">
  <link name="base"/><link name="air"/>
  <joint name="fan" type="continuous"><parent link="base"/><child link="air"/><axis xyz="0 0 1"/></joint>
</robot>)",
                                           ".urdf");
  expect_refused(run_limber({"fd", robot, "--json"}, R"({"q":[0]})"), {"'fan'"});
  EXPECT_EQ(run_limber({"id", robot, "--json"}, R"({"q":[0]})").status, 0);
  const Outcome kinematics = run_limber({"kinematics", robot, "--json"}, R"({"q":[0]})");
  ASSERT_EQ(kinematics.status, 0) << kinematics.err;
  EXPECT_TRUE(kinematics.lines().at(0)["com"].is_null());
}

TEST(BadRobot, FileAndLineAreNamed) {
  const std::string robot = temporary_file(
      "<robot name=\"r\">\n<link name=\"a\"/>\n<joint name=\"j\"/>\n</robot>\n", ".urdf");
  expect_refused(run_limber({"info", robot}), {robot + ":3", "'j'"});
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
