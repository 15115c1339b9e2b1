#include "command.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace limber::test {

namespace {

std::string contents(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

}  // namespace

void expect_refused(const Outcome& outcome, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("limber: ")) << outcome.err;
  for (const std::string& word : words)
    EXPECT_NE(outcome.err.find(word), std::string::npos)
        << "'" << word << "' is not in: " << outcome.err;
}

std::string temporary_file(const std::string& text, const std::string& suffix) {
  static std::atomic<int> number = 0;
  const std::string file = testing::TempDir() + "limber_test_" + std::to_string(getpid()) + "_" +
                           std::to_string(++number) + suffix;
  std::ofstream(file) << text;
  return file;
}

std::vector<Json> Outcome::lines() const {
  std::vector<Json> values;
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);) values.push_back(Json::parse(line));
  return values;
}

Outcome run_shell(const std::string& command) {
  setenv("LIMBER", LIMBER_COMMAND, 1);
  const std::string out = temporary_file("", ".out"), err = temporary_file("", ".err");
  const int status =
      std::system(("{ " + command + "\n} > " + quoted(out) + " 2> " + quoted(err)).c_str());
  const Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
  std::remove(out.c_str());
  std::remove(err.c_str());
  return outcome;
}

Outcome run_limber(const std::vector<std::string>& arguments, const std::string& input) {
  const std::string in = temporary_file(input, ".in");
  std::string command = "\"$LIMBER\"";
  for (const std::string& argument : arguments) command.append(" ").append(quoted(argument));
  const Outcome outcome = run_shell(command + " < " + quoted(in));
  std::remove(in.c_str());
  return outcome;
}

std::string two_link_urdf() {
  static const std::string file = temporary_file(R"(<robot name="two_link">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.2" iyy="0.2" izz="0.02" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0 0 -0.25"/><mass value="1"/>
      <inertia ixx="0.05" iyy="0.05" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="100" velocity="10"/><dynamics damping="0.5" friction="0.1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 -1"/><axis xyz="0 1 0"/>
    <limit lower="-3" upper="3" effort="100" velocity="10"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="lower"/><child link="tool"/><origin xyz="0 0 -0.5"/>
  </joint>
</robot>
)",
                                                 ".urdf");
  return file;
}

}  // namespace limber::test
