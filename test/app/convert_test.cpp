// limber convert and limber diff.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

namespace fs = std::filesystem;

// a file name that is not there
std::string fresh_file(const std::string& extension) {
  const std::string file = temporary_file("", extension);
  fs::remove(file);
  return file;
}

std::string content(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

TEST(Convert, TheExtensionChoosesTheKind) {
  const std::vector<std::array<std::string, 2>> kinds = {{".urdf", "<robot name=\"arm7\">"},
                                                         {".xml", "<mujoco model=\"arm7\">"},
                                                         {".mjcf", "<mujoco"},
                                                         {".sdf", "<sdf version=\"1.11\">"},
                                                         {".yaml", "name: arm7\n"},
                                                         {".yml", "bodies:\n"}};
  for (const auto& [extension, words] : kinds) {
    const std::string file = fresh_file(extension);
    const Outcome outcome = run_limber({"convert", "arm7", "-o", file});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    expect_words(content(file), {words});
    EXPECT_EQ(run_limber({"info", file}).status, 0) << extension;
  }
  expect_refused(run_limber({"convert", "arm7", "-o", fresh_file(".txt")}), {"extension", ".urdf"});
  expect_refused(run_limber({"convert", "arm7"}), {"-o", "--to"});
  expect_words(run_limber({"convert", "arm7", "--to", "yaml"}).out, {"name: arm7\n"});
  const std::string odd = fresh_file(".txt");
  EXPECT_EQ(run_limber({"convert", "arm7", "--to", "mjcf", "-o", odd}).status, 0);
  expect_words(content(odd), {"<mujoco"});
}

TEST(Convert, FilesAreReplacedOnRequestOnly) {
  const std::string file = temporary_file("mine", ".yaml");
  expect_refused(run_limber({"convert", "arm7", "-o", file}), {file, "already", "--overwrite"});
  EXPECT_EQ(content(file), "mine");
  EXPECT_EQ(run_limber({"convert", "arm7", "-o", file, "--overwrite"}).status, 0);
  expect_words(content(file), {"name: arm7"});
  // what is read is never replaced
  expect_refused(run_limber({"convert", file, "-o", file, "--overwrite"}), {"reads it"});
}

TEST(Convert, NoFileThatTheRobotComesFromIsReplaced) {
  const std::string part =
      temporary_file("<mujoco><default><geom density='500'/></default></mujoco>", ".xml");
  const std::string main = temporary_file(
      "<mujoco><include file='" + fs::path(part).filename().string() +
          "'/><worldbody><body name='b'><joint/><geom size='0.1'/></body></worldbody></mujoco>",
      ".xml");
  const std::string before = content(part);
  for (const std::string& file : {main, part})
    expect_refused(run_limber({"convert", main, "-o", file, "--overwrite"}), {file, "reads it"});
  EXPECT_EQ(content(part), before);
  // nor the table of loops and the URDF file beside it
  const std::string urdf = temporary_file(content(two_link_urdf()), ".urdf");
  const std::string loops = urdf.substr(0, urdf.size() - 5) + ".closed_loops.yaml";
  std::ofstream(loops) << "closed_loop: [[upper, lower]]\ntype: [3d]\n";
  expect_refused(run_limber({"convert", loops, "-o", urdf, "--overwrite"}), {urdf, "reads it"});
  expect_refused(run_limber({"convert", "arm7", "-o", loops, "--overwrite"}),
                 {loops, "list of loops", "name another"});
  expect_words(content(loops), {"closed_loop"});
  fs::remove(loops);
}

TEST(Convert, AFileThatMayNotGrowIsAFailedWrite) {
  const std::string file = temporary_file("mine", ".yaml");
  const Outcome outcome =
      run_shell("ulimit -f 1; \"$LIMBER\" convert humanoid --overwrite -o '" + file + "'");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  expect_words(outcome.err, {"cannot write '" + file + "'", "File too large"});
  EXPECT_EQ(content(file), "mine");
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(file).parent_path()))
    EXPECT_FALSE(entry.path().string().starts_with(file + ".")) << entry.path();
}

