// limber hybrid, and robots with mounted rotors in the command.
#include <cmath>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Json first(const std::vector<std::string>& arguments, const std::string& input) {
  const Outcome outcome = run_limber(arguments, input);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> lines = outcome.lines();
  EXPECT_EQ(lines.size(), 1u);
  return lines.empty() ? Json() : lines[0];
}

Json hybrid(const std::string& input) {
  return first({"hybrid", two_link_urdf(), "--json"}, input);
}

void expect_near(const Json& found, const Json& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(found[k].get<double>(), expected[k].get<double>(), 1e-11);
}

TEST(Hybrid, EndsAreForwardAndInverseDynamics) {
  const Json fd =
      first({"fd", two_link_urdf(), "--json"}, R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"tau":[2,1]})");
  const Json forces = hybrid(R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"given":[2,1]})");
  expect_near(forces["a"], fd["a"]);
  EXPECT_EQ(forces["tau"], Json({2, 1}));
  const Json id =
      first({"id", two_link_urdf(), "--json"}, R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"a":[2,1]})");
  const Json accelerations = hybrid(
      R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"known":["acceleration","acceleration"],"given":[2,1]})");
  expect_near(accelerations["tau"], id["tau"]);
  EXPECT_EQ(accelerations["a"], Json({2, 1}));
}

// the answer's accelerations need the answer's forces
TEST(Hybrid, MixedAndNamed) {
  const Json found = hybrid(
      R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"known":{"elbow":"acceleration"},"given":{"elbow":3,"shoulder":1}})");
  EXPECT_EQ(found["a"][1], 3);
  EXPECT_EQ(found["tau"][0], 1);
  Json state{{"q", {0.4, -0.9}}, {"v", {1.3, -0.7}}, {"a", found["a"]}};
  expect_near(found["tau"], first({"id", two_link_urdf(), "--json"}, state.dump())["tau"]);
  const Json named = first({"hybrid", two_link_urdf(), "--json", "--named"},
                           R"({"q":[0.4,-0.9],"known":["acceleration","force"],"given":[2,0]})");
  EXPECT_EQ(named["a"]["shoulder"], 2);
  EXPECT_EQ(named["tau"]["elbow"], 0);
}

TEST(Hybrid, FrictionCounts) {
  const std::string state =
      R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"known":["acceleration","acceleration"],"given":[2,1]})";
  const Json with = first({"hybrid", two_link_urdf(), "--json", "--friction"}, state);
  EXPECT_NEAR(with["tau"][0].get<double>() - hybrid(state)["tau"][0].get<double>(), 0.5 * 1.3 + 0.1,
              1e-12);
}

TEST(Hybrid, TableShowsBoth) {
  const Outcome outcome = run_limber({"hybrid", two_link_urdf()}, R"({"q":[0.4,-0.9]})");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("accelerations"), std::string::npos);
  EXPECT_NE(outcome.out.find("N m"), std::string::npos);
}

TEST(Hybrid, BadFlagsAreNamed) {
  auto refused = [](const std::string& input, const std::vector<std::string>& words) {
    const Outcome outcome = run_limber({"hybrid", two_link_urdf(), "--json"}, input);
    EXPECT_EQ(outcome.status, 2);
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in " << outcome.err;
  };
  refused(R"({"q":[0,0],"known":["force","speed"]})", {"key 'known'", "\"speed\"", "acceleration"});
  refused(R"({"q":[0,0],"known":["force"]})",
          {"key 'known'", "expected 2 words", "shoulder, elbow"});
  refused(R"({"q":[0,0],"known":{"elbw":"force"}})", {"'elbw'", "did you mean 'elbow'"});
  refused(R"({"q":[0,0],"given":[1]})", {"key 'given'", "found 1 numbers, expected 2"});
  refused(R"({"q":[0,0],"knwn":[]})", {"unknown key 'knwn'", "did you mean 'known'"});
}

// --- rotors ---

std::string geared_yaml() {
  return temporary_file(R"(name: geared
bodies:
  - {name: upper, mass: 2, com: [0, 0, -0.5], inertia: [0.2, 0.2, 0.01]}
  - {name: lower, mass: 1, com: [0, 0, -0.3], inertia: [0.05, 0.05, 0.005]}
joints:
  - {name: shoulder, kind: revolute, parent: world, child: upper, axis: [0, 1, 0]}
  - {name: elbow, kind: revolute, parent: upper, child: lower, xyz: [0, 0, -1], axis: [0, 1, 0],
     rotor_inertia: 1.0e-4, gear_ratio: 50, rotor_mount: upper, rotor_axis: [0, 1, 0]}
)",
                        ".yaml");
}

// M12 = that of the links + G J, M22 + G² J
TEST(MountedRotor, CouplesInTheInertiaMatrix) {
  const Json M = first({"mass", geared_yaml(), "--json"}, R"({"q":[0.3,0.8]})")["M"];
  const double c = std::cos(0.8), link = 0.05 + 1 * 0.09;
  EXPECT_NEAR(M[1][1], link + 2500 * 1e-4, 1e-12);
  EXPECT_NEAR(M[0][1], link + 0.3 * c + 50 * 1e-4, 1e-12);
  EXPECT_NEAR(M[0][0], 0.2 + 2 * 0.25 + link + 1 + 2 * 0.3 * c, 1e-12);
}

TEST(MountedRotor, IsNotListed) {
  const Json info = first({"info", geared_yaml(), "--json"}, "");
  EXPECT_EQ(info["nv"], 2);
  EXPECT_EQ(info["joints"].size(), 2u);
  ASSERT_EQ(info["bodies"].size(), 3u);  // the world too
  EXPECT_EQ(info["warnings"], Json::array());
  // the carrier as the file has it
  EXPECT_NEAR(info["bodies"][1]["inertia"][1][1].get<double>(), 0.2, 1e-14);
  const Outcome outcome =
      run_limber({"id", geared_yaml(), "--json"}, R"({"q":{"elbow rotor":0.1}})");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("rotor of joint 'elbow'"), std::string::npos) << outcome.err;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
