// Text from strangers: what is deep, doubled or meant for a terminal, and how every failure ends.
#include <map>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

Outcome with_state(const std::string& command, const std::string& states) {
  std::vector<std::string> words{command, two_link_urdf(), "--json"};
  if (command == "jacobian") words.insert(words.end(), {"--frame", "tool"});
  return run_limber(words, states);
}

// --- states ---

TEST(HostileStates, DeepJsonIsRefused) {
  for (const std::string open : {"[", "{\"q\":"}) {
    std::string deep;
    for (int k = 0; k < 100'000; ++k) deep += open;
    for (const char* command : {"id", "fd", "hybrid", "mass", "jacobian", "kinematics"})
      expect_refused(with_state(command, "{\"q\":[0,0]}\n" + deep),
                     {"standard input:2: column", "nested", "64"});
  }
}

TEST(HostileStates, KeysOfOtherSubcommandsAreRefused) {
  const std::map<std::string, std::string> accepted{
      {"id", "q v a f_ext"}, {"fd", "q v tau f_ext"}, {"hybrid", "q v known given f_ext"},
      {"mass", "q"},         {"jacobian", "q"},       {"kinematics", "q v"}};
  const std::map<std::string, std::string> values{
      {"v", "[1,2]"},     {"a", "[1,2]"},
      {"tau", "[1,2]"},   {"known", "[\"force\",\"force\"]"},
      {"given", "[1,2]"}, {"f_ext", "{\"tool\":[0,0,0,0,0,1]}"}};
  for (const auto& [command, keys] : accepted)
    for (const auto& [key, value] : values) {
      const Outcome outcome =
          with_state(command, "{\"q\":[0,0]}\n{\"q\":[0,0],\"" + key + "\":" + value + "}");
      const bool used = (" " + keys + " ").find(" " + key + " ") != std::string::npos;
      if (used) EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.err;
      else expect_refused(outcome, {"standard input:2", "key '" + key + "'", "expected q"});
    }
}

TEST(HostileStates, DoubledKeysAreRefused) {
  expect_refused(with_state("id", R"({"q":[0,0],"q":[1,1]})"),
                 {"standard input:1", "'q'", "twice"});
  expect_refused(with_state("id", R"({"q":{"elbow":1,"elbow":2}})"), {"'elbow'", "twice"});
}

TEST(HostileStates, EndlessLinesEnd) {
  expect_refused(run_shell("\"$LIMBER\" id '" + two_link_urdf() + "' --states /dev/zero"),
                 {"/dev/zero:1", "bytes"});
}

TEST(HostileStates, AFolderIsNoInput) {
  const Outcome outcome = run_shell("\"$LIMBER\" id '" + two_link_urdf() + "' < /");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

// --- what is printed ---

bool is_clean(const std::string& text) {
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    if ((c < 0x20 && c != '\n') || c == 0x7F) return false;
    if (c == 0xC2 && static_cast<unsigned char>(text[k + 1]) < 0xA0) return false;  // C1
    if (text.compare(k, 3, "\xE2\x80\xAE") == 0) return false;  // right-to-left override
  }
  return true;
}

// sets the title of a terminal's window, deletes the screen, overwrites the line, in both forms of
// the escape; turns the direction of writing; a byte that is no UTF-8
const std::string evil =
    "\x1b]0;pwned\x07\x1b[2J\x0d\x08\x7f\xC2\x9b"
    "31m\xE2\x80\xAE\xff";

TEST(HostileText, MessagesAreCleaned) {
  for (const Outcome& outcome :
       {run_limber({evil}), run_limber({"id", evil}), run_limber({"info", two_link_urdf(), evil}),
        run_limber({"jacobian", two_link_urdf(), "--frame", evil}),
        run_limber({"id", two_link_urdf(), "--states", evil}),
        run_limber({"id", two_link_urdf(), "--gravity", evil}),
        run_limber({"simulate", "double_pendulum", "--set", evil + "=1"}),
        with_state("id", "{\"" + evil.substr(0, 4) + "\":1}"), with_state("id", evil),
        with_state("id", R"({"q":{"\u001b[2J\u009b\u202e":1}})")}) {
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(is_clean(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err, "");
  }
  EXPECT_NE(run_limber({"info", "x\x1b[2J"}).err.find("x\\x1b[2J"), std::string::npos);
}

// whether such a name is refused or shown: no byte of it reaches the terminal, and JSON is JSON
TEST(HostileText, NamesAreCleaned) {
  for (const std::string name :
       {"\x1b[2J", "\x7f\xC2\x9b", "\xE2\x80\xAE", "\xff\xfe", "\r\b", "a\"b\\c", "ä€😀"}) {
    const std::string robot = temporary_file(
        "name: \"" + std::string("r") + "\"\nbodies:\n  - {name: 'l" + name +
            "', mass: 1, com: [0, 0, -1]}\njoints:\n  - {name: 'j" + name +
            "', kind: revolute, parent: world, axis: [0, 1, 0], child: 'l" + name + "'}\n",
        ".yaml");
    for (const std::string command : {"info", "id", "mass", "kinematics"}) {
      const Outcome text = run_limber({command, robot});
      EXPECT_TRUE(is_clean(text.out) && is_clean(text.err)) << text.out << text.err;
      const Outcome json =
          run_limber({command, robot, "--json"}, command == "info" ? "" : R"({"q":[0]})");
      EXPECT_TRUE(is_clean(json.out) && is_clean(json.err)) << json.out << json.err;
      EXPECT_EQ(json.status, text.status);
      if (json.status == 0) {
        EXPECT_NO_THROW(json.lines()) << json.out;
      }
    }
  }
}

TEST(HostileText, NumbersThatAreNotFiniteAreNullInJson) {
  // two masses whose sum no double holds
  const std::string robot = temporary_file(R"(<robot name="heavy">
  <link name="base"><inertial><mass value="1.5e308"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><mass value="1.5e308"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
</robot>)",
                                           ".urdf");
  const Outcome outcome = run_limber({"info", robot, "--json"});
  if (outcome.status == 2) return;  // such masses may be refused, too
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(outcome.lines().at(0)["mass"].is_null()) << outcome.out;
}

// --- how it ends ---

TEST(HostileEnd, FullOutputIsAFailedRun) {
  for (const std::string arguments :
       {"info", "info puma560", "info puma560 --json", "--help", "--version", "id --help",
        "id puma560", "simulate", "simulate --keys"}) {
    const Outcome outcome = run_shell("\"$LIMBER\" " + arguments + " < /dev/null > /dev/full");
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << arguments << outcome.err;
  }
}

TEST(HostileEnd, FullStandardErrorIsNoCrash) {
  EXPECT_EQ(run_shell("\"$LIMBER\" info nothing 2> /dev/full").status, 2);
  EXPECT_EQ(run_shell("\"$LIMBER\" id puma560 < /dev/null 2> /dev/full").status, 0);
  EXPECT_EQ(run_shell("\"$LIMBER\" id puma560 < /dev/null > /dev/full 2>&1").status, 1);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(NDEBUG)
TEST(HostileEnd, TooLittleMemoryIsAFailedRun) {
  const Outcome outcome =
      run_shell("ulimit -v 200000; \"$LIMBER\" bench humanoid --count 1000000 --rounds 1");
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("not enough memory"), std::string::npos) << outcome.err;
}
#endif

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
