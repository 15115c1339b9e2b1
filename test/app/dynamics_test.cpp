// id, fd, mass, jacobian, kinematics and bench: their numbers against the closed form of the two
// links of command.cpp, angles measured from hanging down, both about y.
#include <cmath>

#include <gtest/gtest.h>

#include "command.hpp"

namespace limber::test {
namespace LIMBER_TEST_FILE {

// lengths, masses and inertias as in the URDF
constexpr double m1 = 2, c1 = 0.5, I1 = 0.2, l1 = 1, m2 = 1, c2 = 0.25, I2 = 0.05, tool = 0.5,
                 g = 9.81;
const double q1 = 0.4, q2 = -0.9, v1 = 1.3, v2 = -0.7, a1 = 0.6, a2 = 2.1;
const std::string state = R"({"q":[0.4,-0.9],"v":[1.3,-0.7],"a":[0.6,2.1]})";
const std::string position = R"({"q":[0.4,-0.9]})", motion = R"({"q":[0.4,-0.9],"v":[1.3,-0.7]})";

const double M11 = I1 + I2 + m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2 + 2 * l1 * c2 * std::cos(q2));
const double M12 = I2 + m2 * (c2 * c2 + l1 * c2 * std::cos(q2));
const double M22 = I2 + m2 * c2 * c2;
const double h = m2 * l1 * c2 * std::sin(q2);
const double gravity2 = m2 * g * c2 * std::sin(q1 + q2);
const double gravity1 = (m1 * c1 + m2 * l1) * g * std::sin(q1) + gravity2;
const double tau1 = M11 * a1 + M12 * a2 - h * (2 * v1 * v2 + v2 * v2) + gravity1;
const double tau2 = M12 * a1 + M22 * a2 + h * v1 * v1 + gravity2;

Json first(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> all{arguments[0], two_link_urdf(), "--json"};
  all.insert(all.end(), arguments.begin() + 1, arguments.end());
  const Outcome outcome = run_limber(all, input);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::vector<Json> lines = outcome.lines();
  EXPECT_EQ(lines.size(), 1u);
  return lines.empty() ? Json() : lines[0];
}

TEST(Id, ClosedForm) {
  const Json tau = first({"id"}, state)["tau"];
  EXPECT_NEAR(tau[0], tau1, 1e-12);
  EXPECT_NEAR(tau[1], tau2, 1e-12);
}

TEST(Id, WhatIsLeftOutIsZero) {
  const Json tau = first({"id"}, R"({"q":[0.4,-0.9]})")["tau"];
  EXPECT_NEAR(tau[0], gravity1, 1e-12);
  EXPECT_NEAR(tau[1], gravity2, 1e-12);
}

TEST(Id, NamesAndArraysAgree) {
  const std::string named =
      R"({"q":{"elbow":-0.9,"shoulder":0.4},"v":{"shoulder":1.3,"elbow":[-0.7]},"a":[0.6,2.1]})";
  const Json tau = first({"id", "--named"}, named)["tau"];
  EXPECT_EQ(tau["shoulder"], first({"id"}, state)["tau"][0]);
  EXPECT_EQ(tau["elbow"], first({"id"}, state)["tau"][1]);
}

TEST(Id, GravityOption) {
  const Json none = first({"id", "--gravity", "0,0,0"}, R"({"q":[0.4,-0.9]})")["tau"];
  EXPECT_EQ(none[0], 0);
  // gravity along −x: the same as hanging, turned by a quarter
  const Json sideways = first({"id", "--gravity", "-9.81,0,0"}, R"({"q":[0.4,-0.9]})")["tau"];
  EXPECT_NEAR(sideways[1], -m2 * g * c2 * std::cos(q1 + q2), 1e-12);
}

TEST(Id, FrictionOptionAddsDampingAndCoulomb) {
  const Json plain = first({"id"}, state)["tau"], with = first({"id", "--friction"}, state)["tau"];
  EXPECT_NEAR(with[0].get<double>() - plain[0].get<double>(), 0.5 * v1 + 0.1, 1e-12);
  EXPECT_EQ(with[1], plain[1]);
}

TEST(Id, ExternalForceAtAFrame) {
  // 5 N along the tool's own x and a moment of 2 N m about its y
  const Json with = first({"id"}, R"({"q":[0.4,-0.9],"f_ext":{"tool":[0,2,0,5,0,0]}})")["tau"];
  // power balance: x of the tool sees −tool·(v1+v2) from the elbow, −l1 cos(q2)·v1 from the
  // shoulder
  EXPECT_NEAR(with[1], gravity2 - (2 - 5 * tool), 1e-12);
  EXPECT_NEAR(with[0], gravity1 - (2 - 5 * (tool + l1 * std::cos(q2))), 1e-12);
}

TEST(Fd, UndoesId) {
  const Json tau = first({"id"}, state)["tau"];
  Json input = Json::parse(state);
  input.erase("a");
  input["tau"] = tau;
  const Json a = first({"fd"}, input.dump())["a"];
  EXPECT_NEAR(a[0], a1, 1e-11);
  EXPECT_NEAR(a[1], a2, 1e-11);
  // friction and an external force too
  input["f_ext"] = {{"tool", {1, 2, 3, 4, 5, 6}}};
  input["tau"] = first({"id", "--friction"}, [&] {
    Json s = Json::parse(state);
    s["f_ext"] = input["f_ext"];
    return s.dump();
  }())["tau"];
  const Json named = first({"fd", "--friction", "--named"}, input.dump())["a"];
  EXPECT_NEAR(named["shoulder"], a1, 1e-11);
  EXPECT_NEAR(named["elbow"], a2, 1e-11);
}

TEST(Mass, ClosedForm) {
  const Json M = first({"mass"}, position)["M"];
  EXPECT_NEAR(M[0][0], M11, 1e-13);
  EXPECT_NEAR(M[0][1], M12, 1e-13);
  EXPECT_EQ(M[0][1], M[1][0]);
  EXPECT_NEAR(M[1][1], M22, 1e-13);
}

TEST(Jacobian, ThreeReferences) {
  const auto rows = [](const char* reference) {
    return first({"jacobian", "--frame", "tool", "--reference", reference}, position)["J"];
  };
  for (const char* reference : {"body", "world", "world_aligned"}) {
    const Json J = rows(reference);
    ASSERT_EQ(J.size(), 6u);
    for (int column : {0, 1}) EXPECT_NEAR(J[1][static_cast<std::size_t>(column)], 1, 1e-14);
  }
  const double x = -l1 * std::sin(q1) - tool * std::sin(q1 + q2);
  const double z = -l1 * std::cos(q1) - tool * std::cos(q1 + q2);
  EXPECT_NEAR(rows("world_aligned")[3][0], z, 1e-14);   // ω_y × r: x speed is z
  EXPECT_NEAR(rows("world_aligned")[5][0], -x, 1e-14);  // z speed is −x
  EXPECT_NEAR(rows("body")[3][1], -tool, 1e-14);
  EXPECT_NEAR(rows("body")[5][1], 0, 1e-14);
  EXPECT_NEAR(rows("world")[3][0], 0, 1e-14);  // the shoulder's axis goes through the world origin
  EXPECT_NEAR(rows("world")[3][1], l1 * std::cos(q1), 1e-14);
  EXPECT_EQ(first({"jacobian", "--frame", "tool"}, position)["J"], rows("world_aligned"));
}

TEST(Kinematics, EnergiesAndPoses) {
  const Json k = first({"kinematics", "--frame", "tool", "--frame", "upper"}, motion);
  EXPECT_NEAR(k["kinetic"], 0.5 * (M11 * v1 * v1 + 2 * M12 * v1 * v2 + M22 * v2 * v2), 1e-13);
  const double z1 = -c1 * std::cos(q1), z2 = -l1 * std::cos(q1) - c2 * std::cos(q1 + q2);
  EXPECT_NEAR(k["potential"], g * (m1 * z1 + m2 * z2), 1e-12);
  EXPECT_NEAR(k["com"][2], (m1 * z1 + m2 * z2) / 3, 1e-14);
  EXPECT_EQ(k["mass"], 3);
  EXPECT_NEAR(k["momentum"][1], M11 * v1 + M12 * v2, 1e-13);  // about the shoulder's axis
  ASSERT_EQ(k["frames"].size(), 2u);
  const Json& pose = k["frames"]["tool"];
  EXPECT_NEAR(pose["position"][2], -l1 * std::cos(q1) - tool * std::cos(q1 + q2), 1e-14);
  EXPECT_NEAR(pose["rotation"][0][2], std::sin(q1 + q2), 1e-14);
  const Json all = first({"kinematics"}, motion)["frames"];
  for (const char* link : {"base", "upper", "lower", "tool"})
    EXPECT_TRUE(all.contains(link)) << link;
}

TEST(Tables, NameJointsAndUnits) {
  for (const char* command : {"id", "fd", "mass", "kinematics"}) {
    const Outcome outcome = run_limber({command, two_link_urdf()}, position);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(std::string(command) == "kinematics" ? "tool" : "shoulder"),
              std::string::npos);
  }
  EXPECT_NE(run_limber({"id", two_link_urdf()}, state).out.find("N m"), std::string::npos);
  EXPECT_NE(run_limber({"fd", two_link_urdf()}, motion).out.find("rad/s²"), std::string::npos);
  const Outcome J = run_limber({"jacobian", two_link_urdf(), "--frame", "tool"}, position);
  EXPECT_NE(J.out.find("elbow"), std::string::npos) << J.err;
}

