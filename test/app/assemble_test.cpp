// limber assemble, and what limber info says of loops.
#include <cmath>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// crank, coupler and rocker of 1, 3 and 2.5 m, 3.2 m between the fixed pins, in the plane x, z
std::string four_bar() {
  return temporary_file(R"(
name: linkage
bodies:
  - {name: crank, mass: 1, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}
  - {name: coupler, mass: 3, com: [1.5, 0, 0], inertia: [0.1, 1, 1]}
  - {name: rocker, mass: 2, com: [1.2, 0, 0], inertia: [0.1, 1, 1]}
joints:
  - {name: crank, kind: revolute, parent: world, child: crank, axis: [0, -1, 0]}
  - {name: coupler, kind: revolute, parent: crank, child: coupler, xyz: [1, 0, 0], rpy: [0, -0.8, 0], axis: [0, -1, 0]}
  - {name: rocker, kind: revolute, parent: world, child: rocker, xyz: [3.2, 0, 0], rpy: [0, -1.8, 0], axis: [0, -1, 0]}
loops:
  - {name: pin, kind: connect, body_a: coupler, xyz_a: [3, 0, 0], body_b: rocker, xyz_b: [2.5, 0, 0]}
)",
                        ".yaml");
}

double gap_of(const Json& q) {
  const double crank = q[0], coupler = crank + q[1].get<double>() + 0.8,
               rocker = q[2].get<double>() + 1.8;
  return std::hypot(std::cos(crank) + 3 * std::cos(coupler) - 3.2 - 2.5 * std::cos(rocker),
                    std::sin(crank) + 3 * std::sin(coupler) - 2.5 * std::sin(rocker));
}

TEST(AssembleCommand, ClosesTheLoopWithTheCrankHeld) {
  const Outcome outcome = run_limber({"assemble", four_bar(), "--hold", "crank", "--json"},
                                     "{\"q\":{\"crank\":1.2}}\n{\"q\":[2.5,0,0]}\n");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> lines = outcome.lines();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["q"][0], 1.2);
  EXPECT_EQ(lines[1]["q"][0], 2.5);
  for (const Json& line : lines) {
    EXPECT_LT(gap_of(line["q"]), 1e-10);
    EXPECT_TRUE(line["closed"]);
    EXPECT_TRUE(line["keeps_branch"]);
    EXPECT_TRUE(line["open"].empty());
    EXPECT_FALSE(line["moved"].contains("crank"));
    EXPECT_TRUE(line["moved"].contains("coupler"));
  }
  const Outcome table = run_limber({"assemble", four_bar()}, "{\"q\":[0,0,0]}\n");
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find("all loops are closed"), std::string::npos) << table.out;
}

TEST(AssembleCommand, LoopsThatStayOpenAreNamed) {
  const Outcome outcome =
      run_limber({"assemble", four_bar(), "--hold", "rocker", "--json"}, "{\"q\":[0,0,-1.8]}\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("loops do not close: loop 'pin', force"), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(outcome.lines().at(0)["closed"]);
  const Outcome tree = run_limber({"assemble", two_link_urdf()}, "{\"q\":[0,0]}\n");
  expect_refused(tree, {"no loops"});
}

TEST(Info, SaysWhatLoopsDo) {
  const Outcome text = run_limber({"info", four_bar()});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("mobility 1: 3 freedoms, 3 rows of loops, of which 1 are redundant\n"
                          "redundant: loop 'pin', force y\nlargest gap: "),
            std::string::npos)
      << text.out;
  const Json closure = run_limber({"info", four_bar(), "--json"}).lines().at(0)["closure"];
  EXPECT_EQ(closure["mobility"], 1);
  EXPECT_EQ(closure["rank"], 2);
  EXPECT_EQ(closure["redundant"], Json::parse(R"(["loop 'pin', force y"])"));
  EXPECT_EQ(closure["gaps"].size(), 3u);
  EXPECT_FALSE(run_limber({"info", two_link_urdf(), "--json"}).lines().at(0).contains("closure"));
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