TEST(Convert, LongListsOfLossesAreShortened) {
  std::string bodies = "bodies:\n";
  for (int k = 0; k < 150; ++k)
    bodies += "  - {name: \"a::" + std::to_string(k) + "\", mass: 1, inertia: [1, 1, 1], " +
              "shapes: [{kind: height_field, file: x.png, size: [1, 1, 1]}]}\n";
  const std::string file = temporary_file(bodies, ".yaml");
  const Outcome outcome = run_limber({"convert", file, "--to", "sdf"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  expect_words(outcome.err, {"body 'a_0', body 'a_1'", " and 50 more (--json names all)"});
  expect_refused(run_limber({"convert", file, "--to", "sdf", "--json"}), {"-o"});
  EXPECT_EQ(run_limber({"convert", file, "--to", "sdf", "--json"}).out, "");
}

TEST(Convert, WhatIsLostIsToldAndDynamicsOnlyOnRequest) {
  const std::string file = fresh_file(".xml");
  expect_refused(run_limber({"convert", "every_joint", "-o", file}),
                 {"move in another way", "joint 'follow'", "joint 'screw_slide'", "--lossy"});
  EXPECT_FALSE(fs::exists(file));
  const Outcome lossy = run_limber({"convert", "every_joint", "-o", file, "--lossy"});
  EXPECT_EQ(lossy.status, 0);
  expect_words(lossy.err, {"moves in another way", "joint 'follow'", "not in the file",
                           "joint 'hinge': MJCF has no universal joint"});
  EXPECT_TRUE(fs::exists(file));
  const Outcome json =
      run_limber({"convert", "every_joint", "-o", file, "--lossy", "--json", "--overwrite"});
  ASSERT_EQ(json.status, 0) << json.err;
  const Json told = json.lines().at(0);
  EXPECT_EQ(told["format"], "mjcf");
  EXPECT_EQ(told["losses"][0].size(), 3u);
  EXPECT_EQ(run_limber({"convert", "every_joint", "--to", "mjcf", "--lossy", "--quiet"}).err, "");
  // no file kind of another sort could help here
  expect_refused(run_limber({"convert", "every_joint", "--to", "urdf", "--lossy"}),
                 {"joint 'socket'", "spherical"});
}

TEST(Convert, OptionsOfTheRobotCount) {
  const std::string file = fresh_file(".yaml");
  EXPECT_EQ(run_limber({"convert", "arm7", "-o", file, "--floating", "--gravity", "0,0,-1"}).status,
            0);
  expect_words(content(file), {"gravity: [0, 0, -1]", "kind: free"});
}

TEST(Diff, EqualRobots) {
  const Outcome same = run_limber({"diff", "arm7", "arm7"});
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(same.out + same.err, "");
  EXPECT_EQ(run_limber({"diff", "arm7", "arm7", "--json"}).lines().at(0)["equal"], true);
  const std::string file = fresh_file(".yaml");
  run_limber({"convert", "humanoid", "-o", file});
  EXPECT_EQ(run_limber({"diff", "humanoid", file, "--tolerance", "1e-300"}).status, 0);
}

TEST(Diff, StructureThenNumbers) {
  const std::string text = R"(name: r
bodies:
- {name: a, mass: 1, inertia: [1, 1, 1]}
- {name: b, mass: 2, inertia: [1, 1, 1]}
joints:
- {name: j, kind: KIND, parent: world, child: a}
- {name: k, kind: revolute, parent: a, child: b, axis: [0, 0, 2], damping: 0.1, limits: [-1, 1]}
)";
  const auto variant = [&](std::string from, const std::string& to) {
    std::string other = text;
    if (!from.empty()) other.replace(other.find(from), from.size(), to);
    if (const std::size_t at = other.find("KIND"); at != std::string::npos)
      other.replace(at, 4, "revolute");
    return temporary_file(other, ".yaml");
  };
  const std::string base = variant("", "");
  const auto diff = [&](const std::string& from, const std::string& to) {
    const Outcome outcome = run_limber({"diff", base, variant(from, to)});
    EXPECT_EQ(outcome.status, 1);
    return outcome.out;
  };
  expect_words(diff("KIND", "prismatic"),
               {"structure:\n", "joint 'j': kind: revolute | prismatic"});
  expect_words(diff("mass: 2", "mass: 2.5"), {"numbers:\n", "body 'b': mass: 2 | 2.5  (by 0.5)"});
  expect_words(diff("damping: 0.1", "damping: 0.2"), {"joint 'k': damping: 0.1 | 0.2"});
  expect_words(diff("limits: [-1, 1]", "limits: [-1, 2]"), {"joint 'k': upper limit: 1 | 2"});
  expect_words(diff("axis: [0, 0, 2]", "axis: [0, 1, 0]"),
               {"joint 'k': axis: (0, 0, 1) | (0, 1, 0)"});
  expect_words(diff("joints:", "- {name: c}\njoints:"), {"body 'c': is there: no | yes"});
  expect_words(diff("parent: a", "parent: world"), {"joint 'k': parent: a | world"});
  // the length of an axis does not matter, and small differences are within the tolerance
  EXPECT_EQ(run_limber({"diff", base, variant("axis: [0, 0, 2]", "axis: [0, 0, 1]")}).status, 0);
  const std::string near = variant("mass: 2", "mass: 2.0001");
  EXPECT_EQ(run_limber({"diff", base, near}).status, 1);
  EXPECT_EQ(run_limber({"diff", base, near, "--tolerance", "1e-3"}).status, 0);
  const Outcome json = run_limber({"diff", base, near, "--json"});
  EXPECT_EQ(json.status, 1);
  const Json numbers = json.lines().at(0)["numbers"];
  EXPECT_EQ(numbers[0]["what"], "mass");
  EXPECT_EQ(numbers[0]["b"][0], 2.0001);
  expect_refused(run_limber({"diff", base, "missing.urdf"}), {"missing.urdf"});
  expect_refused(run_limber({"diff", base}), {"two robots"});
}

TEST(Diff, OneMotionWrittenInTwoWays) {
  // a joint away from the child's origin: by two placements, or as MJCF has it
  const std::string file = fresh_file(".xml"), back = fresh_file(".yaml");
  const std::string yaml = temporary_file(R"(name: r
timestep: 0.002
bodies: [{name: a, mass: 1, com: [0, 0, 1], inertia: [1, 1, 1]}]
joints: [{name: j, kind: revolute, parent: world, child: a, xyz: [0, 0, 2], rpy: [0.3, 0, 0], child_xyz: [1, 0, 0], axis: [0, 3, 0]}]
keyframes: [{name: qpos0, position: {j: [0]}}]
)",
                                          ".yaml");
  ASSERT_EQ(run_limber({"convert", yaml, "-o", file}).status, 0);
  const Outcome outcome = run_limber({"diff", yaml, file, "--tolerance", "1e-14"});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