TEST(Bench, PrintsATimeForEveryAlgorithm) {
  const Outcome outcome = run_limber({"bench", two_link_urdf(), "--rounds", "1", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json times = outcome.lines().at(0)["times"];
  for (const char* name :
       {"forward kinematics", "inverse dynamics", "mass matrix", "forward dynamics"})
    EXPECT_GT(times[name]["ns"], 0) << name;
  EXPECT_EQ(times["forward kinematics"]["ratio"], 1);
}

// positive angles turn (0, 0, −1) towards −x; the elbow bears the lower link: m2 (a − g) of its
// centre, turned into the link's axes
TEST(Id, ReactionsAreThoseOfNewtonsLaw) {
  const Json all = first({"id", "--reactions"}, state)["reactions"];
  const double s1 = std::sin(q1), k1 = std::cos(q1), s = std::sin(q1 + q2), k = std::cos(q1 + q2);
  const double w = v1 + v2, dw = a1 + a2;
  const double ax = -l1 * (a1 * k1 - v1 * v1 * s1) - c2 * (dw * k - w * w * s);
  const double az = l1 * (a1 * s1 + v1 * v1 * k1) + c2 * (dw * s + w * w * k);
  const double fx = m2 * ax, fz = m2 * (az + g);
  EXPECT_NEAR(all["elbow"][3], k * fx - s * fz, 1e-12);
  EXPECT_NEAR(all["elbow"][4], 0, 1e-12);
  EXPECT_NEAR(all["elbow"][5], s * fx + k * fz, 1e-12);
  EXPECT_NEAR(all["elbow"][1], tau2, 1e-12);
  EXPECT_NEAR(all["shoulder"][1], tau1, 1e-12);
  const Outcome table = run_limber({"id", two_link_urdf(), "--reactions"}, state);
  EXPECT_NE(table.out.find("mx [N m]"), std::string::npos);
  EXPECT_FALSE(first({"id"}, state).contains("reactions"));
}

TEST(Kinematics, MotionsOfFramesAreThoseOfTheClosedForm) {
  const Json frames =
      first({"kinematics", "--velocity", "--acceleration", "--frame", "tool"}, state)["frames"];
  const Json v = frames["tool"]["velocity"], a = frames["tool"]["acceleration"];
  const double s1 = std::sin(q1), k1 = std::cos(q1), s = std::sin(q1 + q2), k = std::cos(q1 + q2);
  const double w = v1 + v2, dw = a1 + a2;
  EXPECT_NEAR(v[1], w, 1e-12);
  EXPECT_NEAR(v[3], -l1 * v1 * k1 - tool * w * k, 1e-12);
  EXPECT_NEAR(v[5], l1 * v1 * s1 + tool * w * s, 1e-12);
  EXPECT_NEAR(a[1], dw, 1e-12);
  EXPECT_NEAR(a[3], -l1 * (a1 * k1 - v1 * v1 * s1) - tool * (dw * k - w * w * s), 1e-12);
  EXPECT_NEAR(a[5], l1 * (a1 * s1 + v1 * v1 * k1) + tool * (dw * s + w * w * k), 1e-12);
  EXPECT_FALSE(first({"kinematics"}, motion)["frames"]["tool"].contains("velocity"));
  EXPECT_EQ(run_limber({"kinematics", two_link_urdf()}, state).status,
            2);  // `a` without the option
}

}  // namespace LIMBER_TEST_FILE
}  // namespace limber::test
